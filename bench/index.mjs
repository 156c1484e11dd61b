// What the index costs on real text, against plain FTS5 and Xapian on the same
// passages in the same run, and what hostile pages cost.
//
//   SIZE=100000 node bench/index.mjs [NAME…]
//     build query filters put growth whole hostile
//
// Called by `make bench-index`, which installs Debian's documentation and builds
// the programs first. The text is that of the packages below; where it does not
// suffice for SIZE passages it is taken again with every third longer word
// changed, and the bench says how often. What is asked of a million passages
// (SIZE=1000000) is only told of fewer. Times are of the processor, so that
// what else runs counts little. growth asks indexes of a tenth of SIZE, of SIZE
// and, when GROW is set, of so many passages more; a large one needs a minute
// and a gigabyte for each million passages. The records go to
// build/bench/index.json.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root, bin, tool, dir, run, call, dataFolder, lighttpd, responder,
  finish } from './lib.mjs';
import { hostile } from './hostile.mjs';

const SIZE = Number(process.env.SIZE ?? 100000);
const GROW = Number(process.env.GROW || 0);
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

// The pages with so many passages as JSON lines, in files below the 64 MiB
// that index add reads.
function writeLines(size, folder) {
  fs.mkdirSync(folder);
  const r = spawnSync('sh', ['-c',
    '"$0" pages "$1" "$2" | split -C 48m --additional-suffix=.jsonl - "$3/"',
    tool('passages'), real, String(wanted(size)), folder]);
  const [made, copies] = r.stderr.toString().trim().split(' ').map(Number);
  if (r.error || r.status !== 0 || !(made > 0)) throw r.error ?? new Error(r.stderr.toString());
  const { passages: have } = JSON.parse(run(bin('cited'),
    ['--data', real, '--json', 'index', 'stats']));
  console.log(`${have} passages of real text` +
    (copies > 1 ? `, taken ${copies} times with words changed` : ''));
  return fs.readdirSync(folder).map((f) => path.join(folder, f));
}

// Cut again without their headings, they become about 5 % fewer.
const wanted = (size) => Math.round(size * 1.055);
const real = path.join(dir, 'real'), data = path.join(dir, 'index');
let built;

function readReal() {
  if (fs.existsSync(real)) return;
  for (const [name, at] of Object.entries(packages)) {
    if (!fs.existsSync(at)) {
      console.log(`skip ${at}: the package is not installed`);
      continue;
    }
    measure([bin('cited'), '--data', real, '--quiet', 'index', 'add', '--base',
      `http://${name}.example/`, at]);
  }
}

// The index of SIZE passages, made from JSON lines of text.
function build() {
  if (built) return built;
  readReal();
  const files = writeLines(SIZE, path.join(dir, 'lines'));
  const cost = measure([bin('cited'), '--data', data, '--quiet', 'index', 'add',
    ...files]);
  if (cost.status !== 0) throw new Error(cost.said.join('\n'));
  fs.rmSync(path.dirname(files[0]), { recursive: true });
  const [index, rest, text, count] = passages('size', data).split(' ').map(Number);
  for (const [what, ms] of [['wall clock', cost.wall], ['processor time', cost.cpu]])
    record(`build rate, ${what}`, count / (ms / 1000), ' passages/s',
      'at least 30,000', count / (ms / 1000) >= 30000,
      `, ${count} passages, ${mib(text)} MiB of text, ${cost.mib.toFixed(0)} MiB of memory`);
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

const questions = (where, words, count = QUERIES) =>
  passages('queries', where, String(words), String(count)) + '\n';

// Milliseconds for each line, the system's cache filled before.
function timesOf(program, args, lines) {
  const times = [];
  for (let i = 0; i <= ROUNDS; i++) {
    const out = run(tool(program), ['ask', ...args], { input: lines });
    if (i > 0) times.push(...out.trim().split('\n').map(Number));
  }
  return times;
}
const askIndex = (where, lines, ...filter) =>
  timesOf('passages', [where, '-', ...filter], lines);

// What a restriction costs: to a host of half, of a hundredth, of a ten
// thousandth of the pages, to days.
function filters() {
  build();
  for (const words of [5, 10]) {
    const lines = questions(data, words);
    const free = median(askIndex(data, lines));
    for (const one of ['half.example', 'some.example', 'few.example',
      '2012-01-01..2016-12-31', '2014-03-01..2014-04-05', '2013-05-07..2013-05-07']) {
      const r = median(askIndex(data, lines, one)) / free;
      record(`index_query, ${words} words, of ${one} only`, r, '',
        'at most 1.5 of without', r <= 1.5);
    }
  }
}

// index_query and the whole list of results against bm25(), each question
// asked of all three in turn; against Xapian each alone, round by round.
function query() {
  const count = build();
  const plain = path.join(dir, 'plain.db'), xapian = path.join(dir, 'xapian');
  for (const [program, to] of [['fts_floor', plain], ['xapian', xapian]]) {
    const made = measure([tool(program), 'build', path.join(data, 'index.db'), to]);
    if (made.status !== 0) throw new Error(made.said.join('\n'));
  }
  const ours = {};
  for (const words of [5, 10]) {
    const lines = questions(data, words);
    const x = { index: [], list: [], bm25: [], alone: [], xapian: [] };
    for (let i = 0; i <= ROUNDS; i++) {
      const out = run(tool('passages'), ['ask', data, plain], { input: lines });
      const each = [['alone', 'passages', [data, '-']], ['xapian', 'xapian', [xapian]]]
        .map(([name, program, args]) =>
          [name, run(tool(program), ['ask', ...args], { input: lines })]);
      if (i === 0) continue; // fills the system's cache
      for (const l of out.trim().split('\n')) {
        const [a, b, c] = l.split(' ').map(Number);
        x.index.push(a); x.list.push(b); x.bm25.push(c);
      }
      for (const [name, ms] of each) x[name].push(...ms.trim().split('\n').map(Number));
    }
    for (const [which, name] of [['index', 'index_query'], ['list', 'list of results']]) {
      const r = median(x[which]) / median(x.bm25);
      record(`${name}, ${count} passages, ${words} words, of FTS5 bm25()`, r, '',
        'at most 0.3', r <= 0.3,
        `, ${median(x[which]).toFixed(2)} ms (99 %: ${percentile(x[which], 0.99).toFixed(2)})` +
        ` against ${median(x.bm25).toFixed(2)} ms`);
      ours[which + words] = median(x[which]);
    }
    const r = median(x.alone) / median(x.xapian), many = count >= 900000;
    record(`index_query, ${count} passages, ${words} words, of Xapian`, r, '',
      many ? 'at most 0.2' : 'for information', !many || r <= 0.2, `, ${median(x.alone).toFixed(2)} ms ` +
      `(99 %: ${percentile(x.alone, 0.99).toFixed(2)}) against ${median(x.xapian).toFixed(2)} ms` +
      ` (99 %: ${percentile(x.xapian, 0.99).toFixed(2)})`);
    const [asked, wrong] = run(tool('passages'), ['exact', data],
      { input: questions(data, words, 500) }).split(' ').map(Number);
    record(`${asked} questions whose best ten are not those of a thousand`, wrong, '',
      'none', wrong === 0);
  }
  for (const [which, name] of [['index', 'index_query'], ['list', 'list of results']]) {
    const r = ours[`${which}10`] / ours[`${which}5`];
    record(`${name}, 10 words against 5`, r, '', 'at most 2', r <= 2);
  }
}

// How long until another connection finds a page that was put in.
function put() {
  build();
  const ms = passages('put', data, '300').split('\n').map(Number);
  record('page put until found, wall clock', median(ms), ' ms', 'at most 10',
    median(ms) <= 10, `, 99 %: ${percentile(ms, 0.99).toFixed(2)}`);
}

// An index of a size, fed while its lines are made, so that these need no room.
function grown(size) {
  const where = path.join(dir, `grown-${size}`);
  const r = spawnSync('sh', ['-c', '"$0" pages "$1" "$2" 2>/dev/null | split -C 60m ' +
    '--filter="$3 --data $4 --quiet index add --type jsonl -" - x >/dev/null && ' +
    '"$3" --data "$4" index optimize', tool('passages'), real, String(wanted(size)),
    bin('cited'), where]);
  if (r.error || r.status !== 0) throw r.error ?? new Error(r.stderr.toString());
  return where;
}

// The limits at two sizes, in milliseconds for 5 and 10 words.
const most = { 1000000: [0.6, 1.0], 10000000: [4, 6] };

function growth() {
  build();
  const before = {};
  for (const size of [SIZE / 10, SIZE, ...(GROW > SIZE ? [GROW] : [])]) {
    const where = size === SIZE ? data : grown(size);
    const [bytes, , , count] = passages('size', where).split(' ').map(Number);
    [5, 10].forEach((words, i) => {
      const ms = askIndex(where, questions(where, words)), limit = most[size]?.[i];
      record(`index_query, ${count} passages, ${words} words`, median(ms), ' ms',
        limit ? `at most ${limit}` : 'for information', !limit || median(ms) <= limit,
        `, 99 %: ${percentile(ms, 0.99).toFixed(2)}`);
      if (before[words])
        record('  grown from the size before', median(ms) / before[words], '', 'at most 10',
          median(ms) / before[words] <= 10);
      before[words] = median(ms);
    });
    const often = askIndex(where, 'function\n'.repeat(20));
    record('  one very frequent word', median(often), ' ms', 'at most 5', median(often) <= 5);
    const cost = measure(['sh', '-c', 'exec "$0" ask "$1" - < "$2" > /dev/null',
      tool('passages'), where, (() => {
        const file = path.join(dir, 'lines.txt');
        fs.writeFileSync(file, questions(where, 5));
        return file;
      })()]);
    const room = bytes / 1048576 + 24;
    record('  resident set of asking', cost.mib, ' MiB', 'at most the segments and 24',
      cost.mib <= room, `, ${mib(bytes)} MiB of segments`);
    if (where !== data) fs.rmSync(where, { recursive: true });
  }
}

// Whole replies over HTTP: processor time of the responder and wall clock.
async function whole() {
  build();
  const d = dataFolder('index');
  const { sock, pid } = await responder('whole', d);
  const at = await lighttpd({ fcgi: { '/api': sock } });
  const spent = () => fs.readdirSync(`/proc/${pid}/task`).reduce((sum, t) => sum +
    Number(fs.readFileSync(`/proc/${pid}/task/${t}/schedstat`, 'utf8').split(' ')[0]), 0) / 1e6;
  const asked = fs.readFileSync(path.join(root, 'bench', 'questions', 'questions.jsonl'), 'utf8')
    .trim().split('\n').map((l) => JSON.parse(l).q);
  for (const [depth, outputType, p50, p99] of [['flash', 'searchResults', 1],
    ['standard', 'searchResults', 5], ['standard', 'sourcedAnswer', 4, 12]]) {
    const wall = [], cpu = [];
    for (let i = 0; i <= ROUNDS; i++)
      for (const q of asked) {
        const before = spent();
        const r = await call('POST', `${at}/api/v1/search`, d.key,
          JSON.stringify({ q, depth, outputType }));
        if (r.status !== 200 && !/NO_RESULT/.test(r.text)) throw new Error(r.text);
        if (i > 0) { wall.push(r.ms); cpu.push(spent() - before); }
      }
    for (const [what, ms] of [['processor time', cpu], ['wall clock', wall]]) {
      const ok = median(ms) <= p50 && (!p99 || percentile(ms, 0.99) <= p99);
      record(`${outputType}, ${depth}, ${what}`, median(ms), ' ms',
        `at most ${p50}${p99 ? `, 99 %: ${p99}` : ''}`, ok,
        `, 99 %: ${percentile(ms, 0.99).toFixed(2)}`);
    }
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

const all = { build, query, filters, put, growth, whole, hostile: hostilePages };
const names = process.argv.slice(2);
let failed = false;
try {
  for (const name of names.length ? names : Object.keys(all)) await all[name]();
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
