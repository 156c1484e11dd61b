// What kind of character each code point is, for \p{…} in patterns of schemas:
// writes src/json/category.inc from what Node knows of Unicode.
//
//   node tools/categories.mjs
//
// A number is a code point times 256 plus the place of its category in the list
// below; it holds up to the next one's code point. Run by hand when Unicode has
// grown; src/json/category.c has the categories in the same order.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const categories = ['Lu', 'Ll', 'Lt', 'Lm', 'Lo', 'Mn', 'Mc', 'Me', 'Nd', 'Nl',
  'No', 'Pc', 'Pd', 'Ps', 'Pe', 'Pi', 'Pf', 'Po', 'Sm', 'Sc', 'Sk', 'So', 'Zs',
  'Zl', 'Zp', 'Cc', 'Cf', 'Cs', 'Co', 'Cn'];
const tests = categories.map((c) => new RegExp(`^\\p{${c}}$`, 'u'));
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const numbers = [];
for (let cp = 0, last = -1; cp <= 0x10FFFF; cp++) {
  const kind = tests.findIndex((t) => t.test(String.fromCodePoint(cp)));
  if (kind !== last) numbers.push(`0x${(cp * 256 + kind).toString(16)},`);
  last = kind;
}
const lines = [`/* Unicode ${process.versions.unicode}, by tools/categories.mjs. */`];
for (const n of numbers)
  if (lines.length > 1 && `${lines.at(-1)} ${n}`.length <= 80) lines[lines.length - 1] += ` ${n}`;
  else lines.push(n);
fs.writeFileSync(path.join(root, 'src/json/category.inc'), `${lines.join('\n')}\n`);
