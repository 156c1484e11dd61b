// Every row of the contract's error table, behind every web server, as JSON
// in the one envelope: what the service says, and what the servers themselves
// say when a request never reaches it or no answer comes back.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import zlib from 'node:zlib';
import { Client, failure, request, send_raw, success } from './lib/http.js';
import { FRONT_ENDS, start } from './lib/server.js';
import { Site } from './lib/site.js';
import {
    give, processes_of, signal_processes, until,
} from './lib/world.js';

const SEARCH = {
    q: 'Halden lighthouse', depth: 'standard', outputType: 'searchResults',
};
const MEBI = 1024 * 1024;

// A search provider that fails in the way its path names, and refuses
// whatever a correct client would not send.
async function fake_provider() {
    const held = new Set();
    const ways = {
        '/ok': (res) => json(res, { results: [] }),
        '/broken': (res) => { res.writeHead(500); res.end('oops'); },
        '/denied': (res) => { res.writeHead(401); res.end('{}'); },
        '/html': (res) => {
            res.writeHead(200, { 'Content-Type': 'text/html' });
            res.end('<html>maintenance</html>');
        },
        '/shape': (res) => json(res, { something: 'else' }),
        '/cut': (res) => {
            res.writeHead(200, { 'Content-Length': 1000 });
            res.write('{"results": [');
            res.socket.destroySoon();
        },
        '/hang': (res) => held.add(res),
    };
    const json = (res, value) => {
        res.writeHead(200, { 'Content-Type': 'application/json' });
        res.end(JSON.stringify(value));
    };
    const server = http.createServer((req, res) => {
        const url = new URL(req.url, 'http://provider.invalid');
        if (req.method !== 'GET' || !url.searchParams.get('q') ||
            !ways[url.pathname]) {
            res.writeHead(400);
            res.end('this is not how I am asked');
            return;
        }
        ways[url.pathname](res);
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return {
        settings: (way) => ({
            'search.index': 'false',
            'net.allow_hosts': '127.0.0.1',
            'provider.fake.url':
                `http://127.0.0.1:${server.address().port}${way}?q={q}`,
            'provider.fake.results': 'results',
        }),
        close: () => {
            for (const res of held) res.destroy();
            server.closeAllConnections();
            return new Promise((resolve) => server.close(resolve));
        },
    };
}

// Run use(client, server) on a service of its own.
async function with_service(kind, settings, use, options = {}) {
    const { crashes, pages = [], ...rest } = options;
    const site = await Site.make({ pages, settings });
    let server;
    try {
        server = await start(kind, site, rest);
        await use(new Client(server.base, site.key), server, site);
    } finally {
        await server?.stop({ crashes });
        await site.close();
    }
}

for (const kind of FRONT_ENDS) describe(`error table behind ${kind}`, () => {
    const apache = kind === 'apache' || kind === 'shared-hosting';
    const cgi = kind === 'cgi';
    let site, server, me, provider;

    before(async () => {
        provider = await fake_provider();
        site = await Site.make();
        server = await start(kind, site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await provider?.close();
    });

    it('400 VALIDATION_ERROR, every field in one pass', async () => {
        const error = failure(await me.post('/v1/search',
            { q: ' ', depth: 'x', outputType: 7, maxResults: 0 }),
        400, 'VALIDATION_ERROR');
        const fields = error.details.map((one) => one.field).sort();
        assert.deepEqual(fields, ['depth', 'maxResults', 'outputType', 'q']);
    });
    it('400 VALIDATION_ERROR for broken JSON and duplicate keys', async () => {
        for (const body of ['{', '', '[]', '{"q":"a","q":"b"}', 'null'])
            failure(await me.post('/v1/search', body), [400, 411]);
    });
    it('400 SEARCH_QUERY_NO_RESULT', async () => {
        failure(await me.search({ q: 'zyxgrplk wobbelfroth' }), 400,
            'SEARCH_QUERY_NO_RESULT');
    });
    it('401 UNAUTHORIZED', async () => {
        const res = await new Client(server.base, 'wrong').search(SEARCH);
        failure(res, 401, 'UNAUTHORIZED');
        assert.match(res.headers['www-authenticate'], /^Bearer\b/);
    });
    it('403 FORBIDDEN', async () => {
        const key = await site.account('disabled@example.org');
        await site.cited_ok(['account', 'disable', 'disabled@example.org']);
        failure(await new Client(server.base, key).search(SEARCH), 403,
            'FORBIDDEN');
    });
    it('404 TASK_NOT_FOUND and NOT_FOUND', async () => {
        failure(await me.get('/v1/research/no-such-task'), 404,
            'TASK_NOT_FOUND');
        failure(await me.get('/v1/no-such-path'), 404, 'NOT_FOUND');
    });
    it('405 METHOD_NOT_ALLOWED, with Allow', async () => {
        const res = await me.call('DELETE', '/v1/search');
        failure(res, 405, 'METHOD_NOT_ALLOWED');
        assert.match(res.headers.allow, /\bPOST\b/);
    });
    it('411 LENGTH_REQUIRED', async () => {
        const res = await request(`${server.base}/v1/search`, {
            method: 'POST',
            headers: {
                'Authorization': `Bearer ${site.key}`,
                'Content-Type': 'application/json',
            },
        });
        // Apache tells programs "0" when there is no length: an empty body.
        failure(res, apache ? [400, 411] : 411,
            apache ? undefined : 'LENGTH_REQUIRED');
    });
    it('413 PAYLOAD_TOO_LARGE from the service', async () => {
        const big = { ...SEARCH, padding: 'x'.repeat(2 * MEBI) };
        // On shared hosting the host's own 128 KiB come first.
        if (kind === 'shared-hosting')
            failure(await me.post('/v1/search', big), 500);
        else
            failure(await me.post('/v1/search', big), 413,
                'PAYLOAD_TOO_LARGE');
    });
    // On shared hosting the rest of the server is the host's: what it refuses
    // before it looks at a folder is in the host's words.
    const hosted = kind === 'shared-hosting';
    if (!hosted) it('413 PAYLOAD_TOO_LARGE from the server', async () => {
        const res = await request(`${server.base}/v1/search`, {
            method: 'POST',
            headers: {
                'Authorization': `Bearer ${site.key}`,
                'Content-Type': 'application/json',
                'Content-Length': 64 * MEBI,
            },
            body: '{',
        });
        failure(res, 413, 'PAYLOAD_TOO_LARGE');
    });
    it('415 UNSUPPORTED_MEDIA_TYPE', async () => {
        for (const type of ['text/plain', 'application/xml', ''])
            failure(await me.post('/v1/search', JSON.stringify(SEARCH),
                { 'Content-Type': type }), 415, 'UNSUPPORTED_MEDIA_TYPE');
    });
    it('415 for a body that is compressed', async () => {
        const error = failure(await me.post('/v1/search',
            zlib.gzipSync(JSON.stringify(SEARCH)),
            { 'Content-Encoding': 'gzip' }), 415, 'UNSUPPORTED_MEDIA_TYPE');
        assert.match(error.message, /gzip/);
        success(await me.post('/v1/search', JSON.stringify(SEARCH),
            { 'Content-Encoding': 'identity' }));
    });
    it('414 URI_TOO_LONG', async () => {
        success(await me.get(`/v1/research?x=${'a'.repeat(7000)}`));
        // Apache's own limit is half of ours, and on a host in its own words.
        if (hosted) return;
        const answer = await me.get(`/v1/research?x=${'a'.repeat(20000)}`);
        failure(answer, 414, 'URI_TOO_LONG');
        if (!apache)
            assert.match(answer.headers['x-request-id'], /^[0-9a-f]{16}$/);
    });
    if (!hosted) it('what is too long for the server', async () => {
        failure(await me.get(`/v1/research?x=${'a'.repeat(40000)}`),
            [414, 431]);
        failure(await me.get('/v1/research', { 'X-Long': 'a'.repeat(40000) }),
            [400, 431]);
    });
    if (!hosted) it('what the server cannot read', async () => {
        for (const bytes of ['GARBAGE\r\n\r\n',
            'GET /v1/research HTTP/1.1\r\n\r\n',
            'GET /v1/re\0search HTTP/1.1\r\nHost: a\r\n' +
                'Connection: close\r\n\r\n',
            'POST /v1/search HTTP/1.1\r\nHost: a\r\n' +
                'Content-Length: abc\r\n\r\n'])
            failure(await send_raw(server.port, [bytes]), 400,
                'VALIDATION_ERROR');
    });

    it('429 TASKS_QUEUE_LIMIT_EXCEEDED', async () => {
        await with_service(kind,
            { 'limits.tasks_open': 2, 'research.workers': 0 },
            async (client) => {
                const task = { q: 'Halden', outputType: 'sourcedAnswer' };
                success(await client.post('/v1/research', task));
                success(await client.post('/v1/research', task));
                const res = await client.post('/v1/research', task);
                failure(res, 429, 'TASKS_QUEUE_LIMIT_EXCEEDED');
                assert.match(res.headers['retry-after'] ?? '', /^\d+$/);
                const list = success(await client.get('/v1/research'));
                assert.equal(list.metadata.total, 2);
            });
    });
    it('429 TOO_MANY_REQUESTS', async () => {
        await with_service(kind, { 'limits.rate_per_second': 1 },
            async (client) => {
                let refused = null;
                for (let i = 0; i < 40 && !refused; i++) {
                    const res = await client.get('/v1/research');
                    if (res.status !== 200) refused = res;
                }
                assert.ok(refused, 'some request was one too many');
                failure(refused, 429, 'TOO_MANY_REQUESTS');
                assert.match(refused.headers['retry-after'] ?? '', /^\d+$/);
            });
    });
    it('503 STORAGE_UNREADABLE when the database is broken', async () => {
        await with_service(kind, {}, async (client, own, its) => {
            for (const name of fs.readdirSync(its.data))
                if (/^state\.db/.test(name)) {
                    const file = `${its.data}/${name}`;
                    const size = fs.statSync(file).size;
                    fs.writeFileSync(file, Buffer.alloc(size, 'garbage '));
                }
            // A key cannot be looked up: that is not the same as unknown.
            const res = await client.search(SEARCH);
            failure(res, 503, 'STORAGE_UNREADABLE');
            assert.match(res.headers['retry-after'] ?? '', /^\d+$/);
        });
    });
    it('502 UPSTREAM_FAILED, which is not "nothing found"', async () => {
        for (const way of ['/broken', '/denied', '/html', '/shape', '/cut'])
            await with_service(kind, provider.settings(way),
                async (client) => {
                    failure(await client.search(SEARCH), 502,
                        'UPSTREAM_FAILED');
                });
        await with_service(kind, provider.settings('/ok'),
            async (client) => {
                failure(await client.search(SEARCH), 400,
                    'SEARCH_QUERY_NO_RESULT');
            });
    });
    it('504 REQUEST_DEADLINE_EXCEEDED when the provider hangs', async () => {
        await with_service(kind, {
            ...provider.settings('/hang'),
            'search.provider_timeout_ms': 60000,
            'search.deadline_standard_ms': 1000,
        }, async (client) => {
            const began = Date.now();
            failure(await client.search(SEARCH), 504,
                'REQUEST_DEADLINE_EXCEEDED');
            assert.ok(Date.now() - began < 5000);
        });
    });
    it('503 SERVICE_UNAVAILABLE when the database stays busy', async () => {
        await with_service(kind, {}, async (client, own, its) => {
            const state = new DatabaseSync(`${its.data}/state.db`);
            state.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE');
            try {
                const res = await client.post('/v1/research',
                    { q: 'Halden', outputType: 'sourcedAnswer' });
                failure(res, 503, 'SERVICE_UNAVAILABLE');
                assert.match(res.headers['retry-after'] ?? '', /^\d+$/);
            } finally {
                state.exec('ROLLBACK');
                state.close();
            }
            const list = success(await client.get('/v1/research'));
            assert.equal(list.metadata.total, 0);
        });
    });
    it('503 SERVICE_UNAVAILABLE when the responder is dead', async () => {
        await with_service(kind, {}, async (client, own, its) => {
            // The program is gone and so are its processes.
            const file = `${its.bin}/cited.fcgi`;
            fs.rmSync(file);
            fs.writeFileSync(file, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
            give(file);
            const ids = processes_of(its.bin, 'cited.fcgi');
            signal_processes(ids, 'SIGKILL');
            await until(() => ids.every((id) => !fs.existsSync(`/proc/${id}`)),
                10000, 'the responder is gone');
            const res = await client.search(SEARCH);
            // Apache, plain CGI, and lighttpd in the moment it starts the
            // program anew, see one that fails, not none.
            failure(res, kind === 'nginx' ? 503 : [500, 503]);
            if (kind === 'nginx')
                assert.match(res.headers['retry-after'] ?? '', /^\d+$/);
        }, { crashes: true });
    });
    // lighttpd 1.4.69 misses most CGI programs that hang; what ends a request
    // there is the service's own deadline, tried above.
    if (!cgi) it('504 REQUEST_DEADLINE_EXCEEDED when it hangs', async () => {
        await with_service(kind, {}, async (client, own, its) => {
            const ids = processes_of(its.bin, 'cited.fcgi');
            signal_processes(ids, 'SIGSTOP');
            try {
                // mod_fcgid says 500 for a program that says nothing.
                failure(await client.search(SEARCH), apache ? 500 : 504,
                    apache ? undefined : 'REQUEST_DEADLINE_EXCEEDED');
            } finally {
                signal_processes(ids, 'SIGCONT');
            }
        }, { timeout: 2, crashes: true });
    });
});
