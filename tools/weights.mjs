// Labels what tools/pages and tools/units print and has tools/fit fit the weights
// of src/find/page_weights.inc and src/answer/weights*.inc.
//
//   COLLECTIONS=DIR [KEEP=DIR] [ROWS=FILE] [ONLY=pages|units|words|meaning] [REFUSAL=1]
//     [BESIDE=1] node tools/weights.mjs
//
// Called by `make weights`. Fits for words alone, for the vectors of words
// (weights_words*.inc), and where `make meaning` left an encoder for words and
// meaning (weights_meaning*.inc); KEEP names a folder where indexes and vectors
// stay, to be found there by the next run; what was fitted on is written to ROWS;
// with REFUSAL only weights*_subject.inc and weights*_direct.inc are fitted, by the
// others as they are; with BESIDE only what weights*.inc have no weight for, beside
// what they have. Learns from DIR/real, from those of bench/questions that are
// not kept from every fit, and, so that prose is not forgotten, from a part of
// DIR/xquad-en and DIR/covidqa. Which unit answers is told by a
// question's patterns, on a page it names where there is one. Which page does: it
// names it, or it holds the words that decide. What defines is
// learned from the sites themselves, too: "What is X?" is answered by the entry
// of their glossary for X, and by the first paragraph of the page titled X.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root, bin, dir, run, finish } from '../bench/lib.mjs';
import { base, encoder, indexSites, kept, onPage, says, siteRoot, sitesOf, vectors, wordsOf as words } from '../bench/sites.mjs';

const from = process.env.COLLECTIONS ?? '';
const tool = (name) => path.join(root, 'build', 'tools', name);
const own = path.join(root, 'bench', 'questions');
const jsonl = (file) => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)
  .map((l) => JSON.parse(l));
let direct, subject; // rows "LABEL v v …"
let later; // what is asked for these, by the weights that were fitted
let model; // 'none': words alone, '': the vectors of words, or the encoder
let define; // groups of questions that ask for definitions
const DEFINITION = 5; // enum answer_type
const BATCH = 200; // questions
const ASKED = 0.15, FOLDS = 5; // what one of bench/questions/asked counts …
const ASKED_PAGES = 0.3; // … of pages
// What answers and is taken for only close. With the encoder fewer: of sites left out it
// tells from what answers 92 of 100 questions near a subject when it takes 15 of 100
// right answers for close, and by words 87. By words some more are taken for close where
// little of all chances is said (answer_units.c, SAID_LEAST).
const CLOSE = { words: 0.15, encoder: 0.12 };
// Asked of other collections: on none of their subjects.
const strangers = [['xquad-en', 8], ['covidqa', 12]].flatMap(([name, every]) => {
  const file = path.join(from, name, 'questions.jsonl');
  return fs.existsSync(file) ? jsonl(file).filter((q, i) => i % every === 0)
    .map((q) => ({ id: q.id, q: q.question, of: name })) : [];
});
const plain = (z) => ` ${words(z).join(' ')} `;

// One question of each line, with what the tool NAME says of it.
function told_by(name, data, questions, env = {}) {
  const r = spawnSync(tool(name), [data], { maxBuffer: 1 << 30, env: { ...process.env, ...env },
    input: questions.map((q) => `${q.id}\t${q.q.replace(/\s+/g, ' ')}\n`).join('') });
  if (r.status !== 0) throw new Error(`${name}: ${r.stderr}`);
  return r.stdout.toString().split('\n').filter(Boolean).map((l) => JSON.parse(l));
}
const units = (data, questions) =>
  told_by('units', data, questions, { CITED_MEANING_MODEL: model });

const pattern = (m) => new RegExp(m.replace(/\(\?i\)/g, '').replace(/\(\?P</g, '(?<'), 'is');

// --- what sites define ------------------------------------------------------

const features = run(tool('units'), ['--features']).split('\n');
const PROSE = features.indexOf('PROSE'), OPENS = features.indexOf('OPENS');
const SUBJECTS = 24; // of a site's titles, and of the entries and headings of glossaries
const told = jsonl(path.join(own, 'definitions.jsonl'));
const bare = (html) => squeeze(html.replace(/<[^>]*>/g, ' ').replace(/&#8212;|&mdash;/g, '—')
  .replace(/&(#\d+|\w+);/g, ' '));
const squeeze = (z) => z.replace(/\s+/g, ' ').trim();
const spread = (xs, n) => xs.filter((x, i) => i % Math.ceil(xs.length / n || 1) === 0);

// Those that the bench asks for are left out.
const asked = new Set(told.map((q) => words(q.id).join(' ')));
const isName = (z) => words(z).length > 0 && words(z).length < 4 && z.length < 40 &&
  !asked.has(words(z).join(' '));

function defined(site) {
  const at = siteRoot(site), found = { title: new Map(), entry: new Map(), head: new Map() };
  const note = (kind, html, page) => {
    const x = bare(html).replace(/ ?¶$/, '');
    if (isName(x)) found[kind].set(x, found[kind].has(x) ? null : page);
  };
  for (const f of fs.readdirSync(at, { recursive: true }).sort()) {
    if (!/\.html?$/.test(f) || fs.statSync(path.join(at, f)).isDirectory()) continue;
    const html = fs.readFileSync(path.join(at, f), 'utf8');
    const title = bare(/<title>([^]*?)<\/title>/i.exec(html)?.[1] ?? '');
    note('title', title.split(/ [—–|-] | \(/)[0]
      .replace(/^(chapter |appendix )?[\dA-Z.]+\.? /i, ''), f);
    if (!/glossary/i.test(title)) continue;
    for (const m of html.matchAll(/<dt[^>]*>([^]*?)<\/dt>/gi)) note('entry', m[1], f);
    for (const m of html.matchAll(/<h([2-4])[^>]*>([^]*?)<\/h\1>/gi)) note('head', m[2], f);
  }
  return Object.entries(found).flatMap(([of, map]) =>
    spread([...map].filter(([, page]) => page), SUBJECTS).map(([name, page], i) =>
      ({ id: `${site} ${of} ${i}`, site, of, name, pages: [page], q: `What is ${name}?` })));
}

// The entry, or what stands first below the heading; or the page's first unit
// that is a paragraph.
function definitions(q, units, pages) {
  const name = q.name.toLowerCase();
  if (q.of === 'entry') return units.map((u) => u.text[0].toLowerCase().startsWith(`${name}: `));
  const on = units.filter((u) => onPage(q, [pages[u.page]]) && (q.of === 'head' ?
    u.v[OPENS] > 0 && u.heading.toLowerCase().endsWith(name) :
    u.from < 8 && u.words > 9 && u.v[PROSE] > 0.7));
  const first = Math.min(...on.map((u) => u.from));
  return units.map((u) => on.includes(u) && u.from === first);
}

// 1 for each unit that answers; where none does on a page that is named, on any.
function labels(q, asked) {
  if (q.name) return definitions(q, asked.units, asked.pages);
  const texts = asked.units.map((u) => u.text.join('\n'));
  if (q.said)
    return asked.units.map((u, i) => asked.pages[u.page] === base(q.site) + q.page && says(q, texts[i]));
  if (q.golds) return texts.map((t) => q.golds.some((g) => plain(t).includes(plain(g))));
  const right = texts.map((t) => q.must.every((m) => pattern(m).test(t)) &&
    !(q.must_not ?? []).some((m) => pattern(m).test(t)));
  const named = asked.units.map((u) =>
    q.pages.some((p) => asked.pages[u.page] === `http://${q.site}.example.org/${p}`));
  const both = right.map((x, i) => x && named[i]);
  return both.some(Boolean) ? both : right;
}

// What is told of the best unit of each question: whether it is on the subject
// at all (0: what strangers asked), and whether one of the best two answers. Of
// those that do not, some are not the right one (0), some near what was asked,
// or of a false premise (2), some foreign (3).
function leads(name, data, answered, none) {
  const row = (label, a) => `${label} ${a.units[0].v.join(' ')}\n`;
  const by = new Map(answered.map((q) => [String(q.id), q]));
  const ask = (questions) => units(data, questions).filter((a) => a.units.length);
  const of = (...types) => ask(none.filter((q) => types.includes(q.type)));
  const yes = ask(answered), near = of('near', 'false-premise');
  const foreign = [...of('foreign'), ...ask(strangers.filter((q) => q.of !== name))];
  subject.push(...[...yes, ...of('false-premise')].map((a) => row(1, a)),
    ...foreign.map((a) => row(0, a)));
  direct.push(...yes.map((a) => row(labels(by.get(a.id), a).slice(0, 2).some(Boolean) ? 1 : 0, a)),
    ...near.map((a) => row(2, a)), ...foreign.map((a) => row(3, a)));
}

// SHARE of those that are on the subject, or answer, are taken for others.
function refusal(kind, file, share, rows, names) {
  const told = run(tool('fit'), [kind, String(share), names], { input: rows.join('') });
  fs.writeFileSync(path.join(root, 'src', 'answer', file), told);
  console.log(`${file}\n${told.split('*/')[0]}`);
}

function groups(name, data, questions) {
  const by = new Map(questions.map((q) => [String(q.id), q]));
  return units(data, questions).filter((a) => a.units.length).map((a) => {
    const q = by.get(a.id), l = labels(q, a);
    const rows = `# ${q.fold ?? q.site ?? name}${q.weight ? `/${q.weight}` : ''}\n${a.units.map((u, i) =>
      `${l[i] ? 1 : 0} ${u.v.join(' ')}\n`).join('')}\n`;
    if (a.type === DEFINITION && l.some(Boolean)) define.push(rows);
    return q.name ? '' : rows;
  });
}

// Of each site an index of nothing but the pages that its questions name: a small
// one behaves otherwise (features.def, EXTENT).
function small(name, questions, none) {
  for (const site of new Set(questions.map((q) => q.site))) {
    const mine = questions.filter((q) => q.site === site), data = path.join(kept, `thin-${site}`);
    const mark = path.join(data, 'indexed'), from = path.join(dir, `thin-${site}`);
    if (!fs.existsSync(mark)) {
      for (const p of new Set(mine.flatMap((q) => q.pages))) {
        fs.mkdirSync(path.dirname(path.join(from, p)), { recursive: true });
        fs.copyFileSync(path.join(siteRoot(site), p), path.join(from, p));
      }
      run(bin('cited'), ['--data', data, '--quiet', 'index', 'add', from, '--base', base(site)]);
      fs.writeFileSync(mark, '');
    }
    if (model === encoder) vectors(data);
    leads(name, data, mine, none.filter((q) => q.type !== 'false-premise'));
  }
}

function manuals(name, folder) {
  const questions = jsonl(path.join(folder, 'questions.jsonl')).filter((q) => q.split !== 'held');
  const data = path.join(kept, `sites-${name}`);
  sitesOf(folder);
  indexSites(data, [...new Set(questions.map((q) => q.site))]);
  if (model === encoder) vectors(data);
  const none = jsonl(path.join(folder, 'unanswerable.jsonl'));
  later.push(() => {
    leads(name, data, questions, none);
    small(name, questions, none);
  });
  const sites = [...new Set(questions.map((q) => q.site))];
  return groups(name, data, [...questions, ...sites.flatMap(defined),
    ...told.filter((q) => q.split !== 'held' && sites.includes(q.site))]);
}

function prose(name, every) {
  const data = path.join(kept, name), mark = path.join(data, 'indexed');
  if (!fs.existsSync(mark)) {
    const file = path.join(dir, `${name}.jsonl`);
    fs.writeFileSync(file, jsonl(path.join(from, name, 'docs.jsonl')).map((d) =>
      JSON.stringify({ url: `http://${name}.example/${encodeURIComponent(d.id)}`,
        title: d.title, text: d.text.trim() || d.title }) + '\n').join(''));
    run(bin('cited'), ['--data', data, '--quiet', 'index', 'add', file]);
    fs.writeFileSync(mark, '');
  }
  if (model === encoder) vectors(data);
  const asked = jsonl(path.join(from, name, 'questions.jsonl'))
    .filter((q) => q.answerable !== false).filter((q, i) => i % every === 0)
    .map((q) => ({ id: q.id, q: q.question, golds: q.answers }));
  later.push(() => leads(name, data, asked, []));
  return groups(name, data, asked);
}

// Questions each made of one passage of many sites: many, and of another kind than
// what people ask, so that each counts as ASKED of one of those. With the encoder
// those of small sites, whose vectors are made sooner.
function passages() {
  const folder = path.join(own, 'asked');
  const sites = JSON.parse(fs.readFileSync(path.join(folder, 'sites.json'), 'utf8'));
  const names = Object.keys(sites).filter((x) => model !== encoder || sites[x].small);
  const data = path.join(kept, model === encoder ? 'asked-small' : 'asked');
  sitesOf(folder);
  const there = indexSites(data, names);
  if (model === encoder) vectors(data);
  return groups('asked', data, jsonl(path.join(folder, 'questions.jsonl'))
    .filter((q) => q.split !== 'held' && there.includes(q.site))
    .map((q, id) => ({ ...q, id, weight: ASKED, fold: `asked ${names.indexOf(q.site) % FOLDS}` })));
}

// The best pages of a question, in batches: their texts are long.
function paged(data, questions) {
  const by = new Map(questions.map((q) => [String(q.id), q])), rows = [];
  for (let i = 0; i < questions.length; i += BATCH)
    for (const a of told_by('pages', data, questions.slice(i, i + BATCH))) {
      const q = by.get(a.id);
      const l = a.pages.map((p) => onPage(q, [p.url]) ||
        (q.said !== undefined && p.text.some((t) => says(q, t))));
      if (l.some(Boolean))
        rows.push(`# ${q.fold}/${q.weight}\n${a.pages.map((p, k) =>
          `${l[k] ? 1 : 0} ${p.v.join(' ')}\n`).join('')}\n`);
    }
  return rows;
}

// Which page is the right one.
function learnPages() {
  const all = [], names = path.join(dir, 'page-features');
  for (const [name, folder] of [['own', own], ['real', path.join(from, 'real')], ['asked', path.join(own, 'asked')]]) {
    if (!fs.existsSync(folder)) continue;
    const asked = name === 'asked', data = path.join(kept, asked ? 'asked' : `sites-${name}`);
    sitesOf(folder);
    const questions = jsonl(path.join(folder, 'questions.jsonl')).filter((q) => q.split !== 'held');
    const sites = [...new Set(questions.map((q) => q.site))], there = indexSites(data, sites);
    all.push(...paged(data, questions.filter((q) => there.includes(q.site)).map((q, id) => ({ ...q,
      id, pages: q.pages ?? [q.page], weight: asked ? ASKED_PAGES : 1,
      fold: asked ? `asked ${sites.indexOf(q.site) % FOLDS}` : q.site }))));
  }
  fs.writeFileSync(names, run(tool('pages'), ['--features']));
  const fitted = run(tool('fit'), [names], { input: all.join('') })
    .replace('First unit right', 'First page right').replaceAll('[FEATURE_', '[P_');
  fs.writeFileSync(path.join(root, 'src', 'find', 'page_weights.inc'), fitted);
  console.log(`page_weights.inc\n${fitted.split('*/')[0]}`);
}

// Which unit answers, and what more counts where one defines.
function learnUnits(all, name, names) {
  const file = path.join(root, 'src', 'answer', name(''));
  const fitted = run(tool('fit'), [...(process.env.BESIDE ? ['-l', file] : []), names],
    { input: all.join('') });
  fs.writeFileSync(file, fitted);
  console.log(`${name('')}\n${fitted.split('*/')[0]}`);
  if (process.env.BESIDE) return;
  const more = run(tool('fit'), ['-w', path.join(root, 'src', 'answer', name('')), names],
    { input: define.join('') });
  fs.writeFileSync(path.join(root, 'src', 'answer', name('_define')), more);
  console.log(`${name('_define')}\n${more.split('*/')[0]}`);
  run('make', ['-s', 'build/tools/units'], { cwd: root });
}

function learn(of) {
  define = [];
  direct = [];
  subject = [];
  later = [];
  const all = manuals('own', own), name = (end) => `weights${of}${end}.inc`;
  if (fs.existsSync(path.join(from, 'real'))) all.push(...manuals('real', path.join(from, 'real')));
  else console.log(`skip real: there is no folder ${path.join(from, 'real')}`);
  for (const [name, every] of [['xquad-en', 4], ['covidqa', 6]])
    if (fs.existsSync(path.join(from, name))) all.push(...prose(name, every));
    else console.log(`skip ${name}: there is no folder ${path.join(from, name)}`);
  all.push(...passages());
  const names = path.join(dir, 'features');
  fs.writeFileSync(names, run(tool('units'), ['--features']));
  if (!process.env.REFUSAL) learnUnits(all, name, names);
  if (process.env.BESIDE) return;
  for (const ask of later) ask();
  if (process.env.ROWS) {
    fs.writeFileSync(`${process.env.ROWS}${of}.groups`, all.join(''));
    fs.writeFileSync(`${process.env.ROWS}${of}.define`, define.join(''));
    fs.writeFileSync(`${process.env.ROWS}${of}.json`, JSON.stringify({ direct, subject }));
  }
  refusal('-s', name('_subject'), 0.003, subject, names);
  refusal('-d', name('_direct'), CLOSE[of === '_meaning' ? 'encoder' : 'words'], direct, names);
}

const picked = (name) => (process.env.ONLY ?? name) === name;
try {
  if (picked('pages')) learnPages();
  for (const [way, by, of] of [['units', 'none', ''], ['words', '', '_words'], ['meaning', encoder, '_meaning']]) {
    model = by;
    if (!picked(way)) console.log(`weights${of}*.inc stay`);
    else if (way !== 'meaning' || fs.existsSync(encoder)) learn(of);
    else console.log('skip meaning: there is no encoder (make meaning); weights_meaning*.inc stay');
  }
} finally {
  finish();
}
