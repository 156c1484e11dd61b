// What the index costs on real text, against plain FTS5 on the same passages in
// the same run, and what hostile pages cost.
//
//   SIZE=100000 node bench/index.mjs [NAME…]     build query filters hostile
//
// Called by `make bench-index`, which installs Debian's documentation and builds
// the programs first. The text is that of the packages below; where it does not
// suffice for SIZE passages it is taken again with every third longer word
// changed, and the bench says how often. The records go to
// build/bench/index.json.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root, bin, tool, dir, run, finish } from './lib.mjs';
import { hostile } from './hostile.mjs';

const SIZE = Number(process.env.SIZE ?? 100000);
const QUERIES = Number(process.env.QUERIES ?? (SIZE > 300000 ? 60 : 200));
const ROUNDS = Number(process.env.ROUNDS ?? (SIZE > 300000 ? 2 : 3));
// The folder of a package that carries its version in its name.
const versioned = (dir, name) => `${dir}/${fs.readdirSync(dir)
  .filter((entry) => name.test(entry)).sort().at(-1) ?? name.source}`;
const packages = {
  sqlite: '/usr/share/doc/sqlite3',
  postgresql: `${versioned('/usr/share/doc', /^postgresql-doc-\d+$/)}/html`,
  git: '/usr/share/doc/git-doc',
  python: `${versioned('/usr/share/doc', /^python3\.\d+$/)}/html`,
  handbook: '/usr/share/doc/debian-handbook/html/en-US',
  linux: `${versioned('/usr/share/doc', /^linux-doc-\d+\.\d+$/)}/html`,
};
const records = [];

const median = (xs) => [...xs].sort((a, b) => a - b)[xs.length >> 1];
const mib = (bytes) => (bytes / 1048576).toFixed(1);

function record(name, value, unit, limit, ok, more = '') {
  records.push({ name, value, unit, limit, ok });
  console.log(`${ok ? 'ok  ' : 'MISS'} ${name}: ${Number(value.toPrecision(3))}${unit} ` +
    `(${limit})${more}`);
}

// Wall clock, processor time, peak memory and exit status of a program.
function measure(argv) {
  const r = spawnSync(tool('measure'), argv, { maxBuffer: 1 << 28 });
  if (r.error) throw r.error;
  const said = r.stderr.toString().trim().split('\n');
  const [wall, cpu, kib, status] = said.pop().split(' ').map(Number);
  return { wall, cpu, mib: kib / 1024, status, out: r.stdout, said };
}

const passages = (...args) => run(tool('passages'), args).trim();

// The pages with SIZE passages as JSON lines, in files below the 64 MiB that
// index add reads.
function writeLines() {
  const folder = path.join(dir, 'lines');
  fs.mkdirSync(folder);
  // Cut again without their headings, they become about 5 % fewer.
  const wanted = Math.round(SIZE * 1.055);
  const r = spawnSync('sh', ['-c',
    '"$0" pages "$1" "$2" | split -C 48m --additional-suffix=.jsonl - "$3/"',
    tool('passages'), real, String(wanted), folder]);
  const [made, copies] = r.stderr.toString().trim().split(' ').map(Number);
  if (r.error || r.status !== 0 || !(made > 0)) throw r.error ?? new Error(r.stderr.toString());
  const { passages: have } = JSON.parse(run(bin('cited'),
    ['--data', real, '--json', 'index', 'stats']));
  console.log(`${have} passages of real text` +
    (copies > 1 ? `, taken ${copies} times with words changed` : ''));
  return fs.readdirSync(folder).map((f) => path.join(folder, f));
}

const real = path.join(dir, 'real'), data = path.join(dir, 'index');
let built;

// The index of SIZE passages, made from JSON lines of text.
function build() {
  if (built) return built;
  for (const [name, at] of Object.entries(packages)) {
    if (!fs.existsSync(at)) {
      console.log(`skip ${at}: the package is not installed`);
      continue;
    }
    measure([bin('cited'), '--data', real, '--quiet', 'index', 'add', '--base',
      `http://${name}.example/`, at]);
  }
  const files = writeLines();
  const cost = measure([bin('cited'), '--data', data, '--quiet', 'index', 'add',
    ...files]);
  if (cost.status !== 0) throw new Error(cost.said.join('\n'));
  fs.rmSync(path.dirname(files[0]), { recursive: true });
  const [index, rest, text, count] = passages('size', data).split(' ').map(Number);
  record('build rate, wall clock', count / (cost.wall / 1000), ' passages/s',
    'at least 30,000', count / (cost.wall / 1000) >= 30000,
    `, ${count} passages, ${mib(text)} MiB of text, ${cost.mib.toFixed(0)} MiB of memory`);
  record('build rate, processor time', count / (cost.cpu / 1000), ' passages/s',
    'at least 30,000', count / (cost.cpu / 1000) >= 30000);
  record('segments / text', index / text, '', 'at most 0.25', index / text <= 0.25,
    `, stored text and the rest ${(rest / text).toFixed(2)}`);
  const optimize = measure([bin('cited'), '--data', data, 'index', 'optimize']);
  const after = passages('size', data).split(' ').map(Number);
  record('segments / text after optimize', after[0] / text, '', 'at most 0.25',
    after[0] / text <= 0.25, `, ${(optimize.wall / 1000).toFixed(1)} s`);
  built = count;
  return built;
}

const percentile = (xs, p) => [...xs].sort((a, b) => a - b)[
  Math.min(xs.length - 1, Math.floor(xs.length * p))];

// Milliseconds of index_query for each line, the system's cache filled.
function timesOf(lines, filter) {
  const times = [];
  for (let i = 0; i <= ROUNDS; i++) {
    const out = run(tool('passages'), ['ask', data, '-', ...filter], { input: lines });
    if (i > 0) times.push(...out.trim().split('\n').map((l) => Number(l.split(' ')[0])));
  }
  return times;
}

// What a restriction costs: to a host of half, of some, of few pages.
function filters() {
  build();
  for (const words of [5, 10]) {
    const lines = passages('queries', data, String(words), String(QUERIES)) + '\n';
    const free = median(timesOf(lines, []));
    for (const host of ['python.example', 'sqlite.example', 'handbook.example']) {
      const r = median(timesOf(lines, [host])) / free;
      record(`index_query, ${words} words, of ${host} only`, r, '',
        'at most 1.5 of without', r <= 1.5);
    }
  }
}

// index_query and the whole list of results against bm25(), each question
// asked of all three in turn.
function query() {
  const count = build();
  const plain = path.join(dir, 'plain.db');
  const made = measure([tool('fts_floor'), 'build', path.join(data, 'index.db'), plain]);
  if (made.status !== 0) throw new Error(made.said.join('\n'));
  const ours = {};
  for (const words of [5, 10]) {
    const lines = passages('queries', data, String(words), String(QUERIES)) + '\n';
    const x = { index: [], list: [], bm25: [] };
    for (let i = 0; i <= ROUNDS; i++) {
      const out = run(tool('passages'), ['ask', data, plain], { input: lines });
      if (i === 0) continue; // fills the system's cache
      for (const l of out.trim().split('\n')) {
        const [a, b, c] = l.split(' ').map(Number);
        x.index.push(a); x.list.push(b); x.bm25.push(c);
      }
    }
    for (const [which, name] of [['index', 'index_query'], ['list', 'list of results']]) {
      const r = median(x[which]) / median(x.bm25);
      record(`${name}, ${count} passages, ${words} words, of FTS5 bm25()`, r, '',
        'at most 0.3', r <= 0.3,
        `, ${median(x[which]).toFixed(2)} ms (99 %: ${percentile(x[which], 0.99).toFixed(2)})` +
        ` against ${median(x.bm25).toFixed(2)} ms`);
      ours[which + words] = median(x[which]);
    }
  }
  for (const [which, name] of [['index', 'index_query'], ['list', 'list of results']]) {
    const r = ours[`${which}10`] / ours[`${which}5`];
    record(`${name}, 10 words against 5`, r, '', 'at most 2', r <= 2);
  }
}

// Each hostile page through the command that shows what would be indexed.
function hostilePages() {
  const file = path.join(dir, 'hostile');
  for (const [name, make] of Object.entries(hostile)) {
    const made = make();
    const [type, bytes] = Array.isArray(made) ? made : ['html', made];
    fs.writeFileSync(file, bytes);
    const cost = measure([bin('cited'), '--json', 'extract', '--type', type, file]);
    const clear = cost.status === 0 || (cost.status === 1 && cost.said.length > 0);
    const outcome = cost.status === 0
      ? (JSON.parse(cost.out).cut ? 'cut' : 'whole') : cost.said.at(-1);
    record(`${name}, ${mib(bytes.length)} MiB`, cost.wall, ' ms', 'under 1 s and 64 MiB',
      clear && cost.wall < 1000 && cost.mib < 64,
      `, processor ${cost.cpu.toFixed(0)} ms, ${cost.mib.toFixed(0)} MiB, ${outcome}`);
  }
}

const all = { build, query, filters, hostile: hostilePages };
const names = process.argv.slice(2);
let failed = false;
try {
  for (const name of names.length ? names : Object.keys(all)) all[name]();
} catch (e) {
  failed = true;
  console.error(e);
} finally {
  finish();
  fs.writeFileSync(path.join(root, 'build', 'bench', 'index.json'),
    JSON.stringify(records, null, 1));
  const missed = records.filter((r) => !r.ok).length;
  console.log(`${records.length - missed} reached, ${missed} missed`);
  process.exitCode = failed || missed ? 1 : 0;
}
