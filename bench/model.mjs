// A real model as the writer: what it answers, and how many of its sentences
// survive verification. Asks QUESTIONS (default 8) about pages whose every
// true sentence is known; prints a table and the wordings that are not on
// the list, for a reader to judge.
//
//   make bench-model MODEL=model.gguf LLAMA=DIR   DIR/node_modules holds
//                                                 node-llama-cpp
//   make bench-model MODEL_URL=http://127.0.0.1:8081/v1 MODEL_NAME=x
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { dice, make_world, question } from '../tests/e2e/lib/liar.js';
import { Site, squeeze } from '../tests/e2e/lib/site.js';

const { MODEL, LLAMA, MODEL_URL, MODEL_NAME, MODEL_KEY } = process.env;
const QUESTIONS = Number(process.env.QUESTIONS ?? 8);
const CONTEXT = Number(process.env.CONTEXT ?? 1536), ANSWER = 220;

// The part of an OpenAI endpoint that is asked for, one request at a time.
async function serve(file) {
    const { getLlama, LlamaChatSession } = await import(pathToFileURL(
        path.resolve(LLAMA, 'node_modules/node-llama-cpp/dist/index.js')));
    const llama = await getLlama({ gpu: false, build: 'never', maxThreads: 1 });
    const model = await llama.loadModel({ modelPath: file });
    const context = await model.createContext({
        contextSize: CONTEXT + 256, threads: 1 });
    let turn = Promise.resolve();
    async function answer(body) {
        const sequence = context.getSequence();
        const [system, user] = body.messages.map((one) => one.content);
        const session = new LlamaChatSession({
            contextSequence: sequence, systemPrompt: system });
        const schema = body.response_format?.json_schema?.schema;
        const found = await session.promptWithMeta(user, {
            maxTokens: body.max_tokens, temperature: body.temperature,
            grammar: schema && await llama.createGrammarForJsonSchema(schema),
        });
        session.dispose();
        sequence.dispose();
        return { choices: [{ index: 0,
            finish_reason: found.stopReason === 'maxTokens' ? 'length' : 'stop',
            message: { role: 'assistant', content: found.responseText } }] };
    }
    const server = http.createServer(async (req, res) => {
        const parts = [];
        for await (const part of req) parts.push(part);
        const body = JSON.parse(Buffer.concat(parts));
        turn = turn.then(() => answer(body)).then((value) => {
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
const site = await Site.make({
    pages: world.pages.map((page) => ({ url: page.url, title: page.title,
        date: page.date, text: page.text })),
    settings: {
        'model.url': url, 'model.name': MODEL_NAME || 'local',
        'model.key': MODEL_KEY || '', 'model.timeout_ms': 600000,
        'model.context_tokens': CONTEXT, 'model.answer_tokens': ANSWER,
        'search.deadline_standard_ms': 120000, 'log.level': 'debug',
    },
});
const d = dice(3), other = [];
let seconds = 0, listed = 0, answers = 0, log = '';
for (let i = 0; i < QUESTIONS; i++) {
    const page = d.pick(world.pages), q = question(page, d);
    const since = Date.now();
    console.log(`question: ${q}`);
    // The operator's command: a web server would not wait for a slow model.
    const res = await site.cited(['search', q, '--json'], { timeout: 180000 });
    seconds += (Date.now() - since) / 1000;
    log += res.stderr;
    if (res.code !== 0) {
        console.log(`  none: ${res.stderr.slice(-200)}`);
        continue;
    }
    answers++;
    const { answer, sources } = JSON.parse(res.stdout);
    console.log(`  answer: ${answer}`);
    const truth = new Set(sources.flatMap((one) =>
        [...world.truth.get(one.url)]));
    const bare = squeeze(answer).replace(/ \[\d+\]/g, '').replace(/\\([[\]])/g, '$1');
    for (const one of bare.split(/(?<=[.!?]["')]*) (?=[A-Z])/))
        if (truth.has(one)) listed++;
        else other.push(one);
}
const kept = [...log.matchAll(/model: (\d+) sentences kept, (\d+) dropped/g)];
const sum = (n) => kept.reduce((all, one) => all + Number(one[n]), 0);
const failed = [...log.matchAll(/"msg":"(model: [a-z_]+: [^"]*)"/g)]
    .map((one) => one[1]).filter((one) => !one.includes('sentences'));
await site.close();
console.log(`
questions          ${QUESTIONS}
answers            ${answers}
seconds each       ${(seconds / QUESTIONS).toFixed(1)}
calls failed       ${failed.length} ${failed.join('; ')}
the model's: kept  ${sum(1)}, dropped ${sum(2)}
in answers, listed as true   ${listed}
in answers, other wordings   ${other.length}
${other.map((one) => `  ${one}`).join('\n')}`);
process.exit(0);
