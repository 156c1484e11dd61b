// The interface and its description agree: the document is valid, its
// examples and curl lines do what they say, everything the service was seen to
// answer in any test is described, and everything described was seen.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import {
    Client, failure, on_traffic, request, success,
} from './lib/http.js';
import { Description } from './lib/openapi.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { ROOT, environment, give, run, until } from './lib/world.js';

const document = JSON.parse(
    fs.readFileSync(`${ROOT}/src/web/openapi.json`, 'utf8'));
const ORIGIN = 'https://elsewhere.example';

// Described, but not to be had by a test, each with the reason.
const UNSEEN = [
    [/ 500$/, 'needs a broken database: error-table.test.js breaks it for ' +
        'one path of each kind'],
    [/ 503$/, 'needs a database that stays busy: error-table.test.js holds ' +
        'it for one path'],
    [/ 414$/, 'is the same for every address: contract.test.js asks for one'],
    [/ 411$/, 'lighttpd and the others give every body a length or refuse ' +
        'it themselves; unit test test_route'],
    [/^delete \/v1\/index\/hosts\/\{host\} 504$/, 'needs a host of so many ' +
        'pages that removing them takes half a minute'],
    [/^post \/v1\/pages 504$/, 'a PDF that takes the whole deadline'],
    [/^post \/v1\/fetch 504$/, 'the fetch timeout ends first; only a PDF ' +
        'that takes the whole deadline gets here'],
    [/ \/(external\/search|search|extract|v1\/chat\/\w+|v1\/responses) 50[24]$/,
        'what POST /v1/search may answer'],
    [/ \/(external\/search|search|extract|v1\/(chat\/\w+|responses|models)) 404$/,
        'switched off in clients.test.js'],
    [/^post \/v1\/check 504$/, 'the sentences that a body may hold are ' +
        'checked in less; unit test test_check'],
];

// A page to fetch.
async function page_server() {
    const server = http.createServer((req, res) => {
        if (req.url.startsWith('/never')) return; // a crawl that goes on
        res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
        res.end('<html><title>Documentation</title><main><h1>Documentation' +
            '</h1><p>How to install it, at some length, so that there is a ' +
            'paragraph worth reading on this page.</p><img src="/room.png" ' +
            'alt="The control room" width="640" height="480"></main></html>');
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
}

describe('the description of the interface', () => {
    let site, server, me, pages, description, task, key_id;
    const wrong = [];
    let stop_listening;

    function judge(entry, where) {
        for (const words of description.judge(entry))
            wrong.push(`${where}: ${entry.method} ${entry.path} ` +
                `${entry.status}: ${words}`);
    }

    before(async () => {
        description = new Description(document);
        pages = await page_server();
        site = await Site.make({
            pages: [{ url: 'https://old.example.org/', title: 'Old',
                text: 'A page that somebody wants to be gone.' }],
            settings: {
                'net.allow_hosts': `127.0.0.1:${pages.address().port}`,
                'accounts.registration': 'code', 'accounts.code': 'sesame',
                'limits.pages_bytes': '1M',
            },
        });
        fs.cpSync(`${ROOT}/docs`, `${site.dir}/docs`, { recursive: true });
        give(`${site.dir}/docs`);
        await site.cited_ok(['index', 'add', `${site.dir}/docs`, '--base',
            'http://127.0.0.1:8080/docs/']);
        server = await start('lighttpd', site);
        stop_listening = on_traffic((entry) => judge(entry, 'here'));
        // A sign-in of an operator may do everything.
        me = new Client(server.base, await operator(site, server));
        task = success(await me.post('/v1/research',
            { q: 'What does depth mean?', outputType: 'sourcedAnswer',
                reasoningDepth: 'S' })).id;
    });
    after(async () => {
        stop_listening?.();
        await server?.stop();
        await site?.close();
        pages?.close();
    });

    const FIRST = { email: 'first@example.org', password: 'correct horse' };
    const sign_in = async (front) => success(await new Client(front.base, null)
        .post('/v1/sessions', FIRST)).token;
    async function operator(where, front) {
        await where.cited_ok(['account', 'role', FIRST.email, 'operator']);
        await where.cited_ok(['account', 'password', FIRST.email],
            { input: FIRST.password });
        return sign_in(front);
    }
    const address = (path) =>
        path.replace(/\{\w+\}/, '00000000-0000-4000-8000-000000000000');
    const keyed = () => description.operations().filter(
        ([, , operation]) => !description.is_open(operation));

    it('is valid OpenAPI 3.1', async () => {
        const { Validator } = await import(pathToFileURL(
            `${ROOT}/build/node_modules/@seriousme/openapi-schema-validator/` +
            'index.js'));
        const result = await new Validator().validate(
            structuredClone(document));
        assert.ok(result.valid, JSON.stringify(result.errors, null, 1));
        assert.equal(document.openapi, '3.1.0');
    });

    it('is free of what Redocly\'s linter finds', async () => {
        // As ourselves: the servers' user may not enter the checkout.
        const { status, stdout, stderr } = spawnSync(process.execPath, [
            `${ROOT}/build/node_modules/@redocly/cli/bin/cli.js`, 'lint',
            `${ROOT}/src/web/openapi.json`, '--format=stylish',
            `--config=${ROOT}/tests/support/redocly.yaml`], {
            cwd: site.dir, encoding: 'utf8', env: environment(site.dir, {
                REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
            }),
        });
        assert.equal(status, 0, stdout + stderr);
        assert.doesNotMatch(stdout + stderr, /warning|error/i);
    });

    it('is what the service sends, without a key', async () => {
        assert.deepEqual(
            success(await request(`${server.base}/v1/openapi.json`)), document);
    });

    it('tells the version of the program', async () => {
        const out = await site.cited_ok(['--version']);
        assert.ok(out.includes(document.info.version), out);
    });

    it('has words for everything', () => {
        const ids = new Set();
        for (const [path, method, operation] of description.operations()) {
            const name = `${method} ${path}`;
            for (const key of ['operationId', 'summary', 'description'])
                assert.ok(operation[key]?.length > 3, `${name}: ${key}`);
            ids.add(operation.operationId);
            assert.equal(operation.tags.length, 1, name);
            assert.ok(operation['x-codeSamples'].length, name);
            for (const [status, raw] of Object.entries(operation.responses)) {
                const response = description.resolve(raw);
                assert.ok(response.description, `${name} ${status}`);
                const media = response.content?.['application/json'];
                if (!media || path === '/v1/openapi.json') continue;
                assert.ok(Object.keys(media.examples).length > 0,
                    `${name} ${status}: no example`);
            }
        }
        assert.equal(ids.size, description.operations().length);
        const fields = (schema, where) => {
            for (const [field, value] of Object.entries(
                schema.properties ?? {})) {
                assert.ok(value.$ref || value.description || value.const ||
                    value.properties || value.items || value.type,
                `${where}.${field}`);
                fields(value, `${where}.${field}`);
            }
        };
        for (const [name, schema] of Object.entries(
            document.components.schemas)) fields(schema, name);
    });

    it('has examples that follow its schemas', () => {
        for (const [path, method, operation] of description.operations()) {
            const media = [operation.requestBody,
                ...Object.values(operation.responses)]
                .map((one) => description.resolve(one)?.content
                    ?.['application/json']).filter((one) => one?.examples);
            for (const { schema, examples } of media)
                for (const [name, { value }] of Object.entries(examples))
                    assert.equal(description.errors(schema, value), '',
                        `${method} ${path} ${name}`);
        }
    });

    it('takes and refuses bodies as the service does', async () => {
        const q = 'How do dates work?';
        const search = { q, depth: 'flash', outputType: 'searchResults' };
        const dates = (fromDate, toDate) => ({ ...search, fromDate, toDate });
        const domains = (...list) => ({ ...search, excludeDomains: list });
        const schema = { type: 'object',
            properties: { date: { type: 'string' } } };
        const ask = (fields) => ({ ...search, outputType: 'structured',
            ...fields });
        const nothing = Object.fromEntries(Object.keys(document.components
            .schemas.SearchRequest.properties).map((name) => [name, null]));
        const good = [dates('2020-01-01'), dates('2020-01-01T03:04:05'),
            dates('2020-01-01T03:04Z', null), dates('2020-01-01T03:04:05.6+01:00'),
            dates('2020-01-01', '2020-01-01'), { ...nothing, ...search },
            domains('a.example', '', ' '), domains('*.a.example', 'a'),
            domains('HTTP://b.example:8080/x y?z#\n', 'bücher.example/café'),
            domains('http://me@b.example/', ' b.example/@me '),
            ask({ structuredOutputSchema: schema }),
            ask({ structuredOutputSchema: JSON.stringify(schema) })];
        const bad = [dates('2020-02-30'), dates('2020-1-1'), dates(''),
            dates('2020-01-01 03:04:05'), dates(20200101),
            domains('not a domain'), domains('a@b.example'), domains('/x'),
            domains('http://'), domains(7), domains(null),
            ask({}), ask({ structuredOutputSchema: null }),
            { ...search, q: null }, { ...search, maxResults: 0 }];
        const refused = (body) => description.errors(
            { $ref: '#/components/schemas/SearchRequest' }, body) !== '';
        for (const body of [...good, ...bad]) {
            const { status, text } = await me.post('/v1/search', body);
            const no = status === 400 && text.includes('VALIDATION_ERROR');
            assert.equal(no, bad.includes(body), JSON.stringify(body) + text);
            assert.equal(refused(body), no, JSON.stringify(body));
        }
    });

    // The example of a request and of its answer have the same name.
    it('has examples of requests that are answered as it says', async () => {
        let replayed = 0;
        for (const [path, method, operation] of description.operations()) {
            const media = operation.requestBody?.content['application/json'];
            const examples = { ...media?.examples, ...media?.['x-refused'] };
            for (const [name, { value }] of Object.entries(examples)) {
                const said = Object.entries(operation.responses).find(
                    ([, raw]) => description.resolve(raw)
                        .content?.['application/json'].examples?.[name]);
                const status = said ? Number(said[0]) : 202;
                // A page that only this test can reach.
                const sent = JSON.stringify(value).replace(
                    'https://docs.example.org',
                    `http://127.0.0.1:${pages.address().port}`);
                const res = await me.call(method.toUpperCase(), path, sent);
                assert.equal(res.status, status,
                    `${method} ${path} ${name}: ${res.text}`);
                if (name in (media['x-refused'] ?? {}))
                    assert.ok(status >= 400, `${method} ${path} ${name}`);
                replayed++;
                if (!said) continue;
                const example = description.resolve(said[1])
                    .content['application/json'].examples[name].value;
                if (res.status >= 400) {
                    assert.deepEqual(res.json(), example, `${path} ${name}`);
                } else {
                    assert.deepEqual(Object.keys(res.json()).sort(),
                        Object.keys(example).sort(), name);
                }
            }
        }
        assert.ok(replayed >= 12, `${replayed} examples`);
    });

    let token, crawl, answer;
    it('has curl lines that work as they are written', async () => {
        token = await sign_in(server);
        key_id = success(await me.post('/v1/keys', { label: 'x' })).id;
        crawl = success(await me.post('/v1/index/crawls', { url:
            `http://127.0.0.1:${pages.address().port}/never` })).id;
        answer = (await new Client(server.base, site.key).post('/v1/search',
            { q: 'How do dates work?', depth: 'fast', store: true,
                outputType: 'searchResults' })).headers['x-task-id'];
        for (const [path, method, operation] of description.operations()) {
            if (method === 'delete') continue; // the last of all, below
            for (const { source } of operation['x-codeSamples'])
                await curl(source, `${method} ${path}`);
        }
        for (const [path, method, operation] of description.operations())
            if (method === 'delete')
                await curl(operation['x-codeSamples'][0].source,
                    `${method} ${path}`);
    });
    async function curl(source, name) {
        const { code, stdout, stderr } = await run(
            ['sh', '-c', `${source} -w '\\n%{http_code}'`], {
                cwd: site.dir,
                env: environment(site.dir, {
                    CITED_URL: server.base, CITED_KEY: site.key,
                    CITED_TOKEN: token, TASK: task, KEY_ID: key_id,
                    CRAWL: crawl, ANSWER: answer,
                }),
            });
        assert.equal(code, 0, `${name}: ${stderr}`);
        const [, text, status] = /^([^]*)\n(\d+)$/.exec(stdout);
        // The host of the example of /v1/fetch does not exist.
        assert.equal(status, name === 'post /v1/fetch' ? '400' : '200',
            `${name}: ${text}`);
        if (!/metrics$|events$/.test(name)) JSON.parse(text);
    }

    it('names what goes wrong before a handler runs', async () => {
        for (const [path, method, operation] of description.operations()) {
            const ask = (headers, body) =>
                request(server.base + address(path),
                    { method: method.toUpperCase(), headers, body });
            const bearer = { Authorization: `Bearer ${me.key}` };
            const json = { ...bearer, 'Content-Type': 'application/json' };
            if (!description.is_open(operation))
                failure(await ask({}, operation.requestBody && '{}'), 401);
            if (path.includes('{')) failure(await ask(bearer), 404);
            if (!operation.requestBody) continue;
            failure(await ask({ ...bearer, 'Content-Type': 'text/plain' },
                '{}'), 415);
            failure(await ask(json, `{"x":"${'x'.repeat(1100000)}"}`), 413);
            assert.equal((await ask(json, '{')).status, 400);
        }
        assert.deepEqual((await me.get('/v1/research?page=0')).json(),
            document.paths['/v1/research'].get.responses[400]
                .content['application/json'].examples.invalid.value);
        const gone = encodeURIComponent('https://gone.example/');
        failure(await me.get(`/v1/pages?url=${gone}`), 404, 'NOT_FOUND');
        failure(await me.get('/v1/pages'), 400);
        const made = success(await me.post('/v1/keys', {}));
        success(await me.get('/v1/keys'));
        success(await me.call('DELETE', `/v1/keys/${made.id}`));
        success(await me.get('/v1/index'));
        success(await me.get('/v1/status'));
        assert.equal((await me.get('/metrics')).status, 200);
        await site.add([{ url: 'https://old.example.org/', title: 'Old',
            text: 'A page that somebody wants to be gone.' }]);
        success(await me.call('DELETE', '/v1/index/hosts/old.example.org'));
        success(await me.post('/v1/pages', { url: 'https://gone.example/',
            text: 'A page that somebody wants to be gone.' }));
        success(await me.call('DELETE', `/v1/pages?url=${gone}`));
        failure(await me.call('DELETE', `/v1/pages?url=${gone}`), 404);
        failure(await me.call('DELETE', '/v1/pages'), 400);
        const page = encodeURIComponent(
            'http://127.0.0.1:8080/docs/crawling.md');
        success(await me.get(`/v1/pages?url=${page}`));
        success(await me.get('/v1/sessions'));
        const second = new Client(server.base, await sign_in(server));
        success(await second.call('DELETE', '/v1/sessions'));
        failure(await me.post('/mcp', { jsonrpc: '2.0', method: 'x' },
            { Origin: ORIGIN }), 403);
        success(await me.get('/v1/credits/balance'));
        failure(await me.get('/v1/nothing'), 404, 'NOT_FOUND');
        failure(await me.get('/search?q=x'), 400);
        success(await me.get('/search?format=json&q=dates'));
        success(await me.get('/v1/models'));
        failure(await me.get('/v1/search'), 405, 'METHOD_NOT_ALLOWED');
    });

    it('names what limits and disabled accounts answer', async () => {
        const email = 'second@example.org', password = 'correct horse';
        const key = await site.account(email);
        await site.cited_ok(['account', 'password', email],
            { input: password });
        await site.cited_ok(['account', 'disable', email]);
        const all = (client) => Promise.all(keyed().map(
            ([path, method, operation]) => client.call(method.toUpperCase(),
                address(path), operation.requestBody ? {} : undefined)));
        for (const res of await all(new Client(server.base, key)))
            failure(res, 403, 'FORBIDDEN');
        const nobody = new Client(server.base, null);
        failure(await nobody.post('/v1/sessions', { email, password }), 403);
        const guess = { email, password: 'wrong horse', code: 'x' };
        for (const path of ['/v1/accounts', '/v1/sessions'])
            await until(async () =>
                (await nobody.post(path, guess)).status === 429, 20000, path);
        const own = await Site.make({
            pages: [], settings: { 'limits.rate_per_second': 1 },
        });
        let front;
        try {
            front = await start('lighttpd', own);
            const client = new Client(front.base, await operator(own, front));
            const seen = new Set();
            await until(async () => {
                for (const [i, res] of (await all(client)).entries())
                    if (res.status === 429) seen.add(i);
                return seen.size === keyed().length;
            }, 20000, 'every operation refuses what comes too fast');
        } finally {
            await front?.stop();
            await own.close();
        }
    });

    it('names what providers can cause', async () => {
        const silent = net.createServer(() => {});
        await new Promise((resolve) => silent.listen(0, '127.0.0.1', resolve));
        for (const [port, status] of [[9, 502], [silent.address().port, 504]]) {
            const own = await Site.make({
                pages: [], settings: {
                    'search.index': 'false', 'net.allow_hosts': '127.0.0.1',
                    'search.deadline_fast_ms': 500,
                    'provider.fake.url': `http://127.0.0.1:${port}/?q={q}`,
                    'provider.fake.results': 'results',
                    'provider.fake.timeout_ms': 60000,
                },
            });
            let front;
            try {
                front = await start('lighttpd', own);
                const client = new Client(front.base, own.key);
                failure(await client.search({ q: 'x', depth: 'fast' }), status);
                success(await client.get('/healthz'));
            } finally {
                await front?.stop();
                await own.close();
            }
        }
        silent.close();
    });

    it('tells what is in the index, keeps answers and stops crawls',
        async () => {
            assert.ok(success(await me.get('/v1/examples')).pages > 0);
            success(await new Client(server.base, null).get('/v1/accounts'));
            const host = '/v1/index/hosts/old.example.org';
            await site.add([{ url: 'https://old.example.org/', title: 'Old',
                text: 'A page that somebody wants to be gone.' }]);
            assert.equal(success(await me.get(host)).data.length, 1);
            failure(await me.get(`${host}?after=x`), 400, 'VALIDATION_ERROR');
            const kept = await me.post('/v1/search', { store: true,
                q: 'Which page does somebody want to be gone?', depth: 'fast',
                outputType: 'searchResults' });
            const answer = `/v1/tasks/${kept.headers['x-task-id']}`;
            assert.deepEqual(success(await me.get(answer)).output,
                success(kept));
            success(await me.call('DELETE', answer));
            failure(await me.get(answer), 404, 'TASK_NOT_FOUND');
            failure(await me.call('DELETE', answer), 404, 'TASK_NOT_FOUND');
            const { id } = success(await me.post('/v1/index/crawls', { url:
                `http://127.0.0.1:${pages.address().port}/never?2` }));
            success(await me.call('DELETE', `/v1/index/crawls/${id}`));
            failure(await me.call('DELETE', `/v1/index/crawls/${id}`), 404,
                'NOT_FOUND');
            const link = (await site.cited_ok(['account', 'link',
                FIRST.email])).trim().split('/').at(-1);
            const one = new Client(server.base, null);
            success(await one.post('/v1/sessions', { link }));
            failure(await one.post('/v1/sessions', { link }), 401,
                'UNAUTHORIZED');
        });

    it('follows a task to its end', async () => {
        const { id } = success(await me.post('/v1/research', {
            q: 'How do dates work?', outputType: 'sourcedAnswer',
            reasoningDepth: 'S', callbackUrl:
                `http://127.0.0.1:${pages.address().port}/hook`,
        }));
        const done = await until(async () => {
            const now = success(await me.get(`/v1/research/${id}`));
            return ['completed', 'failed'].includes(now.status) && now;
        }, 60000, 'the task ends');
        assert.equal(done.status, 'completed', done.error);
        assert.equal(description.errors(
            { $ref: '#/components/schemas/SourcedAnswer' }, done.output), '');
        const { steps } = success(await me.get(`/v1/research/${id}/steps`));
        assert.deepEqual(new Set(steps.map((step) => step.type)),
            new Set(['plan', 'search', 'gap', 'write']));
        assert.equal((await me.get(`/v1/research/${id}/events`)).status, 200);
        success(await me.get('/v1/research?pageSize=100'));
        success(await me.call('DELETE', `/v1/research/${id}`));
    });

    it('follows tasks of every type to their end', async () => {
        const [question] = document.paths['/v1/tasks'].post.requestBody
            .content['application/json'].examples.new.value.slice(1);
        const made = success(await me.post('/v1/tasks', [question,
            { type: 'fetch', input: {
                url: `http://127.0.0.1:${pages.address().port}/`,
            } },
            { type: 'research', input: {
                q: 'How do dates work?', outputType: 'sourcedAnswer',
                reasoningDepth: 'S',
            } }]));
        for (const { id, type } of made) {
            const done = await until(async () => {
                const now = success(await me.get(`/v1/tasks/${id}`));
                return ['completed', 'failed'].includes(now.status) && now;
            }, 60000, 'the task ends');
            assert.equal(done.status, 'completed', done.error);
            const shape = { search: 'SearchResults', fetch: 'FetchedPage',
                research: 'SourcedAnswer' }[type];
            assert.equal(description.errors(
                { $ref: `#/components/schemas/${shape}` }, done.output), '');
        }
        success(await me.get('/v1/tasks?pageSize=100&type=search&type=fetch'));
        failure(await me.get('/v1/tasks?status=lost'), 400);
    });

    it('fits what other tests saw', (t) => {
        const file = process.env.CITED_TRAFFIC;
        if (!file || !fs.existsSync(file)) {
            t.diagnostic('NOT HELD AGAINST OTHER TESTS: CITED_TRAFFIC names ' +
                'no record; make check makes one');
            return;
        }
        const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
        for (const line of lines) judge(JSON.parse(line), 'recorded');
        t.diagnostic(`${lines.length} recorded exchanges`);
    });

    it('leaves out nothing that was seen', () => {
        assert.deepEqual([...new Set(wrong)].slice(0, 20), []);
    });

    it('names nothing that was never seen', (t) => {
        const missing = description.operations().flatMap(
            ([path, method, operation]) => Object.keys(operation.responses)
                .map((status) => `${method} ${path} ${status}`))
            .filter((one) => !description.seen.has(one));
        const excused = missing.filter((one) =>
            UNSEEN.some(([pattern]) => pattern.test(one)));
        for (const [pattern, reason] of UNSEEN)
            t.diagnostic(`not seen here: ${excused.filter((one) =>
                pattern.test(one)).length} of ${pattern}: ${reason}`);
        assert.deepEqual(missing.filter((one) => !excused.includes(one)), []);
    });
});
