// A chat endpoint as strict as a real one and as dishonest as none: it
// refuses whatever a correct client would not send, and answers as its script
// says. Knows nothing of what is tested.
import assert from 'node:assert/strict';
import http from 'node:http';

const FIELDS = ['max_completion_tokens', 'max_tokens', 'messages', 'model',
    'response_format', 'stream', 'temperature'];

// Throws when the request is not the one that every server takes.
function check(req, body, key) {
    assert.equal(req.method, 'POST');
    assert.equal(req.url, '/v1/chat/completions');
    assert.equal(req.headers.authorization, key ? `Bearer ${key}` : undefined);
    assert.equal(req.headers['content-type'], 'application/json');
    assert.equal(req.headers.expect, undefined);
    for (const field of Object.keys(body))
        assert.ok(FIELDS.includes(field), `field ${field}`);
    assert.equal(typeof body.model, 'string');
    assert.equal(body.stream, false);
    assert.ok(Number.isInteger(body.max_tokens ?? body.max_completion_tokens));
    assert.deepEqual(body.messages.map((one) => Object.keys(one).sort()),
        [['content', 'role'], ['content', 'role']]);
    assert.deepEqual(body.messages.map((one) => one.role), ['system', 'user']);
    for (const one of body.messages) assert.equal(typeof one.content, 'string');
    const format = body.response_format;
    if (!format) return;
    assert.ok(['json_schema', 'json_object'].includes(format.type));
    if (format.type === 'json_object') {
        assert.match(body.messages[0].content, /JSON/);
        return;
    }
    assert.equal(format.json_schema.name, 'result');
    closed(format.json_schema.schema);
}

// What strict servers want of every object of a schema.
function closed(schema) {
    if (schema.type === 'object') {
        assert.equal(schema.additionalProperties, false);
        assert.deepEqual(schema.required.toSorted(),
            Object.keys(schema.properties).sort());
        Object.values(schema.properties).forEach(closed);
    }
    if (schema.items) closed(schema.items);
}

// The prompt taken apart: { fence, question, passages: [{ id, title, text }] };
// why an answer was refused stands like a passage and is none. Where statements
// are to be judged { fence, pairs: [{ quote, statement }] }.
export function read_prompt(body) {
    const [system, user] = body.messages.map((one) => one.content);
    const fence = /with the mark ([0-9a-f]{18})\./.exec(system)?.[1];
    assert.ok(fence, 'the rules name the fence');
    const passages = [];
    const lines = user.split('\n'), notes = [];
    let open = null;
    for (const line of lines) {
        const mark = new RegExp(`^${fence} (passage (\\d+)|why .*|draft|(?:quote|statement) \\d+|end)$`).exec(line);
        assert.ok(mark || !line.includes(fence), 'the fence stands alone');
        if (mark?.[2]) open = { id: Number(mark[2]), title: '', text: '' };
        else if (mark && mark[1] !== 'end') open = { text: '' };
        else if (mark) {
            if (open.id) passages.push(open);
            else notes.push(open.text);
            open = null;
        }
        else if (open && !open.text && /^\(page: .*\)$/.test(line))
            open.title = line.slice(7, -1);
        else if (open) open.text += (open.text ? '\n' : '') + line;
    }
    assert.equal(open, null, 'every fence is closed');
    if (/^You are given quotes/.test(system))
        return { fence, pairs: notes.flatMap((quote, i) =>
            i % 2 ? [] : [{ quote, statement: notes[i + 1] }]) };
    const question = /\nQuestion: (.*)\n$/s.exec(user)[1];
    if (/^You plan a report/.test(system))
        return { fence, question, passages, draft: notes[0].split('\n')
            .filter(Boolean).map((line) => line.replace(/^- /, '')) };
    return { fence, question, passages };
}

// Verdicts on the pairs of a prompt, by a function of each.
export const entail = (prompt, judge) => JSON.stringify({ verdicts:
    prompt.pairs.map((one, i) => ({ number: i + 1, follows: judge(one) })) });

// The shape of a chat answer.
export function chat(content, finish = 'stop') {
    return { id: 'x', object: 'chat.completion', created: 1, model: 'fake',
        choices: [{ index: 0, finish_reason: finish, logprobs: null,
            message: { role: 'assistant', content } }],
        usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } };
}

export class FakeModel {
    // script(prompt, body, res): what the message says (a string), a whole
    // answer (an object), or nothing when it answered res itself.
    static async make({ key = 'model-secret', script } = {}) {
        const model = new FakeModel();
        Object.assign(model, { key, script, faults: [], asked: 0, held: new Set(),
            fences: new Map() });
        model.server = http.createServer((req, res) => model.answer(req, res));
        await new Promise((resolve) =>
            model.server.listen(0, '127.0.0.1', resolve));
        model.url = `http://127.0.0.1:${model.server.address().port}/v1`;
        return model;
    }

    settings(more = {}) {
        return { 'model.url': this.url, 'model.name': 'fake',
            'model.key': this.key, ...more };
    }

    async answer(req, res) {
        const parts = [];
        res.on('error', () => {});
        for await (const part of req) parts.push(part);
        this.asked++;
        try {
            const body = JSON.parse(Buffer.concat(parts).toString());
            check(req, body, this.key);
            const prompt = read_prompt(body);
            // A request may come again, a fence for another one may not.
            const user = body.messages[1].content;
            assert.equal(this.fences.get(prompt.fence) ?? user, user);
            this.fences.set(prompt.fence, user);
            const said = await this.script(prompt, body, res);
            if (said === undefined) return;
            send(res, 200, typeof said === 'string' ? chat(said) : said);
        } catch (e) {
            this.faults.push(e.stack);
            send(res, 400, { error: { message: e.message, type: 'invalid' } });
        }
    }

    // Never answers this one.
    hold(res) { this.held.add(res); }

    close() {
        for (const res of this.held) res.destroy();
        this.server.closeAllConnections();
        return new Promise((resolve) => this.server.close(resolve));
    }
}

export function send(res, status, value, headers = {}) {
    res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    res.end(typeof value === 'string' ? value : JSON.stringify(value));
}
