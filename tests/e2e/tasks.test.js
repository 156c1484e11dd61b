// Batches of tasks through a real server: worked on by the helper, listed,
// accepted all or none; the same answers as the plain requests give.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Client, failure, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { processes_of, signal_processes, until } from './lib/world.js';

const SEARCH = { q: 'Halden lighthouse', depth: 'standard',
    outputType: 'searchResults' };

describe('tasks of every type', () => {
    let site, server, me, other, web, url;

    before(async () => {
        web = http.createServer((rq, rs) => {
            rs.setHeader('Content-Type', 'text/html');
            rs.end('<!doctype html><title>T</title><main><h1>Hello</h1>' +
                '<p>There is a page here with a sentence in it.</p></main>');
        });
        await new Promise((done) => web.listen(0, '127.0.0.1', done));
        url = `http://127.0.0.1:${web.address().port}/`;
        site = await Site.make({ settings: {
            'net.allow_hosts': '127.0.0.1', 'limits.tasks_open': 110,
        } });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
        other = new Client(server.base, await site.account('b@example.org'));
    });
    after(async () => {
        web?.close();
        await server?.stop();
        await site?.close();
    });

    const ended = (id) => until(async () => {
        const task = success(await me.get(`/v1/tasks/${id}`));
        return /completed|failed/.test(task.status) && task;
    }, 60000, `task ${id} ends`);

    it('give what the plain requests give', async () => {
        const batch = success(await me.post('/v1/tasks', [
            { type: 'search', input: SEARCH },
            { type: 'fetch', input: { url } },
            { type: 'research', input: { q: 'When was the Halden lighthouse built?',
                reasoningDepth: 'S',
                outputType: 'sourcedAnswer' } },
            { type: 'search', input: { ...SEARCH,
                q: 'zyxwv qponm unheard of' } },
        ]));
        assert.deepEqual(batch.map((one) => [one.type, one.status]),
            [['search', 'pending'], ['fetch', 'pending'],
                ['research', 'pending'], ['search', 'pending']]);
        const [search, fetch, research, nothing] = await Promise.all(
            batch.map((one) => ended(one.id)));
        assert.equal(search.status, 'completed', search.error);
        assert.deepEqual(search.output,
            success(await me.post('/v1/search', SEARCH)));
        assert.deepEqual(search.input, SEARCH);
        assert.equal(fetch.status, 'completed', fetch.error);
        assert.deepEqual(fetch.output,
            success(await me.post('/v1/fetch', { url })));
        assert.equal(research.status, 'completed', research.error);
        assert.equal(nothing.status, 'failed');
        assert.equal(nothing.output, null);
        assert.match(nothing.error, /no page matches/);

        failure(await other.get(`/v1/tasks/${search.id}`), 404,
            'TASK_NOT_FOUND');
        failure(await me.get(`/v1/research/${search.id}`), 404,
            'TASK_NOT_FOUND');
        const mine = success(await me.get('/v1/research'));
        assert.deepEqual(mine.data.map((one) => one.id), [research.id]);
        const list = success(await me.get(
            '/v1/tasks?status=completed&type=search&type=fetch'));
        assert.deepEqual(list.data.map((one) => one.id).sort(),
            [search.id, fetch.id].sort());
        assert.deepEqual(list.quota, { inFlight: 0, limit: 110 });
        assert.equal(success(await other.get('/v1/tasks')).metadata.total, 0);
    });

    it('come by the hundred', async () => {
        const batch = success(await me.post('/v1/tasks',
            Array.from({ length: 100 }, () =>
                ({ type: 'search', input: { ...SEARCH, depth: 'flash' } }))));
        assert.equal(new Set(batch.map((one) => one.id)).size, 100);
        await until(async () => success(await me.get(
            '/v1/tasks?type=search&status=completed&pageSize=1'))
            .metadata.total === 101, 90000, 'all of them end');
    });

    it('are accepted all or none', async () => {
        const error = failure(await me.post('/v1/tasks', [
            { type: 'search', input: SEARCH },
            { type: 'fetch', input: {} },
            { type: 'dig', input: {} },
        ]), 400, 'VALIDATION_ERROR');
        assert.deepEqual(error.details.map((one) => one.field),
            ['1.input.url', '2.type']);
        failure(await me.post('/v1/tasks', { type: 'fetch' }), 400,
            'VALIDATION_ERROR');
        const before = success(await me.get('/v1/tasks')).metadata.total;
        assert.equal(before, 104);
    });
});

describe('a helper', () => {
    const LEASE = 2000;
    let site, server, me, web, waiting;

    before(async () => {
        waiting = [];
        web = http.createServer((rq, rs) => {
            const answer = () => {
                rs.setHeader('Content-Type', 'text/html');
                rs.end('<!doctype html><title>T</title><p>Hello there.</p>');
            };
            if (rq.url.startsWith('/wait')) waiting.push(answer);
            else answer();
        });
        await new Promise((done) => web.listen(0, '127.0.0.1', done));
        site = await Site.make({ settings: {
            'net.allow_hosts': '127.0.0.1', 'research.parallel': 4,
            'research.lease_ms': LEASE,
        } });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        web?.close();
        await server?.stop();
        await site?.close();
    });

    const fetches = async (count, path) => success(await me.post('/v1/tasks',
        Array.from({ length: count }, (_, i) => ({ type: 'fetch', input: {
            url: `http://127.0.0.1:${web.address().port}${path}${i}`,
        } })))).map((task) => task.id);
    const has_ended = async (ids) => {
        for (const id of ids)
            if (!/completed|failed/.test(
                success(await me.get(`/v1/tasks/${id}`)).status)) return false;
        return true;
    };
    const answer_all = () => {
        for (const answer of waiting.splice(0)) answer();
    };

    // Threads used to leave one by one when they found nothing, and the helper
    // went on with the rest as long as there was work.
    it('works on as many tasks at once as it may, however they come',
        async () => {
            const pause = (ms) => new Promise((done) => setTimeout(done, ms));
            for (let i = 0; i < 14; i++) {
                const ids = await fetches(4, '/wait/all');
                await until(() => waiting.length === 4, 10000,
                    `all four at once, ${i}`);
                // One after the other, so that the threads look for work at
                // different times, and the next ones come between them.
                while (waiting.length) {
                    waiting.shift()();
                    await pause(55);
                }
                await until(() => has_ended(ids), 30000, 'ended');
                await pause(30 * i);
            }
        });

    it('that was stopped is replaced, and said to be there', async () => {
        const [id] = await fetches(1, '/wait/stopped');
        await until(() => waiting.length === 1, 30000, 'begun');
        const stopped = processes_of(site.bin, 'cited-worker');
        signal_processes(stopped, 'SIGSTOP');
        try {
            // Another takes the task up, although nobody asks for it.
            await until(() => waiting.length === 2, 4 * LEASE, 'taken up');
            const { degraded } = JSON.parse(
                (await me.get('/healthz')).text);
            assert.deepEqual(degraded, ['research helpers']);
            const doctor = await site.cited(['doctor', '--offline']);
            assert.match(doctor.stdout, new RegExp(
                `helpers.*without a sign of life, process ${stopped[0]} `));
            answer_all();
            await until(() => has_ended([id]), 30000, 'ended');
        } finally {
            signal_processes(stopped, 'SIGCONT');
        }
        const before = (await me.get(`/v1/tasks/${id}`)).text;
        await until(async () => JSON.parse((await me.get('/healthz')).text)
            .degraded.length === 0, 30000, 'all is well');
        await until(() => !processes_of(site.bin, 'cited-worker').length,
            60000, 'all leave');
        assert.equal((await me.get(`/v1/tasks/${id}`)).text, before);
    });
});
