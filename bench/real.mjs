// Real questions over real documentation: how many a reader would have
// answered, and where the others are lost.
//
//   COLLECTIONS=DIR [ONLY=real,own,definitions,product,asked,reports,worded,de,fr,alone,mixed] [RESEARCH=0|only]
//     [EFFORT=S|M|L|XL] [MEANING=1] [KEEP=DIR] node bench/real.mjs
//
// MEANING=1 answers with the encoder that `make meaning` left; KEEP names a folder
// where indexes and vectors stay, to be found there by the next run. RESEARCH=0 leaves the research tasks out, RESEARCH=only the questions.
// Called by `make bench-real`. A set is a folder of questions.jsonl {id, site,
// kind, q, must, must_not, pages, answer, split}, unanswerable.jsonl {id, q,
// type} and research.jsonl {id, q, nuggets {must, vital}}; DIR/real is one,
// bench/questions the project's own. The sites of a set are taken from their
// Debian packages, which are unpacked below build/bench/sites and not
// installed, and are indexed together. bench/questions/definitions.jsonl asks
// what a thing is ("plain") and in other words ("worded"), over all the sites;
// right is an answer with one of the pages' own defining phrases. The product's own documents are a set
// too: bench/questions/product*.jsonl. Only where they are named:
// "asked" is bench/questions/asked, where right is an answer that holds the words
// that decide; "reports" asks the same sites for reports (asked/reports.jsonl {id, q, sites}); "worded" asks the definitions in forty other ways, and own as others put them; "de" and "fr" ask a part of own's in German and French, over the same pages in those languages; "mixed" is real and own over all their sites in one index; "alone" (SITES=a,b) each
// site in an index of its own, asked what it answers, what is foreign or near,
// and what the other sites answer ("other"). Figures go to build/bench/real.json, the
// answers, to be read, to build/bench/real-SET.md and .jsonl.
import fs from 'node:fs';
import path from 'node:path';
import { root, bin, run, lighttpd, call, dataFolder, responder, finish, unfolded } from './lib.mjs';
import { base, encoder, indexSites, kept, matches, onPage, says, sitesOf, vectors } from './sites.mjs';

const out = path.join(root, 'build', 'bench');
const own = path.join(root, 'bench', 'questions');
const only = (process.env.ONLY ?? '').split(',').filter(Boolean);
const RESEARCH_S = 300; // a task may take
const records = {};

const jsonl = (file) => !fs.existsSync(file) ? [] :
  fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map((l) => JSON.parse(l));
const mean = (xs) => xs.length ? xs.reduce((a, b) => a + b, 0) / xs.length : NaN;
const share = (xs, f) => mean(xs.map((x) => f(x) ? 1 : 0));
const show = (x) => Number.isNaN(x) ? '-' : x > 9.9 ? x.toFixed(0) : x.toFixed(3);
const squeeze = (z) => z.replace(/\s+/g, ' ').trim();
const count = (z) => z.split(/\s+/).filter(Boolean).length;

// --- asking -----------------------------------------------------------------

async function open(set, add) {
  const d = dataFolder(`sites-${set}`, kept), meaning = Number(process.env.MEANING || 0);
  add(d);
  if (meaning) vectors(d.data);
  const { sock } = await responder(set, d, { CITED_RESEARCH_WORKERS: '1',
    CITED_MEANING_MODEL: meaning ? encoder : '' });
  return { set, key: d.key, at: await lighttpd({ fcgi: { '/api': sock } }), pages: new Map() };
}

async function post(c, where, body) {
  const r = await call('POST', `${c.at}/api${where}`, c.key, JSON.stringify(body));
  return { status: r.status, ms: r.ms, json: JSON.parse(r.text) };
}

async function get(c, where) {
  const r = await call('GET', `${c.at}/api${where}`, c.key);
  return { status: r.status, json: JSON.parse(r.text) };
}

async function stored(c, url) {
  if (!c.pages.has(url)) {
    const r = await get(c, `/v1/pages?url=${encodeURIComponent(url)}`);
    c.pages.set(url, squeeze(r.json.text ?? ''));
  }
  return c.pages.get(url);
}

// --- what an answer is made of ------------------------------------------------

// Said by the program itself: that it may be no answer, that nothing was found for a
// part, which part it is and which heading what follows has.
const own_words = /^(The pages found may not answer|Die gefundenen Seiten beantworten|Les pages trouvées n’y répondent|No page that was read says enough on:|Keine der gelesenen Seiten sagt genug zu:|Aucune des pages lues ne dit assez sur)|^\*([^*\\]|\\.)+\*$|^\*\*.+\*\*$/;

// Lines of the answer without what Markdown adds, with the source they name.
function pieces(answer) {
  const lines = [];
  let code = false;
  for (const raw of unfolded(answer).split('\n')) {
    if (/^\s*(```|~~~)/.test(raw)) { code = !code; continue; }
    if (!code && own_words.test(raw)) continue;
    if (code) { if (raw.trim()) lines.push({ text: squeeze(raw), code }); continue; }
    for (const part of raw.split(/(?<= \[\d{1,3}\])[.:]?\s*/)) {
      const text = squeeze(part.replace(/(?:^| )\[\d{1,3}\]/g, '')
        .replace(/^\s*([-*+>]|\d+[.)]|#+)\s+/, '').replace(/^\*\*(.*)\*\*$/, '$1'));
      if (/^[|: -]*$/.test(text) || !/[\p{L}\p{N}]/u.test(text)) continue;
      lines.push({ text, code });
    }
  }
  return lines;
}

const bare = (z) => z.replace(/[\s*_`|\\]/g, '');

// Seams: how often a line does not go on where the one before it ended in the
// same page. Altered: lines, and lines of code, that stand in no source so.
async function texture(c, answer, urls) {
  const texts = [];
  for (const u of new Set(urls)) texts.push(bare(await stored(c, u)));
  const n = { seams: 0, altered: 0, code: 0, code_altered: 0 };
  let last = null;
  for (const l of pieces(answer)) {
    const want = bare(l.text);
    n.code += l.code;
    let at = null;
    if (last && texts[last.i].startsWith(want, last.end)) at = { i: last.i, at: last.end };
    for (let i = 0; at === null && i < texts.length; i++) {
      const k = last && last.i === i ? texts[i].indexOf(want, last.end) : -1;
      const j = k >= 0 ? k : texts[i].indexOf(want);
      if (j >= 0) at = { i, at: j };
    }
    if (at === null) {
      n.altered++;
      n.code_altered += l.code;
      continue;
    }
    // A few characters between may be a list's mark or a term's colon.
    if (last && (at.i !== last.i || at.at < last.end || at.at > last.end + 3)) n.seams++;
    last = { i: at.i, end: at.at + want.length };
  }
  return n;
}

// --- one set ------------------------------------------------------------------

async function askOne(c, q) {
  const a = await post(c, '/v1/search', { q: q.q, depth: 'standard',
    outputType: 'sourcedAnswer', includeInlineCitations: true, includeEvidence: true });
  const r = await post(c, '/v1/search', { q: q.q, depth: 'standard',
    outputType: 'searchResults', maxResults: 10 });
  const answer = a.json.answer ?? '';
  const urls = (a.json.sources ?? []).map((s) => s.url);
  const found = (r.json.results ?? []).map((x) => ({ url: x.url, text: `${x.name} ${x.content}` }));
  const held = (k) => found.slice(0, k).some((x) => matches(q.must, x.text));
  return { id: q.id, site: q.site, kind: q.kind, split: q.split, q: q.q, ideal: q.answer,
    answer, error: a.json.error?.message, sources: urls, ms: a.ms,
    right: answer !== '' && matches(q.must, answer, q.must_not), none: answer === '',
    related: a.json.directness === 'related', words: count(answer),
    source: onPage(q, urls),
    page1: onPage(q, found.slice(0, 1).map((x) => x.url)),
    page3: onPage(q, found.slice(0, 3).map((x) => x.url)),
    page10: onPage(q, found.map((x) => x.url)),
    pass1: held(1), pass3: held(3),
    pass10: matches(q.must, found.map((x) => x.text).join(' ')),
    ...await texture(c, answer, urls) };
}

const columns = ['right', 'none', 'related', 'source', 'page1', 'page3', 'page10', 'pass1',
  'pass3', 'pass10'];

function table(title, rows) {
  const line = (name, v) => {
    const said = v.filter((r) => !r.none);
    console.log(`${name.padEnd(12)}${String(v.length).padStart(4)} ` +
      columns.map((k) => show(share(v, (r) => r[k])).padStart(7)).join(' ') +
      ` ${show(mean(said.map((r) => r.words))).padStart(6)}` +
      ` ${mean(said.map((r) => r.seams)).toFixed(1).padStart(5)}` +
      ` ${String(said.reduce((s, r) => s + r.altered, 0)).padStart(7)}`);
  };
  console.log(`\n${title}\n${'kind'.padEnd(12)}   n ` +
    columns.map((k) => k.padStart(7)).join(' ') + '  words seams altered');
  for (const kind of [...new Set(rows.map((r) => r.kind))].sort())
    line(kind, rows.filter((r) => r.kind === kind));
  line('all', rows);
  if (rows.length)
    console.log(`half of the answers take at most ${within(rows, 0.5).toFixed(1)} ms, ` +
      `99 % of them ${within(rows, 0.99).toFixed(1)} ms`);
}

// The milliseconds that so large a share of the rows took at most; undefined of none.
const within = (rows, part) =>
  rows.map((r) => r.ms).sort((a, b) => a - b)[Math.floor((rows.length - 1) * part)];

function totals(rows) {
  const said = rows.filter((r) => !r.none), sum = (k) => said.reduce((s, r) => s + r[k], 0);
  return { n: rows.length, ...Object.fromEntries(columns.map((k) => [k, share(rows, (r) => r[k])])),
    words: mean(said.map((r) => r.words)), seams: mean(said.map((r) => r.seams)),
    altered: sum('altered'), code: sum('code'), code_altered: sum('code_altered'),
    p50_ms: within(rows, 0.5) };
}

async function refusals(c, asks) {
  const rows = [];
  for (const x of asks) {
    const a = await post(c, '/v1/search', { q: x.q, depth: 'standard',
      outputType: 'sourcedAnswer', includeEvidence: true });
    rows.push({ id: x.id, type: x.type, q: x.q, answer: a.json.answer ?? null,
      related: a.json.directness === 'related', none: a.status !== 200,
      refused: a.status !== 200 || a.json.directness === 'related' });
  }
  const types = {}, silent = {};
  for (const t of [...new Set(rows.map((r) => r.type))]) {
    types[t] = share(rows.filter((r) => r.type === t), (r) => r.refused);
    silent[t] = share(rows.filter((r) => r.type === t), (r) => r.none);
  }
  if (rows.length) console.log('\nno answer, or only the closest excerpt, where none is (no answer):',
    Object.entries(types).map(([t, v]) => `${t} ${show(v)} (${show(silent[t])})`).join(', '));
  return { rows, types };
}

// Facts are looked for in one paragraph or item: a long text holds words that
// have nothing to do with each other.
const blocks = (text) => text.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.|\|)\s)/);

// The task of a request as it ends, in at most RESEARCH_S.
// What an answer or report begins with that may not be on what is asked.
const CLOSE = 'The pages found may not answer this directly.';

async function researched(c, q, more = {}) {
  const t = Date.now();
  let r = (await post(c, '/v1/research', { q, outputType: 'sourcedAnswer',
    reasoningDepth: process.env.EFFORT || 'L', ...more })).json;
  while (['pending', 'processing'].includes(r.status) && Date.now() - t < RESEARCH_S * 1000) {
    await new Promise((done) => setTimeout(done, 200));
    r = (await get(c, `/v1/research/${r.id}`)).json;
  }
  return r;
}

async function research(c, tasks) {
  const rows = [];
  for (const x of tasks) {
    const t = Date.now(), r = await researched(c, x.q);
    const answer = r.output?.answer ?? '';
    const found = x.nuggets.map((n) => ({ vital: n.vital, whole: matches(n.must, answer),
      near: blocks(answer).some((b) => matches(n.must, b)) }));
    // The heading that a passage has in its page, in italics, is no sentence, nor is
    // the head of a table.
    const s = answer.replace(/ \[\d+\]/g, '').replace(/^\*[^*\n]+\*$/gm, '')
      .replace(/^\|.*\n\|[-|]+\|$/gm, '')
      .split(/(?<=[.!?])\s+|\n+/).map(squeeze).filter((z) => count(z) > 4);
    // A table of sides has an empty corner; one that a page has is no such.
    rows.push({ id: x.id, shape: x.shape, q: x.q, answer, error: r.error,
      seconds: (Date.now() - t) / 1000, words: count(answer),
      facts: share(found, (f) => f.whole), vital: share(found.filter((f) => f.vital), (f) => f.whole),
      near: share(found.filter((f) => f.vital), (f) => f.near),
      told: found.filter((f) => f.whole).length, repeated: s.length - new Set(s).size,
      table: /^\|  \|.*\|$/m.test(answer), sources: (r.output?.sources ?? []).map((y) => y.url) });
  }
  if (rows.length) {
    const m = (k) => show(mean(rows.map((r) => Number(r[k]))));
    console.log(`\nresearch, ${rows.length} tasks: vital facts ${m('vital')} (in one block ${m('near')}), ` +
      `all facts ${m('facts')}, words ${m('words')}, facts per 100 words ` +
      `${show(100 * rows.reduce((s, r) => s + r.told, 0) / rows.reduce((s, r) => s + r.words, 1))}, ` +
      `repeated sentences ${rows.reduce((s, r) => s + r.repeated, 0)}, ` +
      `tables of comparisons ${show(share(rows.filter((r) => r.shape === 'comparison'), (r) => r.table))}, ` +
      `seconds ${m('seconds')}`);
  }
  return rows;
}

// What a person reads to grade.
function write(set, rows, refused, reports) {
  fs.writeFileSync(path.join(out, `real-${set}.jsonl`),
    [...rows, ...refused, ...reports].map((r) => `${JSON.stringify(r)}\n`).join(''));
  fs.writeFileSync(path.join(out, `real-${set}.md`), [
    ...rows.map((r) => `## ${r.id} (${r.kind}, ${r.right ? 'right' : 'not right'})\n\n**${r.q}**\n\n` +
      `${r.answer || `(no answer: ${r.error})`}\n\n${r.sources.map((u, i) => `${i + 1}. ${u}`).join('\n')}` +
      `\n${r.ideal ? `\nIdeal: ${r.ideal}\n` : ''}`),
    ...refused.map((r) => `## ${r.id} (${r.type})\n\n**${r.q}**\n\n${r.answer ?? '(no answer)'}\n`),
    ...reports.map((r) => `## ${r.id}${r.facts === undefined ? '' : ` (vital ${r.vital.toFixed(2)})`}\n\n**${r.q}**\n\n${r.answer || r.error}\n`),
  ].join('\n'));
  console.log(`\nto be read: build/bench/real-${set}.md`);
}

async function set(name, folders, file = 'questions.jsonl') {
  const read = (of) => folders.flatMap((folder) => jsonl(path.join(folder, of)));
  const questions = read(file), whole = file === 'questions.jsonl';
  folders.forEach(sitesOf);
  const tasks = process.env.RESEARCH === '0' || !whole ? [] : read('research.jsonl');
  let there = [];
  const c = await open(name, (d) => {
    there = indexSites(d.data, [...new Set([...questions.map((q) => q.site),
      ...tasks.flatMap((t) => t.sites ?? [])])]);
  });
  const rows = [], alone = process.env.RESEARCH === 'only';
  for (const q of alone ? [] : questions)
    if (there.includes(q.site)) rows.push(await askOne(c, q));
  if (!alone) table(`${name}: ${rows.length} questions over ${there.length} sites`, rows);
  const held = rows.filter((r) => r.split === 'held');
  if (held.length) {
    table(`${name}: kept from every fit`, held);
    table(`${name}: the others`, rows.filter((r) => r.split !== 'held'));
  }
  const no = await refusals(c, alone || !whole ? [] : read('unanswerable.jsonl'));
  const reports = await research(c, tasks.filter((t) =>
    (t.sites ?? []).every((s) => there.includes(s))));
  records[name] = { all: alone ? undefined : totals(rows), held: held.length ? totals(held) : undefined,
    refused: no.types, rows, reports };
  write(name, rows, no.rows, reports);
}

// What a small index is asked that it does not answer: the foreign and near
// questions of both sets.
const strangers = () => [own, path.join(process.env.COLLECTIONS ?? '', 'real')].flatMap((folder) =>
  jsonl(path.join(folder, 'unanswerable.jsonl')).filter((x) => x.type !== 'false-premise'));

// The product asked about itself, over the documents that `make run` indexes.
async function product() {
  const c = await open('product', (d) => run(bin('cited'), ['--data', d.data, '--quiet', 'index',
    'add', path.join(root, 'docs'), path.join(root, 'README.md'), '--base', base('docs')]));
  const all = [];
  for (const name of ['product', 'product-2', 'product-3', 'product-4', 'product-5']) {
    const rows = [];
    for (const q of jsonl(path.join(own, `${name}.jsonl`)))
      rows.push(await askOne(c, { ...q, site: 'docs',
        pages: q.pages.map((p) => p.replace(/^docs\//, '')) }));
    table(`${name}: questions about the program itself`, rows);
    all.push(...rows);
  }
  const no = await refusals(c, strangers());
  records.product = { all: totals(all), refused: no.types, rows: all };
  write('product', all, no.rows, []);
}

// One index of all the sites that the questions name, as far as they can be had.
async function openAsked(folder, questions) {
  let there = [];
  sitesOf(folder);
  const c = await open('asked', (d) => {
    there = indexSites(d.data, [...new Set(questions.map((q) => q.site))]);
  });
  return { c, there };
}

// Questions of one passage each, over many sites.
async function asked() {
  const folder = path.join(own, 'asked'), rows = [];
  const questions = jsonl(path.join(folder, 'questions.jsonl'));
  const { c, there } = await openAsked(folder, questions);
  for (const q of questions.filter((x) => there.includes(x.site))) {
    const a = await post(c, '/v1/search', { q: q.q, depth: 'standard',
      outputType: 'sourcedAnswer', includeEvidence: true });
    const answer = a.json.answer ?? '', page = base(q.site) + q.page;
    rows.push({ ...q, answer, ms: a.ms, right: says(q, answer), none: answer === '',
      related: a.json.directness === 'related', words: count(answer),
      source: (a.json.sources ?? []).some((x) => x.url.replace(/#.*/, '') === page) });
  }
  const line = (name, v) => console.log(name.padEnd(24) + ['right', 'none', 'related', 'source']
    .map((k) => `${k} ${show(share(v, (r) => r[k]))}`).join('  ') +
    `  words ${show(mean(v.map((r) => r.words)))}`);
  console.log(`\nasked: ${rows.length} questions over ${there.length} sites`);
  line('all', rows);
  line('kept from every fit', rows.filter((r) => r.split === 'held'));
  records.asked = { rows };
}

// Reports on one product each, in an index of many: how many of their passages
// are of other sites' pages, and the reports to be read.
async function reports() {
  const folder = path.join(own, 'asked'), rows = [];
  const tasks = jsonl(path.join(folder, 'reports.jsonl'));
  const { c, there } = await openAsked(folder, jsonl(path.join(folder, 'questions.jsonl')));
  for (const x of tasks.filter((y) => y.sites.every((s) => there.includes(s)))) {
    const t = Date.now(), r = await researched(c, x.q);
    const answer = r.output?.answer ?? '', sources = (r.output?.sources ?? []).map((y) => y.url);
    const cited = [...answer.matchAll(/ ?\[(\d+)\]/g)].map((m) => sources[m[1] - 1] ?? '');
    rows.push({ ...x, answer, sources, error: r.error, words: count(answer),
      seconds: (Date.now() - t) / 1000, cited: cited.length,
      foreign: cited.filter((u) => !x.sites.some((s) => u.startsWith(base(s)))).length });
  }
  // The same without the sites they are about: nothing there is on them.
  for (const x of rows) {
    const r = await researched(c, x.q,
      { excludeDomains: x.sites.map((s) => new URL(base(s)).hostname) });
    const text = r.output?.answer ?? '';
    x.apart = r.status === 'failed' ? 'refused' : text.includes(CLOSE) ? 'doubted' : 'told';
    x.doubted = x.answer.includes(CLOSE);
  }
  const sum = (k) => rows.reduce((n, r) => n + r[k], 0);
  const apart = (k) => show(mean(rows.map((r) => Number(r.apart === k))));
  console.log(`\nreports: ${rows.length} requests over ${there.length} sites: ` +
    `of other products ${show(sum('foreign') / sum('cited'))} of ${sum('cited')} passages, ` +
    `words ${show(mean(rows.map((r) => r.words)))}, seconds ${show(mean(rows.map((r) => r.seconds)))}, ` +
    `refused ${show(mean(rows.map((r) => Number(!r.answer))))}, said to be only close ${show(mean(rows.map((r) => Number(r.doubted))))}; ` +
    `without their sites refused ${apart('refused')}, said to be only close ${apart('doubted')}`);
  records.reports = { rows };
  write('reports', [], [], rows);
}

// What a thing is, in the ways people ask it (bench/questions/worded.json): {n} is
// its name, {x} with its article, {s} several of them, {p} the product it is of. And
// {q}, the questions of "own", with what people write around one; and each of these
// as somebody else put it (natural.jsonl).
async function worded() {
  const ways = JSON.parse(fs.readFileSync(path.join(own, 'worded.json')));
  const things = jsonl(path.join(own, 'definitions.jsonl')).map((q) => {
    const x = q.q.replace(/\?$/, '').replace(/^(what is meant by|what is|what's|whats|what does|explain|define) /i, '')
      .replace(/ (mean|stand for)$/, '').replace(/ in [A-Z]\w+$/, '');
    const n = x.replace(/^(an?|the) /, ''), p = ways.products[q.site];
    const s = /^an? /.test(x) ? n.replace(/(s|x|ch)$/, '$1e').replace(/y$/, 'ie') + 's' : n;
    return { q, x, n, p, s };
  }).filter((t) => t.n.toLowerCase() !== t.p.toLowerCase());
  const put = jsonl(path.join(own, 'questions.jsonl')).map((q) =>
    ({ q: { ...q, kind: 'around' }, p: ways.products[q.site], text: q.q }));
  const texts = new Map(jsonl(path.join(own, 'questions.jsonl')).map((q) => [q.id, q]));
  const natural = jsonl(path.join(own, 'natural.jsonl')).map((x) =>
    ({ q: { ...texts.get(x.id), kind: x.style }, style: x.style, text: x.q }));
  const all = [];
  sitesOf(own);
  for (const [name, what, asked, list] of [
    ['definitions', 'what a thing is, asked in other ways', ways.asked, things],
    ['own', 'questions with words around them', ways.around, put],
    ['own', 'the same questions as people put them', [...new Set(natural.map((t) => t.style))], natural]]) {
    let there = [];
    const c = await open(name, (d) => {
      there = indexSites(d.data, [...new Set(list.map((t) => t.q.site))]);
    });
    const those = [];
    console.log(`\nworded: ${what}`);
    for (const way of asked) {
      const rows = [];
      for (const t of list.filter((y) => there.includes(y.q.site) && (y.style ?? way) === way))
        rows.push(await askOne(c, { ...t.q, id: `${t.q.id}: ${way}`,
          q: t.style ? t.text : way.replace(/\{(\w)\}/g, (_, k) => (k === 'q' ? t.text : t[k])) }));
      console.log(`${way.padEnd(46)} right ${show(share(rows, (r) => r.right))}  ` +
        `none ${show(share(rows, (r) => r.none))}  only related ${show(share(rows, (r) => r.related))}`);
      those.push(...rows);
    }
    console.log('all'.padEnd(46) + ` right ${show(share(those, (r) => r.right))}`);
    all.push(...those);
  }
  records.worded = { rows: all };
  write('worded', all, [], []);
}

const OTHERS = 40; // of the questions of other sites, to each

async function alone() {
  const folders = [path.join(process.env.COLLECTIONS ?? '', 'real'), own];
  const questions = folders.flatMap((f) => jsonl(path.join(f, 'questions.jsonl')));
  const asked = (process.env.SITES ?? '').split(',').filter(Boolean);
  folders.forEach(sitesOf);
  for (const site of asked.length ? asked : new Set(questions.map((q) => q.site))) {
    const others = questions.filter((q) => q.site !== site);
    const rows = [];
    let there = [];
    const c = await open(`alone-${site}`, (d) => { there = indexSites(d.data, [site]); });
    if (!there.length) continue;
    for (const q of questions.filter((x) => x.site === site)) rows.push(await askOne(c, q));
    table(`${site} alone`, rows);
    const no = await refusals(c, [...strangers(), ...others
      .filter((q, i) => i % Math.ceil(others.length / OTHERS) === 0)
      .map((q) => ({ id: q.id, q: q.q, type: 'other' }))]);
    records[`alone-${site}`] = { all: totals(rows), refused: no.types, rows };
    write(`alone-${site}`, rows, no.rows, []);
  }
}

const picked = (name) => only.length === 0 || only.includes(name);
fs.mkdirSync(out, { recursive: true });
try {
  const real = path.join(process.env.COLLECTIONS ?? '', 'real');
  if (picked('real')) {
    if (process.env.COLLECTIONS && fs.existsSync(real)) await set('real', [real]);
    else console.log(`skip real: there is no folder ${real} (COLLECTIONS names its parent)`);
  }
  if (picked('own')) {
    if (fs.existsSync(path.join(own, 'questions.jsonl'))) await set('own', [own]);
    else console.log('skip own: bench/questions has no questions');
  }
  if (picked('definitions') && process.env.RESEARCH !== 'only')
    await set('definitions', [own], 'definitions.jsonl');
  if (picked('product')) await product();
  if (only.includes('asked')) await asked();
  if (only.includes('reports')) await reports();
  if (only.includes('worded')) await worded();
  for (const l of ['de', 'fr'])
    if (only.includes(l)) await set(l, [path.join(own, l)]);
  if (only.includes('alone')) await alone();
  // Where many things are spoken of; its vectors take half an hour.
  if (only.includes('mixed')) await set('mixed', [real, own]);
} catch (e) {
  process.exitCode = 1;
  console.error(e);
} finally {
  fs.writeFileSync(path.join(out, 'real.json'), JSON.stringify(records, null, 1));
  finish();
}
