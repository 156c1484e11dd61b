// An answer as it is read: text with chips that say where each part is from,
// show the page's own words and open the stored page at them; the sources.
import { copy_button, element } from '../lib.js';
import { ask_service } from './session.js';
import { Cited, blocks_in, draw_blocks } from './text.js';
import { day, failure_notice, host_of, outward, tile } from './ui.js';

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

// Where the quotes are in text, in its order; neighbours are one.
export function find_passages(text, quotes) {
    const found = [];
    for (const [start, end] of quotes.map((one) => find_passage(text, one))
        .filter(Boolean).sort((a, b) => a[0] - b[0])) {
        const last = found.at(-1);
        if (last && !text.slice(last[1], start).trim())
            last[1] = Math.max(last[1], end);
        else found.push([start, end]);
    }
    return found;
}

// The page's text with the passages marked; the rest on demand.
function page_text(text, passages, whole = false) {
    const start = passages[0]?.[0] ?? 0, end = passages.at(-1)?.[1] ?? 0;
    const from = whole ? 0 : Math.max(0, start - SHOWN);
    const to = whole ? text.length : Math.min(text.length, end + SHOWN);
    let at = from;
    const parts = passages.flatMap(([first, last]) => {
        const before = text.slice(at, first);
        at = last;
        return [before, element('mark', {}, text.slice(first, last))];
    });
    const box = element('div', { 'class': 'stored', 'tabindex': '0',
        'role': 'group', 'aria-label': 'Text of the stored page' },
    from > 0 && '… ', parts, text.slice(at, to), to < text.length && ' …');
    const more = !whole && to - from < text.length && element('button', {
        type: 'button',
        onclick: () => {
            const [next] = page_text(text, passages, true);
            box.replaceWith(next);
            more.remove();
            next.focus();
            next.querySelector('mark')?.scrollIntoView({ block: 'center' });
        },
    }, 'Show the whole page');
    return [box, more || null];
}

async function fill_page(body, url, quotes) {
    try {
        const page = await ask_service('GET',
            `/v1/pages?url=${encodeURIComponent(url)}`);
        const passages = find_passages(page.text, quotes);
        body.replaceChildren(
            element('p', { class: 'small muted' },
                page.date ? [day(page.date), ' · '] : null,
                passages.length ? 'What is cited is marked.'
                    : quotes.length ? 'The passage is not in the page as ' +
                        'it is stored now; it may have been read again since.'
                        : 'The text as it is stored.'),
            ...page_text(page.text, passages).filter(Boolean));
        body.querySelector('mark')?.scrollIntoView({ block: 'center' });
    } catch (failure) {
        body.replaceChildren(failure.status === 404
            ? element('p', {}, 'This page is not stored here: the passage ' +
                'came from a search provider. Follow the link to read it.')
            : failure_notice(failure));
    }
}

let dialogs = 0;

// A dialog with the stored page of a source. It is a step of its own in the
// browser's history, so that Back closes it and nothing else. quotes are what
// is cited of it.
export function show_page(name, url, quotes) {
    const id = `page-${++dialogs}`;
    const body = element('div', { 'class': 'body', 'aria-live': 'polite' },
        element('p', {}, 'Loading the page …'));
    const dialog = element('dialog', { 'class': 'wide', 'aria-labelledby': id },
        element('div', { class: 'row apart' },
            element('h2', { id }, name || url),
            element('button', { type: 'button',
                onclick: () => dialog.close() }, 'Close')),
        element('p', { class: 'small url' }, outward(url)), body);
    const back = () => dialog.close('back');
    window.addEventListener('popstate', back);
    dialog.addEventListener('close', () => {
        window.removeEventListener('popstate', back);
        dialog.remove();
        if (dialog.returnValue !== 'back' && history.state?.dialog === id)
            history.back();
    });
    document.body.append(dialog);
    history.pushState({ dialog: id }, '');
    dialog.showModal();
    return fill_page(body, url, quotes);
}

/* --- what a citation shows ---------------------------------------------- */

const HIDE_MS = 200;

// The card that stands by a citation while it is pointed at or has the focus.
// One for the whole page; Escape takes it away.
class Card {
    constructor() {
        this.node = element('div', { class: 'card', role: 'tooltip',
            id: 'card', hidden: true });
        // Where it stands is a rule of its own: no element has a style.
        this.rule = new CSSStyleSheet();
        document.adoptedStyleSheets.push(this.rule);
        this.node.addEventListener('mouseenter', () => this.stay());
        this.node.addEventListener('mouseleave', () => this.leave());
        document.addEventListener('keydown', (event) => {
            if (event.key === 'Escape') this.hide();
        });
    }

    show(at, source, quotes) {
        this.stay();
        document.getElementById('content').append(this.node);
        this.node.replaceChildren(
            element('p', { class: 'title' }, source.name || source.url),
            element('p', { class: 'small muted' }, place_words(source)),
            element('blockquote', {}, quotes.join(' … ')));
        this.node.hidden = false;
        const box = at.getBoundingClientRect();
        const { offsetWidth: width, offsetHeight: height } = this.node;
        const room = document.documentElement.clientWidth;
        const left = Math.max(8, Math.min(box.left, room - width - 8));
        const above = box.top > height + 8 &&
            box.bottom + height > document.documentElement.clientHeight;
        const top = above ? box.top - height - 4 : box.bottom + 4;
        this.rule.replaceSync(`#card { left: ${left + window.scrollX}px;
            top: ${top + window.scrollY}px; }`);
    }

    stay() {
        clearTimeout(this.timer);
    }

    leave() {
        this.stay();
        this.timer = setTimeout(() => this.hide(), HIDE_MS);
    }

    hide() {
        this.stay();
        this.node.hidden = true;
    }
}

let card;

export function hide_card() {
    card?.hide();
}

function place_words(source) {
    const { url, date } = source;
    return [host_of(url), date ? [' · ', day(date)] : null]
        .flat().filter(Boolean);
}

// Letters and digits alone, so that what is written and what is quoted compare.
const bare = (text) => String(text ?? '').toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');

// The page's words for what stands before a citation.
function quotes_of(n, before, { sources, evidence = [] }) {
    const said = bare(before);
    const found = evidence.filter((one) => one.source === n &&
        said.includes(bare(one.text).slice(0, 60))).map((one) => one.quote);
    return found.length ? found : [sources[n - 1].snippet].filter(Boolean);
}

function citation(n, source, quotes, light) {
    const name = source.name || source.url;
    let opened = false;
    const chip = element('button', { 'type': 'button', 'class': 'cite',
        'data-cite': n, 'onclick': () => {
            opened = true;
            hide_card();
            show_page(name, source.url, quotes);
        } }, element('span', { class: 'unseen' }, 'Source '),
    element('span', { class: 'cite-n' }, String(n)),
    element('span', { class: 'cite-host' }, host_of(source.url)),
    element('span', { class: 'unseen' }, `: ${name}, view in page`));
    const show = (event) => {
        // The focus that comes back from the page is no wish to see it.
        if (event.type === 'focus' && opened) return void (opened = false);
        card ??= new Card();
        card.show(chip, source, quotes);
        light(n);
    };
    const leave = () => { card?.leave(); light(0); };
    chip.addEventListener('mouseenter', show);
    chip.addEventListener('focus', show);
    chip.addEventListener('mouseleave', leave);
    chip.addEventListener('blur', leave);
    return chip;
}

/* --- sources ------------------------------------------------------------ */

// What is marked are the question's words: [text, mark, text, …].
function marked(text, words) {
    if (!words.length) return [text];
    const any = new RegExp(`(?<![\\p{L}\\p{N}])((?:${words.join('|')})` +
        '[\\p{L}\\p{N}]{0,3})(?![\\p{L}\\p{N}])', 'giu');
    return text.split(any).map((part, i) =>
        i % 2 ? element('mark', {}, part) : part);
}

const words_of = (question) => [...new Set((question ?? '').toLowerCase()
    .match(/[\p{L}\p{N}]{4,}/gu) ?? [])].slice(0, 16)
    .map((word) => word.length > 5 ? word.slice(0, -1) : word);

function source_item(source, text, i, words) {
    const name = source.name || source.url;
    return element('li', { 'class': 'source', 'data-source': i + 1 },
        element('p', { class: 'row place' }, tile(source.url),
            element('span', { class: 'small muted' }, place_words(source)),
            element('span', { class: 'number small muted' }, String(i + 1))),
        element('p', { class: 'title' }, outward(source.url, name)),
        text ? element('blockquote', { class: 'clip' }, marked(text, words))
            : null,
        text ? element('button', {
            'type': 'button', 'class': 'plain small',
            'aria-label': `View in page: ${name}`,
            'onclick': () => show_page(source.name, source.url, [text]),
        }, 'View in page') : null);
}

// Sources (snippet) and results (content) alike. A source of an image has
// neither text nor passage: its picture is not loaded.
export function source_list(sources, { title, question, kind = 'sources' }) {
    const words = words_of(question);
    return element('section', { 'class': kind, 'aria-label': title },
        element('h2', {}, title),
        element('ol', {}, sources.map((one, i) => source_item(one,
            one.snippet ?? one.content ?? '', i, words))));
}

/* --- the answer --------------------------------------------------------- */

// The dates that the evidence knows of the sources' pages.
function dated(sources, evidence = []) {
    return sources.map((one, i) => ({ date: evidence.find((each) =>
        each.source === i + 1)?.date ?? null, ...one }));
}

// { answer, sources, evidence } to read: { text, sources }, elements. level:
// that of its highest headings.
export function answer_parts(output, { level = 3, drop_title = false } = {}) {
    const sources = dated(output.sources ?? [], output.evidence);
    const list = sources.length
        ? source_list(sources, { title: 'Sources' }) : null;
    const light = (n) => {
        for (const one of list?.querySelectorAll('.source') ?? [])
            one.classList.toggle('lit', one.dataset.source === String(n));
    };
    const cited = new Cited((n, before) => sources[n - 1] && citation(n,
        sources[n - 1], quotes_of(n, before, { ...output, sources }), light));
    let blocks = blocks_in(output.answer);
    if (drop_title && blocks[0]?.[0] === 'heading') blocks = blocks.slice(1);
    return { text: draw_blocks(blocks, cited, level), sources: list };
}

export function object_block(value, title) {
    return element('section', { 'aria-label': title },
        element('h2', {}, title),
        element('pre', { 'tabindex': '0', 'role': 'group',
            'aria-label': `${title}, as JSON` },
        JSON.stringify(value, null, 2)));
}

export function copy_json(value) {
    return copy_button(() => JSON.stringify(value, null, 2), 'Copy JSON');
}

/* --- to take away ------------------------------------------------------- */

// A name with brackets, or an address with blanks, must not end the link.
const link_text = (words) => String(words).replace(/\s+/g, ' ')
    .replace(/[\\[\]<>]/g, '\\$&');

export function as_markdown(question, output) {
    if (typeof output?.answer !== 'string')
        return `# ${question}\n\n\`\`\`json\n${
            JSON.stringify(output, null, 2)}\n\`\`\`\n`;
    const sources = (output.sources ?? []).map((one, i) =>
        `${i + 1}. ${link_text(one.name)}: <${String(one.url)
            .replace(/[\s<>]/g, encodeURIComponent)}>`);
    const title = /^# /.test(output.answer) ? '' : `# ${question}\n\n`;
    return `${title}${output.answer}\n\n## Sources\n\n${sources.join('\n')}\n`;
}
