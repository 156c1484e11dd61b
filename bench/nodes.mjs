// What more nodes bring, and what PostgreSQL costs, on one machine: ratios, and
// processor time where they share its processors.
//
//   node bench/nodes.mjs [NAME…]     post search tasks
//
// Called by `make bench-nodes`; a cluster of deploy/cluster with four nodes and
// a synchronous standby, of which as many are at work as are measured. Records
// go to build/bench/nodes.json.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client, success } from '../tests/e2e/lib/http.js';
import { PAGES } from '../tests/e2e/lib/site.js';
import { Cluster, pause, root } from './cluster.mjs';

const SECONDS = Number(process.env.SECONDS || 4);
const ROUNDS = Number(process.env.ROUNDS || 5);
const CLIENTS = Number(process.env.CLIENTS || 16);
const TASKS = Number(process.env.TASKS || 200);
const NODES = [1, 2, 4];
const records = [];
const median = (xs) => [...xs].sort((a, b) => a - b)[xs.length >> 1];

function record(name, value, unit, more = '') {
  records.push({ name, value, unit });
  console.log(`${name}: ${value >= 100 ? value.toFixed(0) : value.toPrecision(3)}` +
    ` ${unit}${more}`);
}

// A command beside what is asked here; its output.
const output = (command, args, options = {}) => new Promise((done, fail) => {
  const p = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const s of [p.stdout, p.stderr]) s.on('data', (data) => { text += data; });
  p.on('error', fail);
  p.on('exit', (code) => code === 0 ? done(text)
    : fail(new Error(`${command}: ${code}\n${text}`)));
});

async function wrk(c, base, at, body, refused = false) {
  const lua = path.join(c.dir, 'post.lua');
  fs.writeFileSync(lua, `wrk.method = "POST"
wrk.body = '${JSON.stringify(body)}'
wrk.headers["Content-Type"] = "application/json"\n`);
  const text = await output('wrk', ['-t1', `-c${CLIENTS}`, `-d${SECONDS}s`, '-H',
    `Authorization: Bearer ${c.key}`, '-s', lua, base + at]);
  if (/Non-2xx/.test(text) !== refused) throw new Error(text);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(text)[1]);
}

async function inserts(c) {
  const [password] = fs.readFileSync(`${c.data}/secrets`, 'utf8').split('\n');
  const [bin] = fs.globSync?.('/usr/lib/postgresql/*/bin') ??
    fs.readdirSync('/usr/lib/postgresql').map((v) => `/usr/lib/postgresql/${v}/bin`);
  const script = path.join(c.dir, 'insert.sql');
  fs.writeFileSync(script, "INSERT INTO single(data) VALUES('" +
    'one row of about as many bytes as the input of a small task has'.repeat(2) + "');\n");
  const [primary] = await c.which('primary');
  const text = await output(`${bin}/pgbench`, ['-n', '-c', String(CLIENTS), '-j', '1',
    '-M', 'prepared', '-T', String(SECONDS), '-f', script, '-h', '127.0.0.1', '-p',
    String(c.port + 10 + primary), '-U', 'postgres', 'cited'],
  { env: { ...process.env, PGPASSWORD: password } });
  return Number(/tps = ([\d.]+)/.exec(text)[1]);
}

// Seconds of processor that these processes took so far.
const HZ = Number(execFileSync('getconf', ['CLK_TCK']));
function spent_by(pids) {
  let ticks = 0;
  for (const pid of pids) {
    try {
      const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
      const f = stat.slice(stat.lastIndexOf(')') + 2).split(' ').map(Number);
      ticks += f[11] + f[12];
    } catch { /* gone */ }
  }
  return ticks / HZ;
}
const spent = (c, n) => spent_by(Array.from({ length: n }, (_, i) =>
  c.processes_of(i + 1)).flat());

// POST /v1/research against single-row inserts, by turns; then one that stores
// nothing, which is as many as HTTP lets through.
async function post(c) {
  const x = { ours: [], theirs: [] };
  c.sql('CREATE TABLE single(id bigserial PRIMARY KEY, data text NOT NULL)');
  const [primary] = await c.which('primary');
  const at = () => [spent_by(c.postgres_of(primary)), spent(c, 1)];
  const used = { theirs: [], database: [], node: [] };
  for (let i = 0; i < ROUNDS; i++) {
    let before = at();
    x.theirs.push(await inserts(c));
    used.theirs.push((at()[0] - before[0]) / x.theirs.at(-1) / SECONDS);
    before = at();
    x.ours.push(await wrk(c, c.node(1), '/v1/research',
      { q: 'What is it?', outputType: 'sourcedAnswer', reasoningDepth: 'S' }));
    used.database.push((at()[0] - before[0]) / x.ours.at(-1) / SECONDS);
    used.node.push((at()[1] - before[1]) / x.ours.at(-1) / SECONDS);
  }
  const ms = (name) => `${(median(used[name]) * 1000).toFixed(2)} ms`;
  const ratio = median(x.ours.map((v, i) => v / x.theirs[i]));
  record(`POST /v1/research, ${CLIENTS} clients, synchronous standby`,
    median(x.ours), 'a second', `, ${ms('node')} of processor at the node and ` +
    `${ms('database')} at the primary each`);
  record('  pgbench, single-row inserts, as many clients', median(x.theirs),
    'a second', `, ${ms('theirs')} of processor at the primary each`);
  record('  ratio', ratio, '', ` (at least .5: ${ratio >= 0.5 ? 'ok' : 'MISS'}; ` +
    `${x.ours.map((v, i) => (v / x.theirs[i]).toFixed(2)).join(', ')})`);
  record('  POST that is refused, as many clients', await wrk(c, c.node(1),
    '/v1/research', { q: 'What is it?', reasoningDepth: 'Q' }, true), 'a second');
  c.sql('TRUNCATE task CASCADE; UPDATE task_count SET open = 0, total = 0');
}

async function with_nodes(c, n) {
  for (let i = n + 1; i <= c.nodes; i++) c.lose_node(i, 3600000);
  await pause(2500); // the balancer hears of it
}

async function search(c, n) {
  const rates = [], used = [];
  for (let i = 0; i < ROUNDS; i++) {
    const before = spent(c, n);
    rates.push(await wrk(c, c.base, '/v1/search', { q: 'Halden lighthouse',
      depth: 'standard', outputType: 'sourcedAnswer' }));
    used.push((spent(c, n) - before) / (rates.at(-1) * SECONDS));
  }
  const rate = median(rates);
  record(`searches, ${n} node${n > 1 ? 's' : ''}, through the balancer`, rate,
    'a second', `, ${(median(used) * 1000).toFixed(2)} ms of processor each`);
  return rate;
}

async function tasks(c, n) {
  const client = new Client(c.base, c.key);
  const task = { type: 'research', input: { reasoningDepth: 'S',
    outputType: 'sourcedAnswer', q: 'Compare the write-ahead journal and the ' +
      'rollback journal of Kvist' } };
  const before = spent(c, n), since = Date.now();
  for (let i = 0; i < TASKS; i += 50)
    success(await client.post('/v1/tasks', Array(Math.min(50, TASKS - i)).fill(task)));
  while (Number(c.sql('SELECT count(*) FROM task WHERE state < 2')) > 0)
    await pause(100);
  const seconds = (Date.now() - since) / 1000;
  record(`research tasks, ${n} node${n > 1 ? 's' : ''}`, TASKS / seconds, 'a second',
    `, ${((spent(c, n) - before) / TASKS * 1000).toFixed(1)} ms of processor each`);
  return TASKS / seconds;
}

const names = process.argv.slice(2);
const is_asked = (name) => !names.length || names.includes(name);
const most = is_asked('search') || is_asked('tasks') ? NODES.at(-1) : 1;
console.log(`${os.cpus().length} processors for all; load ` +
  `${os.loadavg()[0].toFixed(1)}`);
const c = await Cluster.start({ nodes: most, pages: PAGES, settings: `
[limits]
tasks_open = 100000000
in_flight = 0
`, env: { CITED_LOG_LEVEL: 'error', CITED_RESEARCH_PARALLEL: '2' } });
try {
  const first = {};
  // From many to few: a node that was lost does not come back here.
  for (const n of [...NODES].reverse().filter((n) => n <= most)) {
    await with_nodes(c, n);
    if (is_asked('search')) first[n] = { search: await search(c, n) };
    if (is_asked('tasks'))
      first[n] = { ...first[n], tasks: await tasks(c, n) };
  }
  for (const n of NODES.slice(1).filter((n) => n <= most))
    for (const what of Object.keys(first[1] ?? {}))
      record(`${what}, ${n} nodes against one`, first[n][what] / first[1][what], '');
  if (is_asked('post')) {
    // What is given here is not to be worked on.
    c.stop_helper(1);
    await post(c);
  }
} finally {
  fs.mkdirSync(path.join(root, 'build', 'bench'), { recursive: true });
  fs.writeFileSync(path.join(root, 'build', 'bench', 'nodes.json'),
    JSON.stringify(records, null, 1));
  await c.stop();
}
