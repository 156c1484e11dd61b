// Ask: a question with its filters, and the answer.
import { base, copy_button, element, key } from '../lib.js';
import {
    answer_block, copy_json, object_block, source_list,
} from './answer.js';
import { ask_service } from './session.js';
import { choice, field, form, notice, plural, say, select } from './ui.js';

const SCHEMA = JSON.stringify({
    type: 'object',
    properties: { name: { type: 'string' }, year: { type: 'integer' } },
}, null, 2);

const OUTPUTS = [['sourcedAnswer', 'A written answer'],
    ['searchResults', 'Ranked passages'], ['structured', 'Structured data']];

// What was asked last, so that it is there again when the reader comes back;
// not for the next one who signs in.
let last = {}, whose;

/* --- the request -------------------------------------------------------- */

const lines = (text) => text.split(/[\s,]+/).filter(Boolean);

// A preference for domains is said in the question itself (docs/searching.md).
export function with_priority(question, text) {
    const domains = lines(text);
    return domains.length === 0 ? question
        : `<guidance><priority>\n${domains.map((one) => `- ${one}`).join('\n')
        }\n</priority></guidance>\n${question}`;
}

// The filters that Ask and Research have in common: { node, fill(body),
// values() }.
export function filters(values = {}, { most = 0 } = {}) {
    const area = (value) => element('textarea', { rows: '2',
        spellcheck: 'false' }, value ?? '');
    const day = (value) => element('input', { type: 'date', value });
    const parts = {
        include: area(values.include), exclude: area(values.exclude),
        prefer: area(values.prefer), from: day(values.from), to: day(values.to),
    };
    const used = Object.values(values).some(Boolean);
    const count = most ? element('input', { type: 'number', min: '1',
        max: String(most), value: values.count ?? '10' }) : null;
    const node = element('details', { class: 'filters', open: used },
        element('summary', {}, 'Filters'),
        field('includeDomains', 'Only these domains', parts.include,
            'One a line, with or without a path: example.org, ' +
            'example.org/docs. When given, they alone decide.'),
        field('excludeDomains', 'Not these domains', parts.exclude),
        field('q', 'Rather these domains', parts.prefer,
            'They come first when they have something relevant; others may ' +
            'fill in.'),
        element('div', { class: 'pair' },
            field('fromDate', 'Not older than', parts.from),
            field('toDate', 'Not newer than', parts.to)),
        element('p', { class: 'help' }, 'With a date, pages that carry none ' +
            'are left out.'),
        count && field('maxResults', 'At most so many results', count));
    return {
        node, prefer: () => parts.prefer.value,
        fill(body) {
            const include = lines(parts.include.value);
            const exclude = lines(parts.exclude.value);
            if (include.length) body.includeDomains = include;
            if (exclude.length) body.excludeDomains = exclude;
            if (parts.from.value) body.fromDate = parts.from.value;
            if (parts.to.value) body.toDate = parts.to.value;
            if (count && count.value !== '10')
                body.maxResults = Number(count.value);
        },
        values: () => Object.fromEntries(Object.entries(parts)
            .map(([name, one]) => [name, one.value])),
    };
}

// The output's type with the schema that one of them needs.
export function output_choice(options, values, names = {}) {
    const schema = element('textarea', { rows: '10', spellcheck: 'false' },
        values.schema ?? SCHEMA);
    const box = field('structuredOutputSchema', 'JSON Schema', schema,
        'The object to fill in, its root of type object. What no page says ' +
        'stays empty.');
    let output = values.output ?? options[0][0];
    const change = (next) => {
        output = next;
        box.hidden = output !== 'structured';
    };
    change(output);
    return {
        node: [choice('outputType', names.label ?? 'What you want', options,
            output, change), box],
        fill(body) {
            body.outputType = output;
            if (output === 'structured')
                body.structuredOutputSchema = schema.value;
        },
        values: () => ({ output, schema: schema.value }),
    };
}

// For a POSIX shell; the key is not written into it.
export function as_curl(path, body) {
    const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
    return `curl -s ${base}${path} \\\n` +
        '  -H "Authorization: Bearer $KEY" \\\n' +
        "  -H 'Content-Type: application/json' \\\n" +
        `  -d '${quoted}'`;
}

/* --- the answer --------------------------------------------------------- */

function shown(body, answer) {
    if (body.outputType === 'sourcedAnswer')
        return [answer_block(answer.answer, answer.sources, 'Answer')];
    if (body.outputType === 'searchResults')
        return [source_list(answer.results, {
            title: plural(answer.results.length, 'result') })];
    return [object_block(answer.data, 'Data'), answer.sources.length
        ? source_list(answer.sources, { title: 'Sources' }) : null];
}

function outcome({ body, answer, ms }) {
    return [...shown(body, answer), element('div', { class: 'row tools' },
        copy_button(() => as_curl('/v1/search', body), 'Copy as curl'),
        copy_json(answer),
        element('span', { class: 'small muted' }, `${ms} ms`))].filter(Boolean);
}

function nothing_found() {
    return notice(element('p', { role: 'status' },
        element('strong', {}, 'Nothing found. '), 'No page that may be used ' +
        'answers this well enough, and a guess would not help you. Other ' +
        'words, fewer filters or more pages in the index may.'));
}

export function show_ask(main, { signal }) {
    if (whose !== key()) last = {};
    whose = key();
    const question = element('textarea', { rows: '3', class: 'question' },
        last.question ?? '');
    const depth = select([['fast', 'fast: the index and what providers say'],
        ['standard', 'standard: reads the best pages'],
        ['deep', 'deep: reads more, takes longer']], last.depth ?? 'standard');
    const output = output_choice(OUTPUTS, last);
    const narrow = filters(last.filters, { most: 100 });
    const result = element('div', { class: 'result', id: 'result' });
    if (last.outcome) result.append(...outcome(last.outcome));

    async function ask() {
        const body = { q: with_priority(question.value, narrow.prefer()),
            depth: depth.value };
        output.fill(body);
        narrow.fill(body);
        if (body.outputType === 'sourcedAnswer')
            body.includeInlineCitations = true;
        if (body.outputType === 'structured') body.includeSources = true;
        last = { question: question.value, depth: depth.value,
            ...output.values(), filters: narrow.values() };
        result.replaceChildren(element('p', { class: 'muted' }, 'Asking …'));
        say('Asking.');
        try {
            const { json, ms } = await ask_service('POST', '/v1/search',
                { body, signal, raw: true });
            last.outcome = { body, answer: json, ms };
            result.replaceChildren(...outcome(last.outcome));
            result.querySelector('h2')?.focus({ preventScroll: true });
            result.scrollIntoView({ block: 'nearest' });
            say('The answer is there.');
        } catch (failure) {
            result.replaceChildren();
            if (failure.code !== 'SEARCH_QUERY_NO_RESULT') throw failure;
            result.append(nothing_found());
        }
    }
    question.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
            question.form.requestSubmit();
    });
    main.append(form({ 'aria-label': 'Ask' }, ask,
        field('q', 'Question', question, 'Control and Enter asks.'),
        ...output.node, field('depth', 'How thorough', depth), narrow.node,
        element('button', { type: 'submit', class: 'primary' }, 'Ask')),
    result);
    if (!last.outcome) question.focus();
}
