// What ships in deploy/ beside the servers' own files: filled it is valid and
// does what it says.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Client, request, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { DEPLOY, run, until } from './lib/world.js';

const FILL = `${DEPLOY}/lib/fill.sh`;

function templates() {
    return fs.readdirSync(DEPLOY, { recursive: true })
        .filter((name) => !name.startsWith('lib/'))
        .map((name) => `${DEPLOY}/${name}`)
        .filter((name) => fs.statSync(name).isFile())
        .filter((name) => /@[A-Z]+@/.test(fs.readFileSync(name, 'utf8')));
}

function fill(template, places) {
    return spawnSync(FILL, [template,
        ...Object.entries(places).map(([name, value]) => `${name}=${value}`)],
    { encoding: 'utf8' });
}

describe('templates', () => {
    it('explain each of their places', () => {
        assert.ok(templates().length >= 8);
        for (const name of templates()) {
            const lines = fs.readFileSync(name, 'utf8').split('\n');
            const comment = lines.filter((line) => /^\s*#/.test(line));
            const code = lines.filter((line) => !/^\s*#/.test(line));
            for (const [place] of code.join('\n').matchAll(/@[A-Z_]+@/g))
                assert.ok(comment.some((line) => line.includes(place)),
                    `${name} explains ${place}`);
        }
    });
    it('are never printed half filled', () => {
        for (const name of templates()) {
            const { status, stdout, stderr } = fill(name, {});
            assert.equal(status, 65, name);
            assert.equal(stdout, '');
            assert.match(stderr, /@[A-Z_]+@/);
        }
    });
    it('take any value that a server can quote', () => {
        const { status, stdout } = fill(`${DEPLOY}/cgi/cited.cgi`,
            { BINDIR: '/a b|c&d/$e', DATA: '/x@y@z' });
        assert.equal(status, 0);
        assert.match(stdout, /exec "\/a b\|c&d\/\$e\/cited\.fcgi"/);
        for (const value of ['a"b', 'a\\b', 'a\nb'])
            assert.equal(fill(`${DEPLOY}/cgi/cited.cgi`,
                { BINDIR: value, DATA: '/x' }).status, 64);
    });
    it('have an error body for every status in the envelope', () => {
        for (const name of fs.readdirSync(`${DEPLOY}/errors`)) {
            const body = JSON.parse(
                fs.readFileSync(`${DEPLOY}/errors/${name}`, 'utf8'));
            assert.equal(`${body.statusCode}.json`, name);
            assert.match(body.error.code, /^[A-Z_]+$/);
            assert.deepEqual(body.error.details, []);
            assert.equal(fs.readFileSync(`${DEPLOY}/lighttpd/errors/` +
                name.replace('json', 'html'), 'utf8'),
            fs.readFileSync(`${DEPLOY}/errors/${name}`, 'utf8'));
        }
    });
});

describe('shell scripts', () => {
    it('are correct POSIX sh', () => {
        for (const name of ['lib/fill.sh', 'lib/packages.sh', 'lib/run.sh',
            'cgi/cited.cgi', 'spawn-fcgi/cited'])
            execFileSync('sh', ['-n', `${DEPLOY}/${name}`]);
    });
});

describe('sweep', () => {
    let site, server, me;

    before(async () => {
        site = await Site.make({ settings: { 'research.workers': 0 } });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
    });

    async function waiting_task() {
        const task = success(await me.post('/v1/research', {
            q: 'Halden lighthouse', outputType: 'sourcedAnswer',
            reasoningDepth: 'S',
        }));
        assert.equal(success(
            await me.get(`/v1/research/${task.id}`)).status, 'pending');
        return task.id;
    }
    const completed = (id) => until(async () =>
        success(await me.get(`/v1/research/${id}`)).status === 'completed',
    60000, 'the task is completed');

    it('the cron line takes up what nobody works at', async () => {
        const id = await waiting_task();
        const { stdout } = fill(`${DEPLOY}/cron/cited`,
            { BINDIR: site.bin, DATA: site.data });
        const line = stdout.split('\n').find((one) => /^[*0-9]/.test(one));
        const command = /^(?:\S+\s+){5}(.*)$/.exec(line)[1];
        const { code } = await run(['/bin/sh', '-c', command],
            { cwd: site.dir, env: site.env, timeout: 120000 });
        assert.equal(code, 0);
        await completed(id);
    });
    it('the sweep unit\'s command does as well', async () => {
        const id = await waiting_task();
        const { stdout } = fill(`${DEPLOY}/systemd/cited-sweep.service`,
            { USER: 'cited', BINDIR: site.bin, DATA: site.data });
        const command = /^ExecStart=(.*)$/m.exec(stdout)[1];
        const setting = /^Environment="(.*)"$/m.exec(stdout)[1];
        const { code, stderr } = await run(['/bin/sh', '-c', command], {
            cwd: site.dir, timeout: 120000,
            env: { ...site.env, [setting.split('=')[0]]:
                setting.slice(setting.indexOf('=') + 1) },
        });
        assert.equal(code, 0, stderr);
        await completed(id);
    });
    it('the units are what systemd understands', (t) => {
        if (spawnSync('systemd-analyze', ['--version']).error) {
            t.skip('systemd-analyze is not installed');
            return;
        }
        const dir = `${site.dir}/units`;
        fs.mkdirSync(dir);
        const names = fs.readdirSync(`${DEPLOY}/systemd`);
        for (const name of names)
            fs.writeFileSync(`${dir}/${name}`,
                fill(`${DEPLOY}/systemd/${name}`, {
                    USER: 'www-data', GROUP: 'www-data', BINDIR: site.bin,
                    DATA: site.data,
                }).stdout);
        const { status, stderr } = spawnSync('systemd-analyze',
            ['verify', '--man=no', ...names.map((name) => `${dir}/${name}`)],
            { encoding: 'utf8' });
        assert.equal(status, 0, stderr);
        assert.equal(stderr.split('\n').filter((line) =>
            line.includes(dir)).join('\n'), '');
    });
});

for (const kind of ['lighttpd', 'apache', 'nginx'])
    describe(`static files behind ${kind}`, () => {
        let site, server;

        before(async () => {
            site = await Site.make({ pages: [] });
            server = await start(kind, site);
        });
        after(async () => {
            await server?.stop();
            await site?.close();
        });

        it('serves the console at the root', async () => {
            const res = await request(`${server.base}/`);
            assert.equal(res.status, 200);
            assert.match(res.headers['content-type'], /^text\/html/);
            assert.match(res.text, /<title>cited/);
        });
        it('serves nothing else of the machine', async () => {
            for (const path of ['/../data/state.db', '/..%2fdata%2fstate.db',
                '/cited.conf', '/cited.fcgi', '/.errors/../../data/state.db',
                '/%2e%2e/bin/cited.conf', '/x/../../data/a.txt']) {
                const res = await request(server.base + path);
                assert.ok(res.status >= 400, `${path}: ${res.status}`);
                assert.match(res.headers['content-type'],
                    /^application\/json/, path);
            }
        });
    });
