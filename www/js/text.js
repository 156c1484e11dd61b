// The Markdown that answers and reports are written in, as elements: headings,
// lists, tables, listings, paragraphs; within them citations, code and bold.
// Text becomes text nodes; nothing of it is read as markup.
import { element } from '../lib.js';

const CELL = /(?<!\\)\|/;

// Blocks as [kind, …]; a list's items are [text, [blocks below it]].
export function blocks_in(text) {
    const lines = String(text).split('\n');
    const made = [];
    let at = 0;
    const take = (what) => {
        const taken = [];
        while (at < lines.length && what.test(lines[at]))
            taken.push(lines[at++]);
        return taken;
    };
    const listing = (fence) => {
        const end = lines.indexOf(fence, at + 1);
        const to = end < 0 ? lines.length : end;
        made.push(['listing', lines.slice(at + 1, to).join('\n')]);
        at = to + 1;
    };
    const table = () => {
        const rows = take(/^\s*\|/).map((line) => line.trim()
            .replace(/^\||(?<!\\)\|$/g, '').split(CELL)
            .map((cell) => cell.trim().replace(/\\\|/g, '|')));
        const rule = rows[1]?.every((cell) => /^:?-+:?$/.test(cell));
        made.push(['table', rule ? rows[0] : null,
            rule ? rows.slice(2) : rows]);
    };
    const list = (kind, item) => {
        const items = [];
        const first = Number(/^\d+/.exec(lines[at])?.[0] ?? 1);
        for (let found; (found = item.exec(lines[at] ?? '')); ) {
            at++;
            const below = [];
            while (at < lines.length && (/^ {2,}\S/.test(lines[at]) ||
                (lines[at] === '' && /^ {2,}\S/.test(lines[at + 1] ?? ''))))
                below.push(lines[at++].replace(/^ {2,3}/, ''));
            items.push([found[1], blocks_in(below.join('\n'))]);
        }
        made.push([kind, items, first]);
    };
    while (at < lines.length) {
        const line = lines[at];
        const heading = /^(#{1,6}) +(.+)$/.exec(line);
        if (/^`{3,}$/.test(line)) listing(line);
        else if (heading) {
            made.push(['heading', heading[2], heading[1].length]);
            at++;
        } else if (/^\|/.test(line)) table();
        else if (/^[-*] +\S/.test(line)) list('list', /^[-*] +(.+)$/);
        else if (/^\d+\. +\S/.test(line)) list('steps', /^\d+\. +(.+)$/);
        else if (line.trim() === '') at++;
        else made.push(['paragraph', [line, ...(at++,
            take(/^(?!#{1,6} |`{3,}$|\||[-*] +\S|\d+\. +\S)(?=.*\S)/))]
            .join('\n')]);
    }
    return made;
}

// Numbers in brackets that are no citations have backslashes, as has a sign at
// the beginning of a line that is none of ours.
const plain = (text) => text.replace(/\\\[(\d+)\\\]/g, '[$1]');
const unmarked = (text) =>
    text.replace(/^(\d+)\\([.)])|^\\([#>+*=`~-])/gm, '$1$2$3');

// `code` and **bold**, and a paragraph in *italics*, which is the heading that
// what follows has in its page; everything else is text.
function styled(text) {
    if (/^\*(?=\S)[^*\n]+\*$/.test(text))
        return [element('em', {}, plain(text.slice(1, -1))
            .replace(/\\([\\`_<>#|[\]])/g, '$1'))];
    return text.split(/(`[^`\n]+`|\*\*(?=\w)[^*\n]+\*\*)/).map((part) =>
        /^`.+`$/.test(part) ? element('code', {}, part.slice(1, -1))
            : /^\*\*.+\*\*$/.test(part)
                ? element('strong', {}, plain(part.slice(2, -2)))
                : plain(part));
}

// A citation stands behind a blank or begins a line ("argv[1]" is none). What
// follows it in a sentence stays with it. cite(n, before) makes the element,
// or null; before is the text since the last citation.
export class Cited {
    constructor(cite) {
        this.cite = cite;
        this.before = '';
    }

    text(text) {
        const citation = /((?<=^|\s)\[\d{1,4}\][.,;:!?]?)/m;
        return unmarked(text).split(citation).map((part) => {
            const [, n, rest] = /^\[(\d+)\](.?)$/.exec(part) ?? [];
            const made = n && this.cite(Number(n), this.before);
            if (!made) {
                this.before += `${part} `;
                return styled(part);
            }
            this.before = '';
            return element('span', { class: 'hold' }, made, rest);
        }).flat();
    }
}

// level: that of the highest headings. Headings get ids of their own, by which
// a list of contents finds them.
export function draw_blocks(blocks, cited, level = 3) {
    const top = Math.min(6, ...blocks.filter(([kind]) => kind === 'heading')
        .map(([, , depth]) => depth));
    const items = (tag, [, list, first]) => element(tag, {
        start: first > 1 && String(first) }, list.map(([text, below]) =>
        element('li', {}, cited.text(text), draw_blocks(below, cited))));
    // A page has the head in front of the cell: so it is looked for there.
    const cell = (text, head) => {
        if (text) cited.before += `${head} `;
        return element('td', { 'data-label': head }, cited.text(text));
    };
    const draw = {
        heading: ([, text, depth]) => element(
            `h${Math.min(6, level + depth - top)}`, {}, cited.text(text)),
        paragraph: ([, text]) => element('p', {
            class: /^(\s*\[\d+\])+\s*$/.test(text) && 'alone',
        }, cited.text(text)),
        listing: ([, text]) => {
            cited.before += `${text} `;
            return element('pre', { tabindex: '0' }, element('code', {}, text));
        },
        list: (block) => items('ul', block),
        steps: (block) => items('ol', block),
        table: ([, head, rows]) => element('div', { 'class': 'scroll',
            'tabindex': '0', 'role': 'group', 'aria-label': 'Table' },
        element('table', { class: 'plain' },
            head && element('thead', {}, element('tr', {}, head.map((text) =>
                text ? element('th', { scope: 'col' }, cited.text(text))
                    : element('td', {})))),
            element('tbody', {}, rows.map((row) => element('tr', {},
                row.map((text, i) => cell(text, head?.[i] ?? ''))))))),
    };
    return blocks.flatMap((block) => draw[block[0]](block));
}
