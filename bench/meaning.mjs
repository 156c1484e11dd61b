// What the encoder of sentences adds to words: real questions over real
// documentation, by words, by meaning and by both.
//
//   COLLECTIONS=DIR [ONLY=real,own,scan] [KEEP=DIR] node bench/meaning.mjs
//
// Called by `make bench-meaning`, which needs what `make meaning` leaves. Sets
// as in bench/real.mjs; no answers are written here: the figures are those of
// what an answer could be made of. KEEP names a folder where indexes and
// vectors stay, to be found there by the next run. Figures go to
// build/bench/meaning.json.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root, run, finish, tool } from './lib.mjs';
import { encoder, indexSites, kept, matches, onPage, sitesOf, vectors } from './sites.mjs';

const only = (process.env.ONLY ?? '').split(',').filter(Boolean);
const records = {};
const jsonl = (file) => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean)
  .map((l) => JSON.parse(l));
const share = (xs, f) => xs.filter(f).length / xs.length;

const text = (p) => `${p.title} ${p.heading} ${p.text}`;

function judge(q, list) {
  const held = (k) => list.slice(0, k).some((p) => matches(q.must, text(p)));
  const urls = [...new Set(list.map((p) => p.url))];
  return { pass1: held(1), pass3: held(3),
    pass10: matches(q.must, list.slice(0, 10).map(text).join(' ')),
    page1: onPage(q, urls.slice(0, 1)), page3: onPage(q, urls.slice(0, 3)),
    page10: onPage(q, urls.slice(0, 10)) };
}

function set(name, folder) {
  sitesOf(folder);
  const questions = jsonl(path.join(folder, 'questions.jsonl'));
  const data = path.join(kept, `sites-${name}`);
  const there = indexSites(data, [...new Set(questions.map((q) => q.site))]);
  vectors(data);
  const asked = questions.filter((q) => there.includes(q.site));
  const r = spawnSync(tool('meaning'), ['find', data, encoder], { maxBuffer: 1 << 30,
    input: asked.map((q) => `${q.id}\t${q.q.replace(/\s+/g, ' ')}\n`).join('') });
  if (r.status !== 0) throw new Error(`meaning: ${r.stderr}`);
  const found = r.stdout.toString().split('\n').filter(Boolean).map((l) => JSON.parse(l));
  const lists = Object.keys(found[0]).filter((k) => Array.isArray(found[0][k]));
  const ms = found.map((f) => f.ms).sort((a, b) => a - b);
  console.log(`\n${name}: ${asked.length} questions; fusing takes ${ms[ms.length >> 1].toFixed(1)} ms ` +
    `of processor time; ${(found.reduce((s, f) => s + f.nearest, 0) / found.length / 10).toFixed(4)} ` +
    'of the ten nearest are found');
  const keys = ['pass1', 'pass3', 'pass10', 'page1', 'page3', 'page10'];
  records[name] = {};
  for (const part of ['all', 'held']) {
    const some = asked.map((q, i) => [q, found[i]]).filter(([q]) => part === 'all' || q.split === part);
    if (!some.length) continue;
    console.log(`${part.padEnd(15)} ${String(some.length).padStart(4)} ${keys.map((k) => k.padStart(7)).join(' ')}`);
    for (const l of lists) {
      const rows = some.map(([q, f]) => judge(q, f[l]));
      const got = Object.fromEntries(keys.map((k) => [k, share(rows, (x) => x[k])]));
      records[name][`${part} ${l}`] = got;
      console.log(`${l.padEnd(20)} ${keys.map((k) => got[k].toFixed(3).padStart(7)).join(' ')}`);
    }
  }
}

const picked = (name) => only.length === 0 || only.includes(name);
try {
  const real = path.join(process.env.COLLECTIONS ?? '', 'real');
  if (picked('real')) {
    if (process.env.COLLECTIONS && fs.existsSync(real)) set('real', real);
    else console.log(`skip real: there is no folder ${real} (COLLECTIONS names its parent)`);
  }
  if (picked('own')) set('own', path.join(root, 'bench', 'questions'));
  if (picked('scan'))   console.log(`\n${[100000, 1000000].map((n) => run(tool('meaning'), ['scan', String(n)])).join('')}`);
  fs.mkdirSync(path.join(root, 'build', 'bench'), { recursive: true });
  fs.writeFileSync(path.join(root, 'build', 'bench', 'meaning.json'), JSON.stringify(records, null, 1));
} catch (e) {
  process.exitCode = 1;
  console.error(e.message);
} finally {
  finish();
}
