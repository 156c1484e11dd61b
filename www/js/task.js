// One research task: watched while it works, then its report. The service tells
// what is new as server-sent events; it is asked again soon, less often while
// nothing changes or it does not answer.
import { copy_button, element } from '../lib.js';
import {
    answer_parts, as_markdown, copy_json, object_block,
} from './answer.js';
import { as_html } from './export.js';
import { drop_task, is_open, question_of } from './research.js';
import { ask_service } from './session.js';
import {
    download, failure_notice, notice, number, outward, pause, plural, say,
    seconds, state_mark, time,
} from './ui.js';

const SOON = 500, LATE = 8000;

/* --- steps in words ----------------------------------------------------- */

function page_items(pages) {
    return element('ul', { class: 'small' }, pages.map((one) => {
        const url = typeof one === 'string' ? one : String(one?.url ?? '');
        return element('li', { class: 'url' }, outward(url));
    }));
}

const ENDS = {
    'covered': 'every part has an answer',
    'rounds': 'the limit of rounds is reached',
    'queries': 'the limit of queries is reached',
    'pages': 'the limit of pages is reached',
    'time': 'the time limit is reached',
    'nothing new': 'two rounds found nothing new',
    'no further query': 'nothing is left to ask',
};

function verified_words({ held, moved, dropped, why } = {}) {
    return held === undefined ? '' : ` Verified: ${plural(held,
        'sentence')} hold, ${number(moved)} moved to another source, ${
        number(dropped)} dropped${why ? ` (${why})` : ''}.`;
}

const WORDS = {
    plan: (step) => ['Breaks the question down',
        element('ul', {}, (step.subQuestions ?? []).map((one) =>
            element('li', {}, one)))],
    search: (step) => [['Searches for ', element('q', {}, step.query ?? '')],
        step.subQuestion && step.subQuestion !== step.query
            ? element('p', { class: 'small muted' }, 'About: ',
                step.subQuestion) : null,
        element('p', { class: 'small muted' }, step.failed ?
            `It failed: ${step.failed}` : `${plural(step.candidates ?? 0,
                'candidate')}, ${plural(step.passagesKept ?? 0,
                'passage')} kept.`),
        step.pages?.length ? element('details', { class: 'small' },
            element('summary', {},
                `${plural(step.pages.length, 'page')} read`),
            page_items(step.pages)) : null],
    gap: (step) => ['Checks what is missing',
        element('p', { class: 'small muted' }, plural(step.newPassages ?? 0,
            'new passage'), '. ', step.ended ? `The search ends: ${
                Object.hasOwn(ENDS, step.ended) ? ENDS[step.ended]
                    : step.ended}.`
            : 'The search goes on.'),
        step.open?.length ? element('div', { class: 'small' },
            element('p', {}, 'Still open:'), element('ul', {},
                step.open.map((one) => element('li', {}, one)))) : null],
    write: (step) => ['Writes', element('p', { class: 'small muted' },
        `${plural(step.sections ?? 0, 'section')}, ${
            plural(step.sentences ?? 0, 'sentence')}, ${
            plural(step.sources ?? 0, 'source')}${step.notFound
            ? `; ${plural(step.notFound, 'sub-question')} without an answer`
            : ''}.`, verified_words(step.verified ?? undefined))],
};

const duration = (ms) => ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;

function step_item(step) {
    const [title, ...rest] = (Object.hasOwn(WORDS, step.type)
        ? WORDS[step.type] : () => [String(step.type)])(step);
    return element('li', { class: 'step' },
        element('p', { class: 'title' }, title, ' ',
            element('span', { class: 'small muted' },
                duration(step.durationMs ?? 0))),
        ...rest.filter(Boolean));
}

/* --- progress ----------------------------------------------------------- */

// How much of the budget is spent: of whatever is nearest its end, but for the
// rounds, of which the last is at work when all are begun.
export function spent_share(spent, budget) {
    return Math.min(1, Math.max(0, ...['queries', 'pages', 'milliseconds']
        .map((one) => Number(spent[one]) / Number(budget[one]) || 0)));
}

function progress_words({ spent, budget }) {
    return `round ${spent.rounds} of ${budget.rounds}, ${spent.queries} of ${
        plural(budget.queries, 'query', 'queries')}, ${
        spent.pages} of ${plural(budget.pages, 'page')}, ${
        seconds(spent.milliseconds / 1000)} of ${
        seconds(budget.milliseconds / 1000)}`;
}

class Progress {
    constructor() {
        this.bar = element('progress', { 'max': '100', 'value': '0',
            'aria-label': 'Share of the budget that is spent' });
        this.words = element('p', { class: 'small muted' });
        this.list = element('ol', { class: 'steps' });
        this.node = element('section', { 'aria-label': 'Progress' },
            this.bar, this.words, this.list);
    }

    // steps: those that are new.
    update({ steps, spent, budget }, open) {
        const share = Math.round(100 * spent_share(spent, budget));
        this.bar.value = open ? share : 100;
        this.bar.hidden = !open;
        this.words.textContent = `${open ? 'So far: ' : 'Spent: '}${
            progress_words({ spent, budget })}.`;
        this.list.append(...steps.map(step_item));
        if (open && steps.length)
            say(`${this.list.lastChild.querySelector('.title').textContent}; ${
                share} percent of the budget is spent.`);
    }
}

/* --- the end ------------------------------------------------------------ */

const is_report = ({ output, input }) => typeof output?.answer === 'string' &&
    input?.outputType === 'sourcedAnswer';

// Where each section is; a click goes there and leaves the address alone.
function contents(headings) {
    return element('nav', { 'class': 'contents', 'aria-label': 'Contents' },
        element('ul', {}, headings.map((one) => element('li', {
            class: one.tagName === 'H3' && 'deeper' },
        element('button', { type: 'button', class: 'plain', onclick: () => {
            one.setAttribute('tabindex', '-1');
            one.focus({ preventScroll: true });
            one.scrollIntoView();
        } }, one.firstChild?.textContent ?? '')))));
}

function report(task) {
    const { output } = task;
    if (!is_report(task)) return [object_block(output, 'Data')];
    const { text, sources } = answer_parts(output,
        { level: 2, drop_title: true });
    const headings = text.filter((one) => /^H[23]$/.test(one.tagName));
    const body = element('section', { 'class': 'answer',
        'aria-label': 'Report' }, ...text);
    return [headings.length > 2 ? element('div', { class: 'report' },
        contents(headings), element('div', {}, body, sources))
        : element('div', { class: 'reading' }, body, sources)];
}

function outcome(task) {
    if (task.status === 'completed') return report(task);
    if (task.status === 'failed')
        return [notice(element('p', {}, element('strong', {},
            'The task failed: '), task.error ?? 'no reason is given'))];
    return [];
}

function actions(task, drop) {
    const save = (ending, type, text) => element('button', { type: 'button',
        onclick: () => download(`research-${task.id}.${ending}`, type, text()),
    }, { md: 'Markdown', html: 'HTML', json: 'JSON' }[ending]);
    const done = task.status === 'completed';
    return element('div', { class: 'row tools' },
        copy_button(() => location.href, 'Copy link'),
        done && element('span', { class: 'row', role: 'group',
            'aria-label': 'Download' },
        element('span', { class: 'small muted' }, 'Download'),
        save('md', 'text/markdown', () =>
            as_markdown(question_of(task), task.output)),
        is_report(task) && save('html', 'text/html', () =>
            as_html(question_of(task), task.output)),
        save('json', 'application/json', () =>
            `${JSON.stringify(task, null, 2)}\n`)),
        done && copy_json(task),
        element('button', { type: 'button', onclick: drop },
            is_open(task) ? 'Cancel' : 'Remove'));
}

function took(task) {
    const ms = new Date(task.updatedAt) - new Date(task.createdAt);
    const pages = task.output?.sources?.length;
    return [element('span', {}, 'Started ', time(task.createdAt)),
        is_open(task) ? null : element('span', {}, 'Took ', duration(ms)),
        pages ? element('span', {}, plural(pages, 'source')) : null]
        .filter(Boolean);
}

/* --- the view ----------------------------------------------------------- */

// What the service tells since step `last`: { steps, last, budget, spent,
// status }.
async function news(path, last, signal) {
    const { text } = await ask_service('GET', `${path}/events`, { signal,
        raw: true, type: 'text/event-stream',
        headers: last === undefined ? {} : { 'Last-Event-ID': last } });
    const told = { steps: [], last };
    for (const block of text.split('\n\n')) {
        const line = (name) => block.split('\n').find((one) =>
            one.startsWith(`${name}: `))?.slice(name.length + 2);
        const event = line('event');
        if (event === 'progress') Object.assign(told, JSON.parse(line('data')));
        if (event !== 'step') continue;
        told.steps.push(JSON.parse(line('data')));
        told.last = line('id');
    }
    return told;
}

// draw(task, told): the task is asked for whenever its status is another; what
// was told of it counts, so that all steps are there when it has ended.
async function watch(id, signal, draw, trouble) {
    const path = `/v1/research/${encodeURIComponent(id)}`;
    let wait = SOON, task, last;
    for (;;) {
        try {
            const told = await news(path, last, signal);
            if (task?.status !== told.status)
                task = { ...await ask_service('GET', path, { signal }),
                    status: told.status };
            last = told.last;
            trouble(null);
            draw(task, told);
            if (!is_open(task)) return;
            wait = told.steps.length ? SOON : Math.min(LATE / 2, wait * 1.25);
        } catch (failure) {
            // Of what a client is to blame for, nothing gets better.
            if (failure.name === 'AbortError' || (failure.status >= 400 &&
                failure.status < 500 && failure.status !== 429)) throw failure;
            trouble(failure);
            wait = Math.max(Math.min(LATE, wait * 2),
                1000 * (failure.wait ?? 0));
        }
        await pause(wait, signal);
    }
}

export async function show_task(main, { rest: id, signal, go, title }) {
    const head = element('div', {});
    const trouble = element('div', {});
    const end = element('div', { class: 'result' });
    const progress = new Progress();
    const work = element('details', { open: true },
        element('summary', {}, element('h2', {}, 'Steps')),
        progress.node);
    let watched = false, titled = false;

    function draw(task, told) {
        const open = is_open(task);
        if (!titled) title(question_of(task));
        titled = true;
        head.replaceChildren(
            element('p', { class: 'row small muted' }, state_mark(task.status),
                ...took(task)), actions(task, drop));
        progress.update(told, open);
        if (open) watched = true;
        else {
            work.open = false;
            end.replaceChildren(...outcome(task));
            if (watched) say(task.status === 'completed'
                ? 'The report is ready.' : 'The task failed.');
        }
        async function drop() {
            try {
                if (await drop_task(task)) go(open ? `#/research/${id}`
                    : '#/research');
            } catch (failure) {
                trouble.replaceChildren(failure_notice(failure));
            }
        }
    }
    main.querySelector('h1').before(element('p', { class: 'small' },
        element('a', { href: '#/research' }, 'All tasks')));
    main.append(head, trouble, end, work);
    try {
        await watch(id, signal, draw, (failure) => trouble.replaceChildren(
            ...(failure ? [failure_notice(failure)] : [])));
    } catch (failure) {
        if (failure.name === 'AbortError') return;
        work.remove();
        if (!titled) title('Research task');
        trouble.replaceChildren(failure_notice(failure));
    }
}
