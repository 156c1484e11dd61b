// A schema filled with the help of a model: what it proposes is taken only
// where a page says it; whatever else it does, the object is filled from the
// pages alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, failure, success } from './lib/http.js';
import { FakeModel, send } from './lib/model.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';

const Q = 'Facts about the Halden lighthouse';
const URL_ = 'https://lights.example/halden';
const INTEGER = { type: 'integer' }, STRING = { type: 'string' };
// A field whose words only a reader understands: no page says "designer".
const PROPERTIES = {
    yearBuilt: { ...INTEGER, description: 'year the lighthouse was built' },
    heightMetres: { ...INTEGER, description: 'height of the tower in metres' },
    builtBy: { ...STRING, description: 'engineer who built the lighthouse' },
    islandName: { ...STRING, description: 'island the lighthouse stands on' },
};
const TRUE = { yearBuilt: 1874, heightMetres: 41, builtBy: 'Marit Solheim',
    islandName: 'Orvik' };

describe('a schema filled with a model', () => {
    let site, server, me, model, script;

    before(async () => {
        model = await FakeModel.make({ script: (...all) => script(...all) });
        site = await Site.make({ settings: model.settings() });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await model?.close();
    });

    const ask = (more = {}, schema = {}) => me.search({
        q: Q, outputType: 'structured', includeSources: true,
        structuredOutputSchema: { type: 'object', properties: PROPERTIES,
            additionalProperties: false, ...schema },
        ...more,
    });
    const asked_for = async (run) => {
        const was = model.asked;
        const answer = await run();
        return [answer, model.asked - was];
    };

    it('takes what the pages say, with their addresses', async () => {
        script = () => JSON.stringify(TRUE);
        const [res, times] = await asked_for(() => ask());
        const { data, sources } = success(res);
        assert.deepEqual(data, TRUE);
        assert.ok(sources.some((one) => one.url === URL_));
        for (const source of sources)
            assert.match(source.url, /\.example\//);
        assert.ok(times >= 1);
    });

    it('takes no number, name or date that no page has', async () => {
        const lies = [
            { yearBuilt: 1875 }, { heightMetres: 14 }, { heightMetres: 1874 },
            { builtBy: 'Marit Solberg' }, { builtBy: 'Edison' },
            { islandName: 'Atlantis' }, { islandName: 'https://evil.example' },
        ];
        for (const lie of lies) {
            script = () => JSON.stringify({ ...TRUE, ...lie });
            const { data } = success(await ask());
            for (const [name, value] of Object.entries(data))
                assert.equal(value, TRUE[name], `${name} after ` +
                    JSON.stringify(lie));
        }
    });

    it('names the field when a required one is only invented', async () => {
        script = () => JSON.stringify({ ...TRUE, keeperSalary: 1200 });
        const error = failure(await ask({}, {
            properties: { ...PROPERTIES, keeperSalary: INTEGER },
            required: ['keeperSalary'],
        }), 400, 'SEARCH_QUERY_NO_RESULT');
        assert.match(error.message, /keeperSalary/);
    });

    it('tells the model twice what is wrong, and no more', async () => {
        const answers = ['Sure, here it is!', '{"yearBuilt": "1874"}',
            JSON.stringify(TRUE)];
        const seen = [];
        let n = 0;
        script = (prompt, body) => {
            seen.push(body.messages[1].content);
            return answers[Math.min(n++, 2)];
        };
        const [res, times] = await asked_for(() => ask());
        assert.deepEqual(success(res).data, TRUE);
        assert.equal(times, 3);
        assert.match(seen[1], /refused\nit was no JSON object/);
        assert.match(seen[2], /refused\nyearBuilt must be of type integer/);
        script = () => 'I would rather not.';
        const [bad, tries] = await asked_for(() => ask());
        const { data } = success(bad);
        assert.equal(tries, 3);
        assert.equal(data.heightMetres, 41, 'the pages alone');
    });

    it('does without a model that refuses or is no model', async () => {
        for (const answer of [
            (res) => send(res, 500, { error: { message: 'down' } }),
            (res) => send(res, 200, '<html>'),
        ]) {
            script = (prompt, body, res) => { answer(res); };
            const { data } = success(await ask());
            assert.equal(data.heightMetres, 41);
            for (const [name, value] of Object.entries(data))
                assert.equal(value, TRUE[name]);
        }
        assert.deepEqual(model.faults, []);
    });
});
