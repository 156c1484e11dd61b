// A real model as the writer: what it answers beside what the service answers
// without it, within DEADLINE (default 25000 ms), and how many of its sentences
// survive verification. Asks QUESTIONS (default 8) about pages whose every true
// sentence is known; prints the wordings that are not on the list, for a reader
// to judge. Fails when an answer is late, or none is where there is one without.
//
//   make bench-model MODEL=model.gguf LLAMA=DIR   DIR/node_modules holds
//                                                 node-llama-cpp
//   make bench-model MODEL_URL=http://127.0.0.1:8081/v1 MODEL_NAME=x
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { dice, make_world, question } from '../tests/e2e/lib/liar.js';
import { Client } from '../tests/e2e/lib/http.js';
import { start } from '../tests/e2e/lib/server.js';
import { Site, squeeze } from '../tests/e2e/lib/site.js';

const { MODEL, LLAMA, MODEL_URL, MODEL_NAME, MODEL_KEY } = process.env;
const QUESTIONS = Number(process.env.QUESTIONS ?? 8);
const CONTEXT = Number(process.env.CONTEXT ?? 1536), ANSWER = 220;
const DEADLINE = Number(process.env.DEADLINE ?? 25000);

// The part of an OpenAI endpoint that is asked for, one request at a time.
async function serve(file) {
    const { getLlama, LlamaChatSession } = await import(pathToFileURL(
        path.resolve(LLAMA, 'node_modules/node-llama-cpp/dist/index.js')));
    const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1 });
    const model = await llama.loadModel({ modelPath: file });
    const context = await model.createContext({
        contextSize: CONTEXT + 256, threads: 1 });
    let turn = Promise.resolve();
    async function answer(body, signal) {
        const [system, user] = body.messages.map((one) => one.content);
        const sequence = context.getSequence();
        const session = new LlamaChatSession({
            contextSequence: sequence, systemPrompt: system });
        const schema = body.response_format?.json_schema?.schema;
        const grammar = schema && await llama.createGrammarForJsonSchema(schema);
        const found = await session.promptWithMeta(user, { signal, grammar,
            maxTokens: body.max_tokens, temperature: body.temperature,
        }).finally(() => { session.dispose(); sequence.dispose(); });
        return { choices: [{ index: 0,
            finish_reason: found.stopReason === 'maxTokens' ? 'length' : 'stop',
            message: { role: 'assistant', content: found.responseText } }] };
    }
    const server = http.createServer(async (req, res) => {
        const parts = [];
        for await (const part of req) parts.push(part);
        const body = JSON.parse(Buffer.concat(parts));
        const gone = new AbortController(); // as llama-server does
        res.on('close', () => gone.abort());
        turn = turn.then(() => answer(body, gone.signal)).then((value) => {
            console.log(`  said: ${value.choices[0].message.content
                .replace(/\s+/g, ' ').slice(0, 600)}`);
            res.writeHead(200, { 'Content-Type': 'application/json' });
            res.end(JSON.stringify(value));
        }, (e) => {
            console.log(`  failed: ${e.message}`);
            res.writeHead(400);
            res.end(JSON.stringify({ error: { message: e.message } }));
        });
    });
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${server.address().port}/v1`;
}

if (!MODEL_URL && !(MODEL && fs.existsSync(MODEL) && LLAMA)) {
    console.log('SKIPPED bench-model: no model. Give MODEL=FILE.gguf and LLAMA=' +
        'DIR, or MODEL_URL of an endpoint.');
    process.exit(0);
}
const url = MODEL_URL || await serve(MODEL);
const world = make_world(7, 40);
const pages = world.pages.map(({ url, title, date, text }) => ({ url, title, date, text }));

// The service with or without the model: what it answers to each question.
async function asked(settings) {
    const site = await Site.make({ pages, settings: { 'log.level': 'debug', ...settings } });
    const server = await start('lighttpd', site);
    const me = new Client(server.base, site.key), d = dice(3), out = [];
    for (let i = 0; i < QUESTIONS; i++) {
        const page = d.pick(world.pages), q = question(page, d), since = Date.now();
        const res = await me.search({ q, outputType: 'sourcedAnswer', includeEvidence: true });
        const { answer = '', sources = [], writer = 'none' } = res.status === 200 ? res.json() : {};
        const truth = new Set(sources.flatMap((one) => [...world.truth.get(one.url)]));
        const parts = squeeze(answer).replace(/ \[\d+\]/g, '').replace(/\\([[\]])/g, '$1')
            .split(/(?<=[.!?]["')]*) (?=[A-Z])/).filter(Boolean);
        out.push({ q, answer, writer, ms: Date.now() - since,
            listed: parts.filter((one) => truth.has(one)).length,
            other: parts.filter((one) => !truth.has(one)) });
    }
    await server.stop();
    const log = server.log?.() ?? '';
    await site.close();
    return { out, log };
}

const plain = (await asked({})).out;
const { out, log } = await asked({
    'model.url': url, 'model.name': MODEL_NAME || 'local', 'model.key': MODEL_KEY || '',
    'model.timeout_ms': DEADLINE, 'model.context_tokens': CONTEXT,
    'model.answer_tokens': ANSWER, 'search.deadline_deep_ms': DEADLINE });
out.forEach((one, i) => console.log(`${one.q}\n  ${(one.ms / 1000).toFixed(1)} s, ${one.writer}: ${
    one.answer.replaceAll('\n', ' ')}\n  without: ${plain[i].answer.replaceAll('\n', ' ')}`));
const kept = [...log.matchAll(/model: (\d+) statements kept, (\d+) repaired, (\d+) dropped/g)];
const sum = (n) => kept.reduce((all, one) => all + Number(one[n]), 0);
const failed = [...log.matchAll(/"msg":"(model: [a-z_]+: [^"]*)"/g)].map((one) => one[1]);
const late = out.filter((one) => one.ms > DEADLINE + 500).length;
const none = out.filter((one, i) => !one.answer && plain[i].answer).length;
console.log(`
questions          ${QUESTIONS}, ${out.filter((one) => one.answer).length} answered, ${
    out.filter((one) => one.writer === 'model').length} by the model
longest            ${(Math.max(...out.map((one) => one.ms)) / 1000).toFixed(1)} s of ${
    DEADLINE / 1000}
calls failed       ${failed.length} ${[...new Set(failed)].join('; ')}
the model's        ${sum(1)} kept, ${sum(2)} repaired, ${sum(3)} dropped
true sentences     ${out.reduce((n, one) => n + one.listed, 0)}, without it ${
    plain.reduce((n, one) => n + one.listed, 0)}
other wordings     ${out.flatMap((one) => one.other).join('\n  ') || 'none'}
later than its deadline ${late}, no answer for want of a model's ${none}`);
process.exit(late + none > 0 ? 1 : 0);
