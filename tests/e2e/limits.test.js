// A key's requests a second and an account's requests at once, where many
// processes answer: Apache's mod_fcgid starts one for each request that is
// being answered, plain CGI one for every request.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Client, failure, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { processes_of, signal_processes, until } from './lib/world.js';

const PER_SECOND = 10;
const AT_ONCE = 2;

// Ask from many sides for some seconds; how many were answered, and when.
async function hammer(client, seconds) {
    const end = Date.now() + seconds * 1000;
    const counts = {};
    await Promise.all(Array.from({ length: 8 }, async () => {
        while (Date.now() < end) {
            const res = await client.get('/v1/credits/balance');
            if (res.status !== 200) failure(res, 429, 'TOO_MANY_REQUESTS');
            counts[res.status] = (counts[res.status] ?? 0) + 1;
        }
    }));
    return counts;
}

describe('requests a second', () => {
    for (const kind of ['apache', 'cgi'])
        it(`hold over all processes (${kind})`, async () => {
            const site = await Site.make({ settings: {
                'limits.rate_per_second': PER_SECOND,
            } });
            const server = await start(kind, site);
            try {
                const began = Date.now();
                const counts = await hammer(new Client(server.base, site.key), 3);
                const seconds = (Date.now() - began) / 1000;
                // A second's worth at once, then as they come.
                assert.ok(counts[200] <= PER_SECOND * (seconds + 1) + 1,
                    `${counts[200]} in ${seconds} s`);
                assert.ok(counts[200] >= PER_SECOND * 2, `${counts[200]}`);
                assert.ok(counts[429] > 0);
                if (kind === 'apache')
                    assert.ok(processes_of(site.bin, 'cited.fcgi').length > 1);
            } finally {
                await server.stop();
                await site.close();
            }
        });
});

describe('requests at once', () => {
    const held = [];
    let provider, site, server;

    before(async () => {
        provider = http.createServer((req, res) => {
            res.setHeader('Content-Type', 'application/json');
            if (/held/.test(req.url)) held.push(res);
            else res.end('{"results":[]}');
        });
        await new Promise((done) => provider.listen(0, '127.0.0.1', done));
        const at = `http://127.0.0.1:${provider.address().port}`;
        site = await Site.make({ settings: {
            'limits.in_flight': AT_ONCE, 'net.allow_hosts': '127.0.0.1',
            'search.provider_timeout_ms': 20000,
            'search.deadline_standard_ms': 20000,
            'provider.slow.url': `${at}/?q={q}`,
            'provider.slow.results': 'results',
        } });
        server = await start('apache', site);
    });
    after(async () => {
        provider.closeAllConnections();
        provider.close();
        await server?.stop({ crashes: true }); // the test kills some
        await site?.close();
    });

    // As many as are allowed, in processes of their own, and waiting.
    async function fill(client) {
        const asked = Array.from({ length: AT_ONCE }, () =>
            client.search({ q: 'held Halden lighthouse' }));
        await until(() => held.length === AT_ONCE, 10000, 'the provider is asked');
        return asked;
    }

    it('hold over all processes, by account', async () => {
        const client = new Client(server.base, site.key);
        const asked = await fill(client);
        const res = await client.get('/v1/credits/balance');
        failure(res, 429, 'TOO_MANY_REQUESTS');
        assert.equal(res.headers['retry-after'], '1');
        const again = await site.cited_ok(
            ['key', 'create', 'first@example.org', '--json']);
        failure(await new Client(server.base, JSON.parse(again).key)
            .get('/v1/credits/balance'), 429, 'TOO_MANY_REQUESTS');
        const other = new Client(server.base,
            await site.account('second@example.org'));
        success(await other.get('/v1/credits/balance'));
        for (const one of held.splice(0)) one.end('{"results":[]}');
        await Promise.all(asked);
        success(await client.get('/v1/credits/balance'));
    });

    it('forget what a killed process was answering', async () => {
        const client = new Client(server.base, site.key);
        const asked = await fill(client);
        failure(await client.get('/v1/credits/balance'), 429);
        signal_processes(processes_of(site.bin, 'cited.fcgi'), 'SIGKILL');
        for (const res of await Promise.all(asked)) failure(res, [500, 503]);
        held.splice(0);
        // Until the server has seen that they are gone, it may give a request
        // to one of them; none is refused for what they were answering.
        await until(async () => {
            const res = await client.get('/v1/credits/balance');
            if (res.status !== 200) failure(res, [500, 503]);
            return res.status === 200;
        }, 5000, 'the account is answered again');
    });
});
