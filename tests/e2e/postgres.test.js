// Two machines whose accounts and tasks are in one PostgreSQL: what one takes
// the other one knows; the database goes away and comes back.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Database } from './lib/database.js';
import { Client, failure, request, success } from './lib/http.js';
import { missing } from './lib/peers.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { until } from './lib/world.js';

// The research helpers of a site.
function helpers(site) {
    return fs.readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) &&
        command_of(pid).startsWith(`${site.bin}/cited-worker`)).map(Number);
}

function command_of(pid) {
    try {
        return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
        return '';
    }
}

const ASK = { q: 'When was the Halden lighthouse built?', outputType: 'sourcedAnswer',
    reasoningDepth: 'S' };

describe('accounts and tasks in PostgreSQL', { skip: missing('postgresql') },
    () => {
        let db, one, two, servers, here, there, first;

        before(async () => {
            db = await Database.make();
            const settings = { 'state.database': db.address };
            one = await Site.make({ settings });
            two = await Site.make({ settings, email: 'second@example.org' });
            servers = [await start('lighttpd', one),
                await start('lighttpd', two)];
            here = new Client(servers[0].base, one.key);
            there = new Client(servers[1].base, one.key);
        });
        after(async () => {
            for (const server of servers ?? []) await server.stop();
            await one?.close();
            await two?.close();
            await db?.stop();
        });
        const done = async (client, id) => {
            let task;
            await until(async () => {
                task = success(await client.get(`/v1/research/${id}`));
                return task.status === 'completed' || task.status === 'failed';
            }, 60000, `task ${id} ends`);
            return task;
        };

        it('knows a key and a task of the other machine', async () => {
            for (const client of [here, there])
                success(await client.search({ q: 'Halden lighthouse' }));
            const made = success(await here.post('/v1/research', ASK));
            const task = await done(there, made.id);
            assert.equal(task.status, 'completed', task.error);
            first = task;
            assert.ok(task.output.answer.length > 0);
            assert.deepEqual(success(
                await here.get(`/v1/research/${made.id}`)), task);
            for (const site of [one, two])
                assert.ok(!fs.existsSync(`${site.data}/state.db`));
        });

        it('is known to doctor and to backup', async () => {
            const { stdout } = await one.cited(['doctor', '--json']);
            const found = JSON.parse(stdout).findings.filter((finding) =>
                finding.check === 'database');
            assert.ok(found.some((finding) => finding.level === 'ok' &&
                finding.what.includes('postgresql://127.0.0.1/postgres')),
            stdout);
            assert.ok(!stdout.includes('sesame'));
            const { code, stderr } = await one.cited(
                ['backup', `${one.dir}/copy`]);
            assert.equal(code, 0, stderr);
            assert.match(stderr, /pg_dump/);
            assert.deepEqual(fs.readdirSync(`${one.dir}/copy`), ['index.db']);
        });

        it('says so while the database is away, and goes on after it',
            async () => {
                const health = async (server) => JSON.parse(
                    (await request(`${server.base}/healthz`)).text);
                const before_it = success(await here.post('/v1/research', ASK));
                await db.cut();
                failure(await here.post('/v1/research', ASK), 503,
                    'STORAGE_UNREADABLE');
                assert.deepEqual((await health(servers[0])).degraded,
                    ['state database']);
                // Searches need it for the key alone, which was seen before.
                for (let i = 0; i < 20; i++)
                    success(await here.search({ q: 'Halden lighthouse' }));
                failure(await new Client(servers[0].base, two.key)
                    .search({ q: 'Halden lighthouse' }), 503,
                'STORAGE_UNREADABLE');
                await db.open(db.port);
                // Each leaves the database alone for a second after it was
                // refused.
                for (const server of servers)
                    await until(async () =>
                        (await health(server)).status === 'ok',
                    20000, 'the service is well');
                assert.equal((await done(there, before_it.id)).status,
                    'completed');
                const made = success(await there.post('/v1/research', ASK));
                assert.equal((await done(here, made.id)).status, 'completed');
                for (const server of servers)
                    assert.ok(!server.log().includes('sesame'));
            });

        it('loses no task while helpers are killed and the ' +
            'database is cut off', async () => {
            const asked = [];
            let busy = true;
            const trouble = (async () => {
                for (let i = 0; busy; i++) {
                    await new Promise((done) => setTimeout(done, 400));
                    for (const pid of helpers([one, two][i % 2]))
                        try { process.kill(pid, 'SIGKILL'); } catch { /* gone */ }
                    if (i % 4 === 3) {
                        await db.cut();
                        await db.open(db.port);
                    }
                }
            })();
            try {
                for (let i = 0; i < 40; i++) {
                    const batch = Array.from({ length: 5 }, () => ({
                        type: 'search', input: { q: 'Halden lighthouse',
                            depth: 'fast', outputType: 'searchResults' } }));
                    const res = await [here, there][i % 2].post('/v1/tasks',
                        batch);
                    if (res.status === 200)
                        asked.push(...success(res).map(({ id }) => id));
                    else failure(res, [503, 504]);
                }
            } finally {
                busy = false;
                await trouble;
            }
            assert.ok(asked.length > 100, `${asked.length} accepted`);
            for (const [i, id] of asked.entries()) {
                let task;
                await until(async () => {
                    const res = await [here, there][i % 2]
                        .get(`/v1/tasks/${id}`);
                    // It was cut off a moment ago, and is tried each second.
                    if (res.status === 503) return false;
                    task = success(res);
                    return !['pending', 'processing'].includes(task.status);
                }, 90000, `task ${id} ends`);
                assert.equal(task.status, 'completed', task.error);
            }
        });

        it('is moved to a file and back', async () => {
            const address = ['--from', db.address];
            const refused = await one.cited(['move', '--to', db.address]);
            assert.equal(refused.code, 1);
            for (const server of servers.splice(0)) await server.stop();
            const moved = JSON.parse(
                await one.cited_ok(['move', ...address, '--json']));
            const rows = moved.tables.find(({ name }) => name === 'task');
            assert.ok(rows.from > 100);
            for (const { from, to } of moved.tables) assert.equal(from, to);
            one.settings({});
            const server = await start('lighttpd', one);
            servers.push(server);
            const me = new Client(server.base, one.key);
            assert.deepEqual(success(await me.get(`/v1/research/${first.id}`)),
                first);
            assert.match((await one.cited(['move', '--to', db.address])).stderr,
                /in use/);
            await servers.pop().stop();
            // The file has gone on since: what is there is not its beginning.
            assert.match((await one.cited(['move', '--to', db.address])).stderr,
                /other rows of api_key/);
        });
    });
