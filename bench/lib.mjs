// What the benches share: programs, servers on loopback, an HTTP client. Every
// process started here is ended by finish(); the scratch folder goes with it.
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.env.CITED_MEANING_MODEL ??= ''; // words alone, unless a bench says otherwise
const programs = process.env.CITED_BIN ?? path.join(root, 'build');
export const bin = (name) => path.join(programs, name);
export const tool = (name) => path.join(root, 'build', 'bench', name);
export const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'cited-bench-'));
const children = [];

export function run(cmd, args, opts = {}) {
  const r = spawnSync(cmd, args, { maxBuffer: 1 << 28, ...opts });
  if (r.error) throw r.error;
  if (r.status !== 0)
    throw new Error(`${cmd} ${args.join(' ')}: exit ${r.status}\n${r.stderr}`);
  return r.stdout.toString();
}

export function start(cmd, args, opts = {}) {
  const p = spawn(cmd, args, { stdio: ['ignore', 'ignore', 'inherit'], ...opts });
  children.push(p);
  return p;
}

export async function until(what, test) {
  const end = Date.now() + 20000;
  while (!(await test())) {
    if (Date.now() > end) throw new Error(`${what}: not within 20 s`);
    await new Promise((r) => setTimeout(r, 20));
  }
}

const accepts = (where) => () => new Promise((done) => {
  const s = net.connect(where);
  s.on('connect', () => { s.destroy(); done(true); });
  s.on('error', () => done(false));
});

export const freePort = () => new Promise((done) => {
  const s = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = s.address();
    s.close(() => done(port));
  });
});

// A program with a listening unix socket as its descriptor 0.
export async function fcgi(name, argv, env = {}) {
  const sock = path.join(dir, `${name}.sock`);
  const p = start('spawn-fcgi', ['-n', '-s', sock, '-b', '1024', '--', ...argv],
    // One account asks for all of it here.
    { env: { ...process.env, CITED_LIMITS_IN_FLIGHT: '0', ...env } });
  await until(name, accepts(sock));
  return { sock, pid: p.pid };
}

export async function lighttpd(mounts, docroot) {
  const port = await freePort();
  const conf = path.join(dir, `lighttpd-${port}.conf`);
  const fast = Object.entries(mounts.fcgi ?? {}).map(([at, sock]) =>
    `"${at}" => (("socket" => "${sock}", "check-local" => "disable"))`);
  fs.writeFileSync(conf, `
server.modules = ("mod_fastcgi", "mod_cgi", "mod_alias", "mod_setenv")
server.bind = "127.0.0.1"
server.port = ${port}
server.document-root = "${docroot ?? dir}"
server.max-keep-alive-requests = 1000000
server.max-keep-alive-idle = 600
index-file.names = ("index.html")
mimetype.assign = (".html" => "text/html", "" => "application/octet-stream")
${fast.length ? `fastcgi.server = (${fast.join(',\n')})` : ''}
${mounts.cgi ? `alias.url = ("/cgi" => "${mounts.cgi}")
$HTTP["url"] =~ "^/cgi" { cgi.assign = ("" => "") }` : ''}
`);
  start('lighttpd', ['-D', '-f', conf]);
  await until('lighttpd', accepts({ port, host: '127.0.0.1' }));
  return `http://127.0.0.1:${port}`;
}

// Kept connections, one for each call in flight. A client of our own, as node's
// takes as long as half of what is measured. A blocking run() is followed by
// hangUp(), as the server ends idle connections meanwhile.
const kept = new Map();
export function hangUp() {
  for (const s of [...kept.values()].flat()) s.destroy();
  kept.clear();
}

function connection({ host, hostname, port }) {
  if (!kept.has(host)) kept.set(host, []);
  const free = kept.get(host);
  return free.pop() ?? net.connect({ host: hostname, port, noDelay: true })
    .on('close', () => kept.set(host, kept.get(host)?.filter((s) => !s.destroyed) ?? []))
    .on('error', () => {});
}

// Status, text and milliseconds of a reply that tells its length.
export function call(method, url, key, body = '') {
  const to = new URL(url), s = connection(to);
  return new Promise((done, fail) => {
    const t = process.hrtime.bigint();
    let got = Buffer.alloc(0), head = 0, status = 0, end = 0;
    const ended = () => fail(new Error(`${url}: the connection ended`));
    const read = (d) => {
      got = Buffer.concat([got, d]);
      if (head === 0) {
        head = got.indexOf('\r\n\r\n') + 4;
        if (head === 3) { head = 0; return; }
        const said = got.toString('latin1', 0, head);
        status = Number(said.slice(9, 12));
        end = head + (status === 204 ? 0 : Number(/^content-length: *(\d+)/im.exec(said)?.[1]));
        if (Number.isNaN(end)) return fail(new Error(`${url}: a reply without its length`));
      }
      if (got.length < end) return;
      const ms = Number(process.hrtime.bigint() - t) / 1e6;
      s.off('data', read).off('close', ended);
      kept.get(to.host)?.push(s);
      done({ status, ms, text: got.toString('utf8', head) });
    };
    s.on('data', read).on('close', ended);
    s.write(`${method} ${to.pathname}${to.search} HTTP/1.1\r\nHost: ${to.host}\r\n` +
      `Authorization: Bearer ${key}\r\n` + (body === '' ? '' :
      `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`) +
      `\r\n${body}`);
  });
}

// An answer's tables as the rows that pages are stored with: "- Name: port |
// Default: 80". Cells with numbers of their own are no such rows.
export function unfolded(answer) {
  const cells = (line) => line.slice(1, -1).split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));
  const mark = /(?:^|\s)\[\d{1,3}\](?=\s|$)/;
  return answer.replace(/^\|.*\|\n\|(?:---\|)+(?:\n\|.*\|)+$/gm, (table) => {
    const [heads, , ...rows] = table.split('\n').map(cells);
    if (rows.some((row, i) => row.slice(0, i < rows.length - 1 ? row.length : -1)
      .some((cell) => mark.test(cell)))) return table;
    return rows.map((row) => '- ' + row.map((cell, i) =>
      [cell && heads[i] && !/^\[\d{1,3}\]$/.test(cell) ? `${heads[i]}: ` : '', cell].join(''))
      .filter(Boolean).join(' | ')).join('\n');
  });
}

export function dataFolder(name, below = dir) {
  const data = path.join(below, name), who = `bench-${process.pid}-${Date.now()}@example.org`;
  const cited = (...args) => run(bin('cited'), ['--data', data, '--json', ...args]);
  cited('account', 'create', who);
  const { key } = JSON.parse(cited('key', 'create', who));
  return { data, key, who };
}

const settings = { CITED_RESEARCH_WORKERS: '0', CITED_LOG_LEVEL: 'error',
  CITED_LIMITS_TASKS_OPEN: '100000000' };
export const responder = (name, d, env = {}) =>
  fcgi(name, [bin('cited.fcgi'), '--data', d.data], { ...settings, ...env });

// Ends the servers and removes the scratch folder.
export function finish() {
  hangUp();
  for (const p of children) p.kill('SIGTERM');
  fs.rmSync(dir, { recursive: true, force: true, maxRetries: 20 });
}
