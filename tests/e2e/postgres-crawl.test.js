// Crawls asked for over the API, on machines that share a PostgreSQL: a machine
// that dies in the midst of one leaves it to another, whoever asks there or not.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Database } from './lib/database.js';
import { Client, success } from './lib/http.js';
import { missing } from './lib/peers.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { processes_of, signal_processes, start_process, stop_process, until }
    from './lib/world.js';

const PAGES = 120;

// A site in which each page comes after 150 ms; which were asked for, and when.
async function website() {
    const asked = [];
    const server = http.createServer((rq, rs) => {
        const [, n] = /^\/(\d*)$/.exec(rq.url) ?? [];
        if (n === undefined) {
            rs.statusCode = 404;
            rs.end();
            return;
        }
        asked.push(rq.url);
        const links = n ? '' : Array.from({ length: PAGES - 1 }, (_, i) =>
            `<a href="/${i + 1}">page ${i + 1}</a>`).join(' ');
        setTimeout(() => {
            rs.setHeader('Content-Type', 'text/html; charset=utf-8');
            rs.end(`<!doctype html><title>Buoy ${n || 0}</title><main>
                <h1>Buoy ${n || 0}</h1><p>The buoy with the number ${n || 0}
                lies off the harbour and is painted anew each spring by those
                who lit the lamps.</p>${links}</main>`);
        }, 150);
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    return {
        url: `http://127.0.0.1:${server.address().port}/`, asked,
        close() { server.closeAllConnections(); server.close(); },
    };
}

describe('a crawl on machines that share a PostgreSQL',
    { skip: missing('postgresql') }, () => {
        let db, web, other, one, two, here, there, stayer;
        const servers = [];

        const crawl_of = async (me, id) => success(await me.get('/v1/index'))
            .crawls.find((job) => job.id === id);
        const far = (me, id, n) => until(async () =>
            (await crawl_of(me, id)).stored > n, 30000, `${n} pages are stored`);
        // As one that lost its power: nothing is told to anybody. A helper may
        // be among its programs, or not.
        const lose = (server, site, least) => {
            for (const child of server.children) child.kill('SIGKILL');
            const ids = processes_of(site.bin);
            assert.ok(ids.length >= least, `${ids.length} programs`);
            signal_processes(ids, 'SIGKILL');
        };

        before(async () => {
            db = await Database.make();
            web = await website();
            other = await website();
            const settings = { 'state.database': db.address,
                'net.allow_hosts': '127.0.0.1', 'crawl.delay_ms': 0,
                'crawl.per_host': 1 };
            one = await Site.make({ settings, pages: [] });
            two = await Site.make({ settings, pages: [],
                email: 'second@example.org' });
            await one.cited_ok(['account', 'role', 'first@example.org',
                'operator']);
            servers.push(await start('lighttpd', one));
            servers.push(await start('lighttpd', two));
            here = new Client(servers[0].base, one.key);
            there = new Client(servers[1].base, one.key);
        });
        after(async () => {
            if (stayer) await stop_process(stayer);
            for (const server of servers) await server.stop({ crashes: true });
            web?.close();
            other?.close();
            await one?.close();
            await two?.close();
            await db?.stop();
        });

        it('goes on at another one when its own dies', async () => {
            const job = success(await here.post('/v1/index/crawls',
                { url: web.url }));
            await far(here, job.id, 10);
            lose(servers[0], one, 2);
            const before = new Set(web.asked), n = web.asked.length;
            const lost = Date.now();
            // Nobody asks there meanwhile.
            await until(() => web.asked.length > n, 60000, 'it goes on');
            console.log(`# goes on after ${Date.now() - lost} ms, ` +
                `${n} of ${PAGES} pages done`);
            const job_of = (state) => until(async () => {
                const now = await crawl_of(there, job.id);
                assert.equal(now.error, null);
                return now.state === state && now;
            }, 60000, `it is ${state}`);
            assert.equal((await job_of('running')).endedAt, null);
            const done = await job_of('done');
            assert.equal(done.stored, PAGES);
            // What was in flight is asked for again, what was stored is not.
            const again = web.asked.slice(n).filter((url) => before.has(url));
            assert.ok(again.length <= 15, `${again.length} again: ${again}`);
            const { results } = success(await there.search(
                { q: 'buoy harbour painted', maxResults: 3 }));
            assert.equal(results.length, 3);
        });

        it('is taken by a helper that stays, too', async () => {
            const env = { CITED_RESEARCH_WORKERS: '0' };
            servers[0] = await start('lighttpd', one, { env });
            here = new Client(servers[0].base, one.key);
            stayer = start_process([`${one.bin}/cited-worker`, '--stay',
                '--data', one.data], { cwd: one.dir, env: one.env });
            // Asked for where the responder starts no helpers …
            const job = success(await here.post('/v1/index/crawls',
                { url: other.url }));
            await far(there, job.id, 5);
            // … or on the machine that dies then.
            lose(servers[1], two, 1);
            const done = await until(async () => {
                const now = await crawl_of(here, job.id);
                return now.state !== 'running' && now;
            }, 90000, 'it ends');
            assert.equal(done.state, 'done', done.error);
            assert.equal(done.stored, PAGES);
        });

        it('is not begun a second time by others that see it', () => {
            // Each page once but for what was in flight at the two deaths.
            for (const { asked } of [web, other])
                assert.ok(asked.length <= PAGES + 30, `${asked.length} asked`);
        });
    });
