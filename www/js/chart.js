// Charts: bars as SVG made of elements, their words as text beside them, so
// that these keep their size on every screen. The bars say it all in words for
// those who do not see them.
import { element } from '../lib.js';

const SVG = 'http://www.w3.org/2000/svg';
const WIDTH = 600, HEIGHT = 100;

function svg(name, attributes, ...children) {
    const made = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes))
        made.setAttribute(key, value);
    made.append(...children);
    return made;
}

const tick = (...words) => element('span', { class: 'tick' }, ...words);

// One bar a value, the newest last.
export function bar_chart(values, words, [left, right]) {
    const top = Math.max(1, ...values);
    const step = WIDTH / values.length;
    const bars = values.map((value, i) => svg('rect', { class: 'bar',
        x: i * step + 1, width: Math.max(1, step - 2),
        y: HEIGHT * (1 - value / top), height: HEIGHT * value / top }));
    return element('div', { class: 'chart' }, tick(`${top} a minute`),
        svg('svg', { 'class': 'bars', 'preserveAspectRatio': 'none',
            'viewBox': `0 0 ${WIDTH} ${HEIGHT}`, 'role': 'img',
            'aria-label': words }, ...bars),
        element('div', { class: 'row apart' }, tick(left), tick(right)));
}

// Named lengths against a common measure: [['half of them', 12], …].
export function length_chart(rows, unit) {
    const most = Math.max(1, ...rows.map(([, value]) => value));
    return element('div', { class: 'chart' }, rows.map(([name, value]) =>
        element('div', {},
            element('div', { class: 'row apart' }, tick(name),
                tick(`${value} ${unit}`)),
            svg('svg', { 'class': 'length', 'preserveAspectRatio': 'none',
                'viewBox': `0 0 ${WIDTH} 1`, 'aria-hidden': 'true' },
            svg('rect', { class: 'bar', x: 0, y: 0, height: 1,
                width: Math.max(2, WIDTH * value / most) })))));
}
