// The box a question is put into, with what goes with it: how thorough, what
// comes back, filters. Ask and Research share the parts.
import { base, element } from '../lib.js';
import { choice, field, form, select } from './ui.js';

const SCHEMA = JSON.stringify({
    type: 'object',
    properties: { name: { type: 'string' }, year: { type: 'integer' } },
}, null, 2);

/* --- the request -------------------------------------------------------- */

const lines = (text) => text.split(/[\s,]+/).filter(Boolean);

// A preference for domains is said in the question itself (docs/searching.md).
export function with_priority(question, text) {
    const domains = lines(text ?? '');
    return domains.length === 0 ? question
        : `<guidance><priority>\n${domains.map((one) => `- ${one}`).join('\n')
        }\n</priority></guidance>\n${question}`;
}

// The question without its guidance block.
export function question_in(q) {
    const whole = String(q ?? '');
    return whole.replace(/^\s*<guidance>[^]*?<\/guidance>\s*/, '').trim() ||
        whole || 'No question';
}

// For a POSIX shell; the key is not written into it.
export function as_curl(path, body) {
    const quoted = JSON.stringify(body).replaceAll("'", "'\\''");
    return `curl -s ${base}${path} \\\n` +
        '  -H "Authorization: Bearer $KEY" \\\n' +
        "  -H 'Content-Type: application/json' \\\n" +
        `  -d '${quoted}'`;
}

/* --- its parts ---------------------------------------------------------- */

// { node, fill(body), values(), prefer() }; values are those of the fields.
export function filters(values = {}, { most = 0 } = {}) {
    const area = (value) => element('textarea', { rows: '2',
        spellcheck: 'false' }, value ?? '');
    const date = (value) => element('input', { type: 'date', value });
    const parts = {
        only: area(values.only), not: area(values.not),
        prefer: area(values.prefer), from: date(values.from),
        to: date(values.to),
    };
    if (most) parts.count = element('input', { type: 'number', min: '1',
        max: String(most), value: values.count ?? '10' });
    const used = ['only', 'not', 'from', 'to']
        .some((one) => values[one]);
    const node = element('details', { class: 'filters', open: used },
        element('summary', {}, 'Filters'),
        element('div', { class: 'triple' },
            field('includeDomains', 'Only these sites', parts.only,
                'One per line: example.org, or example.org/docs'),
            field('excludeDomains', 'Not these sites', parts.not),
            field('q', 'Prefer these sites', parts.prefer,
                'Ranked first when relevant')),
        element('div', { class: 'triple' },
            field('fromDate', 'From', parts.from,
                'Leaves out pages without a date'),
            field('toDate', 'To', parts.to),
            most && field('maxResults', 'Most results', parts.count)));
    return {
        node, prefer: () => parts.prefer.value,
        fill(body) {
            const only = lines(parts.only.value);
            const not = lines(parts.not.value);
            if (only.length) body.includeDomains = only;
            if (not.length) body.excludeDomains = not;
            if (parts.from.value) body.fromDate = parts.from.value;
            if (parts.to.value) body.toDate = parts.to.value;
            if (most && parts.count.value !== '10')
                body.maxResults = Number(parts.count.value);
        },
        values: () => Object.fromEntries(Object.entries(parts)
            .map(([name, one]) => [name, one.value])),
    };
}

// The kind of output, with the schema that one of them needs.
export function output_choice(options, values, label) {
    const schema = element('textarea', { rows: '8', spellcheck: 'false',
        class: 'mono' }, values.schema ?? SCHEMA);
    const place = field('structuredOutputSchema', 'JSON Schema', schema,
        'The object to fill in. What no page says stays empty.');
    let output = values.output ?? options[0][0];
    const change = (next) => {
        output = next;
        place.hidden = output !== 'structured';
    };
    change(output);
    return {
        node: choice('outputType', label, options, output, change),
        schema: place,
        fill(body) {
            body.outputType = output;
            if (output === 'structured')
                body.structuredOutputSchema = schema.value;
        },
        values: () => ({ output,
            schema: output === 'structured' ? schema.value : undefined }),
    };
}

// One box: a question, what goes with it below, the button in it. submit() is
// async. Enter sends; with Shift it is a new line.
export function question_box({ label, button, value = '', placeholder, inside,
    below, submit, rows = 1 }) {
    const question = element('textarea', { rows: String(rows),
        class: 'question', placeholder, name: 'q' }, value);
    const box = form({ 'class': 'ask', 'aria-label': label }, async () => {
        if (!question.value.trim()) {
            question.focus();
            const { Failure } = await import('./session.js');
            throw new Failure('Type a question first.');
        }
        await submit(question.value.trim());
    }, element('div', { 'class': 'box', 'data-field': 'q' },
        element('label', { class: 'unseen', for: `question-${label}` },
            'Question'), question,
        element('div', { class: 'row apart' },
            element('div', { class: 'row options' }, inside ?? null),
            element('button', { type: 'submit', class: 'primary' }, button))),
    below ?? null);
    question.id = `question-${label}`;
    box.addEventListener('keydown', (event) => {
        const all = event.ctrlKey || event.metaKey;
        if (event.key !== 'Enter' || event.isComposing) return;
        if (all || (event.target === question && !event.shiftKey)) {
            event.preventDefault();
            box.requestSubmit();
        }
    });
    return { node: box, question };
}

export function depth_select(value) {
    const made = select([['fast', 'Fast'], ['standard', 'Standard'],
        ['deep', 'Deep']], value ?? 'standard');
    made.title = 'Fast: what the index and providers say. Standard: reads ' +
        'the best pages. Deep: reads more, takes longer.';
    return made;
}
