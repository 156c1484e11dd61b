// What the data folder can suffer: a full disk, a read-only one, a database
// that is damaged, emptied, removed. The service says which it is, to clients,
// monitors and operators; keeps what it has acknowledged; and goes on when it
// is mended, without a restart where that can be.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Client, failure, request, success } from './lib/http.js';
import { start } from './lib/server.js';
import { PAGES, Site } from './lib/site.js';
import {
    BIN, environment, free_port, give, make_folder, processes_of,
    remove_folder, run, signal_processes, start_process, stop_process, until,
} from './lib/world.js';

const TASK = { q: `Halden ${'lighthouse '.repeat(500)}`,
    outputType: 'sourcedAnswer' };

const mounted = new Set();

function mount(...args) {
    return spawnSync('mount', args, { encoding: 'utf8' });
}

// A small file system of its own at dir, as the servers' user's.
function mount_small(dir, size) {
    const done = mount('-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'none', dir);
    assert.equal(done.status, 0, done.stderr);
    mounted.add(dir);
    give(dir);
}

function remount(dir, options) {
    const done = mount('-o', `remount,${options}`, dir);
    assert.equal(done.status, 0, done.stderr);
}

function unmount(dir) {
    spawnSync('umount', ['-l', dir]);
    mounted.delete(dir);
}
process.on('exit', () => { for (const dir of mounted) unmount(dir); });

const no_mount = (() => {
    const dir = fs.mkdtempSync('/tmp/cited-e2e-');
    const done = mount('-t', 'tmpfs', '-o', 'size=64k', 'none', dir);
    if (done.status === 0) spawnSync('umount', [dir]);
    fs.rmdirSync(dir);
    return done.status !== 0 && `nothing can be mounted: ${done.stderr ??
        done.error}`.trim();
})();

async function health(server) {
    const body = success(await request(`${server.base}/healthz`));
    assert.equal(body.status, body.degraded.length ? 'degraded' : 'ok');
    return body.degraded;
}

function unavailable(res, code) {
    failure(res, 503, code);
    assert.match(res.headers['retry-after'] ?? '', /^\d+$/);
}

async function doctor(site) {
    const { code, stdout } = await site.cited(['--json', 'doctor', '--offline']);
    return { code, text: stdout };
}

describe('a full disk', { skip: no_mount }, () => {
    let site, server, client;
    const ids = [];

    before(async () => {
        site = await Site.make({ pages: [], settings: {
            'research.workers': 0, 'limits.tasks_open': 1000000,
        } });
        mount_small(site.data, '4m');
        site.key = await site.account('second@example.org');
        server = await start('lighttpd', site);
        client = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop({ crashes: true });
        if (site) unmount(site.data);
        await site?.close();
    });

    // As many as are accepted, and the first answer that is none.
    async function fill() {
        for (;;) {
            const res = await client.post('/v1/research', TASK);
            if (res.status !== 200) return res;
            ids.push(res.json().id);
        }
    }
    async function all_there() {
        let found = [];
        for (let page = 1; ; page++) {
            const { data } = success(await client.get(
                `/v1/research?page=${page}&pageSize=100`));
            if (!data.length) break;
            found = found.concat(data.map((task) => task.id));
        }
        assert.deepEqual(found.sort(), ids.toSorted());
    }

    it('is STORAGE_FULL, and what was accepted is there', async () => {
        unavailable(await fill(), 'STORAGE_FULL');
        assert.ok(ids.length > 10, `${ids.length}`);
        assert.deepEqual(await health(server), ['disk full']);
        await all_there();
    });
    it('is told by the commands', async () => {
        const told = await doctor(site);
        assert.equal(told.code, 1);
        assert.match(told.text, /MiB are free/);
        let made; // a small row may still find room
        for (let i = 0; i < 100 && made?.code !== 1; i++)
            made = await site.cited(
                ['account', 'create', `${'x'.repeat(60)}${i}@example.org`]);
        assert.equal(made.code, 1);
        assert.match(made.stderr, /state\.db: database or disk is full/);
    });
    it('is over as soon as there is room', async () => {
        remount(site.data, 'size=24m');
        ids.push(success(await client.post('/v1/research', TASK)).id);
        assert.deepEqual(await health(server), []);
        await all_there();
    });
    it('is nothing worse for a responder that starts then', async () => {
        const filler = `${site.data}/filler`;
        const fd = fs.openSync(filler, 'w');
        assert.throws(() => {
            for (;;) fs.writeSync(fd, Buffer.alloc(65536, 1));
        }, /ENOSPC/);
        fs.closeSync(fd);
        signal_processes(processes_of(site.bin, 'cited.fcgi'), 'SIGKILL');
        await until(async () => (await request(`${server.base}/healthz`))
            .status === 200, 20000, 'it is started again');
        unavailable(await fill(), 'STORAGE_FULL');
        assert.ok((await health(server)).includes('disk full'));
        fs.rmSync(filler);
        ids.push(success(await client.post('/v1/research', TASK)).id);
        assert.deepEqual(await health(server), []);
        await all_there();
    });
});

describe('a read-only disk', { skip: no_mount }, () => {
    let site, server;

    before(async () => {
        site = await Site.make({ pages: [] });
        mount_small(site.data, '8m');
        site.key = await site.account('second@example.org');
        remount(site.data, 'ro');
    });
    after(async () => {
        await server?.stop({ crashes: true });
        if (site) unmount(site.data);
        await site?.close();
    });

    it('is STORAGE_READ_ONLY, until it is mounted for writing', async () => {
        server = await start('lighttpd', site);
        const client = new Client(server.base, site.key);
        unavailable(await client.get('/v1/research'), 'STORAGE_READ_ONLY');
        unavailable(await client.post('/v1/research', TASK),
            'STORAGE_READ_ONLY');
        assert.deepEqual(await health(server), ['read-only folder']);
        assert.match(server.log(), /state\.db: .*Read-only file system/);
        success(await client.get('/v1/openapi.json'));
        const told = await doctor(site);
        assert.equal(told.code, 1);
        assert.match(told.text, /mounted read-only/);
        assert.doesNotMatch(told.text, /chmod 600/);
        remount(site.data, 'rw');
        success(await client.post('/v1/research', TASK));
        assert.deepEqual(await health(server), []);
    });
    it('is named by cited serve', async () => {
        await server.stop({ crashes: true });
        server = null;
        fs.mkdirSync(`${site.data}/run`, { recursive: true });
        await until(() => mount('-o', 'remount,ro', site.data).status === 0,
            10000, 'nobody writes any more');
        const { code, stderr } = await site.cited(['serve', '--port', '1']);
        assert.equal(code, 1);
        assert.match(stderr, /serve\.lock: Read-only file system/);
        assert.doesNotMatch(stderr, /another/);
    });
});

describe('a database', () => {
    // Run use(client, server, site) on a service of its own; prepare(site)
    // comes before the start.
    async function with_service(use, { prepare = () => {}, kind = 'lighttpd' } = {}) {
        const site = await Site.make({ pages: PAGES.slice(0, 3) });
        let server;
        try {
            await prepare(site);
            server = await start(kind, site);
            await use(new Client(server.base, site.key), server, site);
        } finally {
            await server?.stop({ crashes: true });
            await site.close();
        }
    }
    const garble = (file) => {
        const size = fs.statSync(file).size;
        fs.writeFileSync(file, Buffer.alloc(size, 'garbage \xff\x1b'));
    };

    it('that was removed takes no more tasks', async () => {
        await with_service(async (client, server, site) => {
            success(await client.post('/v1/research', TASK));
            for (const name of fs.readdirSync(site.data))
                if (name.startsWith('state.db'))
                    fs.rmSync(`${site.data}/${name}`);
            unavailable(await client.post('/v1/research', TASK),
                'STORAGE_UNREADABLE');
            assert.deepEqual(await health(server), ['state database']);
            assert.match(server.log(), /state\.db was removed or replaced/);
            assert.ok(!fs.existsSync(`${site.data}/state.db`));
        });
    });
    it('that is empty is no new installation', async () => {
        for (const kind of ['lighttpd', 'cgi'])
            await with_service(async (client, server, site) => {
                unavailable(await client.get('/v1/research'),
                    'STORAGE_UNREADABLE');
                assert.deepEqual(await health(server), ['state database']);
                const { code, stderr } = await site.cited(
                    ['account', 'create', 'second@example.org']);
                assert.equal(code, 1);
                assert.match(stderr, /state\.db is empty \(0 bytes\).*cited restore/);
                const told = await doctor(site);
                assert.equal(told.code, 1);
                assert.match(told.text, /state\.db is empty \(0 bytes\)/);
                assert.equal(fs.statSync(`${site.data}/state.db`).size, 0);
            }, { kind, prepare(site) {
                for (const name of fs.readdirSync(site.data))
                    if (/^state\.db-/.test(name))
                        fs.rmSync(`${site.data}/${name}`);
                fs.truncateSync(`${site.data}/state.db`);
            } });
    });
    it('that is damaged at the start is named, and may be brought back', async () => {
        await with_service(async (client, server, site) => {
            unavailable(await client.get('/v1/research'), 'STORAGE_UNREADABLE');
            assert.deepEqual(await health(server), ['state database']);
            assert.match(server.log(), /state\.db: file is not a database/);
            fs.renameSync(`${site.data}/state.good`, `${site.data}/state.db`);
            success(await client.get('/v1/research'));
        }, { prepare(site) {
            fs.copyFileSync(`${site.data}/state.db`, `${site.data}/state.good`);
            give(`${site.data}/state.good`);
            garble(`${site.data}/state.db`);
        } });
    });
    it('that is damaged under the service is named', async () => {
        await with_service(async (client, server, site) => {
            const search = { q: PAGES[0].title, depth: 'fast' };
            success(await client.search(search));
            for (const name of fs.readdirSync(site.data))
                if (/^index\.db/.test(name) && !/shm$/.test(name))
                    fs.truncateSync(`${site.data}/${name}`, 8192);
            unavailable(await client.search({ ...search, q: PAGES[1].title }),
                'STORAGE_UNREADABLE');
            assert.deepEqual(await health(server), ['page index']);
            const told = await doctor(site);
            assert.equal(told.code, 1);
            assert.match(told.text, /index\.db/);
        });
    });
});

describe('cited serve', () => {
    it('ends when its data folder is removed, and says so', async () => {
        const dir = make_folder();
        const port = await free_port();
        const env = environment(dir);
        for (const name of ['cited', 'cited.fcgi', 'cited-worker'])
            fs.copyFileSync(`${BIN}/${name}`, `${dir}/${name}`);
        const child = start_process([`${dir}/cited`, '--data', `${dir}/data`,
            'serve', '--port', `${port}`], { cwd: dir, env });
        try {
            await until(() => {
                assert.ok(!child.ended, child.output);
                return child.output.includes('Ctrl-C stops it.');
            }, 60000, 'it serves');
            fs.renameSync(`${dir}/data`, `${dir}/gone`);
            await until(() => child.ended, 20000, 'it ends');
            assert.match(child.output, /data folder .*data was removed/);
            const { code, stderr } = await run([`${dir}/cited`, '--data',
                `${dir}/gone`, 'account', 'list'], { cwd: dir, env });
            assert.equal(code, 0, stderr);
        } finally {
            await stop_process(child);
            remove_folder(dir);
        }
    });
});
