// `cited init` makes an installation that works behind the server it writes
// the configuration of; `cited serve` is a whole service in one command.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Client, request, success } from './lib/http.js';
import {
    DEPLOY, copy_programs, end_processes, environment, free_port, give,
    make_folder, processes_of, remove_folder, run, start_process, stop_process, until,
} from './lib/world.js';

const which = (name) => ['/usr/sbin', '/usr/bin', '/sbin']
    .map((dir) => `${dir}/${name}`).find((file) => fs.existsSync(file));

describe('cited init', () => {
    let dir, env;

    before(() => {
        dir = make_folder();
        env = environment(dir);
        copy_programs(`${dir}/bin`);
        fs.chmodSync(`${dir}/bin`, 0o755);
        give(dir);
    });
    after(async () => {
        await end_processes(dir);
        remove_folder(dir);
    });

    const cited = (...args) => run([`${dir}/bin/cited`, ...args],
        { cwd: dir, env });

    it('makes what a service behind lighttpd needs', async () => {
        const port = await free_port();
        const { code, stdout, stderr } = await cited('--json',
            '--conf', `${dir}/etc/cited.conf`, '--data', `${dir}/data`, 'init',
            '--email', 'You@example.org', '--contact', 'you@example.org',
            '--server', 'lighttpd', '--port', String(port));
        assert.equal(code, 0, stderr);
        const told = JSON.parse(stdout);
        assert.match(told.key, /^ck_/);
        assert.deepEqual(fs.readdirSync(`${dir}/data`).sort(),
            ['index.db', 'run', 'state.db']);
        assert.equal(fs.statSync(`${dir}/data`).mode & 0o777, 0o700);
        // Every key with its meaning, as `conf example` has it.
        const conf = fs.readFileSync(told.conf, 'utf8');
        assert.match(conf, /^dir = .*\/data$/m);
        assert.match(conf, /^contact = you@example\.org$/m);
        assert.equal(conf.replace(/^dir = .*$/m, '#dir = ./var')
            .replace(/^contact = .*$/m, '#contact ='),
        fs.readFileSync(`${DEPLOY}/cited.conf.example`, 'utf8'));
        const server = start_process([which('lighttpd'), '-D', '-f',
            told.server], { cwd: dir, env });
        try {
            const base = `http://127.0.0.1:${port}`;
            await until(() => request(`${base}/healthz`)
                .then((res) => res.status === 200, () => false), 20000,
            server.output);
            const me = new Client(base, told.key);
            success(await me.get('/v1/research'));
            const { stdout: found } = await cited('--conf', told.conf,
                '--json', 'doctor', '--url', base);
            assert.deepEqual(JSON.parse(found).findings.filter((one) =>
                one.level === 'error').map((one) => one.check), ['sources']);
        } finally {
            await stop_process(server);
        }
    });

    it('asks on a terminal for what is not given, and before it writes',
        async () => {
            const typed = (answers, ...args) => execFileSync('script',
                ['-qec', `${dir}/bin/cited ${args.join(' ')} || true`,
                '/dev/null'], {
                    cwd: dir, env, input: answers, encoding: 'utf8' });
            const no = typed('\n\napach\nnone\nno\n', '--conf', 'asked.conf',
                '--data', 'asked', 'init');
            assert.match(no, /E-mail of the first account/);
            assert.match(no, /"apach" is none of these\./);
            assert.match(no, /This writes \S+\/asked\.conf, and makes the folder/);
            assert.match(no, /Nothing was written\./);
            assert.doesNotMatch(no, /Data folder \[/);
            assert.ok(!fs.existsSync(`${dir}/asked`) &&
                !fs.existsSync(`${dir}/asked.conf`));
            const yes = typed('me@example.org\n\n\n\n', '--conf', 'asked.conf',
                '--data', 'asked', 'init');
            assert.match(yes, /Key of me@example\.org, shown this once/);
            assert.match(fs.readFileSync(`${dir}/asked.conf`, 'utf8'),
                /^contact = me@example\.org$/m);
        });

    it('replaces nothing', async () => {
        const before = fs.readFileSync(`${dir}/etc/cited.conf`, 'utf8');
        const { code, stderr } = await cited('--conf', `${dir}/etc/cited.conf`,
            '--data', `${dir}/data`, 'init');
        assert.equal(code, 1);
        assert.match(stderr, /cited\.conf exists/);
        assert.equal(fs.readFileSync(`${dir}/etc/cited.conf`, 'utf8'), before);
    });

    it('writes the same as fill.sh for every server', async () => {
        const files = {
            lighttpd: [['lighttpd/cited.conf', 'lighttpd.conf']],
            apache: [['apache/cited.conf', 'apache.conf']],
            nginx: [['nginx/cited.conf', 'nginx.conf'],
                ['spawn-fcgi/cited', 'spawn-cited']],
            'shared-hosting': [['shared-hosting/.htaccess', '.htaccess'],
                ['cgi/cited.cgi', 'cited.cgi']],
        };
        for (const [name, pairs] of Object.entries(files)) {
            const to = `${dir}/${name}`;
            const { code, stderr } = await cited('--conf', `${to}/cited.conf`,
                '--data', `${dir}/d-${name}`, 'init', '--server', name,
                '--base', '/cited');
            assert.equal(code, 0, stderr);
            assert.match(fs.readFileSync(fs.existsSync(`${to}/errors/400.json`)
                ? `${to}/errors/400.json` : `${to}/errors/400.html`, 'utf8'),
            /"statusCode":400/);
            const run_dir = `${dir}/d-${name}/run`;
            for (const [template, written] of pairs)
                assert.equal(fs.readFileSync(`${to}/${written}`, 'utf8'),
                    execFileSync(`${DEPLOY}/lib/fill.sh`,
                        [`${DEPLOY}/${template}`, 'ADDRESS=127.0.0.1',
                            'PORT=8080', `BINDIR=${dir}/bin`,
                            `DATA=${to}/cited.conf`, `RUN=${run_dir}`,
                            `WWW=${run_dir}`, `ERRORS=${to}/errors`,
                            'TIMEOUT=60', 'BASE=/cited',
                            `SOCKET=${run_dir}/cited.sock`],
                        { encoding: 'utf8' })
                        .replaceAll('CITED_DATA_DIR', 'CITED_CONF'));
        }
    });

    it('refuses a server it does not know', async () => {
        const { code, stderr } = await cited('--conf', `${dir}/x.conf`, 'init',
            '--server', 'iis');
        assert.equal(code, 2);
        assert.match(stderr, /--server is lighttpd, apache/);
        assert.ok(!fs.existsSync(`${dir}/x.conf`));
    });

    it('says why a port below 1024 cannot be had', async (t) => {
        const first = Number(fs.readFileSync(
            '/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'));
        if (first < 2) {
            t.skip('this machine gives every port to everybody');
            return;
        }
        const { code, stderr } = await cited('--data', `${dir}/low`, 'serve',
            '--port', String(Math.min(first - 1, 80)));
        assert.equal(code, 1);
        assert.match(stderr, /port \d+ needs root's rights.*--port/);
        const elsewhere = await cited('--data', `${dir}/low`, 'serve',
            '--address', '192.0.2.1', '--port', '8080');
        assert.equal(elsewhere.code, 1);
        assert.match(elsewhere.stderr, /cannot listen on 192\.0\.2\.1/);
    });

    it('refuses a program that lighttpd cannot start', async () => {
        copy_programs(`${dir}/a bin`);
        give(`${dir}/a bin`);
        const { code, stderr } = await run([`${dir}/a bin/cited`, '--conf',
            `${dir}/blank/cited.conf`, '--data', `${dir}/blank-data`, 'init',
            '--server', 'lighttpd'], { cwd: dir, env });
        assert.equal(code, 1);
        assert.match(stderr, /path has a blank/);
    });

    it('is not needed for serve, which leaves nothing running', async () => {
        const port = await free_port();
        const child = start_process([`${dir}/bin/cited`, '--json', '--data',
            `${dir}/served`, 'serve', '--port', String(port)],
        { cwd: dir, env });
        const line = await until(() => {
            assert.ok(!child.ended, child.output);
            return /^\{.*\}$/m.exec(child.output)?.[0];
        }, 30000, 'it serves');
        const { url, keyFile, newKey } = JSON.parse(line);
        assert.equal(newKey, true);
        assert.equal(fs.statSync(keyFile).mode & 0o777, 0o600);
        const me = new Client(url, fs.readFileSync(keyFile, 'utf8').trim());
        success(await me.post('/v1/research', { q: 'lighthouses',
            outputType: 'sourcedAnswer' }));
        assert.ok(processes_of(dir, 'cited.fcgi').length > 0);
        child.kill('SIGTERM');
        assert.equal(await child.done, 0);
        assert.deepEqual(processes_of(dir), []);
    });
});
