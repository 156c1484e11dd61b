// Fields of schemas over real documentation: how many get their value, how many
// a wrong one, how many none.
//
//   [SPLIT=fit|count|again|fresh|last|new|blind|later|sealed|unseen|held|kept|more|drawn|further|apart|beyond|outside] [NAMES=id,id] [SHOW=1]
//   [KEEP=DIR] node bench/objects.mjs
//
// Called by `make bench-objects`; the fields are those of bench/fields.mjs. Rules
// are set with the split fit; the others were counted once, in this order, and only
// then looked at (sealed once before any change and four times while rules were chosen;
// unseen with the program before and after arrays were chosen anew, for which the
// arrays of all others were fitted on; held and kept once, and then whenever ways to
// choose values were compared; held was fitted on then, kept never; more was written in
// three parts while the reading of booleans, texts and lists was worked on; drawn was
// counted before that and after it, and never fitted on; further was written, half of it
// arrays, before lists were told apart by depth and bars were fitted; apart, before
// words that are near counted and the readings of a list were weighed apart; beyond and
// outside by strangers, over sites that no other field is of: arrays were fitted on the
// first, the second was counted before that and after it, and never fitted on). The
// sites are those of bench/sites.mjs, in one index, and no model is asked. The answers
// go to build/bench/objects.jsonl.
import fs from 'node:fs';
import path from 'node:path';
import { root, lighttpd, call, dataFolder, responder, finish } from './lib.mjs';
import { outcome, records as all } from './fields.mjs';
import { indexSites, kept, sitesOf } from './sites.mjs';

for (const of of ['', 'asked', 'fields']) sitesOf(path.join(root, 'bench/questions', of));

const names = (process.env.NAMES ?? '').split(',').filter(Boolean);
const records = all.filter((r) => !process.env.SPLIT || r.split === process.env.SPLIT)
  .filter((r) => !names.length || names.includes(r.id));

const kind = (schema) => ['boolean', 'array'].includes(schema.type) ? schema.type : 'other';
const counts = {};
const lines = [];
try {
  const d = dataFolder('objects', kept);
  indexSites(d.data, [...new Set(records.map((r) => r.site))]);
  const { sock } = await responder('objects', d);
  const at = await lighttpd({ fcgi: { '/api': sock } });
  for (const r of records) {
    const answer = await call('POST', `${at}/api/v1/search`, d.key, JSON.stringify({
      q: r.q, depth: 'standard', outputType: 'structured',
      structuredOutputSchema: r.schema, includeSources: true }));
    const { data = {}, sources = [] } = answer.status === 200 ? JSON.parse(answer.text) : {};
    if (answer.status !== 200 && !/NO_RESULT/.test(answer.text)) throw new Error(answer.text);
    for (const [name, want] of Object.entries(r.want)) {
      const got = data[name] ?? null;
      const is = outcome(got, want);
      for (const set of [r.split, `${r.split} ${kind(r.schema.properties[name])}`]) {
        counts[set] ??= { right: 0, wrong: 0, none: 0 };
        counts[set][is]++;
      }
      lines.push({ id: r.id, split: r.split, name, is, got, want });
      if (process.env.SHOW && is !== 'right')
        console.log(`${is.padEnd(5)} ${r.id}.${name}: ${JSON.stringify(got)?.slice(0, 300)}` +
          ` for ${JSON.stringify(want).slice(0, 120)}`);
    }
    lines.push({ id: r.id, sources: sources.map((s) => [s.url, s.content]) });
  }
  for (const [set, c] of Object.entries(counts).sort()) {
    const n = c.right + c.wrong + c.none, share = (x) => `${Math.round(100 * x / n)} %`;
    console.log(`${set}: ${n} fields, ${c.right} right (${share(c.right)}), ${
      c.wrong} wrong (${share(c.wrong)}), ${c.none} none`);
  }
} finally {
  finish();
  fs.mkdirSync(path.join(root, 'build/bench'), { recursive: true });
  fs.writeFileSync(path.join(root, 'build/bench/objects.jsonl'),
    lines.map((l) => `${JSON.stringify(l)}\n`).join(''));
}
