// `make run`, its script: works the first time, again, after being killed at
// any point; leaves nothing running and nothing outside its data folder.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import { after, afterEach, before, describe, it } from 'node:test';
import { Client, request, success } from './lib/http.js';
import {
    DEPLOY, ROOT, copy_programs, environment, free_port, make_folder,
    processes_of, remove_folder, signal_processes, until,
} from './lib/world.js';

describe('make run', () => {
    let dir, bin, data, port;
    const scripts = new Set();

    before(async () => {
        // Spaces, a quote, and longer than a socket's path may be.
        dir = make_folder();
        bin = `${dir}/the programs`;
        data = `${dir}/a data folder/it's ${'long-'.repeat(20)}`;
        copy_programs(bin);
        port = await free_port();
    });
    // What a test that failed left running would be in the way of the others.
    afterEach(() => {
        for (const script of scripts) signal(script, 'SIGKILL');
        signal_processes(processes_of(dir), 'SIGKILL');
    });
    after(() => remove_folder(dir));

    // In a process group of its own, as a terminal has it.
    function start(settings = {}, [name, ...args] =
        ['sh', `${DEPLOY}/lib/run.sh`]) {
        const script = spawn(name, args, {
            detached: true,
            env: environment(dir, {
                PORT: String(port), DATA: data, BIN: bin, ...settings,
            }),
        });
        scripts.add(script);
        script.output = '';
        for (const stream of [script.stdout, script.stderr])
            stream.on('data', (text) => { script.output += text; });
        script.done = new Promise((resolve) =>
            script.on('exit', (code, how) => resolve(how ?? code)));
        script.on('exit', () => {
            script.ended = true;
            scripts.delete(script);
        });
        return script;
    }

    function signal(script, name, group = true) {
        try {
            process.kill(group ? -script.pid : script.pid, name);
        } catch {
            // Gone already.
        }
    }

    async function ready(script) {
        await until(() => {
            assert.ok(!script.ended, script.output);
            return script.output.includes('Ctrl-C stops it.');
        }, 60000, `it serves: ${script.output}`);
    }

    async function stopped(script) {
        await script.done;
        await until(() => processes_of(dir).length === 0, 10000,
            'every program ends');
        await assert.rejects(request(`http://127.0.0.1:${port}/healthz`),
            'nobody listens any more');
    }

    const key = () => fs.readFileSync(`${data}/api-key`, 'utf8').trim();

    it('shows a key and an answer, and stops with Ctrl-C', async () => {
        const script = start();
        await ready(script);
        assert.match(script.output, /shown this once/);
        assert.ok(script.output.includes(key()));
        assert.equal(fs.statSync(`${data}/api-key`).mode & 0o777, 0o600);
        assert.match(script.output, /"answer":"[^"]/);
        assert.match(script.output, /\[1\]/);
        const command = /^ {2}curl[^]*?'$/m.exec(script.output)[0];
        assert.match(command, /\/v1\/search/);
        // The key's file is for whoever runs the script.
        const asked = execFileSync('sh', ['-c', command], {
            cwd: dir, env: environment(dir), stdio: ['ignore', 'pipe', 'pipe'],
        });
        assert.match(JSON.parse(asked).answer, /\[1\]/);
        const site = `http://127.0.0.1:${port}`;
        for (const name of ['', 'reference.html', 'v1/openapi.json'])
            assert.equal((await request(`${site}/${name}`)).status, 200, name);
        // What it cites can be read.
        const url = /"url":"(http:[^"]+)"/.exec(script.output)[1];
        const page = await request(url);
        assert.equal(page.status, 200);
        // It answers questions about itself from its own documents.
        const me = new Client(`http://127.0.0.1:${port}`, key());
        const about = success(await me.search({
            q: 'How are answers verified?', outputType: 'sourcedAnswer',
            includeInlineCitations: true,
        }));
        const [, n] = /checks its citations by comparing every cited sentence[^]*?\[(\d+)\]/
            .exec(about.answer);
        assert.equal(about.sources[n - 1].url, `${site}/docs/verification.md`);
        // A table is told by its cells, not by its head once a row.
        const servers = success(await me.search({
            q: 'Which web servers are supported?', outputType: 'sourcedAnswer',
        }));
        assert.match(servers.answer, /nginx/);
        assert.doesNotMatch(servers.answer, /server; server/);
        // The index of the documents does not hide behind the README.
        for (const name of ['README', 'cited', 'quick-start'])
            assert.equal((await request(`${site}/docs/${name}.md`)).status,
                200, name);
        // A helper at work goes as well.
        for (let i = 0; i < 5; i++)
            success(await me.post('/v1/research', {
                q: 'How does the service check its citations, and how are ' +
                    'research tasks continued?',
                outputType: 'sourcedAnswer', reasoningDepth: 'XL',
            }));
        const [, socket_dir] = /"socket" => "(.*)\/cited\.sock"/.exec(
            fs.readFileSync(`${data}/run/lighttpd.conf`, 'utf8'));
        assert.ok(fs.existsSync(socket_dir) && !socket_dir.startsWith(dir));
        signal(script, 'SIGINT');
        await stopped(script);
        assert.ok(!fs.existsSync(socket_dir), 'nothing is left in /tmp');
        assert.deepEqual(fs.readdirSync(dir).sort(),
            ['a data folder', 'the programs']);
    });

    it('uses the same key again, and another port', async () => {
        const before = key();
        const old = port;
        port = await free_port();
        const script = start();
        await ready(script);
        assert.doesNotMatch(script.output, /shown this once/);
        assert.equal(key(), before);
        const me = new Client(`http://127.0.0.1:${port}`, key());
        const { results } = success(await me.search(
            { q: 'cited citations research crawl', maxResults: 100 }));
        assert.ok(results.length >= 2);
        for (const one of results)
            assert.ok(!one.url.includes(`:${old}/`), one.url);
        signal(script, 'SIGTERM', false);
        await stopped(script);
    });

    it('makes a new key when the old one does not work', async () => {
        fs.writeFileSync(`${data}/api-key`, 'nonsense\n');
        const script = start();
        await ready(script);
        assert.match(script.output, /shown this once/);
        assert.notEqual(key(), 'nonsense');
        // The terminal closes.
        signal(script, 'SIGHUP');
        await stopped(script);
    });

    it('says when the port or the data folder is taken', async () => {
        const other = net.createServer().listen(0, '127.0.0.1');
        await new Promise((resolve) => other.on('listening', resolve));
        const script = start({ PORT: String(other.address().port) });
        assert.equal(await script.done, 1);
        assert.match(script.output, /port \d+ is taken/);
        other.close();

        const first = start();
        await ready(first);
        const second = start({ PORT: String(await free_port()) });
        assert.equal(await second.done, 1);
        assert.match(second.output, /another 'make run'/);
        success(await request(`http://127.0.0.1:${port}/healthz`));
        signal(first, 'SIGINT');
        await stopped(first);
    });

    it('works after it was killed at any point', async () => {
        data = `${dir}/killed`;
        for (let ms = 20; ms < 1000; ms = Math.ceil(ms * 1.5)) {
            const script = start();
            await new Promise((resolve) => setTimeout(resolve, ms));
            signal(script, 'SIGKILL', false);
            await script.done;
        }
        const script = start();
        await ready(script);
        assert.match(script.output, /"answer":"[^"]/);
        signal(script, 'SIGINT');
        await stopped(script);
    });

    // A blank in the programs' path and none in the data folder's: another way
    // to a path that lighttpd can start.
    it('ends when the make that runs it is killed outright', async () => {
        data = `${dir}/made`;
        fs.writeFileSync(`${dir}/Makefile`,
            `run:\n\t@exec sh '${DEPLOY}/lib/run.sh'\n`);
        const make = start({}, ['make', '-C', dir, 'run']);
        await ready(make);
        signal(make, 'SIGKILL', false);
        await stopped(make);
    });

    it('is started by a command that the shell can read', () => {
        const lines = execFileSync('make', ['-n', 'run', `DATA=${dir}/it's`,
            'OUT=build/none'], { cwd: ROOT, encoding: 'utf8' });
        assert.match(lines, /deploy\/lib\/run\.sh/);
        execFileSync('sh', ['-n'], { input: lines });
    });

    it('refuses a port that is none', async () => {
        for (const PORT of ['0', '70000', 'x', '-1']) {
            const script = start({ PORT });
            assert.equal(await script.done, 1);
            assert.match(script.output, /PORT is a number/);
        }
    });
});
