// What the pages share: elements made of text, never of markup; addresses that
// are safe to link; the API key, kept for this tab only; and the call.

// element('a', { href: '#x', class: 'muted' }, 'text', child, …). Properties
// that begin with "on" take a function. A link gets an address only when it
// leads to a page: http, https or a place of our own.
export function element(name, attributes = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (key.startsWith('on')) made.addEventListener(key.slice(2), value);
        else if (key === 'href') {
            const safe = safe_address(value);
            if (safe !== null) made.setAttribute('href', safe);
        } else made.setAttribute(key, value === true ? '' : value);
    }
    made.append(...children.flat().filter((child) =>
        child !== undefined && child !== null && child !== false));
    return made;
}

export function safe_address(text) {
    try {
        const url = new URL(text, document.baseURI);
        return ['http:', 'https:'].includes(url.protocol) ? String(text) : null;
    } catch {
        return null;
    }
}

// The folder this page is in: where the service is mounted.
export const base = new URL('.', document.baseURI).href.replace(/\/$/, '');

const KEY = 'cited.key';
let memory = '';

// Storage may be forbidden; then the key lives as long as the page.
export function key() {
    try {
        return sessionStorage.getItem(KEY) ?? memory;
    } catch {
        return memory;
    }
}

export function set_key(value) {
    memory = value;
    try {
        if (value) sessionStorage.setItem(KEY, value);
        else sessionStorage.removeItem(KEY);
    } catch {
        // memory has it.
    }
}

// { status, headers, text, json, ms }; json is undefined when the body is
// none. Rejects when there is no answer at all.
export async function call(method, path, { body, headers = {}, signal } = {}) {
    const all = { ...headers };
    if (key()) all.Authorization = `Bearer ${key()}`;
    // A form names its own boundary.
    if (body !== undefined && !(body instanceof FormData))
        all['Content-Type'] = 'application/json';
    const began = performance.now();
    const answer = await fetch(base + path, {
        method, headers: all, body, signal, credentials: 'omit',
        cache: 'no-store', redirect: 'error', referrerPolicy: 'no-referrer',
    });
    const text = await answer.text();
    let json;
    try {
        json = JSON.parse(text);
    } catch {
        // A server in front that answers by itself.
    }
    return {
        status: answer.status, headers: answer.headers, text, json,
        ms: Math.round(performance.now() - began),
    };
}

// A button that copies what text() gives and says so.
export function copy_button(text, label = 'Copy') {
    const button = element('button', { type: 'button', onclick: copy }, label);
    async function copy() {
        try {
            await navigator.clipboard.writeText(text());
            button.textContent = 'Copied';
        } catch {
            button.textContent = 'Copying is not allowed here';
        }
        setTimeout(() => { button.textContent = label; }, 2000);
    }
    return button;
}
