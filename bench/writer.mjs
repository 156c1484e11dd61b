// A scripted model says sentences whose truth is known, each with the quote a
// writer would give: its best window in the passage. What reaches the reader.
// Called by check.mjs.
import { FakeModel, entail } from '../tests/e2e/lib/model.js';
import { Client, success } from '../tests/e2e/lib/http.js';
import { start } from '../tests/e2e/lib/server.js';
import { Site, squeeze } from '../tests/e2e/lib/site.js';

// How the model judges what it wrote: not asked, always yes, as the label says.
const JUDGES = { rules: null, 'yes to all': () => true, 'by the label': (row) => row.true };

async function said(rows, judge, texts) {
    let row;
    const model = await FakeModel.make({ script: (prompt) => prompt.pairs
        ? entail(prompt, () => judge(row))
        : JSON.stringify({ statements: [{ text: row.sentence, quote: row.quote,
            passage: prompt.passages.find((one) => one.title === row.title)?.id ?? 1,
            form: 'sentence' }] }) });
    const site = await Site.make({ settings: model.settings({ 'model.entail': String(!!judge) }),
        pages: texts.map(([text, title]) => ({ url: `https://pairs.example/${title.replace(' ', '-')}`, title,
            // Each line is a block, as it was in its page.
            text: text.replaceAll('\n', '\n\n') })) });
    const server = await start('lighttpd', site);
    const me = new Client(server.base, site.key), out = [];
    for (row of rows) {
        const res = await me.search({ q: row.sentence, outputType: 'sourcedAnswer',
            includeEvidence: true });
        const { evidence } = res.status === 200 ? success(res) : { evidence: [] };
        const place = squeeze(row.quote), own = squeeze(row.sentence);
        out.push(evidence.some((one) => squeeze(one.text) === own) ? 'kept' : evidence.some((one) => squeeze(one.quote).includes(place))
                ? 'repaired' : 'else');
    }
    if (model.faults.length) throw new Error(model.faults[0]);
    await server.stop();
    await site.close();
    await model.close();
    return out;
}

// [{ sentence, passage, quote, true, change }] → { judge: verdicts }
export async function write(rows) {
    const texts = new Map();
    for (const { passage } of rows)
        if (!texts.has(passage)) texts.set(passage, `Passage ${texts.size + 1}`);
    const titled = rows.map((row) => ({ ...row, title: texts.get(row.passage) }));
    const out = {};
    for (const [name, judge] of Object.entries(JUDGES))
        out[name] = await said(titled, judge,
            [...texts].map(([text, title]) => [text, title]));
    return out;
}
