// The console: which view the address names, who is signed in, the way between
// views. A view is a function (main, visit) that fills main; visit says what it
// needs to know: { rest, query, signal, go }. signal ends when the reader goes
// elsewhere, and with it the view's calls and timers.
import { element } from './lib.js';
import { show_ask } from './js/ask.js';
import { show_hosts } from './js/hosts.js';
import { show_keys } from './js/keys.js';
import { show_research } from './js/research.js';
import { on_change, refresh, sign_out, who } from './js/session.js';
import { show_sign_in, show_sign_up } from './js/sign.js';
import { show_status } from './js/status.js';
import { show_task } from './js/task.js';
import { say } from './js/ui.js';

const VIEWS = {
    'ask': { title: 'Ask', show: show_ask },
    'research': { title: 'Research', show: show_research },
    'keys': { title: 'Keys', show: show_keys },
    'index': { title: 'Index', show: show_hosts, operator: true },
    'status': { title: 'Status', show: show_status, open: true },
    'sign-in': { title: 'Sign in', show: show_sign_in, open: true,
        aside: true },
    'sign-up': { title: 'Sign up', show: show_sign_up, open: true,
        aside: true },
};
const TASK = { title: 'Research task', show: show_task };

const main = document.getElementById('content');
let leaving = new AbortController();
let first = true;

// "#/research/ID?page=2": { name, rest: 'ID', query }.
function place() {
    const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
    const [name, rest = ''] = path.split('/');
    return {
        name: Object.hasOwn(VIEWS, name) ? name : 'ask', rest,
        query: new URLSearchParams(query),
    };
}

function go(hash) {
    if (location.hash === hash) show();
    else location.hash = hash;
}

function draw_nav(name) {
    const links = Object.entries(VIEWS).filter(([, view]) => !view.aside &&
        (who() || view.open) && (!view.operator || who()?.role !== 'user'));
    document.getElementById('views').replaceChildren(element('ul', {},
        links.map(([key, view]) => element('li', {}, element('a', {
            'href': `#/${key}`, 'aria-current': key === name && 'page',
        }, view.title)))));
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
    const { name, rest, query } = place();
    leaving.abort();
    leaving = new AbortController();
    const { signal } = leaving;
    const view = name === 'research' && rest ? TASK : VIEWS[name];
    if (!who() && !view.open) {
        const back = location.hash.replace(/^#/, '');
        location.replace(`#/sign-in${back ? `?to=${
            encodeURIComponent(back)}` : ''}`);
        return;
    }
    draw_nav(name);
    document.title = `${view.title} · cited`;
    const title = element('h1', { tabindex: '-1' }, view.title);
    main.replaceChildren(title);
    // A reader of the screen hears where they are; the first page is read
    // from its beginning as any other.
    if (!first) {
        title.focus({ preventScroll: true });
        window.scrollTo(0, 0);
    }
    first = false;
    await view.show(main, { rest, query, signal, go });
}

document.getElementById('skip').addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
});
window.addEventListener('hashchange', show);
await refresh();
on_change(() => {
    if (!who() && !VIEWS[place().name].open) show();
    else draw_nav(place().name);
});
show();
