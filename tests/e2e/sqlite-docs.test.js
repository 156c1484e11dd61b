// Real pages: Debian's copy of the SQLite documentation, served on loopback,
// crawled, searched and researched.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site, squeeze } from './lib/site.js';
import {
    environment, free_port, give, start_process, stop_process, until,
} from './lib/world.js';
import { request } from './lib/http.js';

const DOCS = '/usr/share/doc/sqlite3';
const MAX_PAGES = 5000;

// Pages reachable by links from the first, found without our code: what a
// reader who follows every link would see.
function walk(first) {
    const seen = new Set([first]);
    const queue = [first];
    while (queue.length && seen.size < MAX_PAGES) {
        const name = queue.shift();
        const html = fs.readFileSync(path.join(DOCS, name), 'utf8')
            .replace(/<!--[\s\S]*?-->/g, '');
        const links = html.matchAll(
            /<a\b[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/gi);
        for (const [tag, a, b, c] of links) {
            if (/\brel\s*=\s*["']?[^>"']*nofollow/i.test(tag)) continue;
            let url;
            try {
                url = new URL((a ?? b ?? c).replace(/&amp;/g, '&').trim(),
                    `http://docs.invalid/${name}`);
            } catch {
                continue;
            }
            if (url.host !== 'docs.invalid' || url.search) continue;
            const next = decodeURIComponent(url.pathname).slice(1);
            const file = path.join(DOCS, next);
            if (seen.has(next) || !/\.html$/.test(next) ||
                !fs.existsSync(file) || !fs.statSync(file).isFile()) continue;
            seen.add(next);
            queue.push(next);
        }
    }
    return seen;
}

describe('the SQLite documentation', { skip: fs.existsSync(DOCS) ? false
    : 'the package sqlite3-doc is not installed' }, () => {
    let site, docs, server, me, origin, linked;

    before(async () => {
        site = await Site.make({
            pages: [],
            settings: {
                'net.allow_hosts': '127.0.0.1', 'crawl.delay_ms': 0,
            },
        });
        const port = await free_port();
        origin = `http://127.0.0.1:${port}`;
        const conf = `${site.dir}/docs.conf`;
        fs.writeFileSync(conf, `
server.bind = "127.0.0.1"
server.port = ${port}
server.document-root = "${DOCS}"
index-file.names = ( "index.html" )
mimetype.assign = ( ".html" => "text/html", ".css" => "text/css",
    ".gif" => "image/gif", ".png" => "image/png", ".jpg" => "image/jpeg",
    "" => "application/octet-stream" )
`);
        give(conf);
        docs = start_process(['lighttpd', '-D', '-f', conf],
            { cwd: site.dir, env: environment(site.dir) });
        await until(() => request(`${origin}/index.html`)
            .then((res) => res.status === 200, () => false),
        10000, `the documentation is served: ${docs.output}`);
        linked = walk('index.html');
    });
    after(async () => {
        await server?.stop();
        if (docs) await stop_process(docs);
        await site?.close();
    });

    it('is crawled whole', async () => {
        assert.ok(linked.size >= 500, `${linked.size} pages are linked`);
        await site.cited_ok(['crawl', `${origin}/index.html`, '--delay', '0'],
            { timeout: 300000 });
        const list = await site.cited_ok(['index', 'list', '--json'],
            { timeout: 60000 });
        const urls = new Set([...list.matchAll(/"url":\s*"([^"]+)"/g)]
            .map((match) => match[1].replaceAll('\\/', '/')));
        const missing = [...linked].filter((name) =>
            !urls.has(`${origin}/${encodeURI(name)}`));
        // Some pages only send the reader on, or name another as canonical.
        const without_text = missing.filter((name) => {
            const html = fs.readFileSync(path.join(DOCS, name), 'utf8');
            return /http-equiv\s*=\s*["']?refresh|rel\s*=\s*["']?canonical|noindex/i
                .test(html) || name === 'index.html';
        });
        assert.deepEqual(missing.filter(
            (name) => !without_text.includes(name)), []);
    });

    it('answers how large a database may be', async () => {
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
        const { answer, sources } = success(await me.search({
            q: 'What is the maximum size of an SQLite database file?',
            outputType: 'sourcedAnswer', includeInlineCitations: true,
        }));
        assert.match(answer, /281\s+terabytes/);
        assert.ok(sources.some((one) => one.url === `${origin}/limits.html`),
            sources.map((one) => one.url).join());
    });

    // A schema of optional fields: name → [schema, description].
    const ask = async (q, fields) => {
        const properties = Object.fromEntries(Object.entries(fields).map(
            ([name, [schema, description]]) =>
                [name, { ...schema, description }]));
        return success(await me.search({
            q, outputType: 'structured', includeSources: true,
            structuredOutputSchema: { type: 'object', properties },
        }));
    };
    const INTEGER = { type: 'integer' }, STRING = { type: 'string' };
    const DATE = { type: 'string', format: 'date' };

    it('fills a schema: page size, database size, WAL, a date', async () => {
        const { data, sources } = await ask('Facts about SQLite', {
            defaultPageSize: [INTEGER, 'default page size in bytes'],
            maximumDatabaseSize: [STRING, 'maximum size of a database file'],
            walWorksOverNetworkFilesystem: [{ type: 'boolean' },
                'whether WAL works over a network filesystem'],
            releaseDateOfVersion370: [DATE, 'release date of version 3.7.0'],
        });
        assert.equal(data.defaultPageSize, 4096);
        assert.match(data.maximumDatabaseSize, /^281 (terabytes|TB)$/);
        assert.equal(data.walWorksOverNetworkFilesystem, false);
        assert.equal(data.releaseDateOfVersion370, '2010-07-21');
        assert.ok(sources.length >= 2, JSON.stringify(sources));
        for (const source of sources)
            assert.ok(source.url.startsWith(origin), source.url);
        const told = sources.map((one) => one.content).join('\n');
        assert.match(told, /4096/);
        assert.match(told, /281/);
        assert.match(told, /2010-07-21/);
    });

    it('fills the same from names alone, all required', async () => {
        const properties = {
            default_page_size: INTEGER, max_database_size: STRING,
            wal_works_over_network_filesystem: { type: 'boolean' },
            release_date_3_7_0: DATE,
        };
        const data = success(await me.search({
            q: 'SQLite facts', outputType: 'structured',
            structuredOutputSchema: { type: 'object', properties,
                required: Object.keys(properties) },
        }));
        assert.equal(data.default_page_size, 4096);
        assert.match(data.max_database_size, /^281 (terabytes|TB)$/);
        assert.equal(data.wal_works_over_network_filesystem, false);
        assert.equal(data.release_date_3_7_0, '2010-07-21');
    });

    it('leaves out what is not there and takes nothing near it', async () => {
        const { data } = await ask('Facts about SQLite', {
            defaultTcpPort: [INTEGER, 'default TCP port of the server'],
            monthlyPrice: [{ type: 'number' }, 'monthly price in dollars'],
            headquarters: [STRING, 'city of the company headquarters'],
            maximumAttachedDatabases: [INTEGER,
                'default maximum number of attached databases'],
            defaultMaximumColumns: [INTEGER,
                'default maximum number of columns in a table'],
            releaseDateOfVersion3350: [DATE, 'release date of SQLite 3.35.0'],
        });
        assert.deepEqual(data, {
            maximumAttachedDatabases: 10, defaultMaximumColumns: 2000,
            releaseDateOfVersion3350: '2021-03-12',
        });
    });

    it('fills an array from the rows of a table', async () => {
        const { data } = await ask('SQLite release history', {
            releases: [{ type: 'array', items: { type: 'object', properties: {
                version: STRING, date: DATE,
            }, required: ['version', 'date'] } }, 'all releases'],
        });
        assert.ok(data.releases.length > 50, JSON.stringify(data));
        assert.ok(data.releases.some(({ version, date }) =>
            version === '3.35.0' && date === '2021-03-12'));
    });

    it('is researched: WAL mode and the rollback journal', async () => {
        const { id } = success(await me.post('/v1/research', {
            q: 'Compare WAL mode with the rollback journal in SQLite: how do ' +
                'they differ in concurrency, durability and performance?',
            outputType: 'sourcedAnswer', mode: 'research',
        }));
        const task = await until(async () => {
            const now = success(await me.get(`/v1/research/${id}`));
            return ['completed', 'failed'].includes(now.status) && now;
        }, 240000, 'the research ends');
        assert.equal(task.status, 'completed', task.error);
        const { answer, sources } = task.output;
        const cited = new Set([...answer.matchAll(/\[(\d+)\]/g)]
            .map((match) => sources[Number(match[1]) - 1]?.url));
        assert.ok(!cited.has(undefined), 'every citation has its source');
        assert.ok(cited.size >= 4, [...cited].join());
        for (const source of sources) {
            const name = decodeURIComponent(
                new URL(source.url).pathname).slice(1);
            const page = words(fs.readFileSync(path.join(DOCS, name), 'utf8'));
            // A term and its description stand with a colon between them.
            const bare = (text) => text.replaceAll(':', '');
            for (const part of source.snippet.split(/…|\.\.\./))
                assert.ok(bare(page).includes(bare(squeeze_all(part))),
                    `"${part}" is text of ${name}`);
        }
    });
});

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ',
    apos: "'", mdash: '—', ndash: '–', rarr: '→', larr: '←', rsquo: '’',
    ldquo: '“', rdquo: '”', le: '≤', ge: '≥', times: '×' };

// Letters and digits only: the space a tag stands for is a matter of taste,
// the words are not.
function squeeze_all(text) {
    return squeeze(text).replace(/\s+/g, '');
}

function words(html) {
    return squeeze_all(html
        .replace(/<!--[\s\S]*?-->/g, '')
        .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')
        .replace(/<[^>]*>/g, '')
        .replace(/&#x([0-9a-f]+);?/gi, (all, n) =>
            String.fromCodePoint(parseInt(n, 16)))
        .replace(/&#(\d+);?/g, (all, n) => String.fromCodePoint(Number(n)))
        .replace(/&([a-z]+);?/gi, (all, name) => ENTITIES[name] ?? all)
        .replace(/\u00a0/g, ' '));
}
