// How good results, answers and extraction are, beside simple programs on the
// same data in the same run.
//
//   COLLECTIONS=DIR [ONLY=name,…] [MEANING=1] [KEEP=DIR]
//     node bench/quality.mjs
//
// Called by `make bench-quality`. MEANING=1 searches with the encoder that `make
// meaning` left, too; KEEP is a folder as in bench/real.mjs. DIR holds one folder a collection: docs.jsonl
// {id,title,text} with queries.jsonl {id,text} and qrels.tsv (retrieval) or
// questions.jsonl {id,question,answers,answerable} (answers), and the packed
// sets of real pages. Everything goes through the programs' own interfaces.
// The records go to build/bench/quality.json.
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { root, bin, tool, dir, run, lighttpd, call, dataFolder, responder,
  finish, unfolded } from './lib.mjs';
import { encoder, kept, vectors } from './sites.mjs';

const from = process.env.COLLECTIONS ?? '';
const only = (process.env.ONLY ?? '').split(',').filter(Boolean);
const FOREIGN = 300; // questions asked of each other collection
const rows = [];     // of the table
const records = {};  // raw, by collection

// Published figures, each from its paper or project page.
const published = {
  'cranfield nDCG@10': '0.374 MiniLM dense', 'scifact nDCG@10': '0.679 BM25 (Anserini)',
  'trafilatura F': '0.924 trafilatura, 0.889 magic-html', 'dates exact': '0.903 htmldate',
};
const goals = {
  'squad2-half gold in answer': 0.9, 'xquad-en gold in answer': 0.9,
  'covidqa gold in answer': 0.55, 'squad2-half gold in first sentence': 0.83,
  'xquad-en gold in first sentence': 0.81, 'covidqa gold in first sentence': 0.46,
  'squad2-half unanswerable: no answer': 0.3,
  'trafilatura F': 0.935, 'dates exact': 0.91, 'declared author right': 0.9,
};

const lines = (file) => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
const jsonl = (file) => lines(file).map((l) => JSON.parse(l));
// Only line breaks and runs of spaces may differ: pages are stored so.
// The hyphen that divides a word at the end of a line goes when the lines are joined.
const undivided = (z) => z.replace(/(?<=\p{L})-\s*(?=\p{L})/gu, '');
const flat = (z) => squeeze(undivided(z));
const holdsSnippet = (text, snippet) => flat(text).includes(flat(snippet));
const mean = (xs) => xs.length ? xs.reduce((a, b) => a + b, 0) / xs.length : NaN;
const share = (xs, f) => mean(xs.map((x) => f(x) ? 1 : 0));
const show = (x) => x === null || x === undefined || Number.isNaN(x) ? '-'
  : typeof x === 'number' ? (x > 20 ? x.toFixed(1) : x.toFixed(3)) : x;

function row(figure, ours, baseline = null) {
  const goal = goals[figure] ?? (/foreign: no answer/.test(figure) ? 0.9
    : /held$/.test(figure) ? 1 : null);
  const ok = goal === null ? '' : ours >= goal ? 'ok' : `MISS ${goal}`;
  rows.push({ figure, ours, baseline, published: published[figure] ?? null, goal });
  console.log(`${figure.padEnd(44)} ${show(ours).padStart(8)} ` +
    `${show(baseline).padStart(8)}  ${(published[figure] ?? '').padEnd(36)} ${ok}`);
}

// --- text -------------------------------------------------------------------

const stop = new Set(('a an and are as at be by did do does for from had has ' +
  'have how in is it its of on or that the their there these this those to was ' +
  'were what when where which who whom whose why will with can could would ' +
  'should been being but not into than then they he she his her you your we our ' +
  'i me my us them also such about which').split(' '));
const words = (z) => z.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const plain = (z) => ` ${words(z).join(' ')} `;
const holds = (text, golds) => golds.some((g) => words(g).length > 0 &&
  plain(text).includes(plain(g)));
const stem = (w) => w.length > 5 ? w.slice(0, Math.max(5, w.length - 3)) : w;
// A stop behind an initial or a title ("Nicholas E. Golovin", "St. Johns") ends nothing.
const inner = /(?:(?<![\p{L}.])\p{Lu}|\b(?:St|Mr|Mrs|Ms|Dr|Prof|Rev|Gen|Col|Lt|Mt|Fig|No|vs?|al))\.$/u;
const sentences = (z) => {
  const out = [];
  for (const s of z.split(/(?<=[.!?]["')\]]*)\s+(?=["'(\[]*[\p{Lu}\p{N}])|\n+/u)) {
    if (out.length && inner.test(out.at(-1))) out.push(`${out.pop()} ${s}`);
    else out.push(s);
  }
  return out.filter((s) => s.trim());
};
const match = (q) => {
  const w = [...new Set(words(q))];
  const kept = w.filter((x) => !stop.has(x));
  return (kept.length ? kept : w).map((x) => `"${x}"`).join(' OR ');
};

// --- a collection in an index -------------------------------------------------

const url = (set, id) => `http://${set}.example/${encodeURIComponent(id)}`;

async function open(set) {
  const at = path.join(from, set);
  const d = dataFolder(`set-${set}`, kept), mark = path.join(d.data, 'indexed');
  const docs = jsonl(path.join(at, 'docs.jsonl'));
  const file = path.join(dir, `${set}.jsonl`);
  fs.writeFileSync(file, docs.map((x) => JSON.stringify(
    { url: url(set, x.id), title: x.title, text: x.text.trim() || x.title }) + '\n').join(''));
  if (!fs.existsSync(mark)) {
    const s = spawnSync(bin('cited'), ['--data', d.data, '--json', 'index', 'add', file]);
    const told = s.stderr.toString().split('\n').filter((l) => /:\d+: /.test(l));
    if (told.length) console.log(`${set}: not indexed: ${told.length}, first: ${told[0]}`);
    fs.writeFileSync(mark, '');
  }
  const tsv = path.join(dir, `${set}.tsv`);
  const flat = (z) => (z ?? '').replace(/\s+/g, ' ');
  fs.writeFileSync(tsv, docs.map((x) =>
    `${x.id}\t${flat(x.title)}\t${flat(x.text)}\n`).join(''));
  const meaning = Number(process.env.MEANING || 0);
  if (meaning) vectors(d.data);
  const { sock } = await responder(set, d, { CITED_MEANING_MODEL: meaning ? encoder : '' });
  const server = await lighttpd({ fcgi: { '/api': sock } });
  return { set, at, key: d.key, tsv, server, docs: new Map(docs.map((x) => [x.id, x])) };
}

async function search(c, body) {
  const r = await call('POST', `${c.server}/api/v1/search`, c.key,
    JSON.stringify({ depth: 'standard', includeEvidence: true, ...body }));
  const json = JSON.parse(r.text);
  if (r.status === 200) return json;
  if (json.error.code === 'SEARCH_QUERY_NO_RESULT') return null;
  throw new Error(`${c.set}: ${body.q}: ${r.text}`);
}

// Some at a time, results in order.
async function each(xs, f, width = 4) {
  const out = new Array(xs.length);
  let next = 0;
  await Promise.all(Array.from({ length: width }, async () => {
    while (next < xs.length) { const i = next++; out[i] = await f(xs[i]); }
  }));
  return out;
}

function baseline(c, queries, k) {
  const out = run(tool('plain_fts'), [c.tsv, String(k)],
    { input: queries.map((q) => `${q.id}\t${match(q.text)}\n`).join('') });
  return new Map(out.split('\n').filter(Boolean).map((l) => {
    const [id, ...ids] = l.split('\t');
    return [id, ids];
  }));
}

const idOf = (u) => decodeURIComponent(u.slice(u.lastIndexOf('/') + 1));

// --- retrieval ----------------------------------------------------------------

function ndcg(ids, grades) {
  const gain = (g, i) => g / Math.log2(i + 2);
  const best = [...grades.values()].sort((a, b) => b - a).slice(0, 10);
  const ideal = best.reduce((s, g, i) => s + gain(g, i), 0);
  return ids.slice(0, 10).reduce((s, id, i) => s + gain(grades.get(id) ?? 0, i), 0) / ideal;
}

const recall = (ids, grades) => {
  const good = [...grades].filter(([, g]) => g > 0).map(([id]) => id);
  return share(good, (id) => ids.slice(0, 100).includes(id));
};

async function retrieval(c) {
  const grades = new Map();
  for (const l of lines(path.join(c.at, 'qrels.tsv'))) {
    const [q, d, g] = l.split('\t');
    if (!grades.has(q)) grades.set(q, new Map());
    grades.get(q).set(d, Math.max(0, Number(g)));
  }
  const queries = jsonl(path.join(c.at, 'queries.jsonl')).filter((q) =>
    [...(grades.get(q.id)?.values() ?? [])].some((g) => g > 0));
  const theirs = baseline(c, queries, 100);
  const found = await each(queries, (q) =>
    search(c, { q: q.text, outputType: 'searchResults', maxResults: 100 }));
  let verbatim = 0, all = 0;
  const recs = queries.map((q, i) => {
    const ids = (found[i]?.results ?? []).map((x) => idOf(x.url));
    for (const x of found[i]?.results ?? []) {
      const d = c.docs.get(idOf(x.url));
      all++;
      verbatim += (d.flat ??= `${flat(d.text)}\n${flat(d.title)}`).includes(flat(x.content)) ? 1 : 0;
    }
    const g = grades.get(q.id), b = theirs.get(q.id) ?? [];
    return { id: q.id, ndcg: ndcg(ids, g), recall: recall(ids, g),
      base_ndcg: ndcg(b, g), base_recall: recall(b, g) };
  });
  records[c.set].retrieval = recs;
  row(`${c.set} nDCG@10`, mean(recs.map((r) => r.ndcg)), mean(recs.map((r) => r.base_ndcg)));
  row(`${c.set} R@100`, mean(recs.map((r) => r.recall)), mean(recs.map((r) => r.base_recall)));
  row(`${c.set} result snippets held`, verbatim / all);
}

// --- answers ------------------------------------------------------------------

// The best passage's sentence with most of the question's words.
function baselineAnswer(c, q, ids) {
  const want = new Set(words(q).filter((w) => !stop.has(w)).map(stem));
  const text = c.docs.get(ids[0])?.text ?? '';
  let best = '', most = -1;
  for (const s of sentences(text)) {
    const n = [...new Set(words(s).map(stem))].filter((w) => want.has(w)).length;
    if (n > most) { most = n; best = s; }
  }
  return best;
}

const bytes = (z) => undivided(z).replace(/\\(?=[[\]#>.)+*=`~-])/g, '').replace(/\s+/g, '');

// What an answer says, as [text, number of its source]: sentences, items and
// listings. A number stands behind a blank or begins a line and is that of
// all since the one before it; 0 is no number.
function said(answer) {
  const out = [];
  let open = [];
  const take = (text) => bytes(text) && open.push(text.replace(/\\\[(\d+)\\\]/g, '[$1]'));
  for (const [, fence, code, line] of
    unfolded(answer).matchAll(/^(`{3,})\n([^]*?)\n\1$|^(.*)$/gm)) {
    if (fence) { open.push(code); continue; }
    line.replace(/^- /, '').split(/(?<=^|\s)\[(\d{1,3})\](?=\s|$)/).forEach((part, i) => {
      if (i % 2 === 0) return take(part);
      out.push(...open.map((text) => [text, Number(part)]));
      open = [];
    });
  }
  return [...out, ...open.map((text) => [text, 0])];
}

// null, or the first thing that is wrong: all that is said stands in the
// source it names as it is, and so does every snippet.
function unsupported(c, r) {
  const texts = r.sources.map((s) => {
    const d = c.docs.get(idOf(s.url));
    return d ? d.text.trim() || d.title : '';
  });
  const torn = r.sources.find((s, i) => s.snippet === '' || !holdsSnippet(texts[i], s.snippet));
  if (torn) return { snippet: torn.snippet, url: torn.url };
  const wrong = said(r.answer).find(([text, n]) =>
    !bytes(texts[n - 1] ?? '').includes(bytes(text)));
  return wrong ? { piece: wrong[0], source: r.sources[wrong[1] - 1]?.url } : null;
}

// Ranges of evidence that, cut again from the page as it is given, are not the quote.
async function miscut(c, got) {
  const pages = new Map();
  let n = 0, wrong = 0;
  for (const r of got.filter(Boolean))
    for (const x of r.evidence) {
      if (!pages.has(x.url))
        pages.set(x.url, Buffer.from(JSON.parse((await call('GET',
          `${c.server}/api/v1/pages?url=${encodeURIComponent(x.url)}`, c.key)).text).text));
      n++;
      wrong += pages.get(x.url).subarray(x.start, x.end).toString() === x.quote ? 0 : 1;
    }
  console.log(`${c.set}: ${n} ranges of ${got.filter(Boolean).length} answers, ${wrong} wrong`);
  return { n, wrong };
}

async function answers(c, foreign) {
  const qs = jsonl(path.join(c.at, 'questions.jsonl'));
  const theirs = baseline(c, qs.map((q) => ({ id: q.id, text: q.question })), 1);
  const got = await each(qs, (q) => search(c, { q: q.question, outputType: 'sourcedAnswer' }));
  const cut = await miscut(c, got);
  const recs = qs.map((q, i) => {
    const answer = got[i]?.answer ?? null;
    const base = baselineAnswer(c, q.question, theirs.get(q.id) ?? []);
    const first = answer === null ? '' : sentences(answer)[0] ?? '';
    return { id: q.id, question: q.question, golds: q.answers, answerable: q.answerable,
      answer, words: answer === null ? 0 : answer.split(/\s+/).length,
      hit: answer !== null && holds(answer, q.answers), lead: holds(first, q.answers),
      base: holds(base, q.answers) };
  });
  const yes = recs.filter((r) => r.answerable), no = recs.filter((r) => !r.answerable);
  const said = yes.filter((r) => r.answer !== null);
  records[c.set].answers = recs;
  row(`${c.set} gold in answer`, share(yes, (r) => r.hit), share(yes, (r) => r.base));
  row(`${c.set} gold in first sentence`, share(yes, (r) => r.lead), share(yes, (r) => r.base));
  row(`${c.set} words of an answer`, mean(said.map((r) => r.words)));
  row(`${c.set} answerable: no answer`, share(yes, (r) => r.answer === null), 0);
  if (no.length) row(`${c.set} unanswerable: no answer`, share(no, (r) => r.answer === null), 0);
  const some = qs.filter((q, i) => got[i] !== null && i % 4 === 0);
  const cited = await each(some, (q) => search(c,
    { q: q.question, outputType: 'sourcedAnswer', includeInlineCitations: true }));
  const wrong = cited.map((r, i) => {
    // Our own words, that the passage is only close.
    if (r.directness === 'related') r.answer = r.answer.replace(/^.*\n+/, '');
    const what = unsupported(c, r);
    return what && { question: some[i].question, ...what };
  }).filter(Boolean);
  records[c.set].unsupported = wrong;
  row(`${c.set} cited sentences held`, 1 - wrong.length / some.length);
  row(`${c.set} evidence held`, 1 - cut.wrong / cut.n);
  if (wrong.length) console.log('  first:', JSON.stringify(wrong[0]));
  await strangers(c, foreign);
}

// Questions of other collections whose answers this one does not hold.
async function strangers(c, foreign) {
  const all = [...c.docs.values()].map((d) => plain(d.text)).join('\n');
  const recs = [];
  for (const [set, qs] of foreign) {
    if (set === c.set) continue;
    const ask = qs.filter((q) => q.answerable && q.answers.length &&
      !q.answers.some((g) => all.includes(plain(g))));
    const some = ask.filter((q, i) => i % Math.ceil(ask.length / FOREIGN) === 0);
    const got = await each(some, (q) =>
      search(c, { q: q.question, outputType: 'sourcedAnswer' }));
    // Said to be only close, it is none.
    some.forEach((q, i) => recs.push({ set, question: q.question,
      answer: got[i]?.directness === 'related' ? null : got[i]?.answer ?? null }));
  }
  records[c.set].foreign = recs;
  if (recs.length)
    row(`${c.set} foreign: no answer`, share(recs, (r) => r.answer === null), 0);
}

// --- pages --------------------------------------------------------------------

// The folder of a packed set; whole or not there.
function unpack(name) {
  const data = path.join(root, 'build', 'bench', 'data');
  const to = path.join(data, name), part = path.join(data, `part-${process.pid}`);
  if (fs.existsSync(to)) return to;
  fs.mkdirSync(part, { recursive: true });
  try {
    run('tar', ['xzf', path.join(from, `${name}.tar.gz`), '-C', part]);
    fs.renameSync(path.join(part, name), to);
  } finally {
    fs.rmSync(part, { recursive: true, force: true });
  }
  return to;
}

// What `cited extract` says of a page; null when it fails or takes too long.
const extract = (file) => new Promise((done) => {
  execFile(bin('cited'), ['--json', 'extract', '--type', 'html', file],
    { maxBuffer: 1 << 26, timeout: 20000, killSignal: 'SIGKILL' }, (e, out) => {
      try { done(e ? null : JSON.parse(out)); } catch { done(null); }
    });
});

// Readability with jsdom, where the packages are installed.
function readability() {
  const require = createRequire(path.join(
    process.env.NODE_MODULES ?? path.join(root, 'build', 'node_modules'), 'x.js'));
  try {
    const { JSDOM, VirtualConsole } = require('jsdom');
    const { Readability } = require('@mozilla/readability');
    return (html, at) => {
      const { window } = new JSDOM(html, { url: at, virtualConsole: new VirtualConsole() });
      try {
        const { textContent, publishedTime } = new Readability(window.document).parse() ?? {};
        return { textContent, publishedTime };
      } finally {
        window.close();
      }
    };
  } catch {
    console.log('Readability: not installed (npm jsdom and @mozilla/readability in ' +
      'build/node_modules): no baseline for pages');
    return null;
  }
}

const squeeze = (z) => (z ?? '').normalize('NFC').replace(/\s+/g, ' ');
// Markdown's own marks are not the page's text.
const unmarked = (z) => squeeze((z ?? '').replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
  .replace(/\\([\\`*_{}[\]()#+.!<>|~-])/g, '$1').replace(/^[#>*+-]+ |[*_`|]/gm, ''));

function count(text, alt, page, n) {
  const has = (z) => text.includes(squeeze(z)) || alt.includes(unmarked(z));
  for (const z of page.with) has(z) ? n.tp++ : n.fn++;
  for (const z of page.without) has(z) ? n.fp++ : n.tn++;
}
const f1 = (n) => 2 * n.tp / (2 * n.tp + n.fp + n.fn);

// Page by page, a few of our processes at a time; only counts and dates are
// kept of a page.
async function pages(name, figure, read, theirs) {
  const at = unpack(name);
  let failed = 0;
  const recs = await each(jsonl(path.join(at, 'pages.jsonl')), async (page) => {
    const file = path.join(at, page.file), ours = await extract(file);
    let other = null;
    if (!ours) failed++;
    if (theirs) try {
      other = theirs(new TextDecoder('utf8').decode(fs.readFileSync(file)), page.url);
    } catch { /* a page it cannot read is a page without text */ }
    await new Promise(setImmediate); // closed windows are freed between turns
    return read(page, ours, other);
  }, os.availableParallelism());
  records[name] = recs;
  if (failed) console.log(`${name}: ${failed} pages without an outcome of ours`);
  figure(recs, theirs !== null);
}

function mainText(recs, theirs) {
  const sum = (k) => recs.reduce((s, r) => ({ tp: s.tp + r[k].tp, fn: s.fn + r[k].fn,
    fp: s.fp + r[k].fp, tn: s.tn + r[k].tn }), { tp: 0, fn: 0, fp: 0, tn: 0 });
  row('trafilatura F', f1(sum('ours')), theirs ? f1(sum('base')) : null);
}

function readText(page, ours, other) {
  const rec = { file: page.file, ours: { tp: 0, fn: 0, fp: 0, tn: 0 },
    base: { tp: 0, fn: 0, fp: 0, tn: 0 } };
  count(squeeze(ours?.markdown), unmarked(ours?.markdown), page, rec.ours);
  count(squeeze(other?.textContent), squeeze(other?.textContent), page, rec.base);
  return rec;
}

function dates(recs, theirs) {
  row('dates exact', share(recs, (r) => r.ours === r.date),
    theirs ? share(recs, (r) => r.base === r.date) : null);
  row('dates given', share(recs, (r) => r.ours !== null));
}

const readDate = (page, ours, other) => ({ file: page.file, date: page.date,
  ours: ours?.date ?? null, base: other?.publishedTime?.slice(0, 10) ?? null });

// The author, of the pages that declare one in a way that machines read.
const declared = /(name|property)=["']?[^"'>]*(author|creator|\bbyl)\b|rel=["']?author|itemprop=["']?author|"author"\s*:/i;
const name = (z) => squeeze(z).trim().toLowerCase()
  .replace(/^(written by|by|par|von)[: ]+/, '').replace(/ (\(|january|february|march|april).*$/, '');

async function authors(set) {
  const at = unpack(set);
  const recs = (await each(fs.readdirSync(at).sort(), async (page) => {
    const file = path.join(at, page, 'source.html');
    const { byline } = JSON.parse(fs.readFileSync(path.join(at, page, 'expected-metadata.json')));
    if (!byline || !declared.test(fs.readFileSync(file, 'utf8'))) return null;
    const ours = name((await extract(file))?.author), want = name(byline);
    return { page, ours, want, right: ours !== '' && (want.includes(ours) || ours.includes(want)) };
  }, os.availableParallelism())).filter(Boolean);
  records[set] = recs;
  row('declared author right', share(recs, (r) => r.right));
}

// --- all ----------------------------------------------------------------------

const picked = (name) => only.length === 0 || only.includes(name);

async function all() {
  const sets = fs.readdirSync(from).filter((s) =>
    fs.existsSync(path.join(from, s, 'docs.jsonl'))).sort();
  const foreign = sets.filter((s) => fs.existsSync(path.join(from, s, 'questions.jsonl')))
    .map((s) => [s, jsonl(path.join(from, s, 'questions.jsonl'))]);
  console.log(`${''.padEnd(44)} ${'cited'.padStart(8)} ${'baseline'.padStart(8)}  published`);
  for (const set of sets.filter(picked)) {
    const c = await open(set);
    records[set] = {};
    if (fs.existsSync(path.join(c.at, 'qrels.tsv')) && !process.env.ANSWERS_ONLY)
      await retrieval(c);
    if (fs.existsSync(path.join(c.at, 'questions.jsonl'))) await answers(c, foreign);
  }
  const nd = rows.filter((r) => / nDCG@10$/.test(r.figure));
  if (nd.length > 1)
    row('mean nDCG@10', mean(nd.map((r) => r.ours)), mean(nd.map((r) => r.baseline)));
  const packed = [['extract-trafilatura-half', mainText, readText],
    ['dates-htmldate-half', dates, readDate]].filter(([name]) =>
    picked(name) && fs.existsSync(path.join(from, `${name}.tar.gz`)));
  const theirs = packed.length ? readability() : null;
  for (const [name, figure, read] of packed) await pages(name, figure, read, theirs);
  const bylines = 'extract-readability';
  if (picked(bylines) && fs.existsSync(path.join(from, `${bylines}.tar.gz`))) await authors(bylines);
}

if (!from || !fs.existsSync(from)) {
  console.log(`bench-quality skipped: there is no folder of collections ` +
    `(COLLECTIONS=${from || '…'})`);
  finish();
} else {
  try {
    await all();
  } catch (e) {
    process.exitCode = 1;
    console.error(e);
  } finally {
    finish();
    fs.mkdirSync(path.join(root, 'build', 'bench'), { recursive: true });
    fs.writeFileSync(path.join(root, 'build', 'bench', 'quality.json'),
      JSON.stringify({ rows, records }, null, 1));
  }
}
