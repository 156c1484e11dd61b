// The life of a research task beyond its record: its steps, cancelling and
// removing it, repeated requests, and the record sent to a callback address
// that accepts, refuses, hangs or redirects, also when helpers are killed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Client, failure, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { processes_of, signal_processes, until } from './lib/world.js';

const QUESTION = 'Compare the write-ahead journal and the rollback journal of Kvist';
const BODY = { q: QUESTION, outputType: 'sourcedAnswer', reasoningDepth: 'S' };

// A server on loopback; every request is kept in seen. answer(rq, rs, seen).
async function listen(answer) {
    const seen = [];
    const server = http.createServer((rq, rs) => {
        const parts = [];
        rq.on('data', (part) => parts.push(part));
        rq.on('end', () => {
            seen.push({ url: rq.url, headers: rq.headers, method: rq.method,
                body: Buffer.concat(parts).toString() });
            answer(rq, rs, seen);
        });
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    return {
        seen, url: `http://127.0.0.1:${server.address().port}`,
        close() { server.closeAllConnections(); server.close(); },
    };
}

describe('a research task from order to end', () => {
    let site, server, me, other, hooks, provider, secret;
    const tries = new Map(); // path -> requests so far

    before(async () => {
        hooks = await listen((rq, rs) => {
            const n = (tries.get(rq.url) ?? 0) + 1;
            tries.set(rq.url, n);
            if (rq.url.startsWith('/hang') && n === 1) return;
            if (rq.url.startsWith('/error') && n === 1) rs.statusCode = 500;
            if (rq.url.startsWith('/redirect')) {
                rs.statusCode = 307;
                rs.setHeader('Location', `${hooks.url}/inside`);
            }
            if (rq.url.startsWith('/gone')) rs.statusCode = 410;
            rs.end('thank you');
        });
        // A provider so slow that a task is still at work when we look.
        provider = await listen((rq, rs) => setTimeout(() => {
            rs.setHeader('Content-Type', 'application/json');
            rs.end('{"results":[]}');
        }, /sarnholm/i.test(rq.url) ? 1500 : 0));
        site = await Site.make({ settings: {
            'net.allow_hosts': '127.0.0.1', 'research.lease_ms': 1000,
            'research.callback_timeout_ms': 500,
            'provider.slow.url': `${provider.url}/?q={q}`,
        } });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
        other = new Client(server.base, await site.account('b@example.org'));
        secret = (await site.cited_ok(
            ['account', 'secret', 'first@example.org'])).trim();
    });
    after(async () => {
        hooks?.close();
        provider?.close();
        await server?.stop({ crashes: true });
        await site?.close();
    });

    const order = async (more = {}, headers) => success(
        await me.post('/v1/research', { ...BODY, ...more }, headers));
    const steps = async (id) => success(await me.get(`/v1/research/${id}/steps`));
    const ended = (id) => until(async () => {
        const task = success(await me.get(`/v1/research/${id}`));
        return /completed|failed/.test(task.status) && task;
    }, 60000, `task ${id} ends`);
    // Asking for the task is also what brings a helper to a callback.
    const settled = (id, status) => until(async () => {
        const { callback } = await steps(id);
        return callback.status === status && callback;
    }, 60000, `the callback of ${id} is ${status}`);
    const sent = (path) => hooks.seen.filter((rq) => rq.url === path);

    function is_signed(rq) {
        const { 'webhook-id': id, 'webhook-timestamp': time,
            'webhook-signature': signature } = rq.headers;
        const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
        assert.equal(key.length, 32);
        assert.equal(signature, `v1,${createHmac('sha256', key)
            .update(`${id}.${time}.${rq.body}`).digest('base64')}`);
        assert.ok(Math.abs(Date.now() / 1000 - Number(time)) < 60);
    }

    it('shows its steps', async () => {
        const { id } = await order({ reasoningDepth: 'L' });
        await ended(id);
        const told = await steps(id);
        assert.equal(told.id, id);
        assert.equal(told.status, 'completed');
        assert.deepEqual(told.budget, { rounds: 4, queries: 48, pages: 240,
            milliseconds: 240000 });
        const kinds = told.steps.map((step) => step.type);
        assert.equal(kinds[0], 'plan');
        assert.equal(kinds.at(-1), 'write');
        const searches = told.steps.filter((step) => step.type === 'search');
        assert.equal(told.spent.queries, searches.length);
        assert.ok(told.spent.pages > 0);
        told.steps.forEach((step, i) => {
            assert.equal(step.number, i);
            assert.match(step.at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
            assert.ok(step.durationMs >= 0);
        });
        for (const one of searches) {
            assert.ok(told.steps[0].subQuestions.includes(one.subQuestion));
            assert.ok(one.query && one.passagesKept >= 0);
            assert.ok(one.pages.every((url) => /^https:/.test(url)));
        }
        failure(await other.get(`/v1/research/${id}/steps`), 404, 'TASK_NOT_FOUND');
    });

    it('tells its steps as events, and those not known yet', async () => {
        const { id } = await order();
        await ended(id);
        const told = await steps(id);
        const events = async (headers) => {
            const res = await me.get(`/v1/research/${id}/events`, headers);
            assert.equal(res.status, 200);
            assert.match(res.headers['content-type'], /^text\/event-stream/);
            return res.text.split('\n\n').filter(Boolean).slice(1)
                .map((one) => Object.fromEntries(one.split('\n').map((line) =>
                    [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)])));
        };
        const all = await events();
        const end = all.pop();
        assert.equal(end.event, 'end');
        assert.deepEqual(JSON.parse(end.data), { id, status: 'completed' });
        const progress = all.pop();
        assert.equal(progress.event, 'progress');
        const { budget, spent } = told;
        assert.deepEqual(JSON.parse(progress.data),
            { id, status: 'completed', budget, spent });
        assert.deepEqual(all.map((one) => JSON.parse(one.data)), told.steps);
        assert.deepEqual(all.map((one) => [one.event, Number(one.id)]),
            told.steps.map((step) => ['step', step.number]));
        const later = await events({ 'Last-Event-ID': '1' });
        assert.deepEqual(later.slice(0, -2), all.slice(2));
        failure(await other.get(`/v1/research/${id}/events`), 404, 'TASK_NOT_FOUND');
    });

    it('is cancelled while a helper is at it', async () => {
        const { id } = await order({
            q: 'What was the ferry of Sarnholm, and who were its captains?',
        });
        await until(async () => success(await me.get(`/v1/research/${id}`))
            .status === 'processing', 20000, 'processing');
        failure(await other.call('DELETE', `/v1/research/${id}`), 404,
            'TASK_NOT_FOUND');
        const task = success(await me.call('DELETE', `/v1/research/${id}`));
        assert.equal(task.status, 'failed');
        assert.equal(task.error, 'cancelled');
        assert.equal(task.output, null);
        await until(() => processes_of(site.bin, 'cited-worker').length === 0,
            30000, 'the helper leaves');
        assert.deepEqual(success(await me.get(`/v1/research/${id}`)), task);
        success(await me.call('DELETE', `/v1/research/${id}`));
        failure(await me.get(`/v1/research/${id}`), 404, 'TASK_NOT_FOUND');
        failure(await me.get(`/v1/research/${id}/steps`), 404, 'TASK_NOT_FOUND');
    });

    it('is made once for one key, however often it is asked for', async () => {
        const key = { 'Idempotency-Key': 'order-17' };
        const all = await Promise.all(Array.from({ length: 20 },
            () => order({}, key)));
        assert.equal(new Set(all.map((task) => task.id)).size, 1);
        const error = failure(await me.post('/v1/research',
            { ...BODY, q: 'Another question?' }, key), 400, 'VALIDATION_ERROR');
        assert.equal(error.details[0].field, 'Idempotency-Key');
        const theirs = success(await other.post('/v1/research', BODY, key));
        assert.notEqual(theirs.id, all[0].id);
        await ended(all[0].id);
        assert.equal((await order({}, key)).status, 'completed');
    });

    it('is sent to its callback address, signed, once', async () => {
        const { id, input } = await order({ callbackUrl: `${hooks.url}/ok` });
        assert.equal(input.callbackUrl, `${hooks.url}/ok`);
        const task = await ended(id);
        const callback = await settled(id, 'delivered');
        assert.equal(callback.tries, 1);
        const [rq, ...more] = sent('/ok');
        assert.equal(more.length, 0);
        assert.equal(rq.method, 'POST');
        assert.equal(rq.headers['webhook-id'], id);
        assert.match(rq.headers['content-type'], /^application\/json/);
        assert.deepEqual(JSON.parse(rq.body), task);
        is_signed(rq);
    });

    it('is sent when it is cancelled', async () => {
        const { id } = await order({ callbackUrl: `${hooks.url}/cancelled`,
            q: 'What was the barge of Sarnholm, and who were its captains?' });
        success(await me.call('DELETE', `/v1/research/${id}`));
        await settled(id, 'delivered');
        assert.equal(JSON.parse(sent('/cancelled')[0].body).error, 'cancelled');
    });

    it('is sent again after an error and after silence', async () => {
        for (const path of ['/error', '/hang']) {
            const { id } = await order({ callbackUrl: hooks.url + path });
            await ended(id);
            const callback = await settled(id, 'delivered');
            assert.equal(callback.tries, 2, path);
            const [first, second] = sent(path);
            assert.equal(first.headers['webhook-id'],
                second.headers['webhook-id']);
            is_signed(first);
            is_signed(second);
        }
    });

    it('is not sent where a redirect or the guard forbids', async () => {
        const { id } = await order({ callbackUrl: `${hooks.url}/redirect` });
        await ended(id);
        const again = await until(async () => {
            const { callback } = await steps(id);
            return callback.error && callback;
        }, 30000, 'a failed try');
        assert.match(again.error, /307.*not followed/);
        assert.equal(sent('/inside').length, 0);
        const gone = await order({ callbackUrl: `${hooks.url}/gone` });
        await ended(gone.id);
        assert.equal((await settled(gone.id, 'givenUp')).tries, 1);
        for (const url of ['http://127.0.0.2:1/', 'http://[::1]/',
            'http://169.254.169.254/', 'http://0x7f000002/']) {
            const forbidden = await order({ callbackUrl: url });
            await ended(forbidden.id);
            const callback = await until(async () => {
                const told = (await steps(forbidden.id)).callback;
                return told.error && told;
            }, 30000, 'a failed try');
            assert.equal(callback.status, 'due', url);
        }
        for (const url of ['ftp://a.example/', 'x', '', 7, {}])
            assert.equal(failure(await me.post('/v1/research',
                { ...BODY, callbackUrl: url }), 400, 'VALIDATION_ERROR')
                .details[0].field, 'callbackUrl');
    });

    it('is sent although its helper was killed before or at it', async () => {
        // A helper that works on one task leaves the rest to others: what is
        // stored then is what is stored after a kill before the first try.
        site.settings({ 'net.allow_hosts': '127.0.0.1',
            'research.workers': 0, 'research.callback_timeout_ms': 3000 });
        await server.stop({ crashes: true });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
        const { id } = await order({ callbackUrl: `${hooks.url}/hang-killed` });
        const once = await site.worker(['--once', id]);
        assert.equal(once.code, 0, once.stderr);
        assert.equal((await ended(id)).status, 'completed');
        assert.equal((await steps(id)).callback.status, 'due');
        assert.equal(sent('/hang-killed').length, 0);
        // At it: the receiver says nothing, the helper is killed.
        const sweep = site.worker(['--sweep']);
        await until(() => sent('/hang-killed').length === 1, 30000, 'a try');
        signal_processes(processes_of(site.bin, 'cited-worker'), 'SIGKILL');
        assert.equal((await sweep).code, 'SIGKILL');
        assert.equal((await steps(id)).callback.status, 'due');
        // Another takes it when the first one's time is over.
        await until(async () => {
            await site.worker(['--sweep']);
            return (await steps(id)).callback.status === 'delivered';
        }, 60000, 'delivered by another helper');
        const [first, second] = sent('/hang-killed');
        assert.equal(first.headers['webhook-id'], second.headers['webhook-id']);
        is_signed(second);
    });
});

// lighttpd sends SIGTERM to a CGI program as soon as its reply is read.
describe('a CGI program that the server ends once it has replied', () => {
    let site;

    before(async () => { site = await Site.make(); });
    after(() => site?.close());

    const post = () => new Promise((done) => {
        const body = JSON.stringify(BODY);
        const child = spawn(`${site.bin}/cited.fcgi`, ['--data', site.data], {
            cwd: site.dir, stdio: ['pipe', 'pipe', 'inherit'],
            env: { ...site.env, REQUEST_METHOD: 'POST', SCRIPT_NAME: '',
                PATH_INFO: '/v1/research', QUERY_STRING: '',
                SERVER_PROTOCOL: 'HTTP/1.1', CONTENT_TYPE: 'application/json',
                CONTENT_LENGTH: String(body.length),
                HTTP_AUTHORIZATION: `Bearer ${site.key}` },
        });
        let reply = '';
        child.stdout.on('data', (part) => {
            reply += part;
            child.kill('SIGTERM');
        });
        child.on('close', (code, signal) => done({ reply, code, signal }));
        child.stdin.end(body);
    });

    it('starts the helper all the same', async () => {
        for (let i = 0; i < 10; i++) {
            const { reply, code, signal } = await post();
            assert.match(reply, /^Status: 200/m);
            assert.deepEqual({ code, signal }, { code: 0, signal: null });
        }
    });
});
