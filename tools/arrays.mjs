// Labels what tools/arrays prints and has tools/fit fit the weights of
// src/object/weights_array.inc: which of all that pages list is the array.
//
//   [KEEP=DIR] node tools/arrays.mjs
//
// Called by `make weights-array`. Learns from the arrays of bench/questions/
// fields.jsonl in all sets but those kept from every fit; the sites are in the
// index of bench/objects.mjs, which KEEP keeps. A candidate is right when the
// bench would say so of it; where none is, to choose none of them. Of the same on
// a page the service knows the best alone, by the weights that stand: run it again
// until they stay.
import fs from 'node:fs';
import path from 'node:path';
import { outcome, records } from '../bench/fields.mjs';
import { root, dir, run, finish } from '../bench/lib.mjs';
import { indexSites, kept, sitesOf } from '../bench/sites.mjs';

const HELD = ['unseen', 'held', 'kept'];
const SURE = 0.35; // SURE_MIN of structured_array.c
const TENTHS = 10;
const tool = (name) => path.join(root, 'build', 'tools', name);
const inc = path.join(root, 'src', 'object', 'weights_array.inc');

function arrays(data, asked) {
  const by = new Map(asked.map((r) => [r.id, r]));
  const told = run(tool('arrays'), [data], { maxBuffer: 1 << 30,
    input: asked.map(({ id, q, schema }) => `${JSON.stringify({ id, q, schema })}\n`).join('') });
  // A search that begins again chooses again: that counts.
  return [...new Map(told.split('\n').filter(Boolean).map((l) => JSON.parse(l))
    .map(({ id, name, choices }) => [`${id}.${name}`, choices.map(({ v, json }) => ({ v,
      key: JSON.stringify(json), right: outcome(json, by.get(id).want[name]) === 'right' }))]))
    .values()];
}

// The first row of a group is that there is none.
function fit(names, groups) {
  const rows = groups.map((g) => [{ right: !g.some((c) => c.right), v: names.map(() => 0) }, ...g]
    .map((c) => `${c.right ? 1 : 0} ${c.v.join(' ')}\n`).join(''));
  const text = run(tool('fit'), [path.join(dir, 'features')], { input: rows.join('\n') })
    .split('*/\n')[1].replaceAll('FEATURE_', 'F_');
  return { text, w: [...text.matchAll(/= (.*),/g)].map((m) => Number(m[1])) };
}

// As structured_array.c chooses: the same values on several pages are one.
function chosen(w, group) {
  const odds = group.map((c) => Math.exp(c.v.reduce((s, x, k) => s + w[k] * x, 0)));
  const best = group[odds.indexOf(Math.max(...odds))];
  const own = odds.filter((_, i) => group[i].key === best.key).reduce((s, x) => s + x, 0);
  return own < SURE * odds.reduce((s, x) => s + x, 1) ? 'none' : best.right ? 'right' : 'wrong';
}

function count(groups, weigh) {
  const n = { right: 0, wrong: 0, none: 0 };
  groups.forEach((g, i) => n[g.length ? chosen(weigh(i), g) : 'none']++);
  return `${n.right} right, ${n.wrong} wrong, ${n.none} none`;
}

try {
  sitesOf(path.join(root, 'bench', 'questions'));
  const asked = records.filter((r) => !HELD.includes(r.split));
  const data = path.join(kept, 'objects');
  indexSites(data, [...new Set(asked.map((r) => r.site))]);
  const names = run(tool('arrays'), ['--features']).trim();
  fs.writeFileSync(path.join(dir, 'features'), names);
  const all = arrays(data, asked), list = names.split('\n');
  const { text, w } = fit(list, all);
  const without = Array.from({ length: TENTHS }, (_, k) =>
    fit(list, all.filter((_, i) => i % TENTHS !== k)).w);
  const head = `/* Written by \`make weights-array\`, of ${all.length} arrays, ${
    all.filter((g) => g.some((c) => c.right)).length} of which can be had:
 * fitted on all                     ${count(all, () => w)}
 * fitted on the other nine tenths   ${count(all, (i) => without[i % TENTHS])}
 */
`;
  fs.writeFileSync(inc, head + text);
  console.log(head);
} finally {
  finish();
}
