// A cluster of deploy/cluster on loopback, for those that try or measure it:
// who is its primary, what each member's processes are, how one is killed. The
// members keep themselves running (cluster.sh); one that is `away` stays so.
// Nothing of it is left when it was stopped.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const HOST = '127.0.0.1';
const PORTS = 45; // that cluster.sh takes, from PORT on

const is_free = (port) => new Promise((done) => {
  const s = http.createServer().on('error', () => done(false))
    .listen(port, HOST, () => s.close(() => done(true)));
});

async function free_ports() {
  for (let port = 18000; port < 60000; port += 100) {
    let all = true;
    for (let i = 0; all && i < PORTS; i++) all = await is_free(port + i);
    if (all) return port;
  }
  throw new Error('no free ports');
}

// GET of a member's own state; its status, or 0.
const look = (port, at) => new Promise((done) => {
  const rq = http.get({ host: HOST, port, path: at, timeout: 2000 }, (rs) => {
    rs.resume();
    // Also where the answer is cut: then there is no end of it.
    rs.on('close', () => done(rs.complete ? rs.statusCode : 0));
    rs.on('error', () => {});
  });
  rq.on('timeout', () => rq.destroy());
  rq.on('error', () => done(0));
});

const number_in = (file) => {
  try {
    return Number(fs.readFileSync(file, 'utf8').split('\n')[0]) || 0;
  } catch {
    return 0;
  }
};

const children_of = (pid) => {
  try {
    return fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .split(' ').filter(Boolean).map(Number);
  } catch {
    return []; // gone
  }
};

// A process and all below it. Those that start others stand still meanwhile.
function tree(pid, still) {
  if (!pid) return [];
  if (still)
    try { process.kill(pid, 'SIGSTOP'); } catch { return []; }
  return [pid, ...children_of(pid).flatMap((child) => tree(child, still))];
}

const name_of = (pid) => {
  try {
    return fs.readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
};

function kill(pids) {
  for (const pid of pids)
    try { process.kill(pid, 'SIGKILL'); } catch { /* gone */ }
}

export class Cluster {
  // settings: lines of cited.conf; env: of everything that is started; pages:
  // what there is to find.
  static async start({ nodes = 3, settings = '', env = {}, pages = [],
    bin = process.env.CITED_BIN ?? path.join(root, 'build') } = {}) {
    const c = new Cluster();
    c.dir = fs.mkdtempSync(path.join(os.tmpdir(), 'cited-cluster-'));
    fs.chmodSync(c.dir, 0o755);
    c.data = path.join(c.dir, 'data');
    c.bin = bin;
    c.nodes = nodes;
    c.port = await free_ports();
    c.settings = path.join(c.dir, 'settings');
    fs.writeFileSync(c.settings, settings);
    c.output = '';
    c.child = spawn('sh', [path.join(root, 'deploy/cluster/cluster.sh')],
      { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env,
        PORT: c.port, DATA: c.data, NODES: nodes, BIN: bin,
        SETTINGS: c.settings, DOCS: '' } });
    for (const stream of [c.child.stdout, c.child.stderr])
      stream.on('data', (data) => { c.output += data; });
    c.ended = new Promise((done) => c.child.on('exit', done));
    try {
      for (const end = Date.now() + 300000; !/^Ctrl-C/m.test(c.output);) {
        if (c.child.exitCode !== null || Date.now() > end)
          throw new Error(`the cluster did not start:\n${c.output}`);
        await pause(100);
      }
      c.key = fs.readFileSync(`${c.data}/node1/data/api-key`, 'utf8').trim();
      if (pages.length) await c.add(pages);
    } catch (e) {
      await c.stop();
      throw e;
    }
    return c;
  }

  get base() { return `http://${HOST}:${this.port}`; }
  node(i) { return `http://${HOST}:${this.port + i}`; }

  // Run the operator's command of a node.
  cited(i, args, input = '') {
    const at = `${this.data}/node${i}`;
    return execFileSync(`${this.bin}/cited`, args, { input, maxBuffer: 1 << 28,
      stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env,
        CITED_CONF: `${at}/cited.conf`, CITED_DATA_DIR: `${at}/data` } })
      .toString();
  }

  // Given to one node, and waited for at all of them.
  async add(pages) {
    this.cited(1, ['index', 'add', '-'],
      pages.map((page) => `${JSON.stringify(page)}\n`).join(''));
    for (let i = 1; i <= this.nodes; i++)
      while (await this.count_pages(i) < pages.length) await pause(100);
  }

  async count_pages(i) {
    const rs = await fetch(`${this.node(i)}/v1/index`,
      { headers: { authorization: `Bearer ${this.key}` } });
    const text = await rs.text();
    return rs.ok ? JSON.parse(text).pages ?? 0 : 0;
  }

  // SQL as the superuser on whichever is the primary; its rows as text.
  sql(text) {
    const [password] = fs.readFileSync(`${this.data}/secrets`, 'utf8').split('\n');
    const all = [1, 2, 3];
    return execFileSync('psql', ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1',
      `host=${all.map(() => HOST)} port=${all.map((i) => this.port + 10 + i)} ` +
      'user=postgres dbname=cited target_session_attrs=read-write'],
    { input: text, env: { ...process.env, PGPASSWORD: password } })
      .toString().trim();
  }

  // The numbers of the PostgreSQLs that say of themselves to be `role` just now:
  // primary, synchronous, replica (any standby that follows).
  async which(role) {
    const all = [1, 2, 3];
    const said = await Promise.all(all.map((i) =>
      look(this.port + 20 + i, `/${role}`)));
    return all.filter((_, at) => said[at] === 200);
  }

  // A primary, and two that follow it.
  async is_whole() {
    return (await this.which('primary')).length === 1 &&
      (await this.which('replica')).length === 2 &&
      (await this.which('synchronous')).length === 1;
  }

  // The server alone, whose Patroni sees it.
  kill_postgres(i) {
    kill([number_in(`${this.data}/pg${i}/data/postmaster.pid`)].filter(Boolean));
  }

  // The machine: server and Patroni at once, for so long.
  lose_postgres(i, ms) {
    this.leave(`pg${i}`, ms);
    kill([number_in(`${this.data}/pg${i}.pid`),
      number_in(`${this.data}/pg${i}/data/postmaster.pid`)].filter(Boolean));
  }

  // Not to be started again for so long.
  leave(name, ms) {
    const file = `${this.data}/${name}.away`;
    fs.writeFileSync(file, '');
    setTimeout(() => fs.rmSync(file, { force: true }), ms).unref();
  }

  kill_helper(i) {
    const found = tree(number_in(`${this.data}/node${i}.pid`))
      .filter((pid) => name_of(pid) === 'cited-worker');
    kill(found);
    return found.length > 0;
  }

  // All that runs on a node.
  processes_of(i) { return tree(number_in(`${this.data}/node${i}.pid`)); }

  // All that runs for a PostgreSQL.
  postgres_of(i) {
    return tree(number_in(`${this.data}/pg${i}/data/postmaster.pid`));
  }

  // The helper stands still from now on.
  stop_helper(i) {
    for (const pid of this.processes_of(i))
      if (name_of(pid) === 'cited-worker') process.kill(pid, 'SIGSTOP');
  }

  // All that runs on it, also what keeps it running.
  lose_node(i, ms) {
    this.leave(`node${i}`, ms);
    kill(tree(number_in(`${this.data}/node${i}.pid`), true));
  }

  kill_etcd(i) {
    kill([number_in(`${this.data}/etcd${i}.pid`)].filter(Boolean));
  }

  async stop() {
    if (this.child.exitCode === null && this.child.signalCode === null)
      this.child.kill('SIGTERM');
    await this.ended;
    fs.rmSync(this.dir, { recursive: true, force: true, maxRetries: 20 });
  }
}
