// `cited doctor`: each fault that happens in practice is planted, and must be
// found, explained and given a remedy; a sound installation has no error.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { Fake, json } from './lib/fake.js';
import { request } from './lib/http.js';
import { start } from './lib/server.js';
import { PAGES, Site } from './lib/site.js';
import { BIN, environment, give, run } from './lib/world.js';

// { code, ok, errors, warnings, findings } of a run.
async function doctor(site, args = ['--offline'], { shell, env } = {}) {
    const argv = [`${site.bin}/cited`, '--data', site.data, '--json',
        'doctor', ...args];
    const { code, stdout, stderr } = await run(
        shell ? ['sh', '-c', `${shell}; exec "$@"`, 'sh', ...argv] : argv,
        { cwd: site.dir, env: { ...site.env, ...env } });
    assert.ok(code === 0 || code === 1, `${code}: ${stderr}`);
    const told = JSON.parse(stdout);
    assert.equal(told.ok, code === 0);
    assert.equal(told.errors === 0, told.ok);
    return { code, ...told };
}

// The finding of that check whose words match; it says why and what to do.
function found(told, check, level, words) {
    const one = told.findings.find((finding) => finding.check === check &&
        finding.level === level && words.test(finding.what));
    assert.ok(one, `${check} ${level} ${words}: ` +
        JSON.stringify(told.findings.filter((f) => f.level !== 'ok'), null, 1));
    assert.ok(one.why.length > 20, one.why);
    assert.ok(one.mend.length > 10, one.mend);
    assert.equal(told.code, told.errors > 0 ? 1 : 0);
    return one;
}

const bad = (told) => told.findings.filter((one) => one.level !== 'ok');

describe('cited doctor', () => {
    let site;

    beforeEach(async () => {
        site = await Site.make({ pages: PAGES.slice(0, 3) });
        fs.chmodSync(site.data, 0o700);
    });
    afterEach(() => site.close());

    const state = () => `${site.data}/state.db`;
    // Offsets are in SQLite's file format, 1.3.
    function patch(file, offset, bytes) {
        const fd = fs.openSync(file, 'r+');
        fs.writeSync(fd, Buffer.from(bytes), 0, bytes.length, offset);
        fs.closeSync(fd);
    }

    it('finds nothing wrong with a sound installation', async () => {
        const told = await doctor(site);
        assert.deepEqual(bad(told).filter((one) =>
            // The tests may run in a container or on a file system in memory.
            one.check !== 'file-system' && one.check !== 'disk'), []);
        assert.equal(told.code, 0);
        for (const check of ['configuration', 'data-folder', 'files',
            'database', 'account', 'sources', 'tasks', 'helper', 'open-files'])
            assert.ok(told.findings.some((one) => one.check === check), check);
    });

    it('says it in words, with why and what to do', async () => {
        fs.chmodSync(`${site.bin}/cited-worker`, 0o644);
        const { code, stdout } = await site.cited(['doctor', '--offline']);
        assert.equal(code, 1);
        assert.match(stdout,
            /^ERROR {4}helper .*\n {9}why: \S.*\n {9}do: {2}\S/m);
        assert.match(stdout, /^1 error, \d+ warnings?$/m);
    });

    it('unknown keys of the configuration', async () => {
        fs.appendFileSync(site.conf, '[search]\nindeks = true\n');
        found(await doctor(site), 'configuration', 'error',
            /cited\.conf:\d+: unknown key "indeks".*"index"/);
    });

    it('keys in a configuration everybody can read', async () => {
        fs.appendFileSync(site.conf,
            '[model]\nurl = http://127.0.0.1:9\nkey = secret\n');
        fs.chmodSync(site.conf, 0o644);
        found(await doctor(site), 'configuration', 'warning', /0644/);
    });

    it('a data folder that is not there', async () => {
        site.data = `${site.dir}/elsewhere`;
        found(await doctor(site), 'data-folder', 'error', /No such file/);
        assert.ok(!fs.existsSync(site.data), 'and does not make it');
    });

    it('a data folder that cannot be written', async () => {
        fs.chmodSync(site.data, 0o500);
        try {
            found(await doctor(site), 'data-folder', 'error',
                /mode 0500, cannot be written/);
        } finally {
            fs.chmodSync(site.data, 0o700);
        }
    });

    it('a data folder everybody may enter', async () => {
        fs.chmodSync(site.data, 0o755);
        found(await doctor(site), 'data-folder', 'warning', /everybody/);
    });

    it('a database that cannot be written', async () => {
        fs.chmodSync(state(), 0o400);
        found(await doctor(site), 'file-mode', 'error', /state\.db.*0400/);
    });

    it('a database everybody can read', async () => {
        fs.chmodSync(state(), 0o644);
        found(await doctor(site), 'file-mode', 'warning', /state\.db.*0644/);
    });

    it('a database of another user', {
        skip: process.getuid() !== 0 && 'only root can give files away',
    }, async () => {
        fs.chownSync(state(), 0, 0);
        found(await doctor(site), 'file-owner', 'error',
            /belongs to user 0, the data folder to user 33/);
    });

    it('a damaged database', async () => {
        const file = `${site.data}/index.db`;
        const size = fs.statSync(file).size;
        patch(file, 4096 * 3, Buffer.alloc(Math.min(size - 4096 * 3, 40960),
            0x5a));
        found(await doctor(site), 'database', 'error', /index\.db is damaged/);
    });

    it('a file that is no database of ours', async () => {
        for (const end of ['', '-wal', '-shm'])
            fs.rmSync(`${state()}${end}`, { force: true });
        fs.writeFileSync(state(), 'something else entirely\n'.repeat(100),
            { mode: 0o600 });
        give(state());
        found(await doctor(site), 'database', 'error',
            /state\.db is not a database of cited/);
    });

    it('the two databases in each other\'s place', async () => {
        fs.renameSync(state(), `${site.data}/x`);
        fs.renameSync(`${site.data}/index.db`, state());
        fs.renameSync(`${site.data}/x`, `${site.data}/index.db`);
        const told = await doctor(site);
        found(told, 'database', 'error', /state\.db is not/);
        found(told, 'database', 'error', /index\.db is not/);
    });

    it('a database of a later version', async () => {
        patch(state(), 60, [0, 0, 0, 99]); // user_version
        found(await doctor(site), 'database', 'error',
            /version 99, this program knows up to \d/);
    });

    it('a write-ahead log that has grown', async () => {
        const wal = `${site.data}/index.db-wal`;
        fs.closeSync(fs.openSync(wal, 'a', 0o600));
        fs.truncateSync(wal, 200 * 1024 * 1024);
        give(wal);
        found(await doctor(site), 'write-ahead-log', 'warning',
            /index\.db-wal has 200 MiB/);
    });

    it('no account, and no key', async () => {
        await site.cited_ok(['account', 'disable', 'first@example.org']);
        found(await doctor(site), 'account', 'error', /no account in use/);
        await site.cited_ok(['account', 'enable', 'first@example.org']);
        const keys = JSON.parse(await site.cited_ok(
            ['key', 'list', 'first@example.org', '--json']));
        await site.cited_ok(['key', 'revoke', keys[0].id]);
        found(await doctor(site), 'account', 'error', /no key is valid/);
    });

    it('an empty index without a provider', async () => {
        for (const page of PAGES.slice(0, 3))
            await site.cited_ok(['index', 'remove', page.url]);
        found(await doctor(site), 'sources', 'error', /index is empty/);
        site.settings({ 'search.index': 'false' });
        found(await doctor(site), 'sources', 'error', /no provider/);
    });

    it('a helper that is missing, not executable, or cannot run', async () => {
        const worker = `${site.bin}/cited-worker`;
        fs.renameSync(worker, `${worker}.away`);
        found(await doctor(site), 'helper', 'error', /neither beside/);
        fs.writeFileSync(worker, 'not a program\n', { mode: 0o644 });
        give(worker);
        found(await doctor(site), 'helper', 'error', /Permission denied/);
        fs.chmodSync(worker, 0o755);
        found(await doctor(site), 'helper', 'error', /does not start/);
        fs.writeFileSync(worker, '#!/bin/sh\necho cited-worker 0.0.1\n');
        found(await doctor(site), 'helper', 'error', /not the helper of this/);
        site.settings({ 'research.worker': '/nowhere/worker' });
        found(await doctor(site), 'helper', 'error', /\/nowhere\/worker/);
    });

    it('tasks nobody takes up, and tasks left by their helper', async () => {
        // A task made by the service that no helper works on.
        site.settings({ 'research.workers': 0 });
        const server = await start('lighttpd', site);
        try {
            const made = await request(`${server.base}/v1/research`, {
                method: 'POST',
                headers: { Authorization: `Bearer ${site.key}`,
                    'Content-Type': 'application/json' },
                body: JSON.stringify({ q: 'Halden lighthouse',
                    outputType: 'sourcedAnswer' }),
            });
            assert.equal(made.status, 200);
        } finally {
            await server.stop();
        }
        const now = await doctor(site);
        assert.ok(now.findings.some((one) => one.check === 'tasks' &&
            one.level === 'ok' && /^1 wait/.test(one.what)));
        age_tasks(site);
        found(await doctor(site), 'tasks', 'error', /1 tasks wait.*no helper/);
        lease_tasks(site);
        found(await doctor(site), 'tasks', 'error', /left by their helper/);
    });

    it('pdftotext that is not installed', async () => {
        site.settings({ 'read.pdftotext': '/nowhere/pdftotext' });
        found(await doctor(site), 'pdftotext', 'warning', /nowhere/);
    });

    it('too few open files', async () => {
        found(await doctor(site, ['--offline'], { shell: 'ulimit -n 100' }),
            'open-files', 'error', /100 files may be open/);
    });

    it('a full disk, and one in memory', async (t) => {
        // A file system of our own, where the kernel lets us have one.
        const mine = (script) => spawnSync('unshare', ['-rm', 'sh', '-ec',
            script], { encoding: 'utf8', env: environment('/') });
        if (mine('mount -t tmpfs none /mnt').status !== 0) {
            t.diagnostic('no mount namespaces here');
            return t.skip('this kernel gives us no mount namespace');
        }
        const { stdout, stderr } = mine(`
            mount -t tmpfs -o size=8m,mode=700 none ${site.dir}
            mkdir ${site.dir}/data
            ${BIN}/cited --json \
                --data ${site.dir}/data doctor --offline || true`);
        assert.ok(stdout, stderr);
        const told = JSON.parse(stdout);
        told.code = told.ok ? 0 : 1;
        found(told, 'disk', 'error', /MiB are free/);
        found(told, 'file-system', 'warning', /in memory/);
    });

    it('a disk that cannot be written', async (t) => {
        const mine = spawnSync('unshare', ['-rm', 'sh', '-ec', `
            mount -t tmpfs none /mnt
            mkdir -m 700 /mnt/data
            mount -o remount,ro /mnt
            ${BIN}/cited --json \
                --data /mnt/data doctor --offline || true`],
        { encoding: 'utf8', env: environment('/') });
        if (!mine.stdout)
            return t.skip(`no mount namespace: ${mine.stderr}`);
        const told = JSON.parse(mine.stdout);
        told.code = told.ok ? 0 : 1;
        assert.ok(bad(told).some((one) => one.level === 'error' &&
            (/cannot be written/.test(one.what) ||
                /read-only/.test(one.what))), mine.stdout);
    });

    it('Wikipedia without a contact', async () => {
        site.settings({ 'provider.wikipedia.use': 'wikipedia' });
        const one = found(await doctor(site, []), 'provider', 'error',
            /wikipedia is not ready/);
        assert.match(one.mend, /crawl\.contact/);
    });
});

// Tasks as if they had been made an hour ago, or been taken up then and left.
function sql(site, text) {
    const db = new DatabaseSync(`${site.data}/state.db`);
    db.exec(text);
    db.close();
    give(site.data);
}
const age_tasks = (site) => sql(site,
    'UPDATE task SET updated = updated - 3600000');
const lease_tasks = (site) => sql(site, 'UPDATE task SET state = 1, token = ' +
    "'00000000-0000-4000-8000-000000000000', lease_until = updated");

describe('cited doctor, asking others', () => {
    let site, fake, how;

    before(async () => {
        fake = await Fake.start({
            '/search': (rq, rs) => how.provider(rq, rs),
            '/v1/chat/completions': (rq, rs) => how.model(rq, rs),
            '*': (rq, rs) => how.root(rq, rs),
        });
        site = await Site.make({ pages: PAGES.slice(0, 3) });
        fs.chmodSync(site.data, 0o700);
    });
    beforeEach(() => {
        how = {
            provider: (rq, rs) => json(rs, { results: [] }),
            model: (rq, rs) => json(rs, { choices: [
                { message: { role: 'assistant', content: 'yes' } }] }),
            root: (rq, rs) => json(rs, {}),
        };
        fake.mode = null;
        site.settings({
            'net.allow_hosts': '127.0.0.1',
            'provider.mine.url': `${fake.origin}/search?q={q}`,
            'provider.mine.timeout_ms': '500',
            'model.url': `${fake.origin}/v1`, 'model.name': 'tiny',
        });
    });
    after(async () => {
        await fake.stop();
        await site.close();
    });

    it('is content with what works', async () => {
        const told = await doctor(site, []);
        for (const check of ['provider', 'model', 'clock'])
            assert.ok(told.findings.some((one) => one.check === check &&
                one.level === 'ok'), JSON.stringify(bad(told), null, 1));
    });

    it('a wrong key of a provider', async () => {
        how.provider = (rq, rs) => json(rs, { error: 'bad key' }, 401);
        const one = found(await doctor(site, []), 'provider', 'error',
            /mine: denied/);
        assert.match(one.mend, /key/);
    });

    it('a provider that is down, silent, limited or something else',
        async () => {
            for (const [mode, words] of [['refuse', /unavailable/],
                ['hang', /timed out|time/], ['429', /rate limited|limit/],
                ['html', /malformed/]]) {
                fake.mode = mode;
                found(await doctor(site, []), 'provider', 'error', words);
            }
        });

    it('a provider on a private address that is not allowed', async () => {
        site.settings({ 'provider.mine.url': `${fake.origin}/search?q={q}` });
        const one = found(await doctor(site, []), 'provider', 'error', /mine/);
        assert.match(one.mend, /net\.allow_hosts/);
    });

    it('a model with a wrong key, a wrong name, or not running', async () => {
        how.model = (rq, rs) => json(rs, { error: {
            message: 'Incorrect API key provided' } }, 401);
        assert.match(found(await doctor(site, []), 'model', 'error',
            /API key/).mend, /model\.key/);
        how.model = (rq, rs) => json(rs, { error: {
            message: 'The model `tiny` does not exist' } }, 404);
        assert.match(found(await doctor(site, []), 'model', 'error',
            /does not exist/).mend, /model\.name/);
        site.settings({ 'model.name': 'tiny',
            'model.url': 'http://127.0.0.1:1/v1' }); // nobody's port
        assert.match(found(await doctor(site, []), 'model', 'error',
            /tiny at/).mend, /model\.url/);
    });

    it('a clock that is off', async () => {
        for (const [ms, words] of [[3600e3, /3\d\d\d s behind/],
            [-3600e3, /3\d\d\d s ahead of/]]) {
            how.root = (rq, rs) => {
                rs.setHeader('Date', new Date(Date.now() + ms).toUTCString());
                rs.end('{}');
            };
            found(await doctor(site, []), 'clock', 'error', words);
        }
    });
});

describe('cited doctor, before the service', () => {
    let site, server;

    before(async () => {
        site = await Site.make({ pages: PAGES.slice(0, 3) });
        fs.chmodSync(site.data, 0o700);
        server = await start('lighttpd', site);
    });
    after(async () => {
        await server.stop();
        await site.close();
    });

    // Between the doctor and the service: a front end with a fault.
    async function behind(fault, url, key = []) {
        const proxy = http.createServer((rq, rs) => {
            const parts = [];
            rq.on('data', (part) => parts.push(part));
            rq.on('error', () => {});
            rq.on('end', () => fault(rq, rs, Buffer.concat(parts), pass));
        });
        function pass(rq, rs, body, change = {}) {
            const headers = { ...rq.headers, connection: 'close', ...change };
            for (const name of Object.keys(change))
                if (change[name] === undefined) delete headers[name];
            const to = http.request(`${server.origin}${rq.url}`,
                { method: rq.method, headers }, (from) => {
                    rs.writeHead(from.statusCode, from.headers);
                    from.pipe(rs);
                });
            to.on('error', () => rs.destroy());
            to.end(body);
        }
        await new Promise((done) => proxy.listen(0, '127.0.0.1', done));
        try {
            return await doctor(site, ['--url',
                `http://127.0.0.1:${proxy.address().port}${url ?? ''}`, ...key]);
        } finally {
            proxy.closeAllConnections();
            proxy.close();
        }
    }

    it('is content with the shipped configurations', async () => {
        const told = await doctor(site, ['--url', `${server.base}/v1/`]);
        for (const check of ['service', 'leak', 'authorization', 'body-size',
            'search'])
            assert.ok(told.findings.some((one) => one.check === check &&
                one.level === 'ok'), `${check} ${JSON.stringify(bad(told))}`);
        // The key it made is revoked again.
        const keys = JSON.parse(await site.cited_ok(
            ['key', 'list', 'first@example.org', '--json']));
        const made = keys.filter((key) => key.label === 'cited doctor');
        assert.ok(made.length > 0);
        for (const key of made) assert.ok(key.revokedAt, JSON.stringify(key));
    });

    it('asks with the key it is given', async () => {
        const file = `${site.dir}/key`;
        fs.writeFileSync(file, `${site.key}\n`);
        give(file);
        const told = await doctor(site,
            ['--url', server.base, '--key-file', file]);
        assert.equal(told.code, 0, JSON.stringify(bad(told)));
        fs.writeFileSync(file, 'ck_wrong\n');
        found(await doctor(site, ['--url', server.base, '--key-file', file]),
            'authorization', 'error', /refused with 401/);
    });

    it('nobody who listens', async () => {
        found(await doctor(site, ['--url', 'http://127.0.0.1:1']),
            'service', 'error', /http:\/\/127/);
    });

    it('a web server without the responder', async () => {
        found(await behind((rq, rs) => {
            rs.writeHead(503);
            rs.end('<h1>503</h1>');
        }), 'service', 'error', /answers 503/);
    });

    it('another path', async () => {
        found(await behind((rq, rs) => {
            rs.writeHead(404, { 'Content-Type': 'text/html' });
            rs.end('<h1>not here</h1>');
        }), 'service', 'error', /healthz: status 404, not from the service/);
    });

    it('an Authorization header that is not passed', async () => {
        const one = found(await behind((rq, rs, body, pass) =>
            pass(rq, rs, body, { authorization: undefined })),
        'authorization', 'error', /valid key is refused/);
        assert.match(one.mend, /CGIPassAuth/);
    });

    it('a limit of the body below ours', async () => {
        const one = found(await behind((rq, rs, body, pass) => {
            if (body.length < 128 * 1024) return pass(rq, rs, body);
            rs.writeHead(413, { 'Content-Type': 'text/html' });
            return rs.end('<h1>too large</h1>');
        }), 'body-size', 'error', /status 413/);
        assert.match(one.mend, /client_max_body_size/);
    });

    it('a time-out below ours', async () => {
        const one = found(await behind((rq, rs, body, pass) => {
            if (!body.includes('"deep"')) return pass(rq, rs, body);
            return setTimeout(() => {
                rs.writeHead(504, { 'Content-Type': 'text/html' });
                rs.end('<h1>gateway time-out</h1>');
            }, 1000);
        }), 'time-out', 'error', /deep search: status 504/);
        assert.match(one.mend, /fastcgi_read_timeout/);
    });

    it('a data folder that is served', async () => {
        found(await behind((rq, rs, body, pass) => {
            if (rq.url !== '/data/state.db') return pass(rq, rs, body);
            rs.writeHead(200);
            return rs.end(fs.readFileSync(`${site.data}/state.db`));
        }), 'leak', 'error', /state\.db can be downloaded/);
    });

    it('a time-out of the real server', async () => {
        // A provider that never answers makes a search longer than it.
        const slow = await Fake.start({
            '*': (rq, rs) => rq.url === '/' && rs.end('{}') });
        const other = await Site.make({ pages: [], settings: {
            'net.allow_hosts': '127.0.0.1',
            'provider.slow.url': `${slow.origin}/ask?q={q}`,
            'provider.slow.timeout_ms': '4000',
            'search.deadline_deep_ms': '5000',
        } });
        const hasty = await start('nginx', other, { timeout: 1 });
        try {
            const told = await doctor(other, ['--url', hasty.base]);
            found(told, 'time-out', 'error', /deep search/);
        } finally {
            await hasty.stop({ crashes: true });
            await slow.stop();
            await other.close();
        }
    });
});
