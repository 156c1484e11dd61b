// Two hundred research tasks, while the helper and the responder are killed
// again and again: every task completes, is written once, and no status is
// ever seen going backwards.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { processes_of, signal_processes } from './lib/world.js';

const TASKS = 200;
const ORDER = ['pending', 'processing', 'completed', 'failed'];
const MINUTES = 8;

describe('killed again and again', () => {
    let site, server, me;

    before(async () => {
        site = await Site.make({
            settings: {
                'research.lease_ms': 1000, 'research.workers': 2,
                // A task may be begun as often as its helper is killed.
                'research.attempts': 100, 'limits.tasks_open': 1000,
            },
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop({ crashes: true });
        await site?.close();
    });

    // A request may meet a responder that was just killed: ask again.
    async function surely(ask) {
        const end = Date.now() + 60000;
        for (;;) {
            const res = await ask().catch(() => null);
            if (res?.status === 200) return success(res);
            assert.ok(!res || res.status >= 500, res?.text);
            assert.ok(Date.now() < end, 'the service comes back');
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
    }

    it(`${TASKS} tasks all complete, each once`, async () => {
        const kills = { 'cited-worker': 0, 'cited.fcgi': 0 };
        let killing = true;
        const killer = (async () => {
            for (let round = 0; killing; round++) {
                const name = round % 4 === 3 ? 'cited.fcgi' : 'cited-worker';
                const ids = processes_of(site.bin, name);
                signal_processes(ids, 'SIGKILL');
                kills[name] += ids.length;
                // Longer and longer, so that work gets done in the end.
                const pause = 30 + Math.min(round * 2, 300);
                await new Promise((resolve) => setTimeout(resolve, pause));
            }
        })();

        // A create that was cut may have made its task; the list tells.
        let created = 0;
        while (created < TASKS) {
            const before = created;
            await me.post('/v1/research', {
                q: 'Compare the write-ahead journal and the rollback ' +
                    'journal of Kvist',
                outputType: 'sourcedAnswer', reasoningDepth: 'L',
            }).catch(() => null);
            const list = await surely(
                () => me.get('/v1/research?pageSize=1'));
            created = list.metadata.total;
            assert.ok(created - before <= 1, 'at most one task a request');
        }

        const seen = new Map();   // id -> index in ORDER
        const ended = new Map();  // id -> the record at its end
        const end = Date.now() + MINUTES * 60000;
        while (ended.size < TASKS) {
            assert.ok(Date.now() < end, `${ended.size} of ${TASKS} ended; ` +
                `kills: ${JSON.stringify(kills)}`);
            for (let page = 1; page <= TASKS / 100; page++) {
                const list = await surely(() =>
                    me.get(`/v1/research?pageSize=100&page=${page}`));
                for (const task of list.data) {
                    const at = ORDER.indexOf(task.status);
                    assert.ok(at >= (seen.get(task.id) ?? 0),
                        `${task.id}: ${ORDER[seen.get(task.id)]} then ` +
                        task.status);
                    seen.set(task.id, at);
                    const text = JSON.stringify(task);
                    if (ended.has(task.id))
                        assert.equal(text, ended.get(task.id),
                            'what has ended is not written again');
                    else if (at >= 2) ended.set(task.id, text);
                }
            }
        }
        killing = false;
        await killer;
        assert.equal(seen.size, TASKS);
        for (const text of ended.values()) {
            const task = JSON.parse(text);
            assert.equal(task.status, 'completed', task.error);
            assert.match(task.output.answer, /journal/);
        }
        assert.ok(kills['cited-worker'] >= 10, JSON.stringify(kills));
        assert.ok(kills['cited.fcgi'] >= 3, JSON.stringify(kills));
    });
});
