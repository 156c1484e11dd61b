// Charts as SVG, made of elements; every one has its words as well.
const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 600, HEIGHT = 120, FOOT = 18;

function svg(name, attributes, ...children) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes))
        made.setAttribute(key, value);
    made.append(...children);
    return made;
}

// One bar a value, the newest last. words says it all for those who do not see.
export function bar_chart(values, words, [left, right]) {
    const top = Math.max(1, ...values);
    const step = WIDTH / values.length;
    const bars = values.map((value, i) => {
        const height = (HEIGHT - FOOT - 14) * value / top;
        return svg('rect', { class: 'bar', x: i * step + 1,
            y: HEIGHT - FOOT - height, width: Math.max(1, step - 2), height });
    });
    return svg('svg', { 'class': 'chart', 'viewBox': `0 0 ${WIDTH} ${HEIGHT}`,
        'role': 'img', 'aria-label': words }, ...bars,
    svg('line', { class: 'axis', x1: 0, x2: WIDTH, y1: HEIGHT - FOOT,
        y2: HEIGHT - FOOT }),
    svg('text', { class: 'tick', x: 0, y: 10 }, `${top} a minute`),
    svg('text', { class: 'tick', x: 0, y: HEIGHT - 4 }, left),
    svg('text', { 'class': 'tick', 'x': WIDTH, 'y': HEIGHT - 4,
        'text-anchor': 'end' }, right));
}

// Named lengths against a common measure: [['half of the requests', 12], …].
export function length_chart(rows, unit, words) {
    const most = Math.max(1, ...rows.map(([, value]) => value));
    const parts = rows.flatMap(([name, value], i) => [
        svg('text', { class: 'tick', x: 0, y: 44 * i + 13 }, name),
        svg('rect', { class: 'bar', x: 0, y: 44 * i + 19, height: 14,
            width: Math.max(2, (WIDTH - 110) * value / most) }),
        svg('text', { class: 'tick', y: 44 * i + 30,
            x: Math.max(2, (WIDTH - 110) * value / most) + 8 },
        `${value} ${unit}`)]);
    return svg('svg', { 'class': 'chart', 'role': 'img', 'aria-label': words,
        'viewBox': `0 0 ${WIDTH} ${44 * rows.length}` }, ...parts);
}
