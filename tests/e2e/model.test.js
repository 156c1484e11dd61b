// The model writer against a scripted endpoint: a model that lies, obeys
// pages, babbles, stalls or breaks, behind the public API. Whatever it does,
// an answer says what its sources say.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, success } from './lib/http.js';
import { LIES, QUOTES, dice, lie, make_world, question } from './lib/liar.js';
import { FakeModel, chat, entail, send } from './lib/model.js';
import { start } from './lib/server.js';
import { Site, squeeze } from './lib/site.js';
import { until } from './lib/world.js';

const CASES = Number(process.env.CITED_MODEL_CASES ?? 520);
const SEED = Number(process.env.CITED_MODEL_SEED ?? 20261120);
const RIGHT_SHARE = 0.9; // of true sentences in the fake's words must stand

// The sentences of an answer with the number each cites; the lines that say what
// page or host follows are none.
const CLOSE = 'The pages found may not answer this directly. The closest passage: ';
function sentences_of(answer) {
    const out = [];
    const rest = squeeze(answer.replace(/^\*[^*\n]+\*$/gm, '')).replace(CLOSE, '').replace(
        /(.*?) \[(\d+)\]([.!?]*["')]*)(?: |$)/gs, (all, text, n, end) => {
            out.push({ text: text + end, n: Number(n) });
            return '';
        });
    assert.equal(rest.trim(), '', `every sentence is cited: ${answer}`);
    return out;
}

// What is wrong with an answer, by the list of what the pages say.
function faults_of(found, world) {
    const faults = [];
    const urls = new Set(world.pages.map((page) => page.url));
    for (const source of found.sources)
        if (!urls.has(source.url)) faults.push(`URL ${source.url}`);
    if (/https?:|www\.|evil|tickets/.test(found.answer))
        faults.push(`an address: ${found.answer}`);
    if (/CANARY/.test(found.answer)) faults.push(`canary: ${found.answer}`);
    for (const { text, n } of sentences_of(found.answer)) {
        const source = found.sources[n - 1];
        const truth = source && world.truth.get(source.url);
        for (const one of text.replace(/^- /gm, '')
            .split(/(?<=[.!?]["\u201d]?)\s+(?=[A-Z"\u201c])/))
            if (!truth?.has(one) && !truth?.has(`${one}.`))
                faults.push(`unsupported: ${one} [${source?.url}]`);
    }
    return faults;
}

// What is wrong with an answer's evidence: each quote must be the bytes of its
// page that it says it is, of some kind, and what is said be what it says.
const KINDS = { model: ['quoted', 'supported', 'repaired'], sentences: ['quoted'] };
async function evidence_faults(me, found, texts) {
    const faults = [];
    for (const one of found.evidence) {
        if (!texts.has(one.url))
            texts.set(one.url, Buffer.from(success(await me.get(
                `/v1/pages?url=${encodeURIComponent(one.url)}`)).text));
        const cut = texts.get(one.url).subarray(one.start, one.end).toString();
        if (cut !== one.quote || found.sources[one.source - 1].url !== one.url ||
            !KINDS[found.writer].includes(one.kind) ||
            (one.kind !== 'supported' && squeeze(one.text) !== squeeze(cut)))
            faults.push(`evidence: ${JSON.stringify(one)} is ${cut}`);
    }
    return faults;
}

function ask(me, q, more = {}) {
    return me.search({ q, outputType: 'sourcedAnswer',
        includeInlineCitations: true, ...more });
}

// The ids of the passages of each page, as the prompt shows them.
function ids_of(prompt, world) {
    const ids = new Map();
    for (const { id, title } of prompt.passages) {
        const page = world.pages.find((one) => one.title === title);
        if (page) ids.set(page.url, [...(ids.get(page.url) ?? []), id]);
    }
    return ids;
}

// Statements with the page's own sentence as their quote: [text, page, id …].
const own_words = (text, page) => page.says.find((says) =>
    says.includes(text))?.[0] ?? text;
const json = (...items) => JSON.stringify({ statements: items.map(
    ([text, page, ...passages]) => ({ text, passages, form: 'sentence',
        quote: page && own_words(text, page) })) });

describe('a model that writes', () => {
    const world = make_world(SEED, 100);
    let site, server, me, model, script;

    before(async () => {
        model = await FakeModel.make({ script: (...all) => script(...all) });
        site = await Site.make({
            pages: world.pages.map(({ url, title, date, text }) =>
                ({ url, title, date, text })),
            settings: model.settings(),
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await model?.close();
    });

    it('answers in its own words, cited by the program', async () => {
        const page = world.pages[0];
        let shown;
        script = (prompt) => {
            shown = prompt;
            const [id] = ids_of(prompt, world).get(page.url);
            return json([`${page.It} has ${page.steps} steps.`, page, id],
                [`${page.It} was built in ${page.built}.`, page, id]);
        };
        const found = success(await ask(me, `How many steps does ${page.it} have?`));
        assert.equal(found.answer, `${page.It} has ${page.steps} steps. [1] ` +
            `${page.It} was built in ${page.built}. [1]`);
        assert.equal(found.sources[0].url, page.url);
        assert.ok(squeeze(page.text).includes(squeeze(found.sources[0].snippet)));
        const plain = success(await ask(me,
            `How many steps does ${page.it} have?`,
            { includeInlineCitations: false }));
        assert.doesNotMatch(plain.answer, /\[\d/);
        assert.ok(shown.passages.length > 1);
        const seen = JSON.stringify(shown);
        assert.doesNotMatch(seen, /https?:/, 'no address is shown');
        assert.doesNotMatch(seen, /CANARY/, 'no order to machines is shown');
    });

    it('cites glued to its words, which the program takes off', async () => {
        const page = world.pages[2];
        script = (prompt) => {
            const [id] = ids_of(prompt, world).get(page.url);
            return JSON.stringify({ statements: [{ passage: id, form: 'sentence',
                text: `${page.It} has ${page.steps} steps[${id}].`,
                quote: `It has ${page.steps} steps.` }] });
        };
        const found = success(await ask(me, `How many steps does ${page.It} have?`));
        assert.equal(found.answer, `${page.It} has ${page.steps} steps. [1]`);
    });

    it('finds the page that a sentence is about', async () => {
        const page = world.pages[1];
        script = (prompt) => {
            const own = ids_of(prompt, world).get(page.url);
            const other = prompt.passages.find(({ id }) => !own.includes(id));
            return json([`${page.It} has ${page.steps} steps.`, page, other.id]);
        };
        const found = success(await ask(me, `How many steps does ${page.it} have?`));
        assert.equal(found.answer, `${page.It} has ${page.steps} steps. [1]`);
        assert.equal(found.sources[0].url, page.url);
    });

    it('is not asked by quick searches', async () => {
        const before_ = model.asked;
        const page = world.pages[2];
        for (const depth of ['fast', 'flash'])
            success(await ask(me, question(page, dice(1)), { depth }));
        assert.equal(model.asked, before_);
    });

    it(`says nothing false in ${CASES} cases`, async () => {
        const d = dice(SEED + 1);
        const wrong = [], counts = { answers: 0, truths: 0, stood: 0, lies: 0,
            quoted: 0, supported: 0, repaired: 0 };
        const texts = new Map();
        const cases = Array.from({ length: CASES }, () => d.pick(world.pages));
        for (const page of cases) {
            const others = world.pages.filter((one) => one !== page);
            let said = null;
            script = (prompt) => {
                said = lie(page, others, ids_of(prompt, world), d);
                return said.content;
            };
            const res = await ask(me, question(page, d),
                { includeEvidence: true });
            if (res.status === 400 &&
                res.json().error.code === 'SEARCH_QUERY_NO_RESULT') continue;
            const found = success(res);
            counts.answers++;
            counts.lies += said.lies.length;
            for (const fault of [...faults_of(found, world),
                ...await evidence_faults(me, found, texts)])
                wrong.push({ fault, said: said.content });
            for (const { kind } of found.evidence) counts[kind]++;
            const stands = new Set(sentences_of(found.answer).map((s) => s.text));
            counts.truths += said.truths.length;
            counts.stood += said.truths.filter((one) => stands.has(one)).length;
        }
        console.log(`model: ${JSON.stringify(counts)}, ${wrong.length} wrong`);
        assert.deepEqual(wrong.slice(0, 10), []);
        assert.ok(counts.answers >= 0.95 * CASES, 'almost every case answers');
        // Quotes of lies are hardly ever put in their place: see below.
        assert.ok(Math.min(counts.quoted, counts.supported) > 0.02 * CASES,
            'evidence of both kinds');
        assert.deepEqual(model.faults, []);
    });

    it('keeps what is true', async () => {
        const d = dice(SEED + 2);
        let said = 0, stood = 0;
        const lost = new Map();
        for (const page of world.pages.slice(0, 40)) {
            const truths = page.says.map((one) => d.pick(one))
                .filter((one) => !one.startsWith('It ')).slice(0, 5);
            script = (prompt) => json(...truths.map((one) =>
                [one, page, ...(ids_of(prompt, world).get(page.url) ?? [])]));
            const found = success(await ask(me, `${page.It} ${page.kind}`));
            const stands = new Set(sentences_of(found.answer).map((s) => s.text));
            for (const one of truths) {
                said++;
                if (stands.has(one)) stood++;
                else lost.set(one, found.answer);
            }
        }
        console.log(`model: ${stood} of ${said} true sentences stood`);
        assert.ok(stood >= RIGHT_SHARE * said,
            JSON.stringify([...lost].slice(0, 5), null, 1));
    });

    for (const kind of Object.keys(LIES))
        it(`drops the lie "${kind}"`, async () => {
            const d = dice(SEED + 3);
            for (const page of world.pages.slice(0, 3)) {
                const text = LIES[kind](page, world.pages[50], d);
                for (const way of Object.keys(QUOTES)) {
                    script = (prompt) => JSON.stringify({ statements: [{ text,
                        passages: prompt.passages.map((one) => one.id),
                        quote: QUOTES[way](page, world.pages[50], text, null, d),
                    }] });
                    const found = success(await ask(me,
                        `When was ${page.it} built?`));
                    assert.deepEqual(faults_of(found, world), [],
                        `${text} (${way})`);
                }
            }
        });

    for (const way of ['none', 'empty', 'across', 'across_places', 'altered',
        'order', 'word'])
        it(`has nothing stand where it quotes: ${way}`, async () => {
            const d = dice(SEED + 4);
            for (const page of world.pages.slice(0, 8)) {
                script = () => JSON.stringify({ statements: [{
                    text: `${page.It} dates from ${page.built} and was the work of ${page.a}.`,
                    passages: [], form: 'sentence',
                    quote: QUOTES[way](page, world.pages[50], '', null, d) }] });
                const found = success(await ask(me, `When was ${page.it} built?`,
                    { includeEvidence: true }));
                assert.equal(found.writer, 'sentences', found.answer);
                assert.deepEqual(faults_of(found, world), []);
            }
        });

    // The steps and the output of a task, when it has ended.
    async function researched(q) {
        const { id } = success(await me.post('/v1/research', { q,
            outputType: 'sourcedAnswer', reasoningDepth: 'M' }));
        const task = await until(async () => {
            const one = success(await me.get(`/v1/research/${id}`));
            return ['completed', 'failed'].includes(one.status) && one;
        }, 60000, 'the task ends');
        assert.equal(task.status, 'completed', task.error);
        const steps = success(await me.get(`/v1/research/${id}/steps`));
        return { answer: task.output.answer,
            plan: JSON.stringify(steps.steps ?? steps) };
    }
    // Writes nothing that stands, so that the pages speak.
    const planning = (reply) => (prompt) => prompt.draft ? reply(prompt)
        : JSON.stringify({ statements: [] });

    it('plans a report, in parts that speak of the question', async () => {
        const page = world.pages[3];
        const q = `Who built ${page.It}, and when was ${page.It} opened?`;
        let drafts = 0;
        script = planning((prompt) => {
            drafts++;
            assert.equal(prompt.question, q);
            assert.ok(prompt.draft.length > 0);
            return JSON.stringify({ parts: [
                { title: 'Its builder', question: `who built ${page.It}` },
                { title: 'Its beginnings', question: `the opening of ${page.It}, when it was opened` },
                { title: 'Cheap tickets 1999', question: `${page.It} 1999` },
                { title: 'Elsewhere', question: 'the weather on the moon' }] });
        });
        const { answer, plan } = await researched(q);
        assert.equal(drafts, 1);
        assert.match(plan, /the opening of /);
        assert.doesNotMatch(plan, /1999|moon/);
        assert.match(answer, /^## Its (builder|beginnings)$/m);
        assert.deepEqual(model.faults, []);
    });

    it('whose plan leaves the question out plans nothing', async () => {
        const page = world.pages[5];
        const q = `Who built ${page.It}, and when was ${page.It} opened?`;
        script = planning(() => JSON.stringify({ statements: [] }));
        const rules = await researched(q);
        for (const reply of ['I cannot.', '{"parts":[]}', JSON.stringify({ parts: [
            { title: 'Moon', question: 'the weather on the moon' },
            { title: 'Sun', question: `how far the sun is from ${page.It}` }] })]) {
            script = planning(() => reply);
            const other = await researched(q);
            assert.equal(other.answer, rules.answer);
        }
        assert.deepEqual(model.faults, []);
    });

    it('writes the sections of a report', async () => {
        const page = world.pages[3];
        script = (prompt) => lie(page, world.pages.slice(4),
            ids_of(prompt, world), dice(prompt.passages.length)).content;
        const { id } = success(await me.post('/v1/research', {
            q: `When was ${page.it} built and who sued its builder?`,
            outputType: 'sourcedAnswer', reasoningDepth: 'S' }));
        const task = await until(async () => {
            const one = success(await me.get(`/v1/research/${id}`));
            return ['completed', 'failed'].includes(one.status) && one;
        }, 60000, 'the task ends');
        assert.equal(task.status, 'completed', task.error);
        const body = task.output.answer.replace(/^##? .*$/gm, '')
            .replace(/No page that was read says enough on:[^]*$/, '');
        assert.deepEqual(faults_of({ ...task.output, answer: body }, world), []);
        assert.deepEqual(model.faults, []);
    });
});

describe('a model that judges what it wrote', () => {
    const world = make_world(SEED + 5, 12);
    const page = world.pages.find((one) => one.kind !== 'ferry');
    const own = `${page.It} is the ${page.built} work of ${page.a}.`;
    const lies = [`${page.It} is the ${page.built + 1} work of ${page.a}.`,
        `${page.It} is not the ${page.built} work of ${page.a}.`,
        `${page.It} is the ${page.built} work of ${page.b}.`];
    let site, server, me, model, judge, says;

    before(async () => {
        model = await FakeModel.make({ script: (prompt) => prompt.pairs
            ? judge(prompt) : JSON.stringify({ statements: [{ text: says,
                passages: ids_of(prompt, world).get(page.url), form: 'sentence',
                quote: page.says[0][0] }] }) });
        site = await Site.make({
            pages: world.pages.map(({ url, title, date, text }) =>
                ({ url, title, date, text })),
            settings: model.settings({ 'model.entail': 'yes' }),
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await model?.close();
    });
    const asked = async () => success(await ask(me, `When was ${page.it} built?`,
        { includeEvidence: true }));

    it('keeps its words where it says yes', async () => {
        says = own;
        judge = (prompt) => {
            assert.deepEqual(prompt.pairs, [{ statement: own, quote: page.says[0][0] }]);
            return entail(prompt, () => true);
        };
        const found = await asked();
        assert.equal(found.answer, `${own} [1]`);
        assert.equal(found.evidence[0].kind, 'supported');
        assert.equal(found.evidence[0].quote, page.says[0][0]);
    });

    for (const [name, fault] of Object.entries({
        no: (prompt) => entail(prompt, () => false),
        nothing: () => 'I cannot tell.',
        'what is no answer': () => ({ choices: [] }),
    }))
        it(`does not where it says ${name}`, async () => {
            says = own;
            judge = fault;
            const found = await asked();
            assert.equal(found.answer, `${page.says[0][0]} [1]`);
            assert.equal(found.evidence[0].kind, 'repaired');
        });

    it('cannot wave a lie through', async () => {
        judge = (prompt) => entail(prompt, () => true);
        for (says of lies)
            assert.doesNotMatch((await asked()).answer, / work of /, says);
        assert.deepEqual(model.faults, []);
    });
});

// Milliseconds for a token read; a token is three bytes of the question.
describe('a slow model', () => {
    const world = make_world(SEED + 11, 40);
    const page = world.pages[0];
    let site, server, me, model, token_ms;
    const asked = [];

    before(async () => {
        model = await FakeModel.make({ script: async (prompt, body) => {
            const tokens = JSON.stringify(body.messages).length / 3;
            asked.push({ tokens, most: body.max_tokens });
            await new Promise((resolve) => setTimeout(resolve, tokens * token_ms));
            return json([`${page.It} was built in ${page.built}.`, page,
                ...(ids_of(prompt, world).get(page.url) ?? [])]);
        } });
        site = await Site.make({
            pages: world.pages.map(({ url, title, date, text }) =>
                ({ url, title, date, text })),
            settings: model.settings({ 'search.deadline_standard_ms': 2500,
                'search.deadline_deep_ms': 3000 }),
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await model?.close();
    });
    const ask_often = async (times) => {
        const out = [];
        for (let i = 0; i < times; i++) {
            const since = Date.now();
            const found = success(await ask(me, `When was ${page.it} built?`,
                { includeEvidence: true }));
            assert.match(found.answer, new RegExp(`built in ${page.built}`));
            out.push({ ms: Date.now() - since, writer: found.writer });
        }
        assert.ok(out.every(({ ms }) => ms < 3000 + 500), JSON.stringify(out));
        return out;
    };

    it('is asked what it can answer in time', async () => {
        token_ms = 1.6;
        const out = await ask_often(4);
        assert.equal(out.at(-1).writer, 'model', JSON.stringify({ out, asked }));
        assert.ok(asked.at(-1).tokens < asked[0].tokens, JSON.stringify(asked));
        assert.ok(asked.at(-1).most < 1024, 'its answer is limited to the time');
    });

    it('is not waited for when it is too slow', async () => {
        token_ms = 100;
        const out = await ask_often(6);
        assert.ok(out.filter(({ ms }) => ms < 500).length >= 2, JSON.stringify(out));
    });
});

// What breaks: the extractive writer answers, within the deadline.
const LATE = 'x'.repeat(1 << 20);
const FAULTS = {
    'stalls for a minute': (prompt, body, res) => { res.socket.cited_model.hold(res); },
    'is rate-limited': (prompt, body, res) =>
        send(res, 429, { error: { message: 'slow down' } }, { 'Retry-After': '60' }),
    'has no credit left': (prompt, body, res) => send(res, 429,
        { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }),
    'answers 500': (prompt, body, res) => send(res, 500, 'oops'),
    'wants another key': (prompt, body, res) =>
        send(res, 401, { error: { message: 'bad key', code: 401 } }),
    'answers HTML': (prompt, body, res) => {
        res.writeHead(200, { 'Content-Type': 'text/html' });
        res.end('<html><body>Sign in</body></html>');
    },
    'answers half a JSON': (prompt, body, res) =>
        send(res, 200, JSON.stringify(chat(json(['x', 1]))).slice(0, 90)),
    'breaks off': (prompt, body, res) => {
        res.writeHead(200, { 'Content-Length': 5000 });
        res.write('{"choices":[');
        res.socket.destroySoon();
    },
    'sends 50 MB': (prompt, body, res) => {
        res.writeHead(200, { 'Content-Type': 'application/json' });
        let left = 50;
        const more = () => {
            while (left-- > 0) if (!res.write(LATE)) {
                res.once('drain', more);
                return;
            }
            res.end();
        };
        more();
    },
    'sends one byte a second': (prompt, body, res) => {
        res.writeHead(200, { 'Content-Type': 'application/json' });
        const timer = setInterval(() => res.write(' '), 1000);
        res.on('close', () => clearInterval(timer));
    },
    'babbles': () => 'Certainly! '.repeat(20000),
    'is cut off': () => chat('{"sentences":[{"text":"The Hal', 'length'),
    'only reasons': () => chat('<think>Let me see. The answer', 'length'),
    'says nothing': () => chat(null),
    'refuses': () => chat(''),
    'has no choices': (prompt, body, res) => send(res, 200, { choices: [] }),
    'answers with a list': (prompt, body, res) => send(res, 200, [1, 2]),
    'abstains': () => json(),
    'sends deep nesting': () => '['.repeat(100000),
    'sends odd bytes': () => '{"sentences":[{"text":"\u0000\u202e\ud800 x","passages":[1]}]}',
};

describe('a model that fails', () => {
    const world = make_world(SEED + 7, 12);
    let site, server, me, model, script;

    before(async () => {
        model = await FakeModel.make({
            script: (prompt, body, res) => {
                if (res.socket) res.socket.cited_model = model;
                return script(prompt, body, res);
            },
        });
        site = await Site.make({
            pages: world.pages.map(({ url, title, date, text }) =>
                ({ url, title, date, text })),
            settings: model.settings({ 'search.deadline_standard_ms': 2500 }),
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await model?.close();
    });

    const page = world.pages[0];
    const q = `When was ${page.it} built?`;
    const good = (prompt) => json([`${page.It} was built in ${page.built}.`,
        page, ...(ids_of(prompt, world).get(page.url) ?? [])]);

    for (const [name, fault] of Object.entries(FAULTS))
        it(name, async () => {
            const asked = model.asked, since = Date.now();
            script = fault;
            const found = success(await ask(me, q));
            assert.ok(Date.now() - since < 2500 + 500, 'within the deadline');
            assert.ok(model.asked > asked, 'it was asked');
            assert.deepEqual(faults_of(found, world), []);
            assert.match(found.answer, new RegExp(`built in ${page.built}`));
            // Well again: what it learnt from failing is forgotten.
            script = good;
            const again = success(await ask(me, q));
            assert.equal(again.answer,
                `${page.It} was built in ${page.built}. [1]`);
        });

    it('is left alone after three failures, and asked again', async () => {
        script = FAULTS['wants another key'];
        for (let i = 0; i < 3; i++) success(await ask(me, q));
        const asked = model.asked;
        success(await ask(me, q));
        assert.equal(model.asked, asked, 'left alone');
        script = good;
        await until(async () => {
            const { answer } = success(await ask(me, q));
            return answer === `${page.It} was built in ${page.built}. [1]`;
        }, 10000, 'the model writes again');
    });

    it('is down', async () => {
        const gone = await FakeModel.make({ script: () => '' });
        await gone.close();
        const lone = await Site.make({
            pages: world.pages.map(({ url, title, date, text }) =>
                ({ url, title, date, text })),
            settings: gone.settings({ 'search.deadline_standard_ms': 2500 }),
        });
        const other = await start('lighttpd', lone);
        try {
            const since = Date.now();
            const found = success(await ask(new Client(other.base, lone.key), q));
            assert.ok(Date.now() - since < 3000);
            assert.deepEqual(faults_of(found, world), []);
        } finally {
            await other.stop();
            await lone.close();
        }
    });
});

// What endpoints do not take; they are asked another way, once.
describe('an endpoint with rules of its own', () => {
    const world = make_world(SEED + 9, 6);
    const page = world.pages[0];
    const q = `When was ${page.it} built?`;
    const refuse = (res, message) => send(res, 400, { error: { message } });
    const SERVERS = {
        'knows no json_schema': [
            (body) => body.response_format?.type === 'json_schema' &&
                "'response_format.type' must be 'json_object'", 3],
        'knows no response_format': [
            (body) => body.response_format && 'unknown field', 4],
        'is not strict': [
            (body) => body.response_format?.json_schema?.strict &&
                'strict is not supported', 2],
        'counts completion tokens': [
            (body) => 'max_tokens' in body &&
                "Use 'max_completion_tokens' instead.", 2],
        'has one temperature': [
            (body) => 'temperature' in body &&
                "'temperature' does not support 0 with this model.", 2],
    };

    for (const [name, [rule, calls]] of Object.entries(SERVERS))
        it(name, async () => {
            const model = await FakeModel.make({
                key: '',
                script: (prompt, body, res) => {
                    const why = rule(body);
                    if (why) return refuse(res, why);
                    return json([`${page.It} was built in ${page.built}.`, page, 1]);
                },
            });
            const site = await Site.make({
                pages: world.pages.map(({ url, title, date, text }) =>
                    ({ url, title, date, text })),
                settings: model.settings(),
            });
            const server = await start('lighttpd', site);
            try {
                const me = new Client(server.base, site.key);
                for (let i = 0; i < 2; i++)
                    assert.equal(success(await ask(me, q)).answer,
                        `${page.It} was built in ${page.built}. [1]`);
                assert.equal(model.asked, calls + 1, 'remembered');
                assert.deepEqual(model.faults, []);
            } finally {
                await server.stop();
                await site.close();
                await model.close();
            }
        });
});
