// The wire contract (search, research, lists, transport), the same suite
// behind every web server with the configuration that ships for it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, failure, request, success } from './lib/http.js';
import { FRONT_ENDS, start } from './lib/server.js';
import { PAGES, Site, page_text, squeeze } from './lib/site.js';
import { until } from './lib/world.js';

const HALDEN = 'https://lights.example/halden';
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ORDER = ['pending', 'processing', 'completed', 'failed'];

const words_of = new Map(PAGES.map((page) => [page.url, page_text(page)]));

// A snippet is words of its page, whatever the white space.
function verbatim(url, snippet) {
    assert.ok(words_of.has(url), `an indexed page: ${url}`);
    for (const part of squeeze(snippet).split(/\s*(?:…|\.\.\.)\s*/))
        assert.ok(squeeze(words_of.get(url)).includes(part),
            `"${part}" is text of ${url}`);
}

function hosts(results) {
    return results.map((one) => new URL(one.url).hostname);
}

// Poll a task to its end; its status never goes backwards.
export async function finished(client, id) {
    let seen = 0;
    return until(async () => {
        const task = success(await client.get(`/v1/research/${id}`));
        const at = ORDER.indexOf(task.status);
        assert.ok(at >= seen, `${ORDER[seen]} then ${task.status}`);
        seen = at;
        return at >= 2 && task;
    }, 90000, `task ${id} ends`);
}

for (const kind of FRONT_ENDS) describe(`contract behind ${kind}`, () => {
    let site, server, me, other, nobody;

    before(async () => {
        site = await Site.make({ settings: {
            'server.key_headers': 'X-Api-Key, Ocp-Apim-Subscription-Key',
        } });
        server = await start(kind, site);
        me = new Client(server.base, site.key);
        other = new Client(server.base,
            await site.account('second@example.org'));
        nobody = new Client(server.base, null);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
    });

    describe('transport', () => {
        it('answers /healthz without a key', async () => {
            success(await nobody.get('/healthz'));
        });
        it('gives every answer its own X-Request-Id', async () => {
            const ids = new Set();
            for (const res of [await nobody.get('/healthz'),
                await nobody.get('/v1/research'), await me.get('/v1/nothing'),
                await me.search({ q: 'Halden lighthouse' })]) {
                assert.match(res.headers['x-request-id'] ?? '', /^\S{8,}$/);
                ids.add(res.headers['x-request-id']);
            }
            assert.equal(ids.size, 4);
        });
        it('asks for a key', async () => {
            for (const authorization of [undefined, 'Bearer', 'Bearer wrong',
                `Basic ${site.key}`, `Bearer ${site.key} x`]) {
                const res = await request(`${server.base}/v1/research`, {
                    headers: { Authorization: authorization },
                });
                failure(res, 401, 'UNAUTHORIZED');
                assert.match(res.headers['www-authenticate'] ?? '',
                    /^Bearer\b/);
            }
        });
        it('takes the key from a header that the operator named', async () => {
            const ask = (headers) =>
                request(`${server.base}/v1/research`, { headers });
            success(await ask({ 'Ocp-Apim-Subscription-Key': site.key }));
            success(await ask({ 'x-api-key': site.key }));
            success(await ask({ 'X-Api-Key': 'wrong',
                Authorization: `Bearer ${site.key}` }));
            for (const headers of [{ 'X-Api-Key': 'wrong' },
                { 'X-Api-Key': `Bearer ${site.key}` },
                { 'X-Other-Key': site.key },
                { 'X-Api-Key': site.key, Authorization: 'Bearer wrong' }])
                failure(await ask(headers), 401, 'UNAUTHORIZED');
        });
        it('does not take two Authorization headers', async () => {
            const bearer = `Bearer ${site.key}`;
            const res = await request(`${server.base}/v1/research`, {
                headers: { Authorization: [bearer, bearer] },
            });
            failure(res, [400, 401]);
        });
        it('names the methods of a path', async () => {
            for (const method of ['PUT', 'PATCH', 'GET']) {
                const res = await me.call(method, '/v1/search');
                failure(res, 405, 'METHOD_NOT_ALLOWED');
                assert.match(res.headers.allow, /\bPOST\b/);
            }
        });
        it('answers OPTIONS from the route table', async () => {
            const res = await me.call('OPTIONS', '/v1/research');
            assert.ok([200, 204].includes(res.status), String(res.status));
            assert.match(res.headers.allow, /\bGET\b/);
            assert.match(res.headers.allow, /\bPOST\b/);
        });
        it('answers HEAD like GET without the body', async () => {
            const head = await me.call('HEAD', '/v1/research');
            const get = await me.get('/v1/research');
            assert.equal(head.status, 200);
            assert.equal(head.body.length, 0);
            assert.equal(head.headers['content-type'],
                get.headers['content-type']);
        });
        it('forgives a doubled /v1 and a trailing slash', async () => {
            for (const path of ['/v1/v1/research', '/v1/research/',
                '/v1/v1/research/'])
                success(await me.get(path));
        });
        it('knows no other path', async () => {
            for (const path of ['/v1/nothing', '/v1', '/v2/research',
                '/v1/research/a/b/c'])
                failure(await me.get(path), 404);
        });
        it('takes a body sent in chunks', async () => {
            const body = JSON.stringify({
                q: 'Halden lighthouse', depth: 'standard',
                outputType: 'searchResults',
            });
            const res = await request(`${server.base}/v1/search`, {
                method: 'POST',
                headers: {
                    'Authorization': `Bearer ${site.key}`,
                    'Content-Type': 'application/json',
                    'Transfer-Encoding': 'chunked',
                },
                body: `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
            });
            success(res);
        });
        it('serves sixteen searches at once', async () => {
            const all = await Promise.all(Array.from({ length: 16 }, () =>
                me.search({ q: 'Halden lighthouse tower' })));
            for (const res of all) success(res);
        });
    });

    describe('searchResults', () => {
        it('finds pages, the best one first', async () => {
            const { results } = success(await me.search(
                { q: 'When was the Halden lighthouse built?' }));
            assert.ok(results.length >= 3);
            assert.equal(results[0].url, HALDEN);
            for (const one of results) {
                assert.equal(one.type, 'text');
                for (const name of ['name', 'url', 'content', 'favicon'])
                    assert.equal(typeof one[name], 'string', name);
                assert.ok(one.content.length > 0);
                verbatim(one.url, one.content);
            }
            const urls = results.map((one) => one.url);
            assert.equal(new Set(urls).size, urls.length);
        });
        it('works at every depth', async () => {
            for (const depth of ['standard', 'deep', 'fast', 'flash']) {
                const { results } = success(await me.search(
                    { q: 'Halden lighthouse', depth }));
                assert.ok(results.length >= 1);
            }
        });
        it('gives at most maxResults', async () => {
            const { results } = success(await me.search(
                { q: 'harbour of Sarnholm', maxResults: 3 }));
            assert.equal(results.length, 3);
            const ten = success(await me.search({ q: 'harbour of Sarnholm' }));
            assert.ok(ten.results.length <= 10);
        });
        it('says when nothing was found', async () => {
            for (const outputType of ['searchResults', 'sourcedAnswer'])
                failure(await me.search(
                    { q: 'zyxgrplk wobbelfroth', outputType }),
                400, 'SEARCH_QUERY_NO_RESULT');
        });
        it('ignores unknown keys and takes lenient forms', async () => {
            success(await me.search({
                q: 'Halden lighthouse', somethingNew: 1,
                includeImages: 'false', fromDate: '2020-01-01T00:00:00Z',
                toDate: null,
            }));
        });
        it('takes a date however a client writes it', async () => {
            for (const at of ['T03:04', 'T03:04:05', 'T03:04:05.678901',
                'T03:04:05Z', 'T03:04:05+14:00'])
                success(await me.search({
                    q: 'Halden lighthouse', fromDate: `2020-01-01${at}`,
                }));
        });
        it('gives images only when asked, after the texts', async () => {
            const q = 'Halden lighthouse tower';
            const without = success(await me.search({ q }));
            assert.ok(without.results.every((one) => one.type === 'text'));
            const { results } = success(
                await me.search({ q, includeImages: true }));
            const first = results.findIndex((one) => one.type === 'image');
            assert.ok(first > 0, 'there is an image');
            assert.ok(results.slice(first).every(
                (one) => one.type === 'image'));
            const image = results.find((one) =>
                one.url === 'https://lights.example/img/halden-tower.jpg');
            assert.ok(image, 'the image\'s address is made absolute');
            assert.equal(typeof image.name, 'string');
        });
    });

    describe('filters', () => {
        const q = 'Halden lighthouse';
        const found = async (fields) => hosts(success(
            await me.search({ q, maxResults: 50, ...fields })).results);

        it('includes a domain and its subdomains', async () => {
            const got = await found({ includeDomains: ['travel.example'] });
            assert.deepEqual([...new Set(got)].sort(),
                ['blog.travel.example', 'www.travel.example']);
        });
        it('takes a domain however it is written', async () => {
            for (const one of ['https://Travel.Example/', '*.travel.example',
                'www.travel.example:443', 'TRAVEL.EXAMPLE'])
                assert.ok((await found({ includeDomains: [one] }))
                    .includes('blog.travel.example') ||
                    one.startsWith('www.'), one);
        });
        it('compares international names as punycode', async () => {
            assert.deepEqual(await found({ includeDomains: ['bücher.example'] }),
                ['xn--bcher-kva.example']);
        });
        it('takes a path as a prefix on a segment border', async () => {
            assert.deepEqual(
                await found({ includeDomains: ['travel.example/orvik'] }),
                ['www.travel.example']);
            failure(await me.search(
                { q, includeDomains: ['travel.example/orv'] }),
            400, 'SEARCH_QUERY_NO_RESULT');
        });
        it('excludes', async () => {
            const got = await found({ excludeDomains: ['travel.example'] });
            assert.ok(got.length >= 2);
            assert.ok(!got.some((host) => host.endsWith('travel.example')));
        });
        it('lets inclusion decide when both are given', async () => {
            const got = await found({
                includeDomains: ['travel.example'],
                excludeDomains: ['blog.travel.example'],
            });
            assert.ok(got.includes('blog.travel.example'));
            assert.ok(got.every((host) => host.endsWith('travel.example')));
        });
        it('holds for images', async () => {
            const { results } = success(await me.search({
                q: 'Brannoy lighthouse', includeImages: true,
                includeDomains: ['lights.example'],
            }));
            assert.ok(results.every((one) =>
                new URL(one.url).hostname === 'lights.example'));
        });
        it('filters by date and drops what has none', async () => {
            const got = success(await me.search({
                q, fromDate: '2023-01-01', toDate: '2024-12-31',
            })).results.map((one) => one.url);
            assert.ok(got.includes(HALDEN));
            assert.ok(got.includes(
                'https://www.travel.example/orvik/lighthouses'));
            assert.ok(!got.some((url) => url.includes('undated')));
            assert.ok(!got.some((url) => url.includes('blog.')));
        });
        it('counts both ends of a range in', async () => {
            const got = success(await me.search({
                q, fromDate: '2023-05-14', toDate: '2023-05-15',
            })).results.map((one) => one.url);
            assert.deepEqual(got, [HALDEN]);
        });
        it('takes a single day', async () => {
            const got = success(await me.search({
                q, fromDate: '2023-05-14T23:00:00', toDate: '2023-05-14',
            })).results.map((one) => one.url);
            assert.deepEqual(got, [HALDEN]);
        });
        it('leaves out blank entries beside domains', async () => {
            assert.deepEqual(
                await found({ includeDomains: ['bücher.example', '', ' '] }),
                ['xn--bcher-kva.example']);
            const task = success(await me.post('/v1/research', {
                q, outputType: 'sourcedAnswer', reasoningDepth: 'S',
                includeDomains: ['', 'lights.example', ' '],
            }));
            assert.deepEqual(task.input.includeDomains, ['lights.example']);
        });
    });

    describe('guidance', () => {
        const ask = async (q) => success(
            await me.search({ q, maxResults: 50 })).results;

        it('puts priority domains first and keeps the others', async () => {
            const results = await ask('<guidance>\nPrefer travellers\' ' +
                'reports.\n<priority>\n- travel.example\n</priority>\n' +
                '</guidance>\nHalden lighthouse');
            assert.match(hosts(results)[0], /travel\.example$/);
            assert.ok(hosts(results).includes('lights.example'));
        });
        it('restricts when told to use only some', async () => {
            const results = await ask('<guidance>\nUse only these domains:\n' +
                '- lights.example\n</guidance>\nHalden lighthouse');
            assert.ok(results.length >= 1);
            assert.ok(hosts(results).every(
                (host) => host === 'lights.example'));
        });
        it('takes broken markup as plain text', async () => {
            for (const q of ['<guidance>How tall is the tower of the Halden lighthouse?',
                'How tall is the </guidance> tower of the Halden lighthouse?',
                '<guidance><priority>tower</guidance> Halden lighthouse'])
                assert.ok((await ask(q)).length >= 1, q);
        });
    });

    describe('sourcedAnswer', () => {
        const answer = (fields) => me.search(
            { outputType: 'sourcedAnswer', ...fields });

        it('answers from the sources it names', async () => {
            const { answer: text, sources } = success(await answer(
                { q: 'How tall is the tower of the Halden lighthouse?' }));
            assert.match(text, /\b41\b/);
            assert.ok(sources.length >= 1);
            for (const source of sources) {
                for (const name of ['name', 'url', 'snippet', 'favicon'])
                    assert.equal(typeof source[name], 'string', name);
                verbatim(source.url, source.snippet);
            }
            assert.ok(sources.some((one) => one.url === HALDEN));
        });
        it('cites inline, from one on, in the sources\' order', async () => {
            const { answer: text, sources } = success(await answer({
                q: 'What is the maximum size of a Kvist database file?',
                includeInlineCitations: true,
            }));
            assert.match(text, /281 terabytes/);
            const numbers = [...text.matchAll(/\[(\d+)\]/g)]
                .map((match) => Number(match[1]));
            assert.ok(numbers.length >= 1);
            for (const number of numbers)
                assert.ok(number >= 1 && number <= sources.length);
            assert.equal(sources[numbers[0] - 1].url,
                'https://docs.storage.example/limits');
            const plain = success(await answer({
                q: 'What is the maximum size of a Kvist database file?',
            }));
            assert.doesNotMatch(plain.answer, /\[\d+\]/);
        });
        it('puts images among the sources when asked', async () => {
            const { sources } = success(await answer({
                q: 'Halden lighthouse tower', includeImages: true,
            }));
            const images = sources.filter((one) => one.snippet === '');
            assert.ok(images.length >= 1);
            for (const image of images) assert.equal(image.favicon, '');
        });
    });

    describe('structured', () => {
        const schema = {
            type: 'object',
            properties: {
                steps: { type: 'integer' },
                name: { type: 'string' },
            },
            required: ['steps'],
        };
        const ask = (fields) => me.search({
            q: 'How many steps does the Halden lighthouse have?',
            outputType: 'structured', structuredOutputSchema: schema, ...fields,
        });

        it('is the object of the schema', async () => {
            for (const structuredOutputSchema of
                [schema, JSON.stringify(schema)]) {
                const got = success(await ask({ structuredOutputSchema }));
                assert.equal(got.steps, 196);
                assert.ok(['string', 'undefined'].includes(typeof got.name));
            }
        });
        it('comes with sources when asked', async () => {
            const got = success(await ask({ includeSources: true }));
            assert.deepEqual(Object.keys(got).sort(), ['data', 'sources']);
            assert.equal(got.data.steps, 196);
            assert.ok(got.sources.length >= 1);
            for (const source of got.sources) {
                assert.equal(source.type, 'text');
                verbatim(source.url, source.content);
            }
        });
        it('needs a schema whose root is an object', async () => {
            for (const bad of [undefined, null, 'nonsense', '[]',
                { type: 'array' }]) {
                const error = failure(await ask(
                    { structuredOutputSchema: bad }),
                400, 'VALIDATION_ERROR');
                assert.ok(error.details.some((one) =>
                    one.field.startsWith('structuredOutputSchema')));
            }
        });
    });

    describe('research', () => {
        const q = 'Compare the write-ahead journal and the rollback journal ' +
            'of Kvist';

        it('replies at once, and completes', async () => {
            const task = success(await me.post('/v1/research',
                { q, outputType: 'sourcedAnswer' }));
            assert.match(task.id, /^[0-9a-f-]{36}$/);
            assert.equal(task.type, 'research');
            assert.equal(task.status, 'pending');
            assert.match(task.createdAt, TIME);
            assert.equal(task.updatedAt, task.createdAt);
            assert.equal(task.error, null);
            assert.equal(task.output, null);
            assert.deepEqual(task.input, {
                q, outputType: 'sourcedAnswer', includeDomains: [],
                excludeDomains: [], fromDate: null, toDate: null,
                includeImages: false, structuredOutputSchema: null,
                mode: 'auto', reasoningDepth: 'L',
            });

            const done = await finished(me, task.id);
            assert.equal(done.status, 'completed', done.error);
            assert.equal(done.error, null);
            assert.equal(done.createdAt, task.createdAt);
            assert.ok(done.updatedAt > task.updatedAt);
            assert.deepEqual(done.input, task.input);
            const { answer, sources } = done.output;
            assert.match(answer, /\[1\]/);
            const urls = new Set(sources.map((one) => one.url));
            assert.ok(urls.has(
                'https://docs.storage.example/journal/write-ahead'));
            assert.ok(urls.has(
                'https://docs.storage.example/journal/rollback'));
            for (const source of sources)
                verbatim(source.url, source.snippet);
        });
        it('fills a schema', async () => {
            const schema = JSON.stringify({
                type: 'object',
                properties: { answer: { type: 'string' } },
                required: ['answer'],
            });
            const task = success(await me.post('/v1/research', {
                q: 'What is the maximum size of a Kvist database file?',
                outputType: 'structured', structuredOutputSchema: schema,
                reasoningDepth: 'S', mode: 'Answer',
            }));
            assert.equal(task.input.structuredOutputSchema, schema);
            assert.equal(task.input.mode, 'answer');
            const done = await finished(me, task.id);
            assert.equal(done.status, 'completed', done.error);
            assert.equal(typeof done.output.answer, 'string');
        });
        it('shows a task to its account only', async () => {
            const { id } = success(await me.post('/v1/research',
                { q: 'Halden lighthouse', outputType: 'sourcedAnswer',
                    reasoningDepth: 'S' }));
            failure(await other.get(`/v1/research/${id}`), 404,
                'TASK_NOT_FOUND');
            failure(await nobody.get(`/v1/research/${id}`), 401);
            failure(await me.get(
                '/v1/research/00000000-0000-4000-8000-000000000000'),
            404, 'TASK_NOT_FOUND');
            const list = success(await other.get('/v1/research'));
            assert.deepEqual(list, {
                data: [],
                metadata: { page: 1, pageSize: 10, total: 0, totalPages: 0 },
            });
        });
        it('lists with paging and sorting', async () => {
            const made = [];
            for (let i = 0; i < 5; i++)
                made.push(success(await other.post('/v1/research', {
                    q: `Halden lighthouse ${i}`, outputType: 'sourcedAnswer',
                    reasoningDepth: 'S',
                })).id);
            const list = async (query) => success(
                await other.get(`/v1/research?${query}`));
            const all = await list('');
            assert.deepEqual(all.metadata,
                { page: 1, pageSize: 10, total: 5, totalPages: 1 });
            assert.deepEqual(all.data.map((one) => one.id).sort(),
                [...made].sort());
            const up = await list('sortBy=createdAt&sortDirection=asc');
            const down = await list('sortBy=createdAt&sortDirection=desc');
            assert.deepEqual(down.data.map((one) => one.id),
                up.data.map((one) => one.id).reverse());
            const times = up.data.map((one) => one.createdAt);
            assert.deepEqual(times, [...times].sort());
            const paged = [];
            for (let page = 1; page <= 4; page++) {
                const part = await list(`page=${page}&pageSize=2`);
                assert.deepEqual(part.metadata,
                    { page, pageSize: 2, total: 5, totalPages: 3 });
                paged.push(...part.data.map((one) => one.id));
            }
            assert.deepEqual(paged, up.data.map((one) => one.id));
            const updated = await list('sortBy=updatedAt&sortDirection=desc');
            assert.equal(updated.data.length, 5);
            for (const query of ['page=0', 'page=x', 'pageSize=101',
                'pageSize=-1', 'sortBy=q', 'sortDirection=up', 'page=',
                'page=1.5'])
                failure(await other.get(`/v1/research?${query}`), 400,
                    'VALIDATION_ERROR');
            assert.equal((await list('')).metadata.total, 5);
        });
    });
});
