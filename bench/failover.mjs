// `make check-cluster`: TASKS tasks (10000), or as many as MINUTES minutes allow,
// given to three nodes through their balancer while PostgreSQLs, nodes, helpers
// and members of etcd are killed at random, one PostgreSQL at a time. Prints what
// came of them and writes it to build/bench/cluster.json; the exit status is 1
// when a task that was accepted was lost or ended twice, a status went backwards,
// a task ended otherwise than it had to, or no search was answered while the
// database was away.
import fs from 'node:fs';
import path from 'node:path';
import { Client, success } from '../tests/e2e/lib/http.js';
import { Ledger, MIX, make_web } from '../tests/e2e/lib/ledger.js';
import { PAGES } from '../tests/e2e/lib/site.js';
import { Cluster, pause, root } from './cluster.mjs';

const TASKS = Number(process.env.TASKS || 10000);
const GIVING = Number(process.env.MINUTES || 1e6) * 60000;
const POSTERS = 8;      // clients that give tasks
const OPEN_MAX = 400;   // tasks not seen to end, so that killing goes on
const LEASE = 5000;
const PATIENCE = 900000; // for the last tasks
let since = Date.now();
const now = () => Date.now() - since;
const pick = (list) => list[Math.floor(Math.random() * list.length)];

const web = await make_web();
const c = await Cluster.start({ pages: PAGES, settings: `
[research]
lease_ms = ${LEASE}
parallel = 8
attempts = 100
[limits]
tasks_open = 100000
in_flight = 0
rate_per_second = 0
[net]
allow_hosts = 127.0.0.1
[search]
provider_timeout_ms = 2000
[read]
pages = 0
[provider.web]
url = ${web.origin}/search?q={q}
results = results
url_field = url
title_field = title
snippet_field = content
` });
const ledger = new Ledger();
const events = []; // { at, what, back }
let going = true, posted = 0;

// --- what a client sees ------------------------------------------------------

// Asks the same for ever, four times a second, and knows for how long it was
// refused each time.
class Probe {
  constructor(ask) {
    this.ask = ask;
    this.times = []; // { at, ok, ms, why }
    this.done = this.run();
  }

  async run() {
    while (going) {
      const at = now();
      const res = await this.ask().catch((e) => ({ status: 0, text: String(e) }));
      this.times.push({ at, ok: res.status === 200, ms: now() - at,
        why: res.status === 200 ? '' : `${res.status} ${res.text.slice(0, 200)}` });
      await pause(250);
    }
  }

  // [from, to] of each time nothing but errors came, to the end of the first
  // answer after it.
  gaps() {
    const all = [];
    let from = -1;
    for (const { at, ok, ms } of this.times) {
      if (!ok && from < 0) from = at;
      if (ok && from >= 0) {
        all.push([from, at + ms]);
        from = -1;
      }
    }
    if (from >= 0) all.push([from, now()]);
    return all;
  }
}

const client = new Client(c.base, c.key);
const nodes = Array.from({ length: c.nodes }, (_, i) =>
  new Client(c.node(i + 1), c.key));

async function give(i) {
  const kind = MIX[i % MIX.length];
  const [type, input] = kind.make(i, web);
  const ask = type === 'research'
    ? () => client.call('POST', '/v1/research', { ...input,
      outputType: 'sourcedAnswer', callbackUrl: `${web.origin}/record` },
    { 'Idempotency-Key': `task-${i}` })
    // Without a key, one that was cut may have made its task, too.
    : () => client.post('/v1/tasks', [{ type, input }]);
  for (;;) {
    const res = await ask().catch((e) => ({ status: 599, text: String(e) }));
    if (res.status === 200)
      return ledger.made.set([success(res)].flat()[0].id, kind);
    if (res.status < 500) throw new Error(`${res.status}: ${res.text}`);
    await pause(50);
  }
}

async function poster() {
  while (posted < TASKS && now() < GIVING) {
    if (ledger.made.size - ledger.ended.size > OPEN_MAX) await pause(50);
    else await give(posted++);
  }
}

// Every record that is not known to have ended, of any node, again and again.
// Each is asked for by one of two, one answer after the other.
async function watch(part) {
  while (going) {
    const open = ledger.open().filter((id) => parseInt(id.at(-1), 16) % 2 === part);
    for (const id of open) {
      const res = await pick(nodes).get(`/v1/tasks/${id}`)
        .catch(() => ({ status: 599 }));
      if (res.status === 200) ledger.note(success(res));
      else if (res.status < 500) gone.add(id);
      if (!going) return;
    }
    await pause(200);
  }
}
const gone = new Set(); // accepted, and then: no such task

// --- what is done to it -----------------------------------------------------

const note = (what, back = 0) => events.push({ at: now(), what, back });

async function trouble_postgres() {
  const kinds = ['primary ended', 'primary lost', 'standby ended',
    'synchronous standby lost'];
  for (let i = 0; ; i++) {
    for (const end = now() + 10000 + Math.random() * 10000; now() < end;) {
      if (!going) return;
      await pause(100);
    }
    while (going && !await c.is_whole()) await pause(200);
    const what = kinds[i % kinds.length];
    const of = await c.which(what.startsWith('primary') ? 'primary'
      : what.startsWith('sync') ? 'synchronous' : 'replica');
    if (!going || !of.length) continue;
    note(what);
    if (what.endsWith('ended')) c.kill_postgres(pick(of));
    else c.lose_postgres(pick(of), 30000);
    await pause(2000);
  }
}

async function trouble_nodes() {
  for (let i = 0; ; i++) {
    for (const end = now() + 3000 + Math.random() * 5000; now() < end;) {
      if (!going) return;
      await pause(100);
    }
    const n = 1 + Math.floor(Math.random() * c.nodes);
    if (i % 4 === 3) {
      note('node lost');
      c.lose_node(n, 4000);
    } else if (i % 11 === 10) {
      note('member of etcd ended');
      c.kill_etcd(1 + Math.floor(Math.random() * 3));
    } else if (c.kill_helper(n)) {
      note('helper killed');
    }
  }
}

// --- figures ----------------------------------------------------------------

const figures = [];
function figure(name, value, unit = '', ok = null) {
  figures.push({ name, value, unit, ok });
  const mark = ok === null ? '    ' : ok ? 'ok  ' : 'MISS';
  console.log(`${mark} ${name}: ${value}${unit && ` ${unit}`}`);
}

const longest = (gaps) => Math.max(0, ...gaps.map(([from, to]) => to - from));

// The longest of those that such an event began: what was asked just before it
// may have waited. Of a node only where no PostgreSQL was killed.
const of_database = (e) => /^primary|standby/.test(e.what);
const began = (e, [from, to]) => from <= e.at + 3000 && to > e.at &&
  !events.some((o) => of_database(o) && o !== e && o.at > e.at && from > o.at);
function after(what, gaps) {
  return longest(gaps.filter((gap) => events.some((e) => e.what === what &&
    began(e, gap) && (of_database(e) ||
      !events.some((o) => of_database(o) && began(o, gap))))));
}

function report(writes, reads) {
  const { lost, own } = ledger.judge();
  const count = (text) => Number(c.sql(text));
  const twice = count('SELECT count(*) FROM (SELECT 1 FROM audit WHERE what =' +
    " 'end' GROUP BY task HAVING count(*) > 1) AS t");
  const back = ledger.backwards +
    count("SELECT count(*) FROM audit WHERE what = 'back'");
  if (ledger.backwards) console.log(`     seen so by a client: ${ledger.backwards}`);
  const away = writes.gaps(), without = reads.gaps();
  const during = reads.times.filter((t) =>
    away.some(([from, to]) => t.at > from && t.at + t.ms < to));
  const answered = during.filter((t) => t.ok).length;
  const expected = ledger.with_callback();

  figure('tasks accepted', ledger.made.size);
  figure('time', Math.round(now() / 1000), 's');
  for (const what of [...new Set(events.map((e) => e.what))].sort())
    figure(what, events.filter((e) => e.what === what).length, 'times');
  figure('accepted tasks lost', lost.length + gone.size, '',
    lost.length + gone.size === 0);
  figure('ended twice', twice + ledger.rewritten, '',
    twice + ledger.rewritten === 0);
  figure('status backwards', back, '', back === 0);
  figure('ended otherwise than they had to', own.length, '', own.length === 0);
  for (const reason of own.slice(0, 5)) console.log(`     ${reason}`);
  const sent = expected.filter((id) => web.sent.has(id)).length;
  const due = count('SELECT count(*) FROM callback WHERE state = 1');
  figure('records delivered', `${sent} of ${expected.length}, ${due} to be sent`,
    '', sent + due >= expected.length);
  for (const what of ['primary ended', 'primary lost', 'standby ended',
    'synchronous standby lost', 'node lost'])
    figure(`longest time without a task accepted, ${what}`,
      (after(what, away) / 1000).toFixed(1), 's');
  figure('longest time without a task accepted', (longest(away) / 1000).toFixed(1),
    's');
  figure('longest time without a search answered',
    (longest(without) / 1000).toFixed(1), 's');
  figure('searches answered while no task was accepted',
    `${answered} of ${during.length}`, '', answered > during.length / 2);
  figure('searches answered in all', `${reads.times.filter((t) => t.ok).length}` +
    ` of ${reads.times.length}`);
}

// Our own eyes on the database: every end of a task is noted by it, in the
// transaction of who ends it.
c.sql(`SET ROLE cited;
CREATE TABLE audit(task TEXT, what TEXT);
CREATE FUNCTION audit_task() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state >= 2 AND (OLD.state <> NEW.state
      OR OLD.output IS DISTINCT FROM NEW.output
      OR OLD.error IS DISTINCT FROM NEW.error) THEN
    INSERT INTO audit VALUES(NEW.id, 'end');
  END IF;
  IF NEW.state < OLD.state THEN
    INSERT INTO audit VALUES(NEW.id, 'back');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER audit AFTER UPDATE ON task
  FOR EACH ROW EXECUTE FUNCTION audit_task();`);

let failed = false;
since = Date.now();
try {
  const search = { q: 'Halden lighthouse', depth: 'fast',
    outputType: 'searchResults' };
  const writes = new Probe(() => client.post('/v1/tasks',
    [{ type: 'search', input: search }]));
  const reads = new Probe(() => client.post('/v1/search', search));
  const troubles = [trouble_postgres(), trouble_nodes()];
  const watchers = [watch(0), watch(1)];
  await Promise.all(Array.from({ length: POSTERS }, poster));
  console.log(`${ledger.made.size} tasks accepted after ` +
    `${Math.round(now() / 1000)} s`);
  for (const end = now() + PATIENCE; ledger.open().length && now() < end;)
    await pause(500);
  console.log(`all seen to end after ${Math.round(now() / 1000)} s`);
  going = web.failing = false;
  await Promise.all([...troubles, ...watchers, writes.done, reads.done]);
  while (!await c.is_whole()) await pause(500);
  // One whose helper was killed each time it was sent waits for hours.
  for (const end = now() + 60000; now() < end && Number(c.sql(
    'SELECT count(*) FROM callback WHERE state = 1')) > 0;) await pause(1000);
  report(writes, reads);
  fs.mkdirSync(path.join(root, 'build', 'bench'), { recursive: true });
  fs.writeFileSync(path.join(root, 'build', 'bench', 'cluster.json'),
    JSON.stringify({ figures, events, writes: writes.times.filter((t) => !t.ok),
      reads: reads.times.filter((t) => !t.ok) }, null, 1));
} catch (e) {
  failed = true;
  console.error(e);
} finally {
  going = false;
  await c.stop();
  await web.stop();
}
process.exitCode = failed || figures.some((f) => f.ok === false) ? 1 : 0;
