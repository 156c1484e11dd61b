// What an operator does over the API, through a real server: the index, crawls
// by a helper of their own that is also killed, stored pages.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Client, failure, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { processes_of, signal_processes, until } from './lib/world.js';

const PAGES = 40;

// A site of PAGES pages; the pages of /slow/ come one every 200 ms.
async function website() {
    const server = http.createServer((rq, rs) => {
        const [, dir, n] = /^\/(fast|slow)\/(\d*)$/.exec(rq.url) ?? [];
        if (!dir) {
            rs.statusCode = 404;
            rs.end();
            return;
        }
        const at = Number(n || 0);
        const links = n ? '' : Array.from({ length: PAGES - 1 }, (_, i) =>
            `<a href="/${dir}/${i + 1}">page ${i + 1}</a>`).join(' ');
        setTimeout(() => {
            rs.setHeader('Content-Type', 'text/html; charset=utf-8');
            rs.end(`<!doctype html><title>The ${dir} page ${at}</title>
                <main><h1>The ${dir} page ${at}</h1><p>The ${dir} keeper of
                lamp number ${at} trims the wick every evening and writes the
                hour of it into a green book.</p>${links}</main>`);
        }, dir === 'slow' ? 200 : 0);
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    return {
        url: `http://127.0.0.1:${server.address().port}`,
        close() { server.closeAllConnections(); server.close(); },
    };
}

describe('an operator', () => {
    let site, server, web, me, other;

    before(async () => {
        web = await website();
        site = await Site.make({ settings: {
            'net.allow_hosts': '127.0.0.1', 'crawl.delay_ms': 0,
            'crawl.per_host': 1,
        } });
        await site.cited_ok(['account', 'role', 'first@example.org',
            'operator']);
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
        other = new Client(server.base, await site.account('b@example.org'));
    });
    after(async () => {
        web?.close();
        await server?.stop({ crashes: true });
        await site?.close();
    });

    const index = async () => success(await me.get('/v1/index'));
    const crawl_of = async (id) =>
        (await index()).crawls.find((one) => one.id === id);

    it('alone sees and changes the index', async () => {
        failure(await other.get('/v1/index'), 403, 'FORBIDDEN');
        failure(await other.post('/v1/index/crawls', { url: web.url }), 403,
            'FORBIDDEN');
        failure(await other.call('DELETE', '/v1/index/hosts/lights.example'),
            403, 'FORBIDDEN');
        const now = await index();
        assert.ok(now.pages > 20 && now.passages >= now.pages);
        assert.ok(now.bytes > 4096);
        assert.ok(now.hosts.some((one) => one.host === 'ships.example' &&
            one.pages === 20));
        assert.deepEqual(now.crawls, []);
    });

    it('has a site crawled, watches it, and finds its pages', async () => {
        const job = success(await me.post('/v1/index/crawls',
            { url: `${web.url}/fast/`, pages: 100 }));
        assert.equal(job.state, 'running');
        assert.equal(job.endedAt, null);
        const done = await until(async () => {
            const one = await crawl_of(job.id);
            return one.state !== 'running' && one;
        }, 60000, 'the crawl ends');
        assert.equal(done.state, 'done', done.error);
        assert.equal(done.stored, PAGES);
        assert.equal(done.queued, 0);
        assert.ok(Date.parse(done.endedAt) >= Date.parse(done.startedAt));
        const found = success(await other.search(
            { q: 'fast keeper of lamp number 17' }));
        assert.match(found.results[0].url, /\/fast\//);
        const page = success(await other.get(
            `/v1/pages?url=${encodeURIComponent(`${web.url}/fast/17`)}`));
        assert.equal(page.title, 'The fast page 17');
        assert.match(page.text, /lamp number 17\s+trims the wick/);
    });

    it('is told why a crawl failed', async () => {
        const job = success(await me.post('/v1/index/crawls',
            { url: `${web.url}/none` }));
        const end = await until(async () => {
            const one = await crawl_of(job.id);
            return one.state !== 'running' && one;
        }, 60000, 'the crawl ends');
        assert.equal(end.state, 'failed');
        assert.match(end.error, /404/);
    });

    it('has a crawl whose helper is killed go on, until it stops it', async () => {
        const url = `${web.url}/slow/`;
        const job = success(await me.post('/v1/index/crawls', { url }));
        const reaches = (n) => until(async () => {
            const now = await crawl_of(job.id);
            assert.equal(now.state, 'running');
            return now.stored > n;
        }, 60000, `${n} pages are stored`);
        const end = (signal) => {
            const ids = processes_of(site.bin, 'cited-worker');
            assert.equal(ids.length, 1);
            signal_processes(ids, signal);
        };
        await reaches(2);
        assert.equal(success(await me.post('/v1/index/crawls', { url })).id,
            job.id);
        // Its silence is noticed after a while.
        end('SIGKILL');
        const { stored } = await crawl_of(job.id);
        await reaches(stored + 5);
        // Told to stop, it gives it back at once.
        end('SIGTERM');
        const at = Date.now();
        await reaches((await crawl_of(job.id)).stored + 3);
        assert.ok(Date.now() - at < 15000, `${Date.now() - at} ms`);
        const told = success(
            await me.call('DELETE', `/v1/index/crawls/${job.id}`));
        assert.equal(told.state, 'interrupted');
        const last = success(await me.post('/v1/index/crawls', { url }));
        assert.notEqual(last.id, job.id);
        const done = await until(async () => {
            const one = await crawl_of(last.id);
            return one.state !== 'running' && one;
        }, 60000, 'the crawl ends');
        assert.equal(done.state, 'done', done.error);
        const { hosts } = await index();
        assert.equal(hosts.find((one) => one.host === '127.0.0.1').pages,
            2 * PAGES);
    });

    it('sees how the service is', async () => {
        failure(await other.get('/v1/status'), 403, 'FORBIDDEN');
        const status = success(await me.get('/v1/status'));
        assert.deepEqual(Object.keys(status),
            ['providers', 'model', 'queue', 'errors', 'requests']);
        assert.equal(status.model, null);
        assert.deepEqual(status.queue,
            { pending: 0, processing: 0, helpers: 0 });
        assert.equal(status.requests.perMinute.length, 60);
        const sum = status.requests.perMinute.reduce((a, b) => a + b);
        assert.ok(sum >= 20, `${sum} requests`);
        assert.ok(status.requests.p95Ms >= status.requests.p50Ms);
    });

    // { name{labels}: value } of a page of figures.
    const figures = (text) => Object.fromEntries(text.trim().split('\n')
        .filter((line) => !line.startsWith('#')).map((line) => {
            assert.match(line, /^[a-z_]+(\{[^}]*("[^}]*\})?[^}]*\})? [\d.]+$/);
            const at = line.lastIndexOf(' ');
            return [line.slice(0, at), Number(line.slice(at + 1))];
        }));

    it('reads the figures, which outlive a process', async () => {
        failure(await other.get('/metrics'), 403, 'FORBIDDEN');
        const res = await me.get('/metrics');
        assert.equal(res.status, 200);
        assert.match(res.headers['content-type'], /^text\/plain; version=0.0.4/);
        const now = figures(res.text);
        assert.equal(now.cited_metrics_shared, 1);
        const name = 'cited_requests_total{route="/v1/index/crawls",' +
            'method="POST",status="200"}';
        assert.ok(now[name] >= 5, `${now[name]}`);
        // Counted by the helpers of the crawls.
        assert.equal(now['cited_crawl_pages_total{outcome="stored"}'] >=
            2 * PAGES - 5, true);
        assert.equal(now.cited_crawls_running, 0);
        assert.equal(
            now['cited_request_seconds_count{route="/v1/index"}'],
            now['cited_request_seconds_bucket{route="/v1/index",le="+Inf"}']);
        signal_processes(processes_of(site.bin, 'cited.fcgi'), 'SIGKILL');
        const later = await until(async () => {
            const again = await me.get('/metrics');
            return again.status === 200 && figures(again.text);
        }, 30000, 'the responder is back');
        assert.ok(later[name] >= now[name]);
    });

    it('removes a host', async () => {
        const gone = success(
            await me.call('DELETE', '/v1/index/hosts/127.0.0.1'));
        assert.equal(gone.removed, 2 * PAGES);
        failure(await me.call('DELETE', '/v1/index/hosts/127.0.0.1'), 404,
            'NOT_FOUND');
        failure(await other.get(
            `/v1/pages?url=${encodeURIComponent(`${web.url}/fast/17`)}`),
        404, 'NOT_FOUND');
    });
});
