// Ten thousand mixed requests leave nothing behind: LeakSanitizer is silent
// when the responder ends, and the memory of an ordinary build does not grow.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, it } from 'node:test';
import { Client } from './lib/http.js';
import { Site, folder_of } from './lib/site.js';
import {
    DEPLOY, ROOT, environment, free_port, give, sanitizer_reports,
    start_process, stop_process, until,
} from './lib/world.js';

const REQUESTS = 10000;
const SETTLED = 2000; // caches are full from here on
const AT_ONCE = 8;
// The programs built with address sanitizer; `make check` makes them first.
const ASAN_BIN = process.env.CITED_ASAN_BIN ?? `${ROOT}/build/asan`;
const no_asan = fs.existsSync(`${ASAN_BIN}/cited.fcgi`) ? false :
    `NOT RUN: no address sanitizer build in ${ASAN_BIN} (CITED_ASAN_BIN)`;

const fill = (template, places) =>
    execFileSync(`${DEPLOY}/lib/fill.sh`, [`${DEPLOY}/${template}`,
        ...Object.entries(places).map(([name, value]) => `${name}=${value}`),
    ], { encoding: 'utf8' });

// lighttpd in front of a responder that is our own child, so that its exit
// status can be seen. The shipped configuration, but for who starts it.
async function serve(site) {
    const run = folder_of(site, 'run');
    const port = await free_port();
    const places = {
        ADDRESS: '127.0.0.1', PORT: port, BINDIR: site.bin, DATA: site.data,
        RUN: run, WWW: `${site.dir}/www`, TIMEOUT: 60,
        ERRORS: `${site.dir}/deploy/lighttpd/errors`,
        SOCKET: `${run}/cited.sock`,
    };
    fs.writeFileSync(`${run}/spawn`, fill('spawn-fcgi/cited', places),
        { mode: 0o755 });
    fs.writeFileSync(`${run}/lighttpd.conf`,
        fill('lighttpd/cited.conf', places)
            .replace(/^ *"(bin-path|bin-environment|max-procs)" .*\n/gm, ''));
    give(run);
    const options = {
        cwd: site.bin, env: environment(site.dir, site.env),
    };
    const responder = start_process([`${run}/spawn`], options);
    await until(() => fs.existsSync(places.SOCKET), 20000, 'a socket');
    const front = start_process(
        ['lighttpd', '-D', '-f', `${run}/lighttpd.conf`], options);
    const me = new Client(`http://127.0.0.1:${port}`, site.key);
    await until(() => me.get('/healthz').then((res) => res.status === 200,
        () => false), 20000, 'it serves');
    return { responder, front, me };
}

const LARGE = JSON.stringify({ q: 'x'.repeat(1200000) });
const BAD = ['', '{', '[]', '{"q": 1}', '{"q": "x", "q": "y"}', '{"q": ""}',
    '{"q": "x", "depth": "far", "outputType": "none", "maxResults": -1}',
    '{"q": "\\ud800", "depth": "fast", "outputType": "searchResults"}',
    '['.repeat(200), '{"q": "x", "depth": "fast", "outputType": "structured"}'];
const SCHEMA = {
    type: 'object', properties: {
        yearBuilt: { type: 'integer' },
        height: { type: 'string', pattern: '^[0-9]' },
        parts: { type: 'array', items: { type: 'string' } },
    },
};
const NAMES = ['Halden', 'Brannoy', 'Kvist', 'Aster', 'Skua', 'Orvik'];

// Kinds of requests in turn; each tells which statuses are right.
const KINDS = [
    (me, n) => [me.search({
        q: `${NAMES[n % 6]} lighthouse`, depth: 'fast', maxResults: 1 + n % 50,
        includeImages: true, excludeDomains: ['blog.travel.example'],
    }), 200, 400],
    (me, n) => [me.search({
        q: `How tall is the tower of the ${NAMES[n % 2]} lighthouse?`,
        outputType: 'sourcedAnswer', includeInlineCitations: true,
        depth: ['flash', 'fast', 'standard', 'deep'][n % 4],
    }), 200],
    (me) => [me.search({
        q: '<guidance>Prefer\n<priority>- lights.example</priority>' +
            '</guidance>When was the Halden lighthouse built?',
        outputType: 'structured', includeSources: true,
        structuredOutputSchema: SCHEMA,
    }), 200],
    (me, n) => [me.post('/v1/search', BAD[n % BAD.length]), 400],
    (me, n) => [me.post('/v1/research', {
        q: `Compare ${NAMES[n % 6]} and Halden`, outputType: 'sourcedAnswer',
        includeDomains: ['lights.example'], fromDate: '2020-01-01',
    }), 200, 429],
    (me, n, ids) => [me.get(`/v1/research/${ids[n % ids.length]}`), 200],
    (me, n) => [me.get(`/v1/research?page=${1 + n % 9}&pageSize=${1 + n % 100}` +
        `&sortBy=${n % 2 ? 'createdAt' : 'updatedAt'}`), 200],
    (me, n) => [me.call(['GET', 'PUT', 'DELETE', 'GET'][n % 4],
        ['/v1/nothing', '/v1/search', '/v1/research', '/v1/research/no'][n % 4]),
    404, 405],
    (me, n) => [me.call(['HEAD', 'OPTIONS', 'GET'][n % 3],
        ['/healthz', '/v1/search', '/v1/credits/balance'][n % 3]), 200, 204],
    (me, n) => n % 10 === 0 ? [me.post('/v1/search', LARGE), 413] :
        n % 2 ? [me.get('/v1/research', { Authorization: 'Bearer no' }), 401] :
            [me.post('/v1/fetch', { url: 'http://127.0.0.1:1/' }), 400],
];

async function ask_all(me, from, to) {
    const made = await me.post('/v1/research',
        { q: 'Halden', outputType: 'sourcedAnswer' });
    const ids = made.status === 200 ? [made.json().id] :
        (await me.get('/v1/research')).json().data.map((task) => task.id);
    let next = from;
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
        while (next < to) {
            const i = next++;
            const [answer, ...right] =
                KINDS[i % KINDS.length](me, Math.floor(i / KINDS.length), ids);
            const res = await answer;
            assert.ok(right.includes(res.status),
                `request ${i}: ${res.status}, not ${right}: ` +
                res.text.slice(0, 300));
        }
    }));
}

// Nobody works on the tasks: helpers are not what is measured. Few threads,
// so that each has filled its caches when measuring begins.
const SETTINGS = {
    'research.workers': 0, 'limits.tasks_open': 200, 'server.threads': 4,
};

describe('ten thousand requests', () => {
    it('leave no memory behind', { skip: no_asan }, async () => {
        const site = await Site.make({ settings: SETTINGS });
        for (const name of ['cited.fcgi', 'cited-worker'])
            fs.copyFileSync(`${ASAN_BIN}/${name}`, `${site.bin}/${name}`);
        const { responder, front, me } = await serve(site);
        try {
            await ask_all(me, 0, REQUESTS);
        } finally {
            await stop_process(front);
            const status = await stop_process(responder);
            assert.equal(sanitizer_reports(site.dir), '');
            assert.equal(status, 0, responder.output.slice(-2000));
            await site.close();
        }
    });

    it('do not make the responder grow', async () => {
        const site = await Site.make({ settings: SETTINGS });
        const { responder, front, me } = await serve(site);
        const pages = () => Number(fs.readFileSync(
            `/proc/${responder.pid}/statm`, 'utf8').split(' ')[1]);
        try {
            await ask_all(me, 0, SETTLED);
            const before = pages();
            await ask_all(me, SETTLED, REQUESTS);
            const after = pages();
            assert.ok(Math.abs(after - before) < 0.1 * before,
                `${before} pages after ${SETTLED} requests, ` +
                `${after} after ${REQUESTS}`);
        } finally {
            await stop_process(front);
            assert.equal(await stop_process(responder), 0);
            await site.close();
        }
    });
});
