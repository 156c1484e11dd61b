// The reference page: the service's own description of its interface, shown,
// with every call to try. Nothing is known here of any operation.
import {
    base, call, copy_button, element, key, set_key,
} from './lib.js';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const DEPTH_MAX = 8; // of nested schemas that are shown

let description;

function resolve(value) {
    for (let i = 0; value?.$ref && i < 10; i++)
        value = value.$ref.replace(/^#\//, '').split('/')
            .reduce((at, name) => at?.[name], description);
    return value ?? {};
}

// Paragraphs of plain text.
function prose(text = '') {
    return text.split('\n\n').filter(Boolean)
        .map((one) => element('p', {}, one));
}

function pretty(value) {
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

// A block of text that may scroll, so it can be focused and has a name.
function text_block(label, text) {
    return element('pre',
        { tabindex: '0', role: 'group', 'aria-label': label }, text);
}

/* --- schemas ------------------------------------------------------------ */

function type_words(schema) {
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.enum)
        return schema.enum.map((one) => JSON.stringify(one)).join(' or ');
    if (schema.anyOf?.every((one) => one.type))
        return schema.anyOf.map(type_words).join(' or ');
    const kinds = [schema.type ?? []].flat();
    let words = kinds.join(' or ');
    if (kinds.includes('array') && schema.items) {
        const item = type_words(resolve(schema.items));
        words = words.replace('array', item ? `array of ${item}` : 'array');
    }
    if (schema.format) words += ` (${schema.format})`;
    return words || (schema.oneOf || schema.anyOf ? 'one of several' : 'any');
}

function bounds(schema) {
    const words = [];
    if (schema.default !== undefined)
        words.push(`default ${JSON.stringify(schema.default)}`);
    if (schema.minimum !== undefined) words.push(`at least ${schema.minimum}`);
    if (schema.maximum !== undefined) words.push(`at most ${schema.maximum}`);
    if (schema.minLength) words.push('not empty');
    if (schema.maxLength) words.push(`at most ${schema.maxLength} characters`);
    if (schema.minItems) words.push(`at least ${schema.minItems} entries`);
    if (schema.maxItems) words.push(`at most ${schema.maxItems} entries`);
    return words.join(', ');
}

// What lies inside a schema: its fields, or those of its alternatives. must is
// the word for a field that cannot be missing.
function schema_inside(raw, must, depth = 0) {
    const schema = resolve(raw);
    if (depth > DEPTH_MAX) return [];
    if (schema.properties) return [schema_fields(schema, must, depth)];
    if (schema.items) return schema_inside(schema.items, must, depth);
    const several = schema.oneOf ?? schema.anyOf ?? [];
    return several.flatMap((one, i) => {
        const name = one.$ref?.split('/').pop() ?? type_words(resolve(one));
        const inside = schema_inside(one, must, depth + 1);
        return [element('p', { class: 'small muted' },
            `${i ? 'or ' : 'either '}${name}`), ...inside];
    });
}

function schema_fields(schema, must, depth) {
    const required = new Set(schema.required ?? []);
    return element('dl', { class: 'schema' },
        Object.entries(schema.properties).flatMap(([name, raw]) => {
            const field = resolve(raw);
            const limits = bounds(field);
            return [
                element('dt', {}, element('code', {}, name), ' ',
                    element('span', { class: 'muted' }, type_words(field),
                        required.has(name) ? `, ${must}` : '',
                        limits && `; ${limits}`)),
                element('dd', {}, raw.description ?? field.description ?? '',
                    ...schema_inside(field, must, depth + 1)),
            ];
        }));
}

function schema_block(schema, must) {
    const inside = schema_inside(schema, must);
    return inside.length ? element('details', {},
        element('summary', {}, 'Fields'), ...inside) : null;
}

// The body of every failure is explained once.
const ERROR = '#/components/schemas/Error';

function error_section() {
    const schema = description.components?.schemas?.Error;
    if (!schema) return [];
    return [element('h2', { id: 'errors' }, 'Errors'),
        ...prose(schema.description),
        ...schema_inside(schema, 'always')];
}

/* --- parts of an operation ---------------------------------------------- */

function parameters_table(parameters) {
    if (!parameters.length) return [];
    return [element('h4', {}, 'Parameters'), element('div',
        { class: 'scroll', tabindex: '0', role: 'group',
            'aria-label': 'Parameters' },
        element('table', {},
            element('thead', {}, element('tr', {},
                ...['Name', 'Where', 'What'].map((one) =>
                    element('th', { scope: 'col' }, one)))),
            element('tbody', {}, ...parameters.map((one) => {
                const limits = bounds(one.schema ?? {});
                return element('tr', {},
                    element('th', { scope: 'row' },
                        element('code', {}, one.name)),
                    element('td', {}, one.in,
                        one.required ? ', required' : ''),
                    element('td', {}, one.description ?? '',
                        element('br'), element('span', { class: 'muted' },
                            type_words(one.schema ?? {}),
                            limits && `; ${limits}`)));
            }))))];
}

// Good ones, and those that are refused.
function examples_of(media) {
    return Object.entries({ ...media?.examples, ...media?.['x-refused'] })
        .map(([name, one]) => ({
            name, title: one.summary ?? name, value: one.value,
        }));
}

function response_block(status, raw) {
    const response = resolve(raw);
    const media = response.content?.['application/json'];
    const headers = Object.keys(response.headers ?? {});
    return element('details', { class: 'response' },
        element('summary', {}, element('code', {
            class: Number(status) < 400 ? 'good' : 'bad',
        }, status), ` ${response.description ?? ''}`),
        headers.length ? element('p', { class: 'small' }, 'Headers: ',
            element('span', { class: 'mono' }, headers.join(', '))) : null,
        media?.schema?.$ref === ERROR ? element('p', { class: 'small' },
            'Body: ', element('a', { href: '#errors' }, 'Error')) :
            media && schema_block(media.schema ?? {}, 'always'),
        ...examples_of(media).map((one) => [
            element('p', { class: 'small muted' }, `Example: ${one.title}`),
            text_block(one.title, pretty(one.value)),
        ]).flat());
}

/* --- trying ------------------------------------------------------------- */

let fields = 0;
function field(label, input) {
    input.id = `field-${++fields}`;
    return element('div', { class: 'field' },
        element('label', { for: input.id }, label), input);
}

function parameter_inputs(parameters) {
    return parameters.map((one) => {
        const schema = one.schema ?? {};
        const input = schema.enum ?
            element('select', {},
                one.required ? null : element('option', { value: '' }, ''),
                ...schema.enum.map((word) => element('option', {}, word))) :
            element('input', { type: 'text', autocomplete: 'off',
                spellcheck: 'false' });
        return { ...one, input };
    });
}

function target_of(path, inputs) {
    const query = new URLSearchParams();
    const headers = {};
    for (const one of inputs) {
        const value = one.input.value.trim();
        if (one.in === 'path')
            path = path.replace(`{${one.name}}`, encodeURIComponent(value));
        else if (value && one.in === 'query')
            for (const word of one.schema?.type === 'array' ?
                value.split(/[\s,]+/) : [value]) query.append(one.name, word);
        else if (value && one.in === 'header') headers[one.name] = value;
    }
    return { path: query.size ? `${path}?${query}` : path, headers };
}

function show_answer(output, answer) {
    const id = answer.headers.get('X-Request-Id');
    output.replaceChildren(
        element('p', {}, element('strong', {
            class: answer.status < 400 ? 'good' : 'bad',
        }, String(answer.status)), ` in ${answer.ms} ms`,
        id ? element('span', { class: 'muted' }, `, request ${id}`) : null),
        text_block('Answer',
            answer.json === undefined ? answer.text : pretty(answer.json)));
}

function body_inputs(operation) {
    const media = operation.requestBody?.content?.['application/json'];
    if (!media) return null;
    const examples = examples_of(media);
    const body = element('textarea', { rows: '10', spellcheck: 'false' });
    const choice = element('select', {
        onchange: () => { body.value = pretty(examples[choice.value].value); },
    }, ...examples.map((one, i) =>
        element('option', { value: String(i) }, one.title)));
    if (examples.length) body.value = pretty(examples[0].value);
    return { body, choice, several: examples.length > 1 };
}

function try_block(path, method, operation, parameters) {
    // A browser sets Origin itself.
    const inputs = parameter_inputs(
        parameters.filter((one) => one.name !== 'Origin'));
    const request = body_inputs(operation);
    const output = element('div', { 'aria-live': 'polite' });
    const send = element('button', { class: 'primary', type: 'submit' },
        'Send');
    async function run(event) {
        event.preventDefault();
        send.disabled = true;
        output.replaceChildren(element('p', {}, 'Waiting for the answer.'));
        try {
            const target = target_of(path, inputs);
            show_answer(output, await call(method.toUpperCase(), target.path,
                { headers: target.headers, body: request?.body.value }));
        } catch (e) {
            output.replaceChildren(element('p', { class: 'notice bad' },
                `No answer: ${e.message}`));
        }
        send.disabled = false;
    }
    return element('details', {},
        element('summary', {}, 'Try it'),
        element('form', { onsubmit: run },
            ...inputs.map((one) => field(`${one.name} (${one.in}` +
                `${one.schema?.type === 'array' ? ', several' : ''})`,
            one.input)),
            request?.several && field('Example', request.choice),
            request && field('Body', request.body),
            element('p', {}, send)),
        output);
}

/* --- the page ----------------------------------------------------------- */

function sample_block(sample) {
    return [element('div', { class: 'row' },
        element('h4', {}, sample.label ?? sample.lang),
        copy_button(() => sample.source)),
    text_block(sample.label ?? 'Sample', sample.source)];
}

function operation_block({ path, method, operation, shared }) {
    const parameters = [...shared, ...operation.parameters ?? []].map(resolve);
    const media = operation.requestBody?.content?.['application/json'];
    const open = (operation.security ?? description.security ?? []).length > 0;
    return element('article', {
        class: 'operation', id: operation.operationId,
        'aria-labelledby': `${operation.operationId}-title`,
    },
    element('h3', { id: `${operation.operationId}-title` },
        operation.summary),
    element('p', { class: 'mono' },
        element('span', { class: 'method' }, method), ` ${path}`),
    ...prose(operation.description),
    open ? null : element('p', { class: 'muted small' }, 'No key is needed.'),
    ...parameters_table(parameters),
    media && element('h4', {}, 'Request'),
    media && schema_block(media.schema ?? {}, 'required'),
    element('h4', {}, 'Answers'),
    ...Object.entries(operation.responses).map(([status, response]) =>
        response_block(status, response)),
    ...(operation['x-codeSamples'] ?? []).flatMap(sample_block),
    try_block(path, method, operation, parameters));
}

function key_block() {
    const input = element('input', {
        type: 'password', autocomplete: 'off', spellcheck: 'false',
        oninput: () => set_key(input.value.trim()),
    });
    input.value = key();
    return element('div', { class: 'notice' },
        field('API key, for trying', input),
        element('p', { class: 'small muted' },
            'Kept in this tab until it is closed, and sent to this service ' +
            'only.'));
}

function operations_by_tag() {
    const tags = new Map((description.tags ?? []).map((tag) =>
        [tag.name, { ...tag, operations: [] }]));
    for (const [path, item] of Object.entries(description.paths))
        for (const method of METHODS) {
            const operation = item[method];
            if (!operation) continue;
            const name = operation.tags?.[0] ?? 'Other';
            if (!tags.has(name)) tags.set(name, { name, operations: [] });
            tags.get(name).operations.push({
                path, method, operation, shared: item.parameters ?? [],
            });
        }
    return [...tags.values()].filter((tag) => tag.operations.length);
}

function contents(tags) {
    return tags.flatMap((tag) => [
        element('p', { class: 'group' }, tag.name),
        element('ul', {}, ...tag.operations.map(({ operation }) =>
            element('li', {}, element('a',
                { href: `#${operation.operationId}` }, operation.summary)))),
    ]);
}

function show() {
    const tags = operations_by_tag();
    document.getElementById('contents').replaceChildren(...contents(tags));
    document.getElementById('content').replaceChildren(
        element('h1', {}, 'API reference'),
        element('p', { class: 'muted' },
            `${description.info.title} ${description.info.version} at ${base}`),
        ...prose(description.info.description),
        key_block(),
        ...tags.flatMap((tag) => [
            element('h2', {}, tag.name),
            ...prose(tag.description),
            ...tag.operations.map(operation_block),
        ]),
        ...error_section());
    // The address may name an operation that was not there before.
    if (location.hash)
        document.getElementById(decodeURIComponent(location.hash.slice(1)))
            ?.scrollIntoView();
}

try {
    const answer = await call('GET', '/v1/openapi.json');
    if (answer.status !== 200 || !answer.json?.paths)
        throw new Error(`the service answered ${answer.status}`);
    description = answer.json;
    show();
} catch (e) {
    const state = document.getElementById('state');
    state.textContent =
        `The description of the interface could not be read: ${e.message}.`;
    state.className = 'notice bad';
}
