// Who is signed in. The token is kept like an API key (lib.js): for this tab
// only. Every call of the console goes through ask_service, so that the end of
// a sign-in is noticed wherever it shows.
import { call, key, set_key } from '../lib.js';

let person = null;
let changed = () => {};

// null, or { email, role }; with an API key both are null: what the key's
// account may do shows in the answers.
export function who() {
    return person;
}

export function on_change(what) {
    changed = what;
}

function become(next) {
    person = next;
    changed();
}

// A failure of the service, or of the way to it. code is '' when the answer is
// not one of the service's own; details: [{ field, message }].
export class Failure extends Error {
    constructor(message, { status = 0, code = '', details = [], wait } = {}) {
        super(message);
        Object.assign(this, { status, code, details, wait });
    }
}

function failure_of(answer) {
    const error = answer.json?.error;
    if (!error)
        return new Failure(`The service answered ${answer.status} without ` +
            'saying why.', { status: answer.status });
    return new Failure(String(error.message), {
        status: answer.status, code: String(error.code ?? ''),
        details: Array.isArray(error.details) ? error.details : [],
        wait: Number(answer.headers.get('retry-after')) || undefined,
    });
}

// The answer's JSON, or a Failure; with raw the whole answer, which may be of
// another type.
export async function ask_service(method, path,
    { body, signal, raw, headers, type } = {}) {
    let answer;
    try {
        answer = await call(method, path, {
            signal, headers, body: body === undefined || body instanceof FormData
                ? body : JSON.stringify(body),
        });
    } catch (error) {
        if (error.name === 'AbortError') throw error;
        throw new Failure('The service cannot be reached. Is the network ' +
            'there, and is the service running?');
    }
    if (answer.status !== 200) {
        const failure = failure_of(answer);
        if (answer.status === 401 && person) {
            set_key('');
            become(null);
        }
        throw failure;
    }
    if (type ? !answer.headers.get('content-type')?.startsWith(type)
        : answer.json === undefined)
        throw new Failure('The answer is not one of this service.',
            { status: answer.status });
    return raw ? answer : answer.json;
}

// Is what the tab remembers still good?
export async function refresh() {
    if (!key()) return become(null);
    try {
        const { email, role } = await ask_service('GET', '/v1/sessions');
        become({ email, role });
    } catch (failure) {
        // 403: an API key, with which one asks but does not manage keys.
        become(failure.status === 403 ? { email: null, role: null } : null);
    }
}

// With an address and a password, or with a link's token.
export async function sign_in(how) {
    set_key('');
    const made = await ask_service('POST', '/v1/sessions', { body: how });
    set_key(made.token);
    become({ email: made.email, role: made.role });
}

export async function use_key(value) {
    set_key(value);
    try {
        await ask_service('GET', '/v1/credits/balance');
    } catch (failure) {
        set_key('');
        throw failure;
    }
    await refresh();
}

// Signed out here even when the service cannot be told.
export async function sign_out() {
    try {
        if (person?.email) await ask_service('DELETE', '/v1/sessions');
    } catch {
        // The token ends by itself.
    }
    set_key('');
    become(null);
}
