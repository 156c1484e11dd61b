// Where things are, whose processes run, and what must be gone at the end.
//
// Owns: temporary folders and every process the tests start. Nothing here
// knows what is tested. Servers run as an ordinary user, also when the tests
// run as root, so that what works here works for a visitor.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = path.resolve(
    path.dirname(fileURLToPath(import.meta.url)), '../../..');
export const BIN = path.resolve(process.env.CITED_BIN ?? `${ROOT}/build`);
export const DEPLOY = `${ROOT}/deploy`;

// www-data has this number in every Debian.
const USER = process.getuid() === 0 ? { uid: 33, gid: 33 } : {};

const folders = new Set();
const children = new Set();

// What a process gets to see of our environment: nothing of its caller's
// settings, and sanitizer reports written where sanitizer_reports finds them.
export function environment(dir, extra = {}) {
    return {
        PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
        LANG: 'C.UTF-8',
        HOME: dir,
        ASAN_OPTIONS: `log_path=${dir}/sanitizer:detect_stack_use_after_return=1`,
        UBSAN_OPTIONS: `log_path=${dir}/sanitizer:print_stacktrace=1`,
        ...extra,
    };
}

// A new folder that the servers' user owns, short enough for socket paths.
export function make_folder() {
    const dir = fs.mkdtempSync('/tmp/cited-e2e-');
    folders.add(dir);
    give(dir);
    return dir;
}

// The three programs into a folder: the one they were built in may be closed
// to the servers' user, as a home is.
export function copy_programs(to) {
    fs.mkdirSync(to, { recursive: true });
    for (const name of ['cited', 'cited.fcgi', 'cited-worker'])
        fs.copyFileSync(`${BIN}/${name}`, `${to}/${name}`);
}

// Hand a file or a whole folder to the servers' user.
export function give(name) {
    if (USER.uid === undefined) return;
    fs.lchownSync(name, USER.uid, USER.gid);
    if (fs.lstatSync(name).isDirectory())
        for (const entry of fs.readdirSync(name)) give(path.join(name, entry));
}

// That user may not enter a checkout in somebody's home: what he runs is a
// copy. Said here, since in an open checkout it would go well.
function outside_checkout(argv) {
    for (const word of argv)
        if (word.startsWith(`${ROOT}/`))
            throw new Error(`${word} is in the checkout: copy it first`);
}

// A child process of ours. Its output is collected in child.output.
export function start_process(argv, { cwd, env }) {
    outside_checkout(argv);
    const child = spawn(argv[0], argv.slice(1), {
        cwd, env, ...USER, stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.output = '';
    child.done = new Promise((resolve) => {
        child.on('error', (e) => {
            child.output += String(e);
            resolve(-1);
        });
        // Not 'close': a program that outlives its server holds the pipes.
        child.on('exit', (code, signal) => {
            child.ended = true;
            children.delete(child);
            resolve(signal ?? code);
        });
    });
    for (const stream of [child.stdout, child.stderr])
        stream.on('data', (data) => { child.output += data; });
    children.add(child);
    return child;
}

// Run a program to its end; { code, stdout, stderr }, code a number, or the
// signal's name. Rejects when it takes longer than timeout milliseconds.
export function run(argv, { cwd, env, input = '', timeout = 60000 }) {
    outside_checkout(argv);
    return new Promise((resolve, reject) => {
        const child = spawn(argv[0], argv.slice(1), { cwd, env, ...USER });
        const out = [], err = [];
        children.add(child);
        const late = setTimeout(() => {
            child.kill('SIGKILL');
            reject(new Error(`${argv.join(' ')}: not done in ${timeout} ms`));
        }, timeout);
        child.stdout.on('data', (data) => out.push(data));
        child.stderr.on('data', (data) => err.push(data));
        child.stdin.on('error', () => {});
        child.on('error', reject);
        child.on('close', (code, signal) => {
            clearTimeout(late);
            children.delete(child);
            resolve({
                code: signal ?? code,
                stdout: Buffer.concat(out).toString(),
                stderr: Buffer.concat(err).toString(),
            });
        });
        child.stdin.end(input);
    });
}

// Ask again every 20 ms until what() gives something true.
export async function until(what, timeout, why) {
    const end = Date.now() + timeout;
    for (;;) {
        const value = await what();
        if (value) return value;
        if (Date.now() > end) throw new Error(`not in ${timeout} ms: ${why}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}

// End a child: politely, then not.
export async function stop_process(child, signal = 'SIGTERM') {
    if (child.ended) return child.done;
    child.kill(signal);
    const late = setTimeout(() => child.kill('SIGKILL'), 10000);
    const how = await child.done;
    clearTimeout(late);
    return how;
}

// A port that was free a moment ago.
export function free_port() {
    return new Promise((resolve, reject) => {
        const server = net.createServer();
        server.on('error', reject);
        server.listen(0, '127.0.0.1', () => {
            const { port } = server.address();
            server.close(() => resolve(port));
        });
    });
}

// Ids of processes whose program lies in the folder: responders and detached
// helpers, which are nobody's children.
export function processes_of(dir, name = '') {
    const found = [];
    for (const entry of fs.readdirSync('/proc')) {
        if (!/^\d+$/.test(entry)) continue;
        try {
            const exe = fs.readlinkSync(`/proc/${entry}/exe`)
                .replace(/ \(deleted\)$/, '');
            if (exe.startsWith(`${dir}/`) && exe.endsWith(name))
                found.push(Number(entry));
        } catch {
            // Gone, or somebody else's.
        }
    }
    return found;
}

export function signal_processes(ids, signal) {
    for (const id of ids) {
        try {
            process.kill(id, signal);
        } catch {
            // Gone already.
        }
    }
}

// Everything of this folder ends; nothing may be left of it. Returns the
// programs that did not end when asked and had to be killed.
export async function end_processes(dir) {
    signal_processes(processes_of(dir), 'SIGTERM');
    try {
        await until(() => processes_of(dir).length === 0, 12000, 'end');
        return [];
    } catch {
        const ids = processes_of(dir);
        const names = ids.map((id) =>
            fs.readFileSync(`/proc/${id}/comm`, 'utf8').trim());
        signal_processes(ids, 'SIGKILL');
        await until(() => processes_of(dir).length === 0, 5000, 'kill');
        return names;
    }
}

// Reports of the sanitizers, "" when there are none.
export function sanitizer_reports(dir) {
    return fs.readdirSync(dir).filter((name) => name.startsWith('sanitizer'))
        .map((name) => fs.readFileSync(`${dir}/${name}`, 'utf8')).join('\n');
}

export function remove_folder(dir) {
    fs.rmSync(dir, { recursive: true, force: true });
    folders.delete(dir);
}

// Also when a test throws where nobody catches: nothing stays behind.
function clean_up() {
    for (const child of children) child.kill('SIGKILL');
    for (const dir of folders) {
        signal_processes(processes_of(dir), 'SIGKILL');
        fs.rmSync(dir, { recursive: true, force: true });
    }
}
process.on('exit', clean_up);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => process.exit(1));
