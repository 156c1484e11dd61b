// Ask: the box, what there is to ask about and what was asked before; then the
// answer under a link of its own.
import { copy_button, element } from '../lib.js';
import {
    answer_parts, as_markdown, copy_json, object_block, source_list,
} from './answer.js';
import {
    as_curl, depth_select, filters, output_choice, question_box, question_in,
    with_priority,
} from './box.js';
import { ask_service, who } from './session.js';
import {
    confirm_dialog, failure_notice, host_of, notice, number, plural, say, time,
} from './ui.js';

const OUTPUTS = [['sourcedAnswer', 'Answer'], ['searchResults', 'Passages'],
    ['structured', 'Data']];
const NAMES = ['depth', 'output', 'schema', 'only', 'not', 'prefer', 'from',
    'to', 'count', 'after'];
const USUAL = { depth: 'standard', output: 'sourcedAnswer', count: '10' };
const RECENT = 6, CLOSEST = 5;

/* --- a question in the address ------------------------------------------ */

const read_settings = (query) => Object.fromEntries(['q', ...NAMES]
    .filter((one) => query.has(one)).map((one) => [one, query.get(one)]));

function address_of(settings) {
    const query = new URLSearchParams({ q: settings.q });
    for (const one of NAMES)
        if (settings[one] && settings[one] !== USUAL[one])
            query.set(one, settings[one]);
    return `#/ask?${query}`;
}

// What a kept answer was asked with, as settings.
function settings_of({ input }) {
    const list = (one) => (input[one] ?? []).join('\n');
    return {
        depth: input.depth, output: input.outputType,
        schema: input.structuredOutputSchema &&
            (typeof input.structuredOutputSchema === 'string'
                ? input.structuredOutputSchema
                : JSON.stringify(input.structuredOutputSchema, null, 2)),
        only: list('includeDomains'), not: list('excludeDomains'),
        from: input.fromDate ?? '', to: input.toDate ?? '',
    };
}

/* --- the box ------------------------------------------------------------ */

// fill puts what is set into the request; the settings go into the address.
function ask_box(settings, { label, placeholder, send }) {
    const depth = depth_select(settings.depth);
    depth.setAttribute('aria-label', 'How thorough');
    const output = output_choice(OUTPUTS, settings, 'What comes back');
    const narrow = filters(settings, { most: 100 });
    return question_box({
        label, placeholder, button: 'Ask', value: settings.q ?? '',
        inside: [output.node, depth], below: [output.schema, narrow.node],
        submit: (q) => send({ ...settings, q, depth: depth.value,
            ...output.values(), ...narrow.values() }),
    });
}

// The request of some settings.
function body_of(settings) {
    const output = settings.output ?? USUAL.output;
    const body = { q: with_priority(settings.q, settings.prefer),
        depth: settings.depth ?? USUAL.depth, outputType: output };
    const list = (text) => (text ?? '').split(/[\s,]+/).filter(Boolean);
    if (list(settings.only).length) body.includeDomains = list(settings.only);
    if (list(settings.not).length) body.excludeDomains = list(settings.not);
    if (settings.from) body.fromDate = settings.from;
    if (settings.to) body.toDate = settings.to;
    if (settings.count && settings.count !== USUAL.count)
        body.maxResults = Number(settings.count);
    if (output === 'structured') {
        body.structuredOutputSchema = settings.schema;
        body.includeSources = true;
    }
    if (output === 'sourcedAnswer') {
        body.includeInlineCitations = true;
        body.includeEvidence = true;
    }
    return body;
}

/* --- what came back ----------------------------------------------------- */

function result_parts(question, body, output) {
    if (body.outputType === 'searchResults') return { wide: [source_list(
        output.results, { title: plural(output.results.length, 'passage'),
            question, kind: 'sources results' })] };
    if (body.outputType === 'structured') return {
        text: [object_block(output.data ?? output, 'Data')],
        sources: output.sources?.length
            ? source_list(output.sources, { title: 'Sources', question })
            : null };
    return answer_parts(output);
}

function how_words(output) {
    if (output.directness === 'related') return ['No page answers this ' +
        'directly; this is the closest there is.'];
    const pages = new Set((output.sources ?? []).map((one) => one.url)).size;
    return [output.writer === 'model'
        ? 'Written by a model, each sentence checked against '
        : output.evidence ? 'In the words of ' : 'From ',
    plural(pages, 'page'), '.'];
}

function tools({ question, body, output, id, ms, go }) {
    const remove = async () => {
        if (!await confirm_dialog('Remove this answer?', 'Its link stops ' +
            'working. You can ask again.', 'Remove')) return;
        await ask_service('DELETE', `/v1/tasks/${id}`);
        say('The answer is removed.');
        go('#/ask');
    };
    return element('div', { class: 'row tools' },
        id && copy_button(() => location.href.replace(/#.*/,
            `#/answer/${id}`), 'Copy link'),
        typeof output.answer === 'string' && copy_button(
            () => as_markdown(question, output), 'Copy Markdown'),
        copy_json(output),
        copy_button(() => as_curl('/v1/search', body), 'Copy as curl'),
        id && element('button', { type: 'button', onclick: remove }, 'Remove'),
        ms === undefined ? null
            : element('span', { class: 'small muted' }, `${number(ms)} ms`));
}

// Everything below the question.
function draw_result(place, { task, ms, go }) {
    const { input: body, output, id } = task;
    const question = question_in(body.q);
    const { text, sources, wide } = result_parts(question, body, output);
    const next = { ...settings_of(task), after: id,
        prefer: [...new Set((output.sources ?? []).map((one) =>
            host_of(one.url)))].slice(0, 3).join('\n') };
    const follow = ask_box({ ...next, output: body.outputType }, {
        label: 'Follow-up',
        placeholder: 'Ask a follow-up question',
        send: (settings) => go(address_of(settings)) });
    place.replaceChildren(...wide ?? [], text ? element('div',
        { class: 'reading' },
        element('section', { 'class': 'answer', 'aria-label': 'Answer' },
            element('p', { class: output.directness === 'related'
                ? 'small related' : 'small muted' }, how_words(output)),
            ...text),
        sources) : '',
    tools({ question, body, output, id, ms, go }),
    element('div', { class: 'follow' },
        follow.node,
        element('p', { class: 'small muted' }, 'Sites cited above rank ' +
            'first. Each question stands on its own: name what you ask about. ',
        element('a', { href: `#/research?${new URLSearchParams(
            { q: question })}` }, 'Research this question'))));
}

function nothing_found(results, settings) {
    const tips = settings.only || settings.from || settings.to
        ? 'Try fewer filters, or other words.' : 'Try other words, or add ' +
            'pages on the subject.';
    return [notice(element('p', { role: 'status' }, element('strong', {},
        'No page answers this. '), results.length
        ? `Below is what comes closest. ${tips}` : tips)),
    results.length ? source_list(results, { title: 'Closest passages',
        question: settings.q, kind: 'sources results' }) : ''];
}

// Passages that come closest where nothing answers; none is no failure here.
async function closest(body, signal) {
    try {
        const { results } = await ask_service('POST', '/v1/search', { signal,
            body: { q: body.q, depth: 'fast', outputType: 'searchResults',
                maxResults: CLOSEST, includeDomains: body.includeDomains,
                excludeDomains: body.excludeDomains, fromDate: body.fromDate,
                toDate: body.toDate } });
        return results;
    } catch (failure) {
        if (failure.name === 'AbortError') throw failure;
        return [];
    }
}

/* --- the views ---------------------------------------------------------- */

async function ask(main, settings, { signal, go, title }) {
    const body = body_of(settings), here = location.hash;
    const place = element('div', { 'class': 'result', 'id': 'result',
        'aria-busy': 'true' }, element('div', { 'class': 'waiting',
        'aria-hidden': 'true' }, ...Array.from({ length: 4 }, () =>
        element('div', {}))));
    const box = ask_box(settings, { label: 'Ask', placeholder: 'Ask again',
        send: (next) => go(address_of(next)) });
    title(settings.q);
    main.append(place);
    if (settings.after) draw_before(main, settings.after, signal);
    say('Asking.');
    const again = (...children) => {
        place.replaceChildren(...children);
        place.append(element('div', { class: 'follow' }, box.node));
    };
    try {
        const { json, ms, headers } = await ask_service('POST', '/v1/search',
            { body: { ...body, store: true }, signal, raw: true });
        const id = headers.get('x-task-id');
        draw_result(place, { task: { id, input: body, output: json }, ms, go });
        // Whoever has just gone elsewhere is not taken back.
        if (id && location.hash === here)
            history.replaceState(null, '', `#/answer/${id}${
                settings.after ? `?after=${settings.after}` : ''}`);
        say('The answer is ready.');
    } catch (failure) {
        if (failure.name === 'AbortError') return;
        if (failure.code === 'SEARCH_QUERY_NO_RESULT')
            again(...nothing_found(await closest(body, signal), settings));
        else {
            again();
            box.node.querySelector('.outcome')
                .append(failure_notice(failure, box.node));
        }
    } finally {
        place.removeAttribute('aria-busy');
    }
}

// The question this one follows.
async function draw_before(main, id, signal) {
    try {
        const task = await ask_service('GET', `/v1/tasks/${
            encodeURIComponent(id)}`, { signal });
        main.querySelector('h1').before(element('p', { class: 'small muted' },
            'Follow-up to: ', element('a', { href: `#/answer/${task.id}` },
                question_in(task.input.q))));
    } catch {
        // It was removed.
    }
}

export async function show_answer(main, { rest: id, query, signal, go,
    title }) {
    const place = element('div', { class: 'result', id: 'result' });
    main.append(place);
    if (query.has('after')) draw_before(main, query.get('after'), signal);
    try {
        const task = await ask_service('GET',
            `/v1/tasks/${encodeURIComponent(id)}`, { signal });
        title(question_in(task.input.q));
        if (!task.output) {
            place.append(notice(element('p', {}, task.error ??
                `This question is ${task.status}.`)));
            return;
        }
        draw_result(place, { task, go });
        place.prepend(element('p', { class: 'small muted' }, 'Answered ',
            time(task.createdAt), '.'));
    } catch (failure) {
        if (failure.name === 'AbortError') return;
        title('Answer');
        place.append(failure.status === 404 ? notice(element('p', {},
            'This answer is gone, or belongs to another account. ',
            element('a', { href: '#/ask' }, 'Ask again'), '.'))
            : failure_notice(failure));
    }
}

function chips(questions, go) {
    return element('ul', { 'class': 'chips', 'aria-label': 'Examples' },
        questions.map((one) => element('li', {}, element('a', {
            href: address_of({ q: one }) }, one))));
}

async function draw_around(main, { signal, go }) {
    const place = element('div', { class: 'around' });
    main.append(place);
    const [known, recent] = await Promise.all([
        ask_service('GET', '/v1/examples', { signal }),
        ask_service('GET', '/v1/tasks?type=search&status=completed&' +
            `sortDirection=desc&pageSize=${RECENT}`, { signal }),
    ].map((one) => one.catch(() => null)));
    if (signal.aborted) return;
    const add = who()?.role !== 'user' ? element('a', { href: '#/index' },
        'Add pages') : null;
    if (known) main.querySelector('.size').append(known.pages
        ? `${plural(known.pages, 'page')} in the index, in ${
            plural(known.passages, 'passage')}. ` : 'The index is empty. ',
    add ?? '');
    if (known?.questions.length) place.append(chips(known.questions, go));
    if (recent?.data.length) place.append(element('section', {},
        element('h2', {}, 'Recent'), element('ul', { class: 'recent' },
            recent.data.map((one) => element('li', {}, element('a', {
                href: `#/answer/${one.id}` }, question_in(one.input.q)),
            element('span', { class: 'small muted' },
                time(one.createdAt))))),
        element('p', { class: 'small' }, element('a', { href: '#/history' },
            'All questions'))));
}

export async function show_ask(main, context) {
    const settings = read_settings(context.query);
    if (settings.q) return ask(main, settings, context);
    const box = ask_box(settings, { label: 'Ask',
        placeholder: 'Ask a question about your pages',
        send: (next) => context.go(address_of(next)) });
    context.title('Ask your pages', 'Ask');
    main.classList.add('home');
    main.append(element('p', { class: 'size muted' }), box.node);
    box.question.focus();
    return draw_around(main, context);
}
