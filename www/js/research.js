// Research: start a task; the tasks there are, page by page; and in the same
// way the questions that were asked. Sorting, paging and filtering are the
// service's, so that it is all the same how many there are. The list is read again while a task on it is unfinished.
import { element } from '../lib.js';
import {
    filters, output_choice, question_box, question_in, with_priority,
} from './box.js';
import { ask_service } from './session.js';
import {
    confirm_dialog, failure_notice, field, number, pause, plural, say,
    select, state_mark, state_words, table, time,
} from './ui.js';

const SIZES = ['10', '25', '50', '100'];
const AGAIN = 3000; // ms
const STATES = ['pending', 'processing', 'completed', 'failed'];
const OUTPUTS = [['sourcedAnswer', 'Report'], ['structured', 'Data']];
const ORDERS = [['createdAt desc', 'Newest first'],
    ['createdAt asc', 'Oldest first'],
    ['updatedAt desc', 'Last changed first'],
    ['updatedAt asc', 'First changed first']];
// The two lists: of what, where it is, where one of it is.
const RESEARCH = { type: 'research', at: '#/research', one: '#/research/',
    name: 'task' };
const QUESTIONS = { type: 'search', at: '#/history', one: '#/answer/',
    name: 'question' };

/* --- words shared with the view of one task ----------------------------- */

export const is_open = (task) =>
    ['pending', 'processing'].includes(task.status);

export const question_of = (task) => question_in(task.input?.q);

// Asks, then cancels or removes; true when done.
export async function drop_task(task) {
    const open = is_open(task);
    const sure = await confirm_dialog(
        open ? 'Cancel this task?' : task.type === 'search'
            ? 'Remove this question?' : 'Remove this task?',
        open ? 'It stops at its next step, and what it found so far is not ' +
            'written up.' : task.type === 'search'
            ? 'Its answer goes with it, and the link stops working.'
            : 'Its report, steps and evidence go with it.',
        open ? 'Cancel the task' : 'Remove');
    if (!sure) return false;
    await ask_service('DELETE', `/v1/tasks/${encodeURIComponent(task.id)}`);
    say(open ? 'The task is cancelled.' : 'The task is removed.');
    return true;
}

/* --- starting ----------------------------------------------------------- */

function start_form(go, asked) {
    const depth = select([['S', 'Up to 1 minute'], ['M', 'Up to 2 minutes'],
        ['L', 'Up to 4 minutes'], ['XL', 'Up to 8 minutes']], 'M');
    const mode = select([['auto', 'Mode: Auto'],
        ['answer', 'Mode: Answer'], ['investigate', 'Mode: Investigate'],
        ['research', 'Mode: Research']]);
    mode.title = 'Answer: a few sentences, without sections. Investigate, ' +
        'Research: a report with sections. Auto: by the question.';
    depth.setAttribute('aria-label', 'Effort');
    mode.setAttribute('aria-label', 'Mode');
    const output = output_choice(OUTPUTS, {}, 'What comes back');
    const narrow = filters();
    return question_box({
        label: 'Start research', button: 'Start', value: asked, rows: 2,
        placeholder: 'A question with several sides: it is taken apart, ' +
            'searched for in rounds and written up',
        inside: [output.node, depth, mode],
        below: [output.schema, narrow.node],
        submit: async (q) => {
            const body = { q: with_priority(q, narrow.prefer()),
                reasoningDepth: depth.value, mode: mode.value };
            output.fill(body);
            narrow.fill(body);
            const task = await ask_service('POST', '/v1/research', { body });
            say('The task is started.');
            go(`#/research/${task.id}`);
        },
    });
}

/* --- the list ----------------------------------------------------------- */

function settings_of(query) {
    const page = Number(query.get('page'));
    const pick = (name, allowed, fallback) =>
        allowed.includes(query.get(name)) ? query.get(name) : fallback;
    return {
        page: Number.isInteger(page) && page > 0 ? page : 1,
        size: pick('size', SIZES, '10'),
        order: pick('order', ORDERS.map(([key]) => key), ORDERS[0][0]),
        state: pick('state', STATES, ''),
    };
}

function address_of(list, settings) {
    const query = new URLSearchParams();
    if (settings.page > 1) query.set('page', settings.page);
    if (settings.size !== '10') query.set('size', settings.size);
    if (settings.order !== ORDERS[0][0]) query.set('order', settings.order);
    if (settings.state) query.set('state', settings.state);
    return `${list.at}${query.size ? `?${query}` : ''}`;
}

function get_page(list, { order, page, size, state }, signal) {
    const [by, direction] = order.split(' ');
    return ask_service('GET', `/v1/tasks?type=${list.type}&page=${
        page}&pageSize=${
        size}&sortBy=${by}&sortDirection=${direction}${
        state && `&status=${state}`}`, { signal });
}

function task_table(kind, tasks, redraw) {
    const drop = (task) => async () => {
        try {
            if (await drop_task(task)) await redraw();
        } catch (failure) {
            say(failure.message);
        }
    };
    return table('Tasks', ['Question', 'State', 'Started', 'Finished', ''],
        tasks.map((task) => [
            element('a', { class: 'clip',
                href: `${kind.one}${encodeURIComponent(task.id)}` },
            question_of(task)),
            state_mark(task.status), time(task.createdAt),
            is_open(task) ? '' : time(task.updatedAt),
            element('button', { 'type': 'button', 'onclick': drop(task),
                'aria-label': `${is_open(task) ? 'Cancel' : 'Remove'}: ${
                    question_of(task).slice(0, 80)}` },
            is_open(task) ? 'Cancel' : 'Remove')]));
}

function pager(kind, settings, { page, total, totalPages }) {
    if (totalPages < 2) return element('p', { class: 'small muted' },
        total ? `${plural(total, kind.name)}.` : '');
    const link = (words, to, may) => may ? element('a', {
        href: address_of(kind, { ...settings, page: to }) }, words)
        : element('span', { class: 'muted' }, words);
    return element('nav',
        { 'class': 'row pager', 'aria-label': 'Pages of the list' },
        link('First', 1, page > 1), link('Previous', page - 1, page > 1),
        element('span', {}, `Page ${number(page)} of ${
            number(totalPages)}, ${plural(total, kind.name)}`),
        link('Next', page + 1, page < totalPages),
        link('Last', totalPages, page < totalPages));
}

async function draw(list, settings, signal, focus) {
    const { kind } = list;
    const known = await get_page(kind, settings, signal);
    const { data, metadata, quota } = known;
    const now = JSON.stringify(known);
    const unfinished = data.some(is_open);
    if (now === list.drawn || (!focus &&
        list.node.contains(document.activeElement))) return unfinished;
    list.drawn = now;
    list.node.replaceChildren(data.length ? task_table(kind,
        data, () => draw(list, settings, signal, true))
        : element('p', {}, metadata.total ? 'This page is past the end.'
            : settings.state ? `No ${kind.name} is in this state.`
                : `No ${kind.name}s yet.`),
    pager(kind, settings, metadata),
    quota?.inFlight && kind === RESEARCH ? element('p', {
        class: 'small muted' }, `${
        number(quota.inFlight)} of at most ${plural(quota.limit,
        'unfinished task')}.`) : '');
    if (focus) list.node.querySelector('a, button')?.focus();
    return unfinished;
}

function list_head(kind, settings, go) {
    const state = select([['', 'Any'], ...STATES.map((one) =>
        [one, state_words(one)])], settings.state);
    const order = select(ORDERS, settings.order);
    const size = select(SIZES.map((one) => [one, one]), settings.size);
    const change = () => go(address_of(kind, { page: 1, state: state.value,
        order: order.value, size: size.value }));
    for (const one of [state, order, size])
        one.addEventListener('change', change);
    return element('div', { class: 'trio' }, field('state', 'State', state),
        field('order', 'Order', order), field('size', 'Per page', size));
}

async function show_list(main, kind, { query, signal, go }, ...above) {
    const settings = settings_of(query);
    const list = { kind, drawn: '', node: element('div', {},
        element('p', { class: 'muted' }, 'Loading …')) };
    main.append(...above, element('section', { 'aria-label': 'List' },
        above.length ? element('h2', {}, 'Tasks') : '',
        list_head(kind, settings, go), list.node));
    try {
        while (await draw(list, settings, signal)) await pause(AGAIN, signal);
    } catch (failure) {
        if (failure.name !== 'AbortError')
            list.node.replaceChildren(failure_notice(failure));
    }
}

export function show_research(main, context) {
    return show_list(main, RESEARCH, context,
        start_form(context.go, context.query.get('q') ?? '').node);
}

export function show_history(main, context) {
    return show_list(main, QUESTIONS, context);
}
