// The description of the interface, and what an exchange has to do with it.
// Here a schema is closed: a field that it does not name is an error.
import { createRequire } from 'node:module';
import { ROOT } from './world.js';

const from_build = createRequire(`${ROOT}/build/package.json`);
const { Ajv2020 } = from_build('ajv/dist/2020.js');
const { default: formats } = from_build('ajv-formats');

// Headers that belong to HTTP or to the server in front, not to us.
const COMMON = new Set(['content-type', 'content-length', 'date', 'server',
    'connection', 'keep-alive', 'transfer-encoding', 'vary', 'accept-ranges',
    'access-control-allow-origin', 'access-control-expose-headers']);

function closed(schema) {
    if (Array.isArray(schema)) return schema.map(closed);
    if (schema === null || typeof schema !== 'object') return schema;
    const copy = {};
    for (const [name, value] of Object.entries(schema))
        copy[name] = ['const', 'enum', 'example', 'default'].includes(name) ?
            value : closed(value);
    if (schema.type === 'object' && schema.properties)
        copy.additionalProperties ??= false;
    return copy;
}

const TOP = /\/(healthz|mcp|metrics|external\/search|search|extract)\/?$/;

// "/api/v1/v1/research/ID/" as the service takes it: "/v1/research/ID".
export function path_of(target) {
    let path = decodeURI(target.split('?')[0]);
    const at = path.lastIndexOf('/v1/');
    if (at >= 0) path = path.slice(at);
    else path = TOP.exec(path)?.[0] ?? path;
    return path.replace(/(.)\/+$/, '$1');
}

export class Description {
    constructor(document) {
        this.document = document;
        this.ajv = new Ajv2020({ strict: false, allErrors: true });
        formats(this.ajv);
        this.ajv.addSchema({ $id: 'doc', components: {
            schemas: closed(document.components.schemas),
        } });
        this.checks = new Map();
        this.seen = new Set();
    }

    resolve(value) {
        if (!value?.$ref) return value;
        return value.$ref.split('/').slice(1)
            .reduce((at, name) => at[name], this.document);
    }

    // [[path, method, operation]]
    operations() {
        return Object.entries(this.document.paths).flatMap(([path, item]) =>
            Object.entries(item).filter(([method]) => method !== 'parameters')
                .map(([method, operation]) => [path, method, operation]));
    }

    is_open(operation) {
        return (operation.security ?? this.document.security).length === 0;
    }

    // The description's path for an address, or null.
    match(target) {
        const parts = path_of(target).split('/');
        return Object.keys(this.document.paths).find((path) => {
            const wanted = path.split('/');
            return wanted.length === parts.length && wanted.every(
                (part, i) => part === parts[i] ||
                    (part.startsWith('{') && parts[i] !== ''));
        }) ?? null;
    }

    // "" or what is wrong with value.
    errors(schema, value) {
        const key = JSON.stringify(schema);
        if (!this.checks.has(key))
            this.checks.set(key, this.ajv.compile(JSON.parse(
                JSON.stringify(closed(schema)).replaceAll(
                    '"#/components', '"doc#/components'))));
        const check = this.checks.get(key);
        return check(value) ? '' : this.ajv.errorsText(check.errors);
    }

    // Where several shapes are possible, the one the request asked for.
    schema_for(path, method, schema, entry) {
        const of = (name) => ({ $ref: `#/components/schemas/${name}` });
        if (path !== '/v1/search' || entry.status !== 200) return schema;
        const { outputType, includeSources } = JSON.parse(entry.body);
        if (outputType === 'sourcedAnswer') return of('SourcedAnswer');
        if (outputType === 'searchResults') return of('SearchResults');
        return of([true, 'true'].includes(includeSources) ?
            'StructuredAnswer' : 'StructuredObject');
    }

    // What is wrong with an exchange, in words; [] when nothing is. An
    // exchange with the service that is none of an operation's is judged as
    // far as the description's general words go.
    judge(entry) {
        const { status, answer } = entry;
        const path = this.match(entry.path);
        const method = entry.method === 'HEAD' ? 'get' :
            entry.method.toLowerCase();
        if (!answer.headers['x-request-id'] || method === 'options') return [];
        const operation = path && this.document.paths[path][method];
        const error = { $ref: '#/components/schemas/Error' };
        if (!operation) {
            const value = JSON.parse(answer.text || 'null');
            const code = path ? 'METHOD_NOT_ALLOWED' : 'NOT_FOUND';
            if (entry.method === 'HEAD') return [];
            return [this.errors(error, value),
                value?.error?.code === code ? '' :
                    `${status} of what is not described`,
                path && !answer.headers.allow ? 'no Allow' : '',
            ].filter(Boolean);
        }
        const response = this.resolve(operation.responses[status]);
        if (!response) return [`status ${status} is not described`];
        this.seen.add(`${method} ${path} ${status}`);
        const wrong = this.judge_headers(response, answer.headers);
        if (entry.method === 'HEAD') return wrong;
        const type = (answer.headers['content-type'] ?? '').split(';')[0];
        const media = response.content?.[type];
        if (!media)
            return answer.text || type ? [...wrong,
                `a body of type ${type} is not described`] : wrong;
        const { schema } = media;
        if (type !== 'application/json') return wrong;
        wrong.push(this.errors(this.schema_for(path, method, schema, entry),
            JSON.parse(answer.text)));
        return wrong.filter(Boolean);
    }

    judge_headers(response, got) {
        const wrong = [];
        const described = new Map(Object.entries(response.headers ?? {}).map(
            ([name, header]) => [name.toLowerCase(), this.resolve(header)]));
        for (const name of Object.keys(got))
            if (!described.has(name) && !COMMON.has(name))
                wrong.push(`header ${name} is not described`);
        for (const [name, header] of described) {
            const error = got[name] === undefined ?
                (header.required === false ? '' : 'is missing') :
                this.errors(header.schema, got[name]);
            if (error) wrong.push(`header ${name}: ${error}`);
        }
        return wrong;
    }
}
