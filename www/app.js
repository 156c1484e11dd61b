// The console: which view the address names, who is signed in, the way between
// views. A view is a function (main, visit) that fills main; visit says what it
// needs to know: { rest, query, signal, go, title }. signal ends when the
// reader goes elsewhere, and with it the view's calls and timers; title(words)
// is for views whose title is their content's.
import { element } from './lib.js';
import { hide_card } from './js/answer.js';
import { show_answer, show_ask } from './js/ask.js';
import { show_host, show_hosts } from './js/hosts.js';
import { show_keys } from './js/keys.js';
import { show_history, show_research } from './js/research.js';
import { on_change, refresh, sign_out, who } from './js/session.js';
import { show_open, show_sign_in, show_sign_up } from './js/sign.js';
import { show_status } from './js/status.js';
import { show_task } from './js/task.js';
import { say } from './js/ui.js';

// aside: not in the navigation. one: the view of "#/name/rest".
const VIEWS = {
    'ask': { title: 'Ask', show: show_ask },
    'answer': { title: '', aside: true, in: 'ask', one: { title: '',
        show: show_answer } },
    'history': { title: 'Questions', show: show_history, aside: true,
        in: 'ask' },
    'research': { title: 'Research', show: show_research,
        one: { title: '', show: show_task } },
    'index': { title: 'Index', show: show_hosts, operator: true,
        one: { title: '', show: show_host } },
    'keys': { title: 'Keys', show: show_keys },
    'status': { title: 'Status', show: show_status, open: true },
    'sign-in': { title: 'Sign in', show: show_sign_in, open: true,
        aside: true },
    'sign-up': { title: 'Sign up', show: show_sign_up, open: true,
        aside: true },
    'open': { title: 'Sign in', open: true, aside: true,
        one: { title: 'Sign in', show: show_open } },
};
const NOWHERE = { title: 'No such page', open: true, show(main) {
    main.append(element('p', {}, 'This address leads nowhere. ',
        element('a', { href: '#/ask' }, 'Go to the start'), '.'));
} };

const main = document.getElementById('content');
let leaving = new AbortController();
let first = true;

// "#/research/ID?page=2": { name, rest: 'ID', query, view }.
function place() {
    const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
    const [name, rest = '', more] = path.split('/');
    const known = Object.hasOwn(VIEWS, name || 'ask') && more === undefined
        ? VIEWS[name || 'ask'] : undefined;
    const part = rest ? known?.one : known;
    return {
        name: name || 'ask', rest, query: new URLSearchParams(query),
        view: part?.show ? { ...known, ...part } : NOWHERE,
    };
}

function go(hash) {
    if (location.hash === hash) show();
    else location.hash = hash;
}

function draw_nav({ name, view }) {
    const current = view.in ?? name;
    const links = Object.entries(VIEWS).filter(([, one]) => !one.aside &&
        (who() || one.open) && (!one.operator || who()?.role !== 'user'));
    document.getElementById('views').replaceChildren(element('ul', {},
        links.map(([key, one]) => element('li', {}, element('a', {
            'href': `#/${key}`, 'aria-current': key === current && 'page',
        }, one.title)))));
    document.getElementById('who').replaceChildren(...(who() ? [
        element('span', { class: 'small muted name' },
            who().email ?? 'API key'),
        element('button', { type: 'button', class: 'plain', onclick: leave },
            'Sign out'),
    ] : [element('a', {
        'href': '#/sign-in', 'aria-current': name === 'sign-in' && 'page',
    }, 'Sign in')]));
}

async function leave() {
    await sign_out();
    say('Signed out.');
    go('#/sign-in');
}

async function show() {
    const now = place();
    const { rest, query, view } = now;
    leaving.abort();
    leaving = new AbortController();
    const { signal } = leaving;
    hide_card();
    for (const one of document.querySelectorAll('dialog')) one.close('back');
    if (!who() && !view.open) {
        const back = location.hash.replace(/^#/, '');
        location.replace(`#/sign-in${back && back !== '/ask' ? `?to=${
            encodeURIComponent(back)}` : ''}`);
        return;
    }
    draw_nav(now);
    const heading = element('h1', { tabindex: '-1' });
    const title = (words, short = words) => {
        heading.textContent = words;
        document.title = `${short} · cited`;
    };
    title(view.title);
    main.className = 'page';
    main.replaceChildren(heading);
    // A reader of the screen hears where they are; the first page is read
    // from its beginning as any other.
    if (!first) {
        heading.focus({ preventScroll: true });
        window.scrollTo(0, 0);
    }
    first = false;
    await view.show(main, { rest, query, signal, go, title });
}

document.getElementById('skip').addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
});
window.addEventListener('hashchange', show);
await refresh();
on_change(() => {
    if (!who() && !place().view.open) show();
    else draw_nav(place());
});
show();
