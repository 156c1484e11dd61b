// Checks the questions against the pages they name.
//
//   node bench/questions/check.mjs [FOLDER]          -v: a line for each question
//
// FOLDER (build/bench/questions) is where the packages are taken apart; what is
// not there yet is fetched from the Debian mirror. Exit status 1 when something
// is wrong. `--split` writes which questions are held out anew.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sites, rows, unpack, pages, html, text } from './sites.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(here));
const options = process.argv.slice(2).filter((word) => word.startsWith('-'));
const folder = process.argv.slice(2).find((word) => !word.startsWith('-')) ??
  path.join(root, 'build', 'bench', 'questions');
const kinds = ['definition', 'howto', 'factual', 'comparison', 'list', 'yesno',
  'why', 'error', 'whatsnew', 'negation', 'multihop'];
let faults = 0;

function fault(...words) {
  faults++;
  console.log('FAULT', ...words);
}

// A third of each site, spread over its kinds, chosen by a hash that knows
// nothing of the question but its id: the questions of a site stand in the order
// of their kind and, within it, of the hash, and every third is held out. Sites
// begin at different places, so that not the same kinds lose most.
function split(questions) {
  const held = new Set();
  const rank = (q) =>
    createHash('sha256').update(`held out 1 ${q.id}`).digest('hex');
  Object.keys(sites).forEach((site, nth) => {
    questions.filter((q) => q.site === site)
      .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
        (rank(a) < rank(b) ? -1 : 1))
      .forEach((q, i) => { if (i % 3 === nth % 3) held.add(q.id); });
  });
  return (q) => (held.has(q.id) ? 'held' : 'fit');
}

// What a regular expression's share is measured in beside pages, since a page may
// be a whole manual: 120 words, a new one every 80.
function windows(page) {
  const words = page.split(/\s+/);
  const out = [];
  for (let at = 0; at === 0 || at + 40 < words.length; at += 80)
    out.push(words.slice(at, at + 120).join(' '));
  return out;
}

const share = (all, expressions) =>
  all.filter((one) => expressions.every((r) => r.test(one))).length / all.length;

const seen = new Set();

function checkRow(q, where, all) {
  if (seen.has(q.id)) fault(q.id, 'twice');
  seen.add(q.id);
  if (!kinds.includes(q.kind)) fault(q.id, 'kind', q.kind);
  const named = q.pages.map((page) => where.get(page) ?? '');
  for (const page of q.pages)
    if (!where.has(page)) fault(q.id, 'no page', page);
  const must = q.must.map((source) => new RegExp(source, 'i'));
  for (const r of must) {
    if (!named.some((page) => r.test(page))) fault(q.id, 'not on its pages', r);
    if (!r.test(q.answer)) fault(q.id, 'not in the answer', r);
  }
  for (const source of q.must_not ?? [])
    if (new RegExp(source, 'i').test(q.answer))
      fault(q.id, 'must_not in the answer', source);
  if (must.every((r) => r.test(q.q))) fault(q.id, 'the question answers itself');
  if (q.kind === 'multihop' && q.site !== 'product' &&
      (q.pages.length < 2 || named.some((page) => must.every((r) => r.test(page)))))
    fault(q.id, 'one page is enough');
  const best = Math.min(...must.map((r) => share(all.pages, [r])));
  const joint = share(all.pages, must);
  const inWindows = share(all.windows, must);
  if (options.includes('-v'))
    console.log(q.id, `pages ${(100 * joint).toFixed(1)} %`,
      `windows ${(100 * inWindows).toFixed(2)} %`, q.q);
  return { some: best < 0.05, joint: joint < 0.05, narrow: inWindows < 0.01 };
}

function report(name, questions, where) {
  const list = [...where.values()];
  const all = { pages: list, windows: list.flatMap(windows) };
  const found = questions.map((q) => checkRow(q, where, all));
  const cross = questions.flatMap((a) => questions.filter((b) => a !== b &&
    a.must.every((m) => new RegExp(m, 'i').test(b.answer))));
  const count = (what) => found.filter((one) => one[what]).length;
  console.log(`${name}: ${questions.length} questions, ` +
    `${questions.filter((q) => q.split === 'held').length} held out; ` +
    `${list.length} pages; a must below 5 % of the pages ${count('some')}, all of ` +
    `them together ${count('joint')}, below 1 % of the windows ${count('narrow')}; ` +
    `answered by another's answer ${cross.length}`);
  return found;
}

const questions = rows('questions.jsonl');
const chosen = split(questions);
if (options.includes('--split')) {
  for (const q of questions) q.split = chosen(q);
  fs.writeFileSync(path.join(here, 'questions.jsonl'),
    questions.map((q) => `${JSON.stringify(q)}\n`).join(''));
}
for (const q of questions)
  if (q.split !== chosen(q)) fault(q.id, 'split is not the one described');

const versions = unpack(folder);
const found = [];
for (const name of Object.keys(sites)) {
  if (versions[name] !== sites[name].version)
    console.log(`${name}: version ${versions[name]}, written for ${sites[name].version}`);
  const where = new Map(pages(folder, name)
    .map((page) => [page, text(html(folder, name, page))]));
  if (!where.has(sites[name].start)) fault(name, 'no start page', sites[name].start);
  found.push(...report(name, questions.filter((q) => q.site === name), where));
}
questions.filter((q) => !sites[q.site]).forEach((q) => fault(q.id, 'no such site'));

const documents = new Map(['README.md', ...fs.readdirSync(path.join(root, 'docs'))
  .filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`)]
  .map((file) => [file, fs.readFileSync(path.join(root, file), 'utf8')]));
report('product', rows('product.jsonl'), documents);

for (const u of rows('unanswerable.jsonl')) {
  if (seen.has(u.id)) fault(u.id, 'twice');
  seen.add(u.id);
  if (!['foreign', 'near', 'false-premise'].includes(u.type) || !u.q || !u.why)
    fault(u.id, 'fields');
}
const count = (what) => found.filter((one) => one[what]).length;
console.log(`all sites: ${found.length} questions; a must below 5 % of the pages ` +
  `${count('some')}, all together ${count('joint')}, below 1 % of the windows ` +
  `${count('narrow')}; ${rows('unanswerable.jsonl').length} unanswerable; ` +
  `${faults} faults`);
process.exitCode = faults ? 1 : 0;
