// The official JavaScript client, unmodified, with only baseUrl set: every
// operation and every typed error class it knows that this service can cause.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { ROOT, until } from './lib/world.js';

const from_build = createRequire(`${ROOT}/build/package.json`);
const major = Number(process.versions.node.split('.')[0]);
const SDKS = ['linkup-sdk', ...(major >= 22 ? ['linkup-sdk-3'] : [])];

async function load(name) {
    const main = from_build.resolve(name);
    const loaded = await import(pathToFileURL(main));
    return loaded.LinkupClient ? loaded : loaded.default;
}

function version_of(name) {
    return JSON.parse(fs.readFileSync(
        `${ROOT}/build/node_modules/${name}/package.json`)).version;
}

// Which class an error is; the classes' names are the client's interface.
async function class_of(promise) {
    try {
        await promise;
    } catch (error) {
        return error.constructor.name;
    }
    return 'no error';
}

for (const name of SDKS) for (const kind of ['lighttpd', 'apache'])
    describe(`${name} ${version_of(name)} behind ${kind}`, () => {
        let sdk, site, server, client, make, pages, page;
        const q = 'How tall is the tower of the Halden lighthouse?';

        before(async () => {
            sdk = await load(name);
            pages = http.createServer((req, res) => {
                res.writeHead(req.url === '/' ? 200 : 404,
                    { 'Content-Type': 'text/html' });
                res.end('<html><title>T</title><h1>A page</h1><p>With a ' +
                    'paragraph that is long enough to be its text.</p></html>');
            });
            await new Promise((ok) => pages.listen(0, '127.0.0.1', ok));
            page = `127.0.0.1:${pages.address().port}`;
            site = await Site.make({ settings: {
                'limits.tasks_open': 7, 'net.allow_hosts': page,
            } });
            server = await start(kind, site);
            make = (apiKey) => new sdk.LinkupClient(
                { apiKey, baseUrl: `${server.base}/v1` });
            client = make(site.key);
        });
        after(async () => {
            await server?.stop();
            await site?.close();
            pages?.close();
        });

        it('searches: searchResults', async () => {
            const { results } = await client.search(
                { query: q, depth: 'standard', outputType: 'searchResults' });
            assert.equal(results[0].type, 'text');
            assert.equal(results[0].url, 'https://lights.example/halden');
        });
        it('searches with every filter', async () => {
            const { results } = await client.search({
                query: q, depth: 'deep', outputType: 'searchResults',
                includeImages: true, includeDomains: ['lights.example'],
                excludeDomains: ['travel.example'], maxResults: 5,
                fromDate: new Date('2020-01-01'), toDate: new Date(),
            });
            assert.ok(results.length >= 1);
            assert.ok(results.every((one) =>
                one.url.startsWith('https://lights.example/')));
        });
        it('searches one day, with a list that ends in a comma', async () => {
            const day = new Date('2023-05-14');
            const { results } = await client.search({
                query: 'Halden lighthouse', depth: 'standard',
                outputType: 'searchResults', fromDate: day, toDate: day,
                includeDomains: 'lights.example, '.split(',')
                    .map((one) => one.trim()),
            });
            assert.deepEqual(results.map((one) => one.url),
                ['https://lights.example/halden']);
        });
        it('fetches a page, with its source', async () => {
            const plain = await client.fetch(
                { url: `http://${page}/`, renderJs: false });
            assert.match(plain.markdown, /A page/);
            assert.equal(plain.rawContent ?? plain.rawHtml, undefined);
            const { rawContent, contentType } = await client.fetch(
                { url: `http://${page}/`, includeRawContent: true });
            assert.match(rawContent, /<h1>A page/);
            assert.equal(contentType, 'html');
            const { rawHtml } = await client.fetch(
                { url: `http://${page}/`, includeRawHtml: true });
            assert.equal(rawHtml, rawContent);
        });
        it('is told what a fetch cannot do', async () => {
            for (const more of [{ renderJs: true }, { mode: 'pro' }])
                await assert.rejects(
                    client.fetch({ url: `http://${page}/`, ...more }),
                    (error) => error.message.includes(Object.keys(more)[0]) &&
                        error.constructor.name === 'LinkupInvalidRequestError');
            await assert.rejects(client.fetch({ url: `http://${page}/missing` }),
                /no such page \(404\)/);
        });
        it('searches: sourcedAnswer', async () => {
            const { answer, sources } = await client.search({
                query: q, depth: 'standard', outputType: 'sourcedAnswer',
                includeInlineCitations: true,
            });
            assert.match(answer, /\b41\b/);
            assert.ok(sources.length >= 1);
        });
        it('searches: structured', async () => {
            const how_many = 'How many steps does the Halden lighthouse have?';
            const structuredOutputSchema = {
                type: 'object',
                properties: { steps: { type: 'integer' } },
                required: ['steps'],
            };
            const data = await client.search({
                query: how_many, depth: 'standard', outputType: 'structured',
                structuredOutputSchema,
            });
            assert.equal(data.steps, 196);
            const with_sources = await client.search({
                query: how_many, depth: 'standard', outputType: 'structured',
                structuredOutputSchema, includeSources: true,
            });
            assert.ok(with_sources.sources.length >= 1);
            assert.equal(with_sources.data.steps, 196);
        });

        // Version 2 of the client knows search and fetch only.
        if (version_of(name).startsWith('3.')) research_tests();

        it('raises its class: authentication', async () => {
            assert.equal(await class_of(make('wrong').search(
                { query: q, depth: 'standard', outputType: 'searchResults' })),
            'LinkupAuthenticationError');
        });
        it('raises its class: account disabled', async () => {
            const key = await site.account('disabled@example.org');
            await site.cited_ok(
                ['account', 'disable', 'disabled@example.org']);
            assert.equal(await class_of(make(key).search(
                { query: q, depth: 'standard', outputType: 'searchResults' })),
            'LinkupAuthenticationError');
        });
        it('raises its class: invalid request', async () => {
            assert.equal(await class_of(client.search(
                { query: q, depth: 'wrong', outputType: 'searchResults' })),
            'LinkupInvalidRequestError');
        });
        it('raises its class: no result', async () => {
            assert.equal(await class_of(client.search({
                query: 'zyxgrplk wobbelfroth', depth: 'standard',
                outputType: 'searchResults',
            })), 'LinkupNoResultError');
        });

        function research_tests() {
            it('creates research and polls until completed', async () => {
                const task = await client.research({
                    query: 'Compare the write-ahead journal and the rollback ' +
                        'journal of Kvist',
                    outputType: 'sourcedAnswer', mode: 'answer',
                });
                assert.ok(['pending', 'processing'].includes(task.status));
                const done = await until(async () => {
                    const now = await client.getResearch(task.id);
                    return ['completed', 'failed'].includes(now.status) && now;
                }, 90000, 'research ends');
                assert.equal(done.status, 'completed', done.error);
                assert.ok(done.output.sources.length >= 2);
            });
            it('lists with paging and sorting', async () => {
                for (let i = 0; i < 3; i++)
                    await client.research({
                        query: `Halden lighthouse ${i}`,
                        outputType: 'sourcedAnswer', reasoningDepth: 'S',
                    });
                const page = await client.listResearch({
                    page: 1, pageSize: 2, sortBy: 'createdAt',
                    sortDirection: 'desc',
                });
                assert.equal(page.data.length, 2);
                assert.equal(page.metadata.total, 4);
                assert.equal(page.metadata.totalPages, 2);
                assert.ok(page.data[0].createdAt >= page.data[1].createdAt);
            });

            it('raises its class: task not found', async () => {
                assert.equal(await class_of(client.getResearch(
                    '00000000-0000-4000-8000-000000000000')),
                'LinkupTaskNotFoundError');
            });
            it('raises its class: queue limit and rate limit', async () => {
                const own = await Site.make({
                    settings: {
                        'limits.tasks_open': 1, 'research.workers': 0,
                        'limits.rate_per_second': 2,
                    },
                });
                let front;
                try {
                    front = await start(kind, own);
                    client = new sdk.LinkupClient(
                        { apiKey: own.key, baseUrl: `${front.base}/v1` });
                    const task = await client.research(
                        { query: 'Halden', outputType: 'sourcedAnswer' });
                    assert.equal(await class_of(client.research(
                        { query: 'Halden', outputType: 'sourcedAnswer' })),
                    'LinkupTasksQueueLimitExceededError');
                    const classes = [];
                    for (let i = 0; i < 20; i++)
                        classes.push(await class_of(
                            client.getResearch(task.id)));
                    assert.ok(classes.includes('LinkupTooManyRequestsError'),
                        classes.join());
                } finally {
                    client = make(site.key);
                    await front?.stop();
                    await own.close();
                }
            });
        }
    });
