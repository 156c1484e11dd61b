// Parts the views are made of: fields with their errors, notices, tables,
// dialogs, downloads, times in words. Text goes in as text (lib.js, element).
import { element, safe_address } from '../lib.js';

// For readers of the screen; seen nowhere.
export function say(text) {
    const place = document.getElementById('said');
    place.textContent = '';
    setTimeout(() => { place.textContent = text; }, 50);
}

/* --- fields ------------------------------------------------------------- */

let fields_made = 0;

// A labelled control with a line of help. name is the service's name of the
// field, by which errors find it.
export function field(name, label, control, help) {
    const id = `f${++fields_made}-${name}`;
    control.id = id;
    control.name = name;
    if (help) control.setAttribute('aria-describedby', `${id}-help`);
    return element('div', { 'class': 'field', 'data-field': name },
        element('label', { for: id }, label), control,
        help && element('p', { class: 'help', id: `${id}-help` }, help));
}

export function select(options, value) {
    const made = element('select', {}, options.map(([key, words]) =>
        element('option', { value: key }, words)));
    if (value !== undefined) made.value = value;
    return made;
}

// Radio buttons under one heading.
export function choice(name, label, options, value, onchange) {
    const id = ++fields_made;
    return element('fieldset', { 'class': 'field', 'data-field': name },
        element('legend', {}, label),
        options.map(([key, words]) => element('label', { class: 'radio' },
            element('input', {
                type: 'radio', name: `${name}-${id}`, value: key,
                checked: key === value, onchange: () => onchange(key),
            }), element('span', {}, words))));
}

function clear_errors(form) {
    for (const one of form.querySelectorAll('.field-error')) one.remove();
    for (const one of form.querySelectorAll('[aria-invalid]')) {
        one.removeAttribute('aria-invalid');
        const help = (one.getAttribute('aria-describedby') ?? '').split(' ')
            .filter((id) => id && !id.endsWith('-error')).join(' ');
        if (help) one.setAttribute('aria-describedby', help);
        else one.removeAttribute('aria-describedby');
    }
}

// Put a message below the field it is about; false when there is none.
function mark_field(form, { field: path, message }) {
    const name = String(path).split('.')[0];
    const place = [...form.querySelectorAll('[data-field]')]
        .find((one) => one.dataset.field === name);
    const control = place?.querySelector('input, select, textarea');
    if (!control) return false;
    const id = `${control.id || name}-error`;
    // The service names its own field; people see the label.
    const label = place.querySelector('label, legend')?.textContent ?? '';
    const words = message.startsWith(`${path} `) && label
        ? `${label}${message.slice(String(path).length)}` : message;
    place.append(element('p', { class: 'field-error bad', id }, words));
    control.setAttribute('aria-invalid', 'true');
    control.setAttribute('aria-describedby',
        `${control.getAttribute('aria-describedby') ?? ''} ${id}`.trim());
    return true;
}

// What went wrong, in words. With a form, what is about a field stands at it,
// and the first such field gets the focus.
export function failure_notice(failure, form) {
    if (form) clear_errors(form);
    const loose = failure.details?.filter((one) =>
        !form || !mark_field(form, one)) ?? [];
    const marked = form?.querySelector('[aria-invalid]');
    marked?.closest('details')?.setAttribute('open', '');
    marked?.focus();
    return element('div', { class: 'notice bad', role: 'alert' },
        element('p', {}, marked ? 'Please look at what is marked.'
            : failure.message,
            failure.wait ? ` Try again in ${seconds(failure.wait)}.` : ''),
        loose.length ? element('ul', {}, loose.map((one) =>
            element('li', {}, one.field ? element('code', {}, one.field) : null,
                one.field ? ': ' : '', one.message))) : null);
}

// A form whose submission is async; busy while it runs, and its failures are
// shown in words at the end of it.
export function form(attributes, submit, ...children) {
    const place = element('div', { class: 'outcome' });
    const made = element('form', { ...attributes, novalidate: true },
        ...children, place);
    made.addEventListener('submit', async (event) => {
        event.preventDefault();
        const button = made.querySelector('button[type=submit]');
        if (button.getAttribute('aria-disabled') === 'true') return;
        clear_errors(made);
        place.replaceChildren();
        button.setAttribute('aria-disabled', 'true');
        made.setAttribute('aria-busy', 'true');
        try {
            await submit(made, place);
        } catch (failure) {
            if (failure.name !== 'AbortError')
                place.replaceChildren(failure_notice(failure, made));
        } finally {
            button.removeAttribute('aria-disabled');
            made.removeAttribute('aria-busy');
        }
    });
    return made;
}

/* --- what is shown ------------------------------------------------------ */

export function notice(...children) {
    return element('div', { class: 'notice' }, ...children);
}

// A link to a page of the world: http and https alone, else its text only.
export function outward(url, ...words) {
    const text = words.length ? words : [url];
    const whole = /^https?:\/\//i.test(String(url)) && safe_address(url);
    return whole ? element('a', {
        href: whole, rel: 'noopener noreferrer', target: '_blank',
    }, ...text) : element('span', {}, ...text);
}

// "docs.example.org" of an address; the address where it has none.
export function host_of(url) {
    try {
        return new URL(url).host.replace(/^www\./, '');
    } catch {
        return String(url);
    }
}

// A site's sign: the first letter of its name. Its own picture is not loaded,
// for nothing is loaded from elsewhere.
export function tile(url) {
    const host = host_of(url);
    const hue = [...host].reduce((sum, c) => sum + c.charCodeAt(0), 0) % 6;
    return element('span', { 'class': `tile hue-${hue}`,
        'aria-hidden': 'true' }, host.charAt(0).toUpperCase());
}

// "2026-05-04" as people write it.
export function day(date) {
    const at = new Date(`${date}T00:00:00Z`);
    return Number.isNaN(at.getTime()) ? String(date)
        : at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short',
            year: 'numeric', timeZone: 'UTC' });
}

// Large numbers with their names: [[name, value], …].
export function figures(rows) {
    return element('dl', { class: 'figures' }, rows.map(([name, value]) =>
        element('div', {}, element('dt', {}, name), element('dd', {}, value))));
}

// rows: arrays of cells, each text or an element. The first cell of a row
// names the row; a head that begins with "#" is of numbers. On a phone rows are
// laid out as cards; the roles keep it a table for readers of the screen.
export function table(caption, heads, rows) {
    const names = heads.map((head) => head.replace('#', ''));
    const kind = (i) => heads[i].startsWith('#') && 'count';
    return element('div', { 'class': 'scroll', 'tabindex': '0', 'role': 'group',
        'aria-label': caption }, element('table', { role: 'table' },
        element('caption', { class: 'unseen' }, caption),
        element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' },
            names.map((head, i) => element('th', { scope: 'col',
                role: 'columnheader', class: kind(i) }, head || element('span',
                { class: 'unseen' }, 'Action'))))),
        element('tbody', { role: 'rowgroup' }, rows.map((cells) =>
            element('tr', { role: 'row' }, cells.map((cell, i) => i === 0
                ? element('th', { scope: 'row', role: 'rowheader' }, cell)
                : element('td', { 'role': 'cell', 'class': kind(i),
                    'data-label': names[i] }, cell)))))));
}

const STATES = { pending: 'Waiting', processing: 'At work', completed: 'Done',
    failed: 'Failed', running: 'Running', done: 'Done',
    interrupted: 'Stopped' };

// What a state of the service's is called here.
export const state_words = (state) => Object.hasOwn(STATES, state)
    ? STATES[state] : String(state);

export function state_mark(state) {
    return element('span', { class: `state ${Object.hasOwn(STATES, state)
        ? state : ''}` }, state_words(state));
}

// A question that wants yes or no; resolves to a boolean. Escape is no.
export function confirm_dialog(question, explanation, yes) {
    return new Promise((resolve) => {
        const id = `d${++fields_made}`;
        const dialog = element('dialog', { 'aria-labelledby': id },
            element('h2', { id }, question), element('p', {}, explanation),
            element('div', { class: 'row' },
                element('button', { type: 'button', class: 'danger',
                    onclick: () => dialog.close('yes') }, yes),
                element('button', { type: 'button', autofocus: true,
                    onclick: () => dialog.close() }, 'Keep it')));
        dialog.addEventListener('close', () => {
            dialog.remove();
            resolve(dialog.returnValue === 'yes');
        });
        document.body.append(dialog);
        dialog.showModal();
    });
}

export function download(name, type, text) {
    const url = URL.createObjectURL(new Blob([text], { type }));
    // Not through element(): an address of our own making.
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/* --- words -------------------------------------------------------------- */

export function seconds(n) {
    return n === 1 ? 'a second' : n < 120 ? `${Math.round(n)} seconds`
        : `${Math.round(n / 60)} minutes`;
}

export const number = (n) => Number(n).toLocaleString('en');

export function plural(n, one, many = `${one}s`) {
    return `${number(n)} ${Number(n) === 1 ? one : many}`;
}

export function bytes(n) {
    const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
    let at = 0;
    for (; n >= 1000 && at < units.length - 1; at++) n /= 1000;
    return `${at ? n.toFixed(1) : n} ${units[at]}`;
}

// The reader's own clock; the machine's form is kept for machines.
export function time(stamp, never = 'never') {
    const at = new Date(stamp ?? NaN);
    if (Number.isNaN(at.getTime())) return never;
    return element('time', { datetime: at.toISOString() },
        at.toLocaleString('en-GB',
            { dateStyle: 'medium', timeStyle: 'short' }));
}

/* --- waiting ------------------------------------------------------------ */

export function pause(ms, signal) {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
            signal.removeEventListener('abort', stop);
            resolve();
        }, ms);
        function stop() {
            clearTimeout(timer);
            reject(signal.reason);
        }
        if (signal.aborted) stop();
        signal.addEventListener('abort', stop, { once: true });
    });
}
