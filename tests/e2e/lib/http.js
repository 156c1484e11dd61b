// A HTTP/1.1 client that sends exactly the bytes it is given, one connection
// a request, and the assertions every answer has to stand.
//
// What it sees can be listened to (on_traffic), and is written to the file
// that CITED_TRAFFIC names, for openapi.test.js to hold against the document.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import net from 'node:net';

function decode_chunks(data) {
    const parts = [];
    let at = 0;
    for (;;) {
        const end = data.indexOf('\r\n', at);
        if (end < 0) throw new Error('chunked body is cut');
        const length = parseInt(data.toString('latin1', at, end), 16);
        if (!length) return Buffer.concat(parts);
        parts.push(data.subarray(end + 2, end + 2 + length));
        at = end + 2 + length + 2;
    }
}

// { status, headers (lower case), body (Buffer), text, json() }
function parse(data, method) {
    const end = data.indexOf('\r\n\r\n');
    if (end < 0)
        throw new Error(`no HTTP answer: ${JSON.stringify(String(data).slice(0, 200))}`);
    const [first, ...lines] = data.toString('latin1', 0, end).split('\r\n');
    const status = Number(first.split(' ')[1]);
    if (status === 100) return parse(data.subarray(end + 4), method);
    const headers = {};
    for (const line of lines) {
        const colon = line.indexOf(':');
        const name = line.slice(0, colon).toLowerCase();
        const value = line.slice(colon + 1).trim();
        headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
    }
    let body = data.subarray(end + 4);
    if (headers['transfer-encoding'] === 'chunked' && body.length)
        body = decode_chunks(body);
    if (method !== 'HEAD' && headers['content-length'] !== undefined)
        assert.equal(body.length, Number(headers['content-length']),
            'body and Content-Length agree');
    const text = body.toString();
    return { status, headers, body, text, json: () => JSON.parse(text) };
}

// Send bytes (parts, in order), return the parsed answer.
export function send_raw(port, parts, { method = 'GET', timeout = 60000 } = {}) {
    return new Promise((resolve, reject) => {
        const socket = net.connect(port, '127.0.0.1');
        const data = [];
        let failed = null;
        socket.setTimeout(timeout, () => {
            socket.destroy(new Error(`no answer in ${timeout} ms`));
        });
        socket.on('data', (piece) => data.push(piece));
        // A server may answer and close before it read a large body.
        socket.on('error', (e) => { failed = e; });
        socket.on('close', () => {
            if (!data.length)
                return reject(failed ?? new Error('closed without an answer'));
            try {
                resolve(parse(Buffer.concat(data), method));
            } catch (e) {
                reject(e);
            }
        });
        for (const part of parts) socket.write(part);
    });
}

const listeners = new Set();

// listener({ method, path, headers, body, status, answer: { headers, text } })
// is called with every exchange until the returned function is called.
export function on_traffic(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

// Exchanges of one kind are written once, and long ones not at all.
const written = new Set();
function write_down(entry) {
    if (entry.answer.text.length > 65536) return;
    const keys = [...entry.answer.text.matchAll(/"([^"\\]{1,40})":/g)]
        .map((found) => found[1]);
    const kind = JSON.stringify([entry.method, entry.status,
        entry.path.replace(/[0-9a-f-]{36}/g, ''), [...new Set(keys)].sort()]);
    if (written.has(kind) || written.size > 5000) return;
    written.add(kind);
    fs.appendFileSync(process.env.CITED_TRAFFIC, `${JSON.stringify(entry)}\n`);
}
if (process.env.CITED_TRAFFIC) on_traffic(write_down);

// request('http://127.0.0.1:1234/api/v1/x', { method, headers, body }).
// The path goes out as it is written; body: undefined, string or Buffer. What
// another service is asked (foreign) is no traffic of ours.
export async function request(url, { method = 'GET', headers = {}, body, timeout,
    foreign = false } = {}) {
    const [, host, port, path] =
        /^http:\/\/([^/:]+):(\d+)(.*)$/s.exec(url);
    const all = { Host: `${host}:${port}`, Connection: 'close', ...headers };
    if (body !== undefined && !Object.keys(all).some((name) =>
        /^(content-length|transfer-encoding)$/i.test(name)))
        all['Content-Length'] = Buffer.byteLength(body);
    let head = `${method} ${path || '/'} HTTP/1.1\r\n`;
    for (const [name, value] of Object.entries(all))
        if (value !== null && value !== undefined)
            for (const one of [value].flat()) head += `${name}: ${one}\r\n`;
    const parts = [Buffer.from(`${head}\r\n`)];
    if (body !== undefined && body.length) parts.push(body);
    const answer = await send_raw(Number(port), parts, { method, timeout });
    if (listeners.size && !foreign) {
        const { status, headers: got, text } = answer;
        const entry = {
            method, path, headers, body: body === undefined ? null : `${body}`,
            status, answer: { headers: got, text },
        };
        for (const listener of listeners) listener(entry);
    }
    return answer;
}

// A client of one service: base without /v1, and a key.
export class Client {
    constructor(base, key) {
        this.base = base;
        this.key = key;
    }

    call(method, path, body, headers = {}) {
        const all = { ...headers };
        if (this.key && !('Authorization' in all))
            all.Authorization = `Bearer ${this.key}`;
        if (body !== undefined && !('Content-Type' in all))
            all['Content-Type'] = 'application/json';
        if (body !== undefined && typeof body !== 'string' &&
            !Buffer.isBuffer(body))
            body = JSON.stringify(body);
        return request(this.base + path, { method, headers: all, body });
    }

    get(path, headers) { return this.call('GET', path, undefined, headers); }
    post(path, body, headers) {
        return this.call('POST', path, body, headers);
    }

    search(fields) {
        return this.post('/v1/search', {
            depth: 'standard', outputType: 'searchResults', ...fields,
        });
    }
}

// The answer of a success, as JSON.
export function success(res) {
    assert.equal(res.status, 200, res.text.slice(0, 500));
    assert.match(res.headers['content-type'], /^application\/json\b/);
    return res.json();
}

// The one envelope; returns error. statuses and codes: one or several.
export function failure(res, statuses, codes) {
    assert.ok([statuses].flat().includes(res.status),
        `status ${res.status}, not ${statuses}: ${res.text.slice(0, 300)}`);
    assert.match(res.headers['content-type'] ?? '', /^application\/json\b/,
        res.text.slice(0, 300));
    const body = res.json();
    assert.deepEqual(Object.keys(body).sort(), ['error', 'statusCode']);
    assert.equal(body.statusCode, res.status);
    assert.deepEqual(Object.keys(body.error).sort(),
        ['code', 'details', 'message']);
    if (codes)
        assert.ok([codes].flat().includes(body.error.code),
            `code ${body.error.code}, not ${codes}: ${body.error.message}`);
    assert.equal(typeof body.error.message, 'string');
    assert.ok(body.error.message.length > 0);
    assert.ok(Array.isArray(body.error.details));
    for (const detail of body.error.details) {
        assert.deepEqual(Object.keys(detail).sort(), ['field', 'message']);
        assert.equal(typeof detail.field, 'string');
        assert.equal(typeof detail.message, 'string');
    }
    return body.error;
}
