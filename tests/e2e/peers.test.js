// The service in front of real servers from packages: a MediaWiki filled with
// the SQLite documentation, a searx whose engine is that wiki, httpbin.
// Search and research, in all outputs, through the public API.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Fake } from './lib/fake.js';
import { Client, failure, success } from './lib/http.js';
import {
    missing, start_httpbin, start_mediawiki, start_searx,
} from './lib/peers.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { until } from './lib/world.js';

const DOCS = '/usr/share/doc/sqlite3';
const ARTICLES = ['about', 'atomiccommit', 'autoinc', 'backup', 'datatype3',
    'faq', 'famous', 'foreignkeys', 'gencol', 'isolation', 'json1', 'limits',
    'lockingv3', 'partialindex', 'rtree', 'sharedcache', 'stricttables',
    'tempfiles', 'wal', 'whentouse', 'withoutrowid'];

// What would be markup in a wiki.
function wiki_text(text) {
    return text.replace(/[[\]{}|]/g, (c) => `<nowiki>${c}</nowiki>`)
        .split('\n').map((line) => line.trim().replace(/^[#*;:=]+\s*/, ''))
        .join('\n');
}

// The pages of the package, as `cited extract` reads them.
async function articles(site) {
    const pages = [];
    for (const name of ARTICLES) {
        const { title, markdown } = JSON.parse(await site.cited_ok(
            ['extract', `${DOCS}/${name}.html`, '--markdown', '--json']));
        pages.push({
            title: title.replace(/[#<>[\]|{}_:]/g, ' ').trim() || name,
            text: wiki_text(markdown.replace(/</g, '&lt;')),
        });
    }
    return pages;
}

const no_wiki = missing('mediawiki', 'sqlite_docs');
// Debian 13 has no searx any more.
const no_searx = no_wiki || missing('searx');
if (no_wiki) console.log(`SKIPPED: MediaWiki: ${no_wiki}`);
else if (no_searx) console.log(`SKIPPED: searx: ${no_searx}`);

describe('MediaWiki', { skip: no_wiki }, () => {
    let wiki, site, server, me;

    before(async () => {
        site = await Site.make({ pages: [] });
        wiki = await start_mediawiki([
            ...await articles(site),
            { title: 'Forbidden checkpoint', text: 'A forbidden ' +
                'checkpoint of the log, which robots.txt keeps to itself.' },
        ]);
        site.settings({
            'net.allow_hosts': `127.0.0.1:${wiki.port}`,
            'crawl.contact': 'owner@example.org',
            // PHP's own server has one process, and this machine other work.
            'read.timeout_ms': 20000,
            'provider.wiki.timeout_ms': 20000,
            'search.deadline_standard_ms': 60000,
            'search.deadline_deep_ms': 60000,
            'provider.wiki.use': 'wikipedia',
            'provider.wiki.base': wiki.origin,
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await wiki?.stop();
    });

    const from_wiki = (list) => {
        assert.ok(list.length > 0);
        for (const { url } of list)
            assert.ok(url.startsWith(`${wiki.origin}/wiki/`), url);
    };

    it('a provider can be tried from the command line', async () => {
        const said = await site.cited_ok(
            ['provider', 'test', 'wiki', 'What is a write-ahead log?']);
        assert.match(said, /^wiki: ok, \d+ results in \d+ ms\n1\. /);
    });
    it('searchResults come from the wiki', async () => {
        const { results } = success(await me.search({
            q: 'What is a checkpoint of the write-ahead log?',
        }));
        from_wiki(results);
        for (const { content } of results)
            assert.ok(content.length > 0);
    });
    it('a question the wiki has no page for word by word is answered',
        async () => {
            const { answer, sources } = success(await me.search({
                q: 'Does WAL mode work over a network filesystem?',
                outputType: 'sourcedAnswer',
            }));
            assert.match(answer, /network/);
            from_wiki(sources);
        });
    it('what was read is in the index, except what robots.txt forbids',
        async () => {
            success(await me.search({ q: 'Forbidden checkpoint' }));
            const pages = JSON.parse(
                await site.cited_ok(['index', 'list', '--json']));
            assert.ok(pages.length > 0);
            for (const { url } of pages)
                assert.ok(!url.includes('Forbidden'), url);
        });
    it('structured output is filled', async () => {
        const { data, sources } = success(await me.search({
            q: 'Implementation limits of SQLite', depth: 'deep', outputType: 'structured',
            includeSources: true,
            structuredOutputSchema: JSON.stringify({
                type: 'object',
                properties: {
                    maximumDatabaseSize: {
                        type: 'string',
                        description: 'maximum size of an SQLite database',
                    },
                },
                required: ['maximumDatabaseSize'],
            }),
        }));
        assert.match(data.maximumDatabaseSize, /\d/);
        from_wiki(sources);
    });
    it('a research task is completed', async () => {
        const task = success(await me.post('/v1/research', {
            q: 'How do readers and writers work together in WAL mode?',
            outputType: 'sourcedAnswer', reasoningDepth: 'S',
        }));
        const done = await until(async () => {
            const now = success(await me.get(`/v1/research/${task.id}`));
            return ['completed', 'failed'].includes(now.status) && now;
        }, 90000, 'the task ends');
        assert.equal(done.status, 'completed', done.error);
        assert.match(done.output.answer, /reader|writer/i);
        from_wiki(done.output.sources);
    });
    it('domains that leave the wiki out are not asked of it', async () => {
        failure(await me.search({
            q: 'write-ahead log', includeDomains: ['elsewhere.example'],
        }), 400, 'SEARCH_QUERY_NO_RESULT');
    });

    describe('searx in front of it', { skip: no_searx }, () => {
        let searx, meta, meta_server, other;

        before(async () => {
            searx = await start_searx(wiki);
            meta = await Site.make({
                pages: [],
                settings: {
                    'net.allow_hosts':
                        `127.0.0.1:${wiki.port},127.0.0.1:${searx.port}`,
                    'read.keep': false, 'read.timeout_ms': 20000,
                    'search.deadline_standard_ms': 60000,
                    'provider.searx.use': 'searxng',
                    'provider.searx.base': searx.origin,
                    'provider.searx.timeout_ms': 20000,
                },
            });
            meta_server = await start('lighttpd', meta);
            other = new Client(meta_server.base, meta.key);
        });
        after(async () => {
            await meta_server?.stop();
            await meta?.close();
            await searx?.stop();
        });

        it('brings pages without snippets, which are read', async () => {
            const { results } = success(await other.search({
                q: 'write-ahead log checkpoint',
            }));
            from_wiki(results);
            assert.ok(results.some(
                ({ content }) => /checkpoint/i.test(content)));
        });
        it('gives an answer with its sources', async () => {
            const { answer, sources } = success(await other.search({
                q: 'What is the write-ahead log checkpoint?',
                outputType: 'sourcedAnswer',
            }));
            assert.match(answer, /write-ahead log/i);
            from_wiki(sources);
        });
        it('with a dead engine is a failure, not an empty answer', async () => {
            await wiki.stop();
            failure(await other.search({ q: 'autoincrement keyword' }), 502,
                'UPSTREAM_FAILED');
        });
    });

    it('that is dead is a failure, not an empty answer', async () => {
        await wiki.stop();
        failure(await me.search({ q: 'zanzibar marmalade' }), 502,
            'UPSTREAM_FAILED');
    });
});

const no_httpbin = missing('httpbin');
if (no_httpbin) console.log(`SKIPPED: httpbin: ${no_httpbin}`);

describe('httpbin', { skip: no_httpbin }, () => {
    let bin, canary, site, server, me;

    before(async () => {
        bin = await start_httpbin();
        canary = await Fake.start({ '*': (req, res) => res.end('canary') });
        site = await Site.make({
            pages: [],
            settings: {
                'net.allow_hosts': `127.0.0.1:${bin.port}`,
                'crawl.timeout_ms': 2000, 'crawl.page_bytes': '64k',
            },
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await bin?.stop();
        await canary?.stop();
    });

    const get = (path) => me.post('/v1/fetch', { url: bin.origin + path });
    const typed = (type) =>
        `response-headers?Content-Type=${encodeURIComponent(type)}`;

    for (const [path, text] of [
        ['/html', 'blacksmith'],
        ['/encoding/utf8', 'README'],
        ['/robots.txt', 'Disallow'],
        ['/redirect/3', null], ['/relative-redirect/2', null],
        ['/redirect-to?url=/html', 'blacksmith'],
        ['/redirect-to?url=html&status_code=307', 'blacksmith'],
        ['/cookies/set?a=b', null], ['/base64/SGVsbG8gd29ybGQ=', 'Hello'],
    ])
        it(`${path} is ${text === null ? 'followed to JSON' : 'read'}`,
            async () => {
                const res = await get(path);
                if (text === null)
                    return failure(res, 400, 'FETCH_UNSUPPORTED_CONTENT_TYPE');
                return assert.ok(success(res).markdown.includes(text),
                    res.text.slice(0, 300));
            });
    for (const [path, code] of [
        ['/status/404', 'FETCH_TARGET_NOT_FOUND'],
        ['/status/410', 'FETCH_TARGET_NOT_FOUND'],
        ['/deny/nothing', 'FETCH_TARGET_NOT_FOUND'],
        ['/status/500', 'FETCH_ERROR'], ['/status/403', 'FETCH_ERROR'],
        ['/status/304', 'FETCH_ERROR'],
        ['/redirect/20', 'FETCH_TARGET_UNREACHABLE'],
        ['/delay/5', 'FETCH_TARGET_UNREACHABLE'],
        ['/drip?duration=10&numbytes=20&delay=0', 'FETCH_TARGET_UNREACHABLE'],
        ['/bytes/100000', 'FETCH_RESPONSE_TOO_LARGE'],
        ['/stream-bytes/100000', 'FETCH_RESPONSE_TOO_LARGE'],
        ['/image/png', 'FETCH_UNSUPPORTED_CONTENT_TYPE'],
        ['/gzip', 'FETCH_UNSUPPORTED_CONTENT_TYPE'],
        [`/${typed('text/css')}`, 'FETCH_UNSUPPORTED_CONTENT_TYPE'],
    ])
        it(`${path} is ${code}`, async () => {
            failure(await get(path), 400, code);
        });
    it('leads to no address that is not named', async () => {
        for (const to of [canary.origin, `http://localhost:${canary.port}`,
            `http://[::ffff:127.0.0.1]:${canary.port}/`,
            'http://169.254.169.254/', 'file:///etc/passwd'])
            failure(await get(`/redirect-to?url=${encodeURIComponent(to)}`),
                400, 'FETCH_TARGET_UNREACHABLE');
        assert.equal(canary.hits, 0);
    });
});
