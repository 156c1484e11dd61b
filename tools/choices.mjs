// Labels what tools/choices prints and has tools/fit fit the weights of
// src/object/weights_*.inc: which of all that pages say is the value of a field.
//
//   [KEEP=DIR] node tools/choices.mjs
//
// Called by `make weights-fields`. Learns from bench/questions/fields.jsonl in all
// sets but those kept from every fit. Each field is asked for twice: with its
// question, of the index of bench/objects.mjs, which holds all sites and which KEEP
// keeps; and with the name of its site for a question, of an index of that site
// alone, at an address that does not name it: there its words tell nothing, and
// neither does the question's ranking of pages. A candidate is right when the bench
// would say so of it; where none is, to choose none of them. Of the same on a page
// the service knows the best alone, by the weights that stand: run it again until
// they stay.
import fs from 'node:fs';
import path from 'node:path';
import { outcome, records } from '../bench/fields.mjs';
import { root, dir, run, finish } from '../bench/lib.mjs';
import { indexSites, kept, sitesOf } from '../bench/sites.mjs';

const HELD = ['kept', 'drawn', 'outside'];
// Of these arrays are learned alone: what they ask for of values stands in fine print,
// and a fit that has seen it trusts the words less where pages are plain.
const ARRAYS = 'beyond';
// Of these values are learned where pages have an entry of the property's name that says
// its default: what the others hang on has the same effect.
const ENTRIES = 'settings';
const LETTERS = { array: 'F', value: 'V' }; // of the features
const WRONG = 2; // right values that a wrong one costs
const CALLED = { postgres: 'PostgreSQL', git: 'Git', sqlite: 'SQLite', python: 'Python',
  harden: 'Debian security', postfix: 'Postfix', varnish: 'Varnish', octave: 'Octave',
  gimp: 'GIMP', sqlalchemy: 'SQLAlchemy', policy: 'Debian policy', debfaq: 'Debian',
  libreoffice: 'LibreOffice', beets: 'beets', buildbot: 'Buildbot', drbd: 'DRBD',
  freedombox: 'FreedomBox', fwbuilder: 'Firewall Builder', gammu: 'Gammu',
  gnucash: 'GnuCash', gpsbabel: 'GPSBabel', ntpsec: 'NTPsec',
  openvswitch: 'Open vSwitch', zoneminder: 'ZoneMinder' };
const tool = (name) => path.join(root, 'build', 'tools', name);

// What the bar of a value depends on, as in choice.c.
function classOf({ type, format, enum: words }) {
  if (type === 'array') return 'ARRAY';
  if (type === 'boolean') return 'STATEMENT';
  return type === 'string' && !format && !words ? 'TEXT' : 'OTHER';
}

function candidates(data, asked) {
  const by = new Map(asked.map((r) => [r.id, r]));
  const told = run(tool('choices'), [data], { maxBuffer: 1 << 30,
    input: asked.map(({ id, q, schema }) => `${JSON.stringify({ id, q, schema })}\n`).join('') });
  // A search that begins again chooses again: that counts.
  return [...new Map(told.split('\n').filter(Boolean).map((l) => JSON.parse(l))
    .filter(({ id, name }) => name in by.get(id).want)
    .map(({ id, name, kind, choices }) => [`${id}.${name}`, Object.assign(
      choices.map(({ v, from, json }) => ({ v, from: kind === 'array' ? from : null,
        key: JSON.stringify(json),
        right: outcome(json, by.get(id).want[name]) === 'right' })), { kind, id,
      of: classOf(by.get(id).schema.properties[name]) })]))
    .values()];
}

// The same, and every third question also with a field of another site, of which
// its own says nothing.
function withNothing(asked) {
  const plain = asked.map((r) => Object.keys(r.want).find((k) =>
    r.want[k] !== null && !['array', 'boolean'].includes(r.schema.properties[k].type)));
  return asked.concat(asked.flatMap((r, i) => {
    const k = (i * 7 + 3) % asked.length, name = plain[k], other = asked[k];
    return i % 3 || !name || other.site === r.site ? [] : [{ id: `${r.id}~`, site: r.site,
      split: r.split, q: r.q, want: { [name]: null }, schema: { type: 'object',
        properties: { [name]: other.schema.properties[name] } } }];
  }));
}

// Numbers that are asked for as texts: right with a unit, "64 bytes"; a bare number is
// neither right nor wrong. Those that no page tells so are left out.
function asMeasures(data, asked) {
  const number = (json) => /^"[\d.,]+ /.test(json) ?
    Number(json.slice(1).split(' ')[0].replace(/,(?=\d{3})/g, '')) : NaN;
  const fields = asked.flatMap((r) => Object.entries(r.want)
    .filter(([, want]) => typeof want === 'number').map(([name, want]) => ({ ...r,
      id: `${r.id}#${name}`, want: { [name]: want }, schema: { type: 'object',
        properties: { [name]: { ...r.schema.properties[name], type: 'string' } } } })));
  const want = new Map(fields.map((r) => [r.id, Object.values(r.want)[0]]));
  return candidates(data, fields).map((g) => Object.assign(g
    .filter((c) => !/^"[\d.,]+"$/.test(c.key))
    .map((c) => ({ ...c, right: number(c.key) === want.get(g.id) })), { kind: g.kind, id: g.id, of: 'TEXT' }))
    .filter((g) => g.some((c) => c.right));
}

// The same of an index for each site; what a list is of, no name of a site tells.
function ofSitesAlone(asked) {
  return [...new Set(asked.map((r) => r.site))].flatMap((site) => {
    const data = path.join(kept, `alone-${site}`);
    indexSites(data, [site], () => 'http://127.0.0.1/');
    return candidates(data, asked.filter((r) => r.site === site)
      .map((r, i) => ({ ...r, q: i % 2 ? `Facts about ${CALLED[site]}` : `${CALLED[site]} facts` })));
  }).filter((g) => g.kind !== 'array');
}

// The first row of a group is that there is none.
function fit(names, letter, groups) {
  const rows = groups.map((g) => [{ right: !g.some((c) => c.right), v: names.map(() => 0) }, ...g]
    .map((c) => `${c.right ? 1 : 0} ${c.v.join(' ')}\n`).join(''));
  fs.writeFileSync(path.join(dir, 'features'), names.join('\n'));
  const text = run(tool('fit'), [path.join(dir, 'features')], { input: rows.join('\n') })
    .split('*/\n')[1].replaceAll('FEATURE_', `${letter}_`);
  return { text, w: [...text.matchAll(/= (.*),/g)].map((m) => Number(m[1])) };
}

// Are they the same, or arrays that share most of their elements? And are all of one's
// in the other?
const elements = (key) => key[0] !== '[' ? [] :
  JSON.parse(key).map((x) => JSON.stringify(x).toLowerCase());
function isAlike(one, other) {
  if (one === other) return true;
  const a = elements(one), b = new Set(elements(other));
  return b.size > 0 && 2 * a.filter((x) => b.has(x)).length >= 0.8 * (a.length + b.size);
}

function isWithin(one, other) {
  const a = elements(one), b = new Set(elements(other));
  return a.length > 1 && a.every((x) => b.has(x));
}

// As choice.c chooses: the same values on several pages are one, and so are the
// readings of one list, of which the chosen one must be as likely.
function choice(w, group) {
  const odds = group.map((c) => Math.exp(c.v.reduce((s, x, k) => s + w[k] * x, 0)));
  const isReading = (c, other) => c.from !== null && c.from === other.from;
  const likeliest = (isOut) => group.reduce((best, c, i) =>
    !isOut(c) && (best < 0 || odds[i] > odds[best]) ? i : best, -1);
  const sum = (isIn) => group.reduce((s, c, i) => s + (isIn(c) ? odds[i] : 0), 0);
  const best = group[likeliest(() => false)];
  if (!best) return { sure: 0 };
  const rival = group[likeliest((c) => isReading(c, best) || isAlike(c.key, best.key) ||
    isWithin(c.key, best.key))];
  const [own, other] = [best, rival].map((x) => x ?
    sum((c) => isReading(c, x) || isAlike(c.key, x.key)) : 0);
  return { right: best.right, sure: Math.min(own / (1 + own + other),
    sum((c) => isAlike(c.key, best.key)) / own) };
}

function count(choices, sure) {
  const n = { right: 0, wrong: 0, none: 0 };
  for (const c of choices) n[c.sure < sure(c) ? 'none' : c.right ? 'right' : 'wrong']++;
  return n;
}
const told = (n) => `${n.right} right, ${n.wrong} wrong, ${n.none} none`;

// How likely the best must be: where it is worth most, over a stretch, since there
// are few fields of a class; amid all that cost less than a quarter of one wrong value
// beside it, which is no more than chance: their ends move from fit to fit.
function barOf(choices) {
  const steps = (n) => [...Array(n).keys()].map((k) => k / 100);
  const worth = (p) => steps(11).map((d) => count(choices, () => p - 0.05 + d))
    .reduce((sum, n) => sum + n.right - WRONG * n.wrong, 0);
  const bars = steps(36).map((k) => [0.5 + k, worth(0.5 + k)]);
  const most = Math.max(...bars.map(([, w]) => w));
  const good = bars.filter(([, w]) => w >= most - WRONG / 4 * steps(11).length);
  return good[good.length >> 1][0];
}

try {
  for (const of of ['', 'asked', 'fields']) sitesOf(path.join(root, 'bench', 'questions', of));
  const asked = withNothing(records.filter((r) => !HELD.includes(r.split)));
  const data = path.join(kept, 'objects');
  indexSites(data, [...new Set(asked.map((r) => r.site))]);
  const every = candidates(data, asked).concat(ofSitesAlone(asked), asMeasures(data, asked));
  const recordOf = (g) => records.find((r) => r.id === g.id.replace(/[~#].*/, ''));
  const siteOf = (g) => recordOf(g).site, splitOf = (g) => recordOf(g).split;
  const bars = {};
  for (const line of run(tool('choices'), ['--features']).trim().split('\n')) {
    const [kind, ...names] = line.split(' '), letter = LETTERS[kind];
    const entry = names.findIndex((name) => /^[+-]?ENTRY_DEFAULT$/.test(name));
    const all = every.filter((g) => g.kind === kind && (kind === 'array' ||
      (splitOf(g) !== ARRAYS &&
        (splitOf(g) !== ENTRIES || g.some((c) => c.v[entry] > 0)))));
    const { text, w } = fit(names, letter, all);
    const without = Object.fromEntries([...new Set(all.map(siteOf))].map((site) =>
      [site, fit(names, letter, all.filter((g) => siteOf(g) !== site)).w]));
    const apart = all.map((g) => ({ ...choice(without[siteOf(g)], g), of: g.of }));
    for (const of of new Set(all.map((g) => g.of)))
      bars[of] = barOf(apart.filter((c) => c.of === of));
    const now = (choices) => told(count(choices, (c) => bars[c.of]));
    const head = `/* Written by \`make weights-fields\`, of ${all.length} fields, ${
      all.filter((g) => g.some((c) => c.right)).length} of which can be had:
 * fitted on all               ${now(all.map((g) => ({ ...choice(w, g), of: g.of })))}
 * fitted on the other sites   ${now(apart)}
 */
`;
    fs.writeFileSync(path.join(root, 'src', 'object', `weights_${kind}.inc`), head + text);
    console.log(kind, head);
    for (const of of new Set(all.map((g) => g.of)))
      for (let p = 0.4; process.env.SURE && p < 0.9; p += 0.05)
        console.log(of, p.toFixed(2), told(count(apart.filter((c) => c.of === of), () => p)));
  }
  fs.writeFileSync(path.join(root, 'src', 'object', 'sure.inc'),
    `/* Written by \`make weights-fields\`, on sites left out of the fit. */\n${
      Object.entries(bars).map(([of, p]) => `[SURE_${of}] = ${p.toFixed(2)},\n`).join('')}`);
} finally {
  finish();
}
