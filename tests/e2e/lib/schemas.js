// Random JSON Schemas and values for them, the same ones for the same seed.
// Owns: what the differential test of the schema checker feeds to both sides.

// A small generator of pseudo-random numbers (mulberry32).
export function random_of(seed) {
    let state = seed >>> 0;
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let t = state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    return {
        next,
        below: (n) => Math.floor(next() * n),
        chance: (p) => next() < p,
        pick: (list) => list[Math.floor(next() * list.length)],
    };
}

const NAMES = ['a', 'b', 'name', 'size', 'a/b', 'é', 'x-y', 'date'];
const TEXTS = ['', 'a', 'ab', 'abc', 'B', '12', '2.5', 'é', '😀', 'a b',
    'null', 'foo-bar', 'x'.repeat(12)];
const NUMBERS = [0, 1, -1, 2, 3, 7, 10, 0.5, 1.5, -2.5, 100, 1e9, 4096];
const PATTERNS = ['^a', '^[a-z]+$', '\\d', '^.{2,3}$', '^(?!a)', 'b|c',
    '^(?=.*b)[a-c]*$', '^[^0-9]*$', '(ab)?c'];
// With values that fit and values that do not. Not uri-reference: Ajv lets a
// colon stand in the first segment ("12:00"), which RFC 3986 does not.
const FORMATS = {
    date: ['2024-02-29', '2023-02-29', '2024-2-9'],
    time: ['12:00:00Z', '25:00:00Z', '12:00:00+01:30'],
    'date-time': ['2024-02-29T12:00:00Z', '2024-02-29 12:00', '2024-13-01T00:00:00Z'],
    duration: ['P1D', 'P1Y2M', 'PT', 'P2W', '1D', 'PT5M'],
    email: ['a@b.example', 'a.b', 'a..b@c.example'],
    hostname: ['example.org', '-a.example', 'a_b.example'],
    ipv4: ['1.2.3.4', '256.1.1.1', '1.2.3'],
    ipv6: ['::1', '1:2', 'fe80::1:2:3'],
    uri: ['https://a.example/b?c#d', '/a/b', 'mailto:a@b.example', 'http://[::1]/'],
    uuid: ['123e4567-e89b-12d3-a456-426614174000', '123e4567', 'g'.repeat(36)],
    'json-pointer': ['/a/b~0', 'a', '', '/~2'],
};
const FORMAT_TEXTS = Object.values(FORMATS).flat();

function some(r, list, least = 0) {
    return list.filter(() => r.chance(0.25))
        .concat(least > 0 ? [r.pick(list)] : [])
        .filter((v, i, all) => all.indexOf(v) === i);
}

// Any value at all, of at most this depth.
export function value_any(r, depth) {
    switch (r.below(depth > 0 ? 8 : 6)) {
    case 0: return null;
    case 1: return r.chance(0.5);
    case 2: case 3: return r.pick(NUMBERS);
    case 4: return r.pick(TEXTS);
    case 5: return r.pick(FORMAT_TEXTS);
    case 6: return Array.from({ length: r.below(5) },
        () => value_any(r, depth - 1));
    default: return Object.fromEntries(some(r, NAMES)
        .map((name) => [name, value_any(r, depth - 1)]));
    }
}

const MAKERS = {
    number(r, out) {
        if (r.chance(0.3)) out.minimum = r.pick(NUMBERS);
        if (r.chance(0.3)) out.maximum = r.pick(NUMBERS);
        if (r.chance(0.15)) out.exclusiveMinimum = r.pick(NUMBERS);
        if (r.chance(0.15)) out.exclusiveMaximum = r.pick(NUMBERS);
        if (r.chance(0.2)) out.multipleOf = r.pick([1, 2, 3, 0.5, 5]);
    },
    string(r, out) {
        if (r.chance(0.25)) out.minLength = r.below(4);
        if (r.chance(0.25)) out.maxLength = r.below(6);
        if (r.chance(0.3)) out.pattern = r.pick(PATTERNS);
        if (r.chance(0.4)) out.format = r.pick(Object.keys(FORMATS));
    },
    array(r, out, c) {
        if (r.chance(0.6)) out.items = make(r, c);
        if (r.chance(0.3)) {
            const first = [make(r, c), make(r, c)];
            if (c.draft === 7) {
                out.items = first;
                if (r.chance(0.5)) out.additionalItems = make(r, c);
            } else {
                out.prefixItems = first;
            }
        }
        if (r.chance(0.2)) out.minItems = r.below(3);
        if (r.chance(0.2)) out.maxItems = r.below(5);
        if (r.chance(0.2)) out.uniqueItems = true;
        // Ajv takes the empty array for one that contains something when
        // the schemas of the first elements are given too.
        if (r.chance(0.2) && !out.prefixItems && !Array.isArray(out.items)) {
            out.contains = make(r, c);
            if (c.draft > 7 && r.chance(0.4)) out.minContains = r.below(3);
            if (c.draft > 7 && r.chance(0.3)) out.maxContains = 1 + r.below(3);
        }
        if (c.draft > 7 && r.chance(0.15)) out.unevaluatedItems = make(r, c);
    },
    object(r, out, c) {
        const map = (names) => Object.fromEntries(
            names.map((name) => [name, make(r, c)]));
        if (r.chance(0.8)) out.properties = map(some(r, NAMES, 1));
        if (r.chance(0.4)) out.required = some(r, NAMES.slice(0, 4));
        if (r.chance(0.3))
            out.additionalProperties = r.chance(0.5) ? false : make(r, c);
        if (r.chance(0.2)) out.patternProperties = map(some(r, PATTERNS, 1));
        if (r.chance(0.15)) out.propertyNames = { maxLength: 1 + r.below(5) };
        if (r.chance(0.15)) out.minProperties = r.below(3);
        if (r.chance(0.15)) out.maxProperties = r.below(5);
        if (r.chance(0.15)) {
            if (c.draft === 7)
                out.dependencies = { a: r.chance(0.5) ? ['b'] : make(r, c) };
            else if (r.chance(0.5))
                out.dependentRequired = { a: ['b'] };
            else
                out.dependentSchemas = { a: make(r, c) };
        }
        if (c.draft > 7 && r.chance(0.2))
            out.unevaluatedProperties = r.chance(0.5) ? false : make(r, c);
    },
};

function combine(r, out, c) {
    const list = () => [make(r, c), make(r, c)];
    switch (r.below(6)) {
    case 0: out.anyOf = list(); break;
    case 1: out.oneOf = list(); break;
    case 2: out.allOf = list(); break;
    case 3: out.not = make(r, c); break;
    case 4:
        out.if = make(r, c);
        if (r.chance(0.7)) out.then = make(r, c);
        if (r.chance(0.7)) out.else = make(r, c);
        break;
    default: out.anyOf = [make(r, c), { type: 'null' }];
    }
}

// One schema of the draft in c, at most c.depth deep.
function make(r, { draft, depth, defs }) {
    const c = { draft, depth: depth - 1, defs };
    const out = {};
    if (depth <= 0) return r.chance(0.2) ? r.chance(0.7) : { type: r.pick(
        ['string', 'number', 'integer', 'boolean', 'null']) };
    const kind = r.pick(['number', 'string', 'array', 'object', 'object',
        'combination', 'values', 'reference']);
    if (kind === 'reference' && defs.length > 0)
        return { $ref: `#/${draft === 7 ? 'definitions' : '$defs'}/` +
            r.pick(defs) };
    if (kind === 'values') {
        if (r.chance(0.5)) out.const = value_any(r, 1);
        else out.enum = [value_any(r, 1), r.pick(TEXTS), r.pick(NUMBERS)]
            .filter((v, i, all) => all.findIndex((other) =>
                JSON.stringify(other) === JSON.stringify(v)) === i);
        return out;
    }
    if (MAKERS[kind]) {
        if (r.chance(0.6))
            out.type = kind === 'number' && r.chance(0.5) ? 'integer' : kind;
        else if (r.chance(0.3))
            out.type = [kind, 'null'];
        MAKERS[kind](r, out, c);
    }
    if (kind === 'combination' || r.chance(0.15)) combine(r, out, c);
    return out;
}

// A whole schema document of draft 7 or 2020.
export function schema_make(r, draft) {
    const names = ['p', 'q'];
    const key = draft === 7 ? 'definitions' : '$defs';
    const out = make(r, { draft, depth: 3, defs: names });
    if (typeof out === 'boolean') return schema_make(r, draft);
    // Definitions refer to nothing: the walk through a value must end.
    out[key] = Object.fromEntries(names.map((name) =>
        [name, make(r, { draft, depth: 2, defs: [] })]));
    if (draft === 7) out.$schema = 'http://json-schema.org/draft-07/schema#';
    return out;
}

// A value that tries to satisfy the schema, with a slip now and then.
export function value_for(r, schema, root, depth = 6) {
    if (typeof schema === 'boolean' || depth <= 0 || r.chance(0.04))
        return value_any(r, 2);
    if (schema.$ref) {
        const [, key, name] = schema.$ref.split('/');
        return value_for(r, root[key][name], root, depth - 1);
    }
    if ('const' in schema) return schema.const;
    if (schema.enum) return r.pick(schema.enum);
    const inner = schema.allOf ?? schema.anyOf ?? schema.oneOf;
    const type = [schema.type].flat()[0];
    if (inner && type === undefined)
        return value_for(r, r.pick(inner), root, depth - 1);
    if (type === 'object' || schema.properties) {
        const out = {};
        for (const [name, one] of Object.entries(schema.properties ?? {}))
            if (r.chance(0.7) || schema.required?.includes(name))
                out[name] = value_for(r, one, root, depth - 1);
        for (const name of schema.required ?? [])
            out[name] ??= value_any(r, 1);
        return out;
    }
    if (type === 'array' || schema.items || schema.prefixItems) {
        const list = schema.prefixItems ??
            (Array.isArray(schema.items) ? schema.items : []);
        const rest = Array.isArray(schema.items) ? true : schema.items ?? true;
        return Array.from({ length: r.below(4) }, (_, i) =>
            value_for(r, list[i] ?? rest, root, depth - 1));
    }
    if (schema.format) return r.pick(FORMATS[schema.format]);
    if (type === 'string') return r.pick(TEXTS);
    if (type === 'number' || type === 'integer') return r.pick(NUMBERS);
    return value_any(r, 2);
}
