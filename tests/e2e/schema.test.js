// Our schema checker beside another one, Ajv, on random schemas and values:
// both must say the same of every pair.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { random_of, schema_make, value_any, value_for } from './lib/schemas.js';
import { BIN, ROOT } from './lib/world.js';

const from_build = createRequire(`${ROOT}/build/package.json`);
const add_formats = from_build('ajv-formats');
const SCHEMAS = 500, VALUES = 4, SEED = 20240229;

// Our answers to all of these at once.
function ours(cases) {
    return execFileSync(`${BIN}/tests/schema_check`, {
        input: cases.map((one) => JSON.stringify(one) + '\n').join(''),
        maxBuffer: 1 << 26, encoding: 'utf8',
    }).trim().split('\n').map((line) => JSON.parse(line));
}

function theirs(Ajv, { schema, values }) {
    const ajv = new Ajv({ strict: false, logger: false, $data: false });
    add_formats(ajv);
    const check = ajv.compile(schema);
    return values.map((value) => check(value));
}

for (const [draft, module] of [[7, 'ajv'], [2020, 'ajv/dist/2020.js']])
    describe(`random schemas of draft ${draft}`, () => {
        it(`are judged as Ajv judges them: ${SCHEMAS * VALUES} pairs`, () => {
            const Ajv = from_build(module).default;
            const r = random_of(SEED + draft);
            const cases = Array.from({ length: SCHEMAS }, () => {
                const schema = schema_make(r, draft);
                const values = Array.from({ length: VALUES }, (_, i) =>
                    i === 0 ? value_any(r, 3) : value_for(r, schema, schema));
                return { schema, values };
            });
            const answers = ours(cases);
            let good = 0;
            for (const [i, one] of cases.entries()) {
                assert.equal(answers[i].refused, undefined,
                    JSON.stringify(one.schema));
                const valid = theirs(Ajv, one);
                for (const [k, value] of one.values.entries())
                    assert.equal(answers[i].valid[k], valid[k],
                        `${JSON.stringify(one.schema)}\nvalue ` +
                        JSON.stringify(value));
                good += valid.filter(Boolean).length;
            }
            // A test in which nearly all is invalid says little.
            const share = good / (SCHEMAS * VALUES);
            assert.ok(share > 0.2 && share < 0.8, `${share} are valid`);
        });
    });
