// Two machines whose pages are in one PostgreSQL: what one puts in the other
// one finds; an index that is lost is made anew; searches need no database.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Database } from './lib/database.js';
import { Client, failure, request, success } from './lib/http.js';
import { missing } from './lib/peers.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { run, until } from './lib/world.js';

const page_of = (i) => ({
    url: `https://h${i % 7}.example/p/${i}`, title: `Report ${i} of the harbour`,
    text: `Report ${i}. The harbour of Orrin took in ${1000 + i} ships.\n\n` +
        `Its pilots, number${i}, counted the lighthouse of Halden as theirs. ` +
        'The keepers lit it each night of the year. '.repeat(1 + i % 5),
});

describe('pages in PostgreSQL', { skip: missing('postgresql') }, () => {
    let db, one, two, servers, here, there;

    const health = async (server) => {
        const res = await request(`${server.base}/healthz`);
        return { status: res.status, body: JSON.parse(res.text) };
    };
    const found = async (client, q) => {
        const res = await client.search({ q, depth: 'fast' });
        if (res.status === 400)
            return failure(res, 400, 'SEARCH_QUERY_NO_RESULT') && [];
        return success(res).results.map(({ url }) => url);
    };
    const push = async (client, url, text) => success(
        await client.post('/v1/pages', { url, text, title: text.slice(0, 20) }));
    const level = async (server) => {
        const { body } = await health(server);
        return body.pages;
    };

    before(async () => {
        db = await Database.make();
        const settings = { 'state.database': db.address, 'state.behind': 5 };
        one = await Site.make({ settings, pages: [] });
        two = await Site.make({ settings, pages: [],
            email: 'second@example.org' });
        await one.cited_ok(['account', 'role', 'first@example.org',
            'operator']);
        await one.add(Array.from({ length: 300 }, (_, i) => page_of(i)));
        servers = [await start('lighttpd', one), await start('lighttpd', two)];
        here = new Client(servers[0].base, one.key);
        there = new Client(servers[1].base, one.key);
        for (const server of servers)
            await until(async () => (await health(server)).body.status === 'ok',
                30000, 'the index has followed');
    });
    after(async () => {
        for (const server of servers ?? []) await server.stop();
        await one?.close();
        await two?.close();
        await db?.stop();
    });

    it('answers the same on both, to the last digit', async () => {
        assert.deepEqual(await level(servers[1]), { behind: 0, changes: 0 });
        for (const q of ['harbour of Orrin ships', 'pilots number17',
            'lighthouse keepers night', 'Report 42', 'Halden']) {
            const [a, b] = await Promise.all([here, there].map(async (me) =>
                success(await me.search({ q, maxResults: 20 })).results));
            assert.ok(a.length > 0, q);
            assert.deepEqual(a, b, q);
        }
    });

    it('finds within a second what the other one was given', async () => {
        const took = [];
        for (let i = 0; i < 10; i++) {
            const [a, b] = i % 2 ? [there, here] : [here, there];
            const url = `https://push.example/${i}`;
            await push(a, url, `The zanzibar${i} clock stands in Orrin.`);
            const at = Date.now();
            assert.ok((await found(a, `zanzibar${i} clock`)).includes(url));
            await until(async () =>
                (await found(b, `zanzibar${i} clock`)).includes(url),
            3000, `page ${i} is found on the other machine`);
            took.push(Date.now() - at);
        }
        took.sort((x, y) => x - y);
        console.log(`# found on the other machine after ${took.join(' ')} ms`);
        assert.ok(took[5] < 1000, `median ${took[5]} ms`);
        success(await here.call('DELETE', `/v1/pages?url=${
            encodeURIComponent('https://push.example/0')}`));
        assert.deepEqual(await found(here, 'zanzibar0'), []);
        await until(async () => (await found(there, 'zanzibar0')).length === 0,
            3000, 'the page is gone on the other machine');
        success(await there.call('DELETE', '/v1/index/hosts/push.example'));
        await until(async () => (await found(here, 'zanzibar3')).length === 0,
            3000, 'the host is gone');
    });

    it('makes an index anew that is lost', async () => {
        await servers.pop().stop();
        for (const name of fs.readdirSync(two.data))
            fs.rmSync(`${two.data}/${name}`, { recursive: true });
        servers.push(await start('lighttpd', two));
        there = new Client(servers[1].base, one.key);
        await until(async () => {
            const { status, body } = await health(servers[1]);
            return status === 200 && body.status === 'ok';
        }, 30000, 'the index is whole');
        const q = 'harbour of Orrin ships';
        assert.deepEqual(
            success(await there.search({ q, maxResults: 20 })),
            success(await here.search({ q, maxResults: 20 })));
        const { stdout } = await two.cited(['doctor', '--json']);
        const finding = JSON.parse(stdout).findings.find(({ check }) =>
            check === 'pages');
        assert.equal(finding.level, 'ok', stdout);
        const metrics = await here.get('/metrics');
        assert.match(metrics.text, /^cited_pages_behind_changes 0$/m);
    });

    it('searches on while the database is away, and stores nothing',
        async () => {
            await db.cut();
            failure(await here.post('/v1/pages', { url: 'https://x.example/',
                text: 'Words that wait.' }), 503, 'STORAGE_UNREADABLE');
            for (const me of [here, there])
                for (let i = 0; i < 5; i++)
                    assert.ok((await found(me, 'harbour of Orrin')).length > 0);
            for (const server of servers) {
                const { status, body } = await health(server);
                assert.equal(status, 200);
                assert.deepEqual(body.degraded, ['state database']);
            }
            await db.open(db.port);
            for (const server of servers)
                await until(async () => (await health(server)).body.status ===
                    'ok', 20000, 'the service is well');
            await push(here, 'https://x.example/', 'Words that waited quokka.');
            await until(async () => (await found(there, 'quokka')).length === 1,
                5000, 'pages are followed again');
        });

    it('says so of a machine whose index is of something else', async () => {
        await servers.pop().stop();
        for (const name of fs.readdirSync(two.data))
            fs.rmSync(`${two.data}/${name}`, { recursive: true });
        two.settings({});
        await two.add([page_of(1)]);
        two.settings({ 'state.database': db.address });
        servers.push(await start('lighttpd', two));
        await until(async () => (await health(servers[1])).body.degraded
            .includes('pages behind'), 10000, 'it says so');
        const { stdout } = await two.cited(['doctor', '--json']);
        const finding = JSON.parse(stdout).findings.find(({ check }) =>
            check === 'pages');
        assert.equal(finding.level, 'error', stdout);
        assert.match(finding.mend, /cited move/);
        // A responder with a limit would take itself out.
        const out = await run([`${two.bin}/cited.fcgi`, '--data', two.data],
            { cwd: two.dir, env: { ...two.env, CITED_STATE_BEHIND: '5',
                REQUEST_METHOD: 'GET', PATH_INFO: '/healthz', SCRIPT_NAME: '',
                QUERY_STRING: '', SERVER_PROTOCOL: 'HTTP/1.1' } });
        assert.match(out.stdout, /^Status: 503/m);
        assert.match(out.stdout, /"pages behind"/);
    });
});
