// What the check of sentences keeps, repairs and drops, on sentences whose
// truth is known.
//
//   COLLECTIONS=DIR node bench/check.mjs
//
// Called by `make bench-check`. DIR/verify holds pairs.jsonl {sentence, passage,
// true, change} and, where they are, scifact-claims.jsonl {claim, passage,
// label} and climate-fever.jsonl {claim, evidence, label}; other files of the
// shape of pairs.jsonl in it are measured as well. Nothing here was fitted to
// the last two. The records go to build/bench/check.json.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root, bin, finish } from './lib.mjs';
import { write } from './writer.mjs';

const dir = path.join(process.env.COLLECTIONS ?? '', 'verify');
const GOALS = { kept_or_repaired: 0.95, kept: 0.45, false_kept: 0.02 };
const records = {};

const read = (file) => fs.readFileSync(path.join(dir, file), 'utf8')
  .split('\n').filter(Boolean).map((one) => JSON.parse(one));

// What is found of each of [{ sentence, passage }].
function check(rows) {
  let out;
  try {
    out = execFileSync(bin('cited'), ['--json', '--quiet', 'check', '-'], {
      input: rows.map(({ sentence, passage }) =>
        JSON.stringify({ sentence, passage })).join('\n'),
      encoding: 'utf8', maxBuffer: 1 << 28 });
  } catch (e) { // 1: not all of them stand
    if (e.status !== 1 || !e.stdout) throw e;
    out = e.stdout;
  }
  return out.trim().split('\n').map((one) => JSON.parse(one));
}

const is_kept = (kind) => kind === 'quoted' || kind === 'supported';
const share = (list, f) => list.length ? list.filter(f).length / list.length : NaN;

// How the verdicts on rows fall, by group.
function table(name, rows, group_of) {
  const kinds = check(rows).map((one) => one.kind), groups = new Map();
  rows.forEach((row, i) => {
    const group = group_of(row);
    groups.set(group, [...(groups.get(group) ?? []), kinds[i]]);
  });
  console.log(`\n${name.padEnd(28)}    n   kept  repaired  contradicted  dropped`);
  for (const [group, list] of [...groups].sort()) {
    const of = (f) => share(list, f).toFixed(3);
    console.log(`${group.padEnd(28)} ${String(list.length).padStart(4)}  ${
      of(is_kept)}     ${of((k) => k === 'repaired')}         ${
      of((k) => k === 'contradicted')}    ${of((k) => k === 'unsupported')}`);
  }
  records[name] = Object.fromEntries(groups);
  return groups;
}

if (!process.env.COLLECTIONS || !fs.existsSync(dir)) {
  console.log('SKIPPED: COLLECTIONS=DIR names a folder with verify/ in it');
  finish();
  process.exit(0);
}
let missed = 0;

// The same sentences by way of a model that writes them with their best window.
async function through_a_model(rows) {
  const found = check(rows);
  const all = await write(rows.map((row, i) => ({ ...row, quote: found[i].quote ??
    row.passage.split('\n')[0] })));
  console.log('\nwritten by a model              true kept  repaired  false kept  repaired');
  for (const [judge, said] of Object.entries(all)) {
    const of = (truth, kind) => share(rows.map((row, i) => [row, said[i]])
      .filter(([row]) => row.true === truth), ([, one]) => one === kind);
    const false_kept = of(false, 'kept');
    const ok = judge === 'yes to all' || false_kept <= (judge === 'rules' ? 0 : GOALS.false_kept);
    missed += ok ? 0 : 1;
    console.log(`judged by ${judge.padEnd(21)} ${of(true, 'kept').toFixed(3)}     ${
      of(true, 'repaired').toFixed(3)}      ${false_kept.toFixed(3)}     ${
      of(false, 'repaired').toFixed(3)}  ${ok ? '' : 'MISS'}`);
    records[`a model, judged by ${judge}`] = rows.map((row, i) => ({ id: row.id, said: said[i] }));
  }
}
for (const file of fs.readdirSync(dir).filter((one) => one.endsWith('.jsonl'))) {
  const rows = read(file);
  if (rows[0]?.passage !== undefined && rows[0]?.true !== undefined) {
    const groups = table(file, rows,
      (row) => `${row.true ? 'true' : 'false'}: ${row.change ?? ''}`);
    const all = (word) => [...groups].filter(([name]) => name.startsWith(word))
      .flatMap(([, list]) => list);
    const figures = {
      kept: share(all('true'), is_kept),
      kept_or_repaired: share(all('true'), (k) => is_kept(k) || k === 'repaired'),
      false_kept: share(all('false'), is_kept),
    };
    for (const [name, value] of Object.entries(figures)) {
      const ok = name === 'false_kept' ? value <= GOALS[name] : value >= GOALS[name];
      missed += ok ? 0 : 1;
      console.log(`${name.padEnd(28)} ${value.toFixed(3)}  ${
        ok ? 'ok' : `MISS ${GOALS[name]}`}`);
    }
    await through_a_model(rows);
  } else if (rows[0]?.label !== undefined) {
    table(file, rows.map((row) => ({ sentence: row.claim, label: row.label,
      passage: row.passage ?? row.evidence })), (row) => row.label);
  }
}
fs.mkdirSync(path.join(root, 'build/bench'), { recursive: true });
fs.writeFileSync(path.join(root, 'build/bench/check.json'), JSON.stringify(records, null, 1));
finish();
process.exit(missed ? 1 : 0);
