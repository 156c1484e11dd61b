// Search providers and the pages they find, through the public API: what
// works when one of them fails in each way a server can, what an
// OpenSearch-shaped provider is asked, and that nothing leads to an address
// that must not be reached.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { FAULTS, Fake, html, json } from './lib/fake.js';
import { Client, failure, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { ROOT, until } from './lib/world.js';

const QUESTION = 'When was the Vardo lighthouse built?';
const DEADLINE = 10000; // of depth standard

function results(...list) {
    return (req, res) => json(res, { results: list });
}

// A provider that knows one page, which it serves itself.
function lighthouse(year) {
    let fake;
    return Fake.start({
        '/search': (req, res) => json(res, {
            results: [{
                url: `${fake.origin}/vardo`, title: 'Vardo lighthouse',
                content: 'About the Vardo lighthouse.',
            }],
        }),
        '/vardo': (req, res) => html(res, 'Vardo lighthouse',
            `The Vardo lighthouse was built in ${year} on the island of ` +
            'Hornoya. It is open to visitors in summer.'),
    }).then((made) => (fake = made));
}

function provider(name, base, more = {}) {
    const settings = {};
    for (const [key, value] of Object.entries({
        use: 'searxng', base, ...more,
    })) settings[`provider.${name}.${key}`] = value;
    return settings;
}

describe('two providers, one of them failing', () => {
    let a, b, site, server, me;

    before(async () => {
        a = await lighthouse(1896);
        b = await lighthouse(1896);
        site = await Site.make({ pages: [] });
    });
    after(async () => {
        await a?.stop();
        await b?.stop();
        await site?.close();
    });

    // A fresh service each time, so that no breaker is open.
    async function with_service(what) {
        site.settings({
            'net.allow_hosts': `127.0.0.1:${a.port},127.0.0.1:${b.port}`,
            'read.keep': false, // each case finds what it finds by itself
            ...provider('a', a.origin), ...provider('b', b.origin),
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
        try {
            await what();
        } finally {
            a.mode = b.mode = null;
            await server.stop();
        }
    }

    async function timed(call) {
        const since = Date.now();
        const res = await call;
        assert.ok(Date.now() - since < DEADLINE + 1000,
            `${Date.now() - since} ms`);
        return res;
    }

    for (const fault of FAULTS) {
        it(`${fault}: what the other one finds is the answer`, () =>
            with_service(async () => {
                a.mode = fault;
                const found = success(await timed(me.search({ q: QUESTION })));
                assert.ok(found.results.length > 0);
                for (const one of found.results)
                    assert.ok(one.url.startsWith(b.origin), one.url);
                a.mode = null;
                b.mode = fault;
                const said = success(await timed(me.search({
                    q: QUESTION, outputType: 'sourcedAnswer',
                })));
                assert.match(said.answer, /1896/);
                assert.ok(said.sources[0].url.startsWith(a.origin));
            }));
        it(`${fault}: of both it is an error, and not that nothing was found`,
            () => with_service(async () => {
                a.mode = b.mode = fault;
                for (const q of [QUESTION, 'Who painted the Vardo fresco?']) {
                    const res = await timed(me.search({ q }));
                    failure(res, 502, 'UPSTREAM_FAILED');
                }
            }));
    }

    it('answers from the index when both fail, and says who is left out',
        () => with_service(async () => {
            await site.add([{
                url: 'https://known.example/vardo', title: 'Vardo',
                text: 'The Vardo lighthouse was built in 1896.',
            }]);
            a.mode = b.mode = '500';
            for (let i = 0; i < 3; i++)
                success(await timed(me.search({ q: QUESTION })));
            const before_ = a.hits;
            success(await timed(me.search({ q: QUESTION })));
            assert.equal(a.hits, before_, 'a suspended provider is not asked');
            const health = success(await me.get('/healthz'));
            assert.equal(health.status, 'degraded');
            assert.deepEqual(health.degraded, ['search providers']);
            for (const one of health.providers) {
                assert.equal(one.state, 'suspended');
                assert.equal(one.reason, 'unavailable');
                assert.ok(Date.parse(one.until) > Date.now() - 1000);
            }
        }));
});

describe('a strict OpenSearch-shaped provider', () => {
    let fake, site, server, me, answer, wrong;

    const HIT = {
        _index: 'pages', _id: '1', _score: 3.2,
        _source: {
            url: 'https://docs.kvist.example/wal', title: 'Kvist journal',
            published: '2024-03-01',
        },
        highlight: {
            body: ['The <em>Kvist</em> database has a write-ahead ' +
                '<em>journal</em>, folded back after 1000 pages.'],
        },
    };
    const SHAPE = {
        took: 3, timed_out: false,
        _shards: { total: 2, successful: 2, skipped: 0, failed: 0 },
        hits: { max_score: 3.2, hits: [HIT] },
    };

    // What a real one would refuse, this one does.
    function check(req, body) {
        if (req.method !== 'POST' || req.url !== '/pages/_search')
            return 'no handler found for uri';
        if (!/^application\/json/.test(req.headers['content-type'] ?? ''))
            return 'Content-Type header is not supported';
        if (req.headers.authorization !== 'ApiKey s3cret')
            return 'missing authentication credentials';
        const query = JSON.parse(body);
        const known = ['size', 'timeout', 'track_total_hits', '_source',
            'query', 'highlight'];
        const extra = Object.keys(query).filter((key) => !known.includes(key));
        if (extra.length) return `unknown key [${extra}]`;
        if (!(query.size >= 1 && query.size <= 10000)) return 'size';
        const { must, filter, must_not, ...rest } = query.query.bool;
        if (Object.keys(rest).length || !must[0].multi_match.query)
            return 'parsing_exception';
        for (const clause of [...filter, ...must_not])
            if (!['match_all', 'match_none', 'terms', 'range'].includes(
                Object.keys(clause)[0])) return 'parsing_exception';
        fake.query = query;
        return '';
    }

    before(async () => {
        fake = await Fake.start({
            '*': (req, res, body) => {
                wrong = check(req, body);
                if (wrong)
                    return json(res, {
                        error: { type: 'x', reason: wrong }, status: 400,
                    }, 400);
                return answer(res);
            },
        });
        site = await Site.make({
            pages: [],
            settings: {
                'net.allow_hosts': `127.0.0.1:${fake.port}`,
                'read.pages': 0,
                ...provider('own', `${fake.origin}/pages`, {
                    use: 'opensearch',
                    headers: 'Authorization: ApiKey s3cret',
                }),
            },
        });
    });
    after(async () => {
        await site?.close();
        await fake?.stop();
    });

    async function ask(reply, fields = {}) {
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
        answer = reply;
        try {
            return await me.search({ q: 'Kvist write-ahead journal', ...fields });
        } finally {
            await server.stop();
        }
    }

    it('finds, with the highlight as text', async () => {
        const { results } = success(await ask((res) => json(res, SHAPE)));
        assert.equal(wrong, '');
        assert.deepEqual(results.map(({ url }) => url), [HIT._source.url]);
        assert.match(results[0].content, /The Kvist database has/);
        assert.equal(results[0].date, '2024-03-01');
    });
    it('is asked for domains and dates, and held to them', async () => {
        const other = { ...HIT, _source: { ...HIT._source,
            url: 'https://elsewhere.example/x' } };
        const old = { ...HIT, _source: { ...HIT._source,
            url: 'https://old.kvist.example/x', published: '2001-01-01' } };
        const { results } = success(await ask((res) => json(res, {
            ...SHAPE, hits: { hits: [other, old, HIT] },
        }), {
            includeDomains: ['kvist.example'], fromDate: '2024-01-01',
            toDate: '2024-12-31',
        }));
        assert.deepEqual(fake.query.query.bool.filter.slice(1), [
            { terms: { domains: ['kvist.example'] } },
            { range: { published: { gte: '2024-01-01', lte: '2024-12-31' } } },
        ]);
        assert.deepEqual(results.map(({ url }) => url), [HIT._source.url]);
    });
    it('is asked without the domains that are excluded', async () => {
        failure(await ask((res) => json(res, SHAPE),
            { excludeDomains: ['kvist.example'] }), 400,
        'SEARCH_QUERY_NO_RESULT');
        assert.deepEqual(fake.query.query.bool.must_not.slice(1),
            [{ terms: { domains: ['kvist.example'] } }]);
    });
    it('counts part of the shards as an answer', async () => {
        success(await ask((res) => json(res, {
            ...SHAPE, timed_out: true, _shards: { total: 2, failed: 1 },
        })));
    });
    for (const [name, status, reply] of [
        ['nothing found', 400, (res) => json(res, { ...SHAPE,
            hits: { hits: [] } })],
        ['nothing found by failed shards', 502, (res) => json(res, { ...SHAPE,
            _shards: { failed: 2 }, hits: { hits: [] } })],
        ['no such index', 502, (res) => json(res, { error: {
            type: 'index_not_found_exception', reason: 'no such index' },
        status: 404 }, 404)],
        ['too many requests', 502, (res) => json(res, { error: {
            type: 'rejected_execution_exception' }, status: 429 }, 429)],
        ['an error inside a success', 502, (res) => json(res, { error: {
            type: 'parsing_exception', reason: 'no' } })],
    ])
        it(`${name} is ${status}`, async () => {
            failure(await ask(reply), status, status === 502
                ? 'UPSTREAM_FAILED' : 'SEARCH_QUERY_NO_RESULT');
        });
});

describe('images and dates of pages that were read', () => {
    let fake, site, server, me;

    before(async () => {
        fake = await Fake.start({
            '/search': (req, res) => json(res, {
                results: [
                    { url: `${fake.origin}/new`, title: 'Vardo lighthouse',
                        content: '', img_src: `${fake.origin}/new.jpg` },
                    { url: `${fake.origin}/old`, title: 'Vardo lighthouse',
                        content: '', img_src: 'https://cdn.example/old.jpg' },
                ],
            }),
            '/new': (req, res) => html(res, 'Vardo lighthouse',
                'The Vardo lighthouse was painted in 2024.', '<meta ' +
                'property="article:published_time" content="2024-05-06">'),
            '/old': (req, res) => html(res, 'Vardo lighthouse of old',
                'The Vardo lighthouse was white in 1990.', '<meta ' +
                'property="article:published_time" content="1990-05-06">'),
        });
        site = await Site.make({
            pages: [],
            settings: {
                'net.allow_hosts': `127.0.0.1:${fake.port}`,
                ...provider('a', fake.origin),
            },
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await fake?.stop();
    });

    it('images come along, within the domains', async () => {
        const all = success(await me.search({
            q: 'Vardo lighthouse', includeImages: true,
        })).results.filter(({ type }) => type === 'image');
        assert.ok(all.some(({ url }) => url === `${fake.origin}/new.jpg`));
        const some = success(await me.search({
            q: 'Vardo lighthouse', includeImages: true,
            includeDomains: ['127.0.0.1'],
        })).results.filter(({ type }) => type === 'image');
        assert.ok(some.length > 0);
        for (const { url } of some)
            assert.equal(new URL(url).hostname, '127.0.0.1');
    });
    it('a page counts by its own date', async () => {
        const { results } = success(await me.search({
            q: 'Vardo lighthouse', fromDate: '2020-01-01',
        }));
        assert.deepEqual(results.map(({ url }) => url),
            [`${fake.origin}/new`]);
    });
    it('what was read is in the index', async () => {
        const stats = JSON.parse(
            await site.cited_ok(['index', 'stats', '--json']));
        assert.equal(stats.pages, 2);
    });
});

describe('addresses that must not be reached', () => {
    let front, canary, canary6, urls, site, server, me;

    before(async () => {
        canary = await Fake.start({ '*': (req, res) => res.end('canary') });
        try {
            canary6 = await Fake.start({
                '*': (req, res) => res.end('canary'),
            }, { host: '::1', port: canary.port });
        } catch (e) {
            console.log(`NOT RUN: no canary on ::1: ${e.message}`);
        }
        // Names of the unit test need its own resolver.
        urls = JSON.parse(fs.readFileSync(
            `${ROOT}/tests/support/forbidden.json`, 'utf8'))
            .filter((url) => !/(canary6?|mapped|metadata|two|private)\.exam/i
                .test(url))
            .map((url) => url.replace('{P}', canary.port));
        front = await Fake.start({
            '/search': (req, res) => json(res, {
                results: [
                    ...urls.map((url) => ({
                        url, title: 'Vardo lighthouse', content: 'Vardo',
                    })),
                ].slice(front.from, front.from + 15),
            }),
            '/done': (req, res) => res.end(),
            '/lead': (req, res, body, url) => {
                res.writeHead(302, {
                    Location: Buffer.from(urls[url.searchParams.get('n')]
                        .replace(/[\r\n\t]/g, '')).toString('latin1'),
                });
                res.end();
            },
        });
        site = await Site.make({
            pages: [],
            settings: {
                'net.allow_hosts': `127.0.0.1:${front.port}`,
                'read.pages': 20, 'crawl.timeout_ms': 2000,
                ...provider('a', front.origin),
            },
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await front?.stop();
        await canary?.stop();
        await canary6?.stop();
    });

    function untouched() {
        assert.equal(canary.hits + (canary6?.hits ?? 0), 0,
            JSON.stringify([...canary.seen, ...(canary6?.seen ?? [])]));
    }

    it('by /v1/fetch in any spelling', async () => {
        assert.ok(urls.length >= 60);
        for (const url of urls) {
            const res = await me.post('/v1/fetch', { url });
            assert.equal(res.status, 400, `${url}: ${res.text.slice(0, 200)}`);
            untouched();
        }
    });
    it('by a redirect to any of them', async () => {
        for (let n = 0; n < urls.length; n++) {
            const res = await me.post('/v1/fetch',
                { url: `${front.origin}/lead?n=${n}` });
            assert.equal(res.status, 400, `${urls[n]}: ${res.text}`);
            untouched();
        }
        assert.ok(front.hits >= urls.length, 'the redirects were followed');
    });
    it('by what a provider claims to have found', async () => {
        for (front.from = 0; front.from < urls.length; front.from += 15) {
            await me.search({ q: 'Vardo lighthouse' });
            untouched();
        }
    });
    it('by the callback of a task', async () => {
        const forbidden = [canary.origin, `http://127.1:${canary.port}/x`,
            `http://2130706433:${canary.port}/`,
            `http://[::ffff:7f00:1]:${canary.port}/`,
            `http://[::1]:${canary.port}/`,
            `http://localhost:${canary.port}/`,
            `http://a:b@127.0.0.1:${canary.port}/`,
            `${front.origin}/lead?n=0`, 'http://169.254.169.254/'];
        // The last one may be called: when it was, the others had their turn.
        for (const callbackUrl of [...forbidden, `${front.origin}/done`]) {
            const res = await me.post('/v1/research', {
                q: 'Vardo lighthouse', outputType: 'sourcedAnswer',
                reasoningDepth: 'S', callbackUrl,
            });
            assert.ok([200, 400].includes(res.status), res.text);
        }
        await until(() => front.seen.includes('POST /done'), 90000,
            'the callback that is allowed');
        untouched();
    });
    it('by a provider whose own address is not named', async () => {
        const other = await Fake.start({ '/search': results() });
        await server.stop();
        server = null;
        site.settings({
            'net.allow_hosts': `127.0.0.1:${front.port}`,
            ...provider('b', other.origin),
        });
        const service = await start('lighttpd', site);
        try {
            const res = await new Client(service.base, site.key)
                .search({ q: 'Vardo lighthouse' });
            failure(res, 502, 'UPSTREAM_FAILED');
            assert.equal(other.hits, 0);
        } finally {
            await service.stop();
            await other.stop();
        }
    });
});
