// Fields of schemas over real documentation, and what is a right value of one.
//
// A line of bench/questions/fields.jsonl is {id, site, split, q, schema, want};
// want has the value of each property: a plain one, {re} for one that may be worded
// in several ways, an array of them of which four in five must be there and hardly any
// other, {key, rows, least} for rows that are told by their column key, or null where
// the site does not say.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './lib.mjs';

const LEAST = 0.8; // of an array's elements

export const records = fs.readFileSync(path.join(root, 'bench/questions/fields.jsonl'), 'utf8')
  .trim().split('\n').map((l) => JSON.parse(l));

const plain = (v) => typeof v === 'string' ?
  v.trim().replace(/^["'`]+|["'`]+$/g, '').toLowerCase() : v;

// Are enough of the wanted elements there, and few others?
function covers(got, want, open) {
  const have = new Set(got.map(plain)), wanted = new Set(want.map(plain));
  const hits = [...wanted].filter((v) => have.has(v)).length;
  return hits >= LEAST * wanted.size &&
    (open || 5 * (have.size - hits) <= wanted.size);
}

// right, wrong or none
export function outcome(got, want) {
  if (want === null) return got == null ? 'right' : 'wrong';
  if (got == null || (Array.isArray(got) && !got.length)) return 'none';
  if (Array.isArray(want))
    return Array.isArray(got) && covers(got, want) ? 'right' : 'wrong';
  if (typeof want !== 'object') return plain(got) === plain(want) ? 'right' : 'wrong';
  if (want.re)
    return new RegExp(want.re, 'is').test(String(got)) ? 'right' : 'wrong';
  const keys = got.map((row) => String(row[want.key] ?? ''));
  return covers(keys, want.rows.map(String), want.least) && got.length >= (want.least ?? 0) ?
    'right' : 'wrong';
}
