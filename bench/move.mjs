// Pages and the list of an unfinished crawl moved from a data folder to
// PostgreSQL and back, and a node made from nothing: how long each takes, and
// that all of it is the same afterwards.
//
//   PAGES=100000 FSYNC=on tests/support/postgres.sh node bench/move.mjs
//
// Called by `make bench-move`. The pages are made of sentences of the project's
// documents in which every third longer word is another one of VARIANTS, three
// passages or so each. What was moved back is compared with what was there
// byte for byte, every column of every row; a new node answers the questions as
// the folder did that it came from. The records go to build/bench/move.json.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { root, bin, dir, run, call, hangUp, dataFolder, lighttpd, responder, until,
  finish } from './lib.mjs';

const PAGES = Number(process.env.PAGES || 100000);
const ADDRESSES = Number(process.env.ADDRESSES || PAGES / 2); // of the crawl
const VARIANTS = 64, SENTENCES = 18, QUESTIONS = 20, FILE_PAGES = 10000;
const address = `${process.env.CITED_TEST_POSTGRES}application_name=bench`;
const records = [];
let missed = false;

function record(name, value, unit, least = 0, more = '') {
  const ok = value >= least;
  missed = missed || !ok;
  records.push({ name, value, unit, least });
  console.log(`${ok ? 'ok  ' : 'MISS'} ${name}: ${
    value >= 100 ? Math.round(value) : value.toPrecision(3)} ${unit}` +
    `${least ? ` (at least ${least})` : ''}${more}`);
}

const load = () => `, load ${os.loadavg()[0].toFixed(1)}`;

const seconds = (work) => {
  const since = Date.now();
  work();
  return (Date.now() - since) / 1000;
};

// --- what is moved ---------------------------------------------------------
let seed = 1;
const random = (n) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return Math.floor(seed / 4294967296 * n);
};

const sentences = fs.readdirSync(path.join(root, 'docs')).sort()
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => fs.readFileSync(path.join(root, 'docs', name), 'utf8')
    .replace(/^```[^]*?^```/gm, '').split(/\n\n+/))
  .filter((text) => /^[A-Z]/.test(text))
  .flatMap((text) => text.replace(/\s+/g, ' ').split(/(?<=[.:?]) (?=[A-Z])/))
  .filter((text) => text.length > 30);

function sentence() {
  let longer = 0;
  return sentences[random(sentences.length)].replace(/[a-z]{6,}/g, (word) =>
    longer++ % 3 ? word : word + ['o', 'an', 'is', 'er'][random(4)] +
      String.fromCharCode(97 + random(VARIANTS / 4)));
}

const page = (i) => ({ url: `https://h${i % 997}.example/of/${i % 89}/${i}`,
  title: sentence().slice(0, 60), date: `20${10 + i % 15}-0${1 + i % 9}-17`,
  text: Array.from({ length: SENTENCES }, (_, n) => sentence() +
    (n % 6 === 5 ? '\n\n' : ' ')).join('') });

function fill(data) {
  const file = path.join(dir, 'pages.jsonl');
  for (let i = 0; i < PAGES; i += FILE_PAGES) {
    fs.writeFileSync(file, Array.from({ length: Math.min(FILE_PAGES, PAGES - i) },
      (_, n) => `${JSON.stringify(page(i + n))}\n`).join(''));
    run(bin('cited'), ['--data', data, '--quiet', 'index', 'add', file]);
  }
  fs.rmSync(file);
  run('sqlite3', [`${data}/index.db`, `
    INSERT INTO crawl(id, name, started) VALUES(1, 'read', 1);
    WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n
      WHERE i < ${ADDRESSES})
    INSERT INTO frontier(crawl, url, depth, tries, state, reason)
      SELECT 1, 'https://crawl.example/' || i, i % 9, i % 3, i % 5 = 0,
        CASE i % 7 WHEN 0 THEN 'http 404' ELSE '' END FROM n;`]);
}

// --- what is there ---------------------------------------------------------
const TABLES = { state: ['account', 'api_key', 'task_count'],
  index: ['crawl', 'frontier', 'page', 'passage'] };

// A digest of each table, of all its columns in the order of its rows.
async function digests(data) {
  const found = {};
  for (const [file, tables] of Object.entries(TABLES))
    for (const table of tables) {
      const hash = createHash('sha256');
      const p = spawn('sqlite3', ['-readonly', `${data}/${file}.db`, '.mode quote',
        `SELECT * FROM ${table} ORDER BY 1`], { stdio: ['ignore', 'pipe', 'inherit'] });
      for await (const data of p.stdout) hash.update(data);
      found[table] = hash.digest('hex');
    }
  return found;
}

const count = (data, what) => Number(run('sqlite3', ['-readonly',
  `${data}/index.db`, `SELECT ${what} FROM page`]));

const questions = Array.from({ length: QUESTIONS }, () => sentence().slice(0, 80));

const answers = (data, env = {}) => questions.map((q) => {
  const { results } = JSON.parse(run(bin('cited'), ['--data', data, '--json',
    'search', '--results', '--max', '20', '--', q],
  { env: { ...process.env, ...env } }));
  return JSON.stringify(results);
});

const differing = (a, b) => a.filter((one, i) => one !== b[i]).length;

function same(what, here, there) {
  const other = Object.keys(here).filter((name) => here[name] !== there[name]);
  record(what, other.length ? 0 : 1, '', 1, other.length
    ? `, not so: ${other.join(', ')}` : `, ${Object.keys(here).join(', ')}`);
}

const HZ = Number(run('getconf', ['CLK_TCK']));
function spent(pid) {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ').slice(11);
  return (Number(user) + Number(system)) / HZ;
}

// --- the ways --------------------------------------------------------------
const move = (data, ...how) => seconds(() =>
  run(bin('cited'), ['--data', data, '--quiet', 'move', ...how, address]));

async function node(passages) {
  const env = { CITED_STATE_DATABASE: address };
  const data = path.join(dir, 'node');
  fs.mkdirSync(data);
  const since = Date.now();
  const { sock, pid } = await responder('node', { data }, env);
  const base = await lighttpd({ fcgi: { '/': sock } });
  for (let text = ''; !/"status":"ok".*"changes":0\b/.test(text);) {
    if (Date.now() - since > 600000) throw new Error(`not level: ${text}`);
    await new Promise((done) => setTimeout(done, 50));
    ({ text } = await call('GET', `${base}/healthz`, ''));
  }
  const took = (Date.now() - since) / 1000;
  record('a node from nothing', passages / took, 'passages/s', 20000,
    `, ${took.toFixed(1)} s, of which ${spent(pid).toFixed(1)} of processor${load()}`);
  hangUp();
  return answers(data, env);
}

try {
  console.log(`${os.cpus().length} processors for all${load()}`);
  const { data } = dataFolder('here');
  fill(data);
  const passages = count(data, 'sum(passages)');
  console.log(`${count(data, 'count(*)')} pages, ${passages} passages, ` +
    `${(count(data, 'sum(text_bytes)') / 1048576).toFixed(0)} MiB of text, ` +
    `${ADDRESSES} addresses of a crawl`);
  const before = await digests(data), said = answers(data);
  record('moved to PostgreSQL', move(data, '--to'), 's', 0, load());
  same('the source stays as it is', before, await digests(data));
  const back = path.join(dir, 'back');
  fs.mkdirSync(back);
  record('moved back', move(back, '--from'), 's', 0, load());
  same('what came back is the same, byte for byte', before, await digests(back));
  record('questions answered alike by what came back',
    QUESTIONS - differing(said, answers(back)), `of ${QUESTIONS}`, QUESTIONS);
  record('questions answered alike by the new node',
    QUESTIONS - differing(said, await node(passages)), `of ${QUESTIONS}`, QUESTIONS);
} finally {
  fs.mkdirSync(path.join(root, 'build', 'bench'), { recursive: true });
  fs.writeFileSync(path.join(root, 'build', 'bench', 'move.json'),
    JSON.stringify(records, null, 1));
  finish();
}
process.exitCode = missed ? 1 : 0;
