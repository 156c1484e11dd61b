// Research: start a task; the tasks there are, page by page. Sorting, paging
// and filtering are the service's, so that it is all the same how many there
// are. The list is read again while a task on it is unfinished.
import { element } from '../lib.js';
import { filters, output_choice, with_priority } from './ask.js';
import { ask_service } from './session.js';
import {
    confirm_dialog, failure_notice, field, form, number, pause, plural, say,
    select, table, time,
} from './ui.js';

const SIZES = ['10', '25', '50', '100'];
const AGAIN = 3000; // ms
const STATES = ['pending', 'processing', 'completed', 'failed'];
const OUTPUTS = [['sourcedAnswer', 'A report with sources'],
    ['structured', 'Structured data']];
const ORDERS = [['createdAt desc', 'newest first'],
    ['createdAt asc', 'oldest first'],
    ['updatedAt desc', 'last changed first'],
    ['updatedAt asc', 'longest unchanged first']];

/* --- words shared with the view of one task ----------------------------- */

export const is_open = (task) =>
    ['pending', 'processing'].includes(task.status);

// The question without its guidance block.
export function question_of(task) {
    const whole = String(task.input?.q ?? '');
    return whole.replace(/^\s*<guidance>[^]*?<\/guidance>\s*/, '').trim() ||
        whole || 'no question';
}

export function state_mark(status) {
    return element('span', { class: `state ${STATES.includes(status) ? status
        : ''}` }, status);
}

// Asks, then cancels or removes; true when done.
export async function drop_task(task) {
    const open = is_open(task);
    const sure = await confirm_dialog(
        open ? 'Cancel this task?' : 'Remove this task?',
        open ? 'Its helper stops at its next step; what it found so far is ' +
            'not written up.'
            : 'Its report, steps and evidence are gone then.',
        open ? 'Cancel the task' : 'Remove');
    if (!sure) return false;
    await ask_service('DELETE', `/v1/research/${encodeURIComponent(task.id)}`);
    say(open ? 'The task is cancelled.' : 'The task is removed.');
    return true;
}

/* --- starting ----------------------------------------------------------- */

function start_form(go) {
    const question = element('textarea', { rows: '3', class: 'question' });
    const depth = select([['S', 'S: up to a minute'],
        ['M', 'M: up to 2 minutes'], ['L', 'L: up to 4 minutes'],
        ['XL', 'XL: up to 8 minutes']], 'M');
    const mode = select([['auto', 'as the question asks'],
        ['answer', 'answer: short, without sections'],
        ['investigate', 'investigate: asks further about everything'],
        ['research', 'research: asks further where something is missing']]);
    const output = output_choice(OUTPUTS, {});
    const narrow = filters();
    return form({ 'aria-label': 'Start research' }, async () => {
        const body = { q: with_priority(question.value, narrow.prefer()),
            reasoningDepth: depth.value, mode: mode.value };
        output.fill(body);
        narrow.fill(body);
        const task = await ask_service('POST', '/v1/research', { body });
        say('The task is started.');
        go(`#/research/${task.id}`);
    }, field('q', 'Question', question, 'A question with several sides: it ' +
        'is taken apart, searched for in rounds and written up.'),
    ...output.node,
    element('div', { class: 'pair' },
        field('reasoningDepth', 'How much work', depth),
        field('mode', 'In which way', mode)), narrow.node,
    element('button', { type: 'submit', class: 'primary' }, 'Start'));
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

function address_of(settings) {
    const query = new URLSearchParams();
    if (settings.page > 1) query.set('page', settings.page);
    if (settings.size !== '10') query.set('size', settings.size);
    if (settings.order !== ORDERS[0][0]) query.set('order', settings.order);
    if (settings.state) query.set('state', settings.state);
    return `#/research${query.size ? `?${query}` : ''}`;
}

function get_page({ order, page, size, state }, signal) {
    const [by, direction] = order.split(' ');
    return ask_service('GET', `/v1/tasks?type=research&page=${page}&pageSize=${
        size}&sortBy=${by}&sortDirection=${direction}${
        state && `&status=${state}`}`, { signal });
}

function task_table(tasks, redraw) {
    const drop = (task) => async () => {
        try {
            if (await drop_task(task)) await redraw();
        } catch (failure) {
            say(failure.message);
        }
    };
    return table('Tasks', ['Question', 'State', 'Started', 'Changed', ''],
        tasks.map((task) => [
            element('a', { class: 'clip',
                href: `#/research/${encodeURIComponent(task.id)}` },
            question_of(task)),
            state_mark(task.status), time(task.createdAt), time(task.updatedAt),
            element('button', { 'type': 'button', 'onclick': drop(task),
                'aria-label': `${is_open(task) ? 'Cancel' : 'Remove'}: ${
                    question_of(task).slice(0, 80)}` },
            is_open(task) ? 'Cancel' : 'Remove')]));
}

function pager(settings, { page, total, totalPages }) {
    const link = (words, to, may) => may ? element('a', {
        href: address_of({ ...settings, page: to }) }, words)
        : element('span', { class: 'muted' }, words);
    return element('nav',
        { 'class': 'row pager', 'aria-label': 'Pages of the list' },
        link('First', 1, page > 1), link('Previous', page - 1, page > 1),
        element('span', {}, totalPages ? `Page ${number(page)} of ${
            number(totalPages)}, ${plural(total, 'task')}` : 'No tasks'),
        link('Next', page + 1, page < totalPages),
        link('Last', totalPages, page < totalPages));
}

async function draw(list, settings, signal, focus) {
    const known = await get_page(settings, signal);
    const { data, metadata, quota } = known;
    const now = JSON.stringify(known);
    const unfinished = data.some(is_open);
    if (now === list.drawn || (!focus &&
        list.node.contains(document.activeElement))) return unfinished;
    list.drawn = now;
    list.node.replaceChildren(data.length ? task_table(data,
        () => draw(list, settings, signal, true))
        : element('p', {}, metadata.total ? 'This page is past the end.'
            : settings.state ? `No task is ${settings.state}.`
                : 'There is no task yet.'), pager(settings, metadata),
    quota?.inFlight ? element('p', { class: 'small muted' }, `${
        number(quota.inFlight)} of at most ${plural(quota.limit,
        'unfinished task')}.`) : '');
    if (focus) list.node.querySelector('a, button')?.focus();
    return unfinished;
}

function list_head(settings, go) {
    const state = select([['', 'any'], ...STATES.map((one) => [one, one])],
        settings.state);
    const order = select(ORDERS, settings.order);
    const size = select(SIZES.map((one) => [one, one]), settings.size);
    const change = () => go(address_of({ page: 1, state: state.value,
        order: order.value, size: size.value }));
    for (const one of [state, order, size])
        one.addEventListener('change', change);
    return element('div', { class: 'triple' }, field('state', 'State', state),
        field('order', 'Order', order), field('size', 'On a page', size));
}

export async function show_research(main, { query, signal, go }) {
    const settings = settings_of(query);
    const list = { drawn: '', node: element('div', {},
        element('p', { class: 'muted' }, 'Reading the list.')) };
    main.append(
        element('details', { class: 'start', open: !query.size },
            element('summary', {}, element('h2', {}, 'Start a task')),
            start_form(go)),
        element('section', { 'aria-label': 'Tasks' },
            element('h2', {}, 'Tasks'), list_head(settings, go), list.node));
    try {
        while (await draw(list, settings, signal)) await pause(AGAIN, signal);
    } catch (failure) {
        if (failure.name !== 'AbortError')
            list.node.replaceChildren(failure_notice(failure));
    }
}
