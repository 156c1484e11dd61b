// An answer as it is read: text whose citations light up their source, the
// sources, and a cited passage in its place in the stored page.
import { copy_button, element } from '../lib.js';
import { ask_service } from './session.js';
import { failure_notice, outward } from './ui.js';

const SHOWN = 20000; // characters of a page on either side of the passage

/* --- the page of a source ----------------------------------------------- */

// Where needle is in text when runs of white space count as one blank:
// [start, end], or null.
export function find_passage(text, needle) {
    const words = needle.trim().split(/\s+/).filter(Boolean);
    if (!words.length) return null;
    const squeezed = words.join(' ');
    let flat = '';
    const at = [];
    for (let i = 0; i < text.length; i++) {
        const blank = /\s/.test(text[i]);
        if (blank && (flat === '' || flat.endsWith(' '))) continue;
        flat += blank ? ' ' : text[i];
        at.push(i);
    }
    const found = flat.indexOf(squeezed);
    return found < 0 ? null
        : [at[found], at[found + squeezed.length - 1] + 1];
}

// The page's text with the passage marked; the rest on demand.
function page_text(text, passage, whole = false) {
    const [start, end] = passage ?? [0, 0];
    const from = whole ? 0 : Math.max(0, start - SHOWN);
    const to = whole ? text.length : Math.min(text.length, end + SHOWN);
    const box = element('div', { 'class': 'stored', 'tabindex': '0',
        'role': 'group', 'aria-label': 'Text of the stored page' },
    from > 0 && '… ', text.slice(from, start),
    passage && element('mark', {}, text.slice(start, end)),
    text.slice(end, to), to < text.length && ' …');
    const more = !whole && to - from < text.length && element('button', {
        type: 'button',
        onclick: () => {
            const [next] = page_text(text, passage, true);
            box.replaceWith(next);
            more.remove();
            next.focus();
            next.querySelector('mark')?.scrollIntoView({ block: 'center' });
        },
    }, 'Show the whole page');
    return [box, more || null];
}

async function fill_page(body, url, snippet) {
    try {
        const page = await ask_service('GET',
            `/v1/pages?url=${encodeURIComponent(url)}`);
        const passage = find_passage(page.text, snippet);
        body.replaceChildren(
            element('p', { class: 'small muted' },
                page.date ? ['Dated ', page.date, '. '] : 'Without a date. ',
                passage ? 'The cited passage is marked.'
                    : 'The passage does not stand in the page as it is ' +
                        'stored now; the page may have been read anew since.'),
            ...page_text(page.text, passage).filter(Boolean));
        body.querySelector('mark')?.scrollIntoView({ block: 'center' });
    } catch (failure) {
        body.replaceChildren(failure.status === 404
            ? element('p', {}, 'This page is not stored here: the passage ' +
                'came from a search provider. Follow the link to read it.')
            : failure_notice(failure));
    }
}

let dialogs = 0;

// A dialog with the stored page of a source.
export function show_page(name, url, snippet) {
    const id = `page-${++dialogs}`;
    const body = element('div', { 'class': 'body', 'aria-live': 'polite' },
        element('p', {}, 'Reading the page.'));
    const dialog = element('dialog', { 'class': 'wide', 'aria-labelledby': id },
        element('div', { class: 'row apart' },
            element('h2', { id }, name || url),
            element('button', { type: 'button',
                onclick: () => dialog.close() }, 'Close')),
        element('p', { class: 'small url' }, outward(url)), body);
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    return fill_page(body, url, snippet);
}

/* --- sources ------------------------------------------------------------ */

function source_item(source, text, numbered, i) {
    const name = source.name || source.url;
    return element('li', { 'class': 'source', 'tabindex': '-1',
        'data-source': i + 1 },
    element('p', { class: 'title' },
        numbered && element('span', { class: 'number' }, String(i + 1)),
        outward(source.url, name)),
    element('p', { class: 'small muted url' }, source.url,
        source.date ? [' · ', source.date] : null),
    text ? element('blockquote', {}, text) : null,
    text ? element('button', {
        'type': 'button', 'class': 'plain small',
        'aria-label': `Show in its place: ${name}`,
        'onclick': () => show_page(source.name, source.url, text),
    }, 'Show in its place') : null);
}

// Sources (snippet) and results (content) alike. A source of an image has
// neither text nor passage: its picture is not loaded.
export function source_list(sources, { title, numbered = true }) {
    return element('section', { 'class': 'sources', 'aria-label': title },
        element('h2', {}, title),
        element('ol', {}, sources.map((one, i) =>
            source_item(one, one.snippet ?? one.content ?? '', numbered, i))));
}

/* --- text with citations ------------------------------------------------ */

function citation(n, source) {
    return element('button', {
        'type': 'button', 'class': 'cite', 'data-cite': n,
        'aria-label': `Source ${n}: ${source.name || source.url}`,
    }, String(n));
}

// A citation stands behind a blank or begins a line; a number in brackets of
// the page's own has backslashes or hangs on a word ("argv[1]"), and a sign at
// the beginning of a line that is none of ours has one. What follows
// a citation in a sentence of the program's own stays with it.
export function cited_text(text, sources) {
    const plain = text.replace(/^(\d+)\\([.)])|^\\([#>+*=`~-])/gm, '$1$2$3');
    return plain.split(/((?<=^|\s)\[\d{1,4}\][.,;:!?]?)/m).map((part) => {
        const [, n, rest] = /^\[(\d+)\](.?)$/.exec(part) ?? [];
        return n && sources[n - 1] ? element('span', { class: 'hold' },
            citation(Number(n), sources[n - 1]), rest)
            : part.replace(/\\\[(\d+)\\\]/g, '[$1]');
    });
}

// The little Markdown that answers are written in: headings, lists, listings
// and paragraphs, as [kind, text or texts].
export function blocks_in(text) {
    const made = [];
    let open = null; // a paragraph or list that may go on
    let fence = null;
    const add = (kind, line) => {
        if (open?.[0] !== kind) made.push(open = [kind, []]);
        open[1].push(line);
    };
    for (const line of String(text).split('\n')) {
        const heading = /^#{1,6} +(.+)$/.exec(line);
        const item = /^(?:[-*]|\d+\.) +(.+)$/.exec(line);
        if (fence) {
            if (line === fence) fence = open = null;
            else open[1].push(line);
        } else if (/^`{3,}$/.test(line)) {
            fence = line;
            made.push(open = ['listing', []]);
        } else if (heading) {
            made.push(['heading', heading[1]]);
            open = null;
        } else if (item) add(/^\d/.test(line) ? 'steps' : 'list', item[1]);
        else if (line.trim() === '') open = null;
        else add('paragraph', line);
    }
    return made;
}

// Headings begin at h3: the view has h1 and h2.
function blocks_of(text, sources) {
    const draw = {
        heading: (line) => element('h3', {}, cited_text(line, sources)),
        paragraph: (lines) => element('p', {},
            cited_text(lines.join('\n'), sources)),
        listing: (lines) => element('pre', { tabindex: '0' },
            element('code', {}, lines.join('\n'))),
        list: (lines, tag = 'ul') => element(tag, {}, lines.map((line) =>
            element('li', {}, cited_text(line, sources)))),
        steps: (lines) => draw.list(lines, 'ol'),
    };
    return blocks_in(text).map(([kind, lines]) => draw[kind](lines));
}

// Hover and focus light up the source; a click goes to it.
function light(box) {
    const sources_of = (event) => {
        const n = event.target.closest?.('[data-cite]')?.dataset.cite;
        return n ? box.querySelector(`[data-source="${n}"]`) : null;
    };
    const dark = () => {
        for (const one of box.querySelectorAll('.lit'))
            one.classList.remove('lit');
    };
    for (const kind of ['mouseover', 'focusin'])
        box.addEventListener(kind, (event) => {
            const source = sources_of(event);
            if (!source) return;
            dark();
            source.classList.add('lit');
        });
    for (const kind of ['mouseout', 'focusout'])
        box.addEventListener(kind, (event) => {
            if (sources_of(event)) dark();
        });
    box.addEventListener('click', (event) => {
        const source = sources_of(event);
        if (!source) return;
        source.focus({ preventScroll: true });
        source.scrollIntoView({ block: 'nearest' });
        dark();
        source.classList.add('lit');
    });
}

// { answer, sources } to read.
export function answer_block(answer, sources, title) {
    const box = element('div', { class: 'reading' },
        element('section', { 'class': 'answer', 'aria-label': title },
            element('h2', { tabindex: '-1' }, title),
            ...blocks_of(answer, sources)),
        sources.length ? source_list(sources, { title: 'Sources' }) : null);
    light(box);
    return box;
}

export function object_block(value, title) {
    return element('section', { 'aria-label': title },
        element('h2', { tabindex: '-1' }, title),
        element('pre', { 'tabindex': '0', 'role': 'group',
            'aria-label': `${title}, as JSON` },
        JSON.stringify(value, null, 2)));
}

export function copy_json(value) {
    return copy_button(() => JSON.stringify(value, null, 2), 'Copy as JSON');
}
