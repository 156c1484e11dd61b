// The index, for operators: what is in it by site and page, crawls and how they
// go, single pages put in.
import { element } from '../lib.js';
import { show_page } from './answer.js';
import { ask_service } from './session.js';
import {
    bytes, confirm_dialog, day, failure_notice, field, figures, form, notice,
    number, outward, pause, plural, say, state_mark, state_words, table, time,
} from './ui.js';

const AGAIN = 2000;    // ms, while a crawl runs
const HOSTS_SHOWN = 200;

function crawl_words(one) {
    const counts = `${number(one.stored)} stored, ${
        number(one.skipped)} skipped, ${number(one.failed)} failed`;
    return one.state === 'running' ? `${counts}, ${number(one.queued)} to come`
        : counts;
}

function crawls_part(crawls, { stop, again }) {
    return table('Crawls', ['Site', 'State', 'Pages', 'Started', ''],
        crawls.map((one) => [outward(one.url),
            element('span', {}, state_mark(one.state), one.error
                ? element('span', { class: 'small' }, ': ', one.error) : null),
            crawl_words(one), time(one.startedAt),
            element('button', { 'type': 'button', 'onclick': () =>
                (one.state === 'running' ? stop : again)(one),
            'aria-label': `${one.state === 'running' ? 'Stop'
                : 'Crawl again'}: ${one.url}` },
            one.state === 'running' ? 'Stop' : 'Crawl again')]));
}

function hosts_part(hosts, wanted, { remove, again }) {
    const found = hosts.filter((one) => one.host.includes(wanted))
        .sort((a, b) => b.pages - a.pages);
    if (!found.length) return [element('p', {}, hosts.length
        ? 'No site has this in its name.' : 'There is no page yet.')];
    return [table('Sites', ['Site', '#Pages', '#Passages', ''],
        found.slice(0, HOSTS_SHOWN).map((one) => [
            element('a', { href: `#/index/${encodeURIComponent(one.host)}` },
                one.host), number(one.pages), number(one.passages),
            element('div', { class: 'row end' }, element('button', {
                'type': 'button', 'aria-label': `Crawl again: ${one.host}`,
                'onclick': () => again({ url: `https://${one.host}/` }) },
            'Crawl again'), element('button', { 'type': 'button',
                'aria-label': `Remove ${one.host}`,
                'onclick': () => remove(one) }, 'Remove'))])),
    found.length > HOSTS_SHOWN ? element('p', { class: 'muted' },
        `${number(found.length - HOSTS_SHOWN)} more; find them by name.`) : ''];
}

export async function show_hosts(main, { signal }) {
    const url = element('input', { type: 'url', autocomplete: 'off',
        placeholder: 'https://www.example.org/docs/' });
    const pages = element('input', { type: 'number', min: '1', value: '500' });
    const delay = element('input', { type: 'number', min: '0', max: '600',
        step: 'any', placeholder: 'as configured' });
    const cited_as = element('input', { type: 'url', autocomplete: 'off',
        placeholder: 'https://wiki.example.org/lamps' });
    const file = element('input', { type: 'file',
        accept: '.html,.htm,.xhtml,.md,.markdown,.txt,.text,.rst,.pdf' });
    const wanted = element('input', { type: 'search', autocomplete: 'off' });
    const sum = element('div', {});
    const crawls = element('div', {});
    const hosts = element('div', {});
    const trouble = element('div', {});
    let known = null, before = '', running = false, woken = () => {};

    const draw_hosts = () => hosts.replaceChildren(
        ...hosts_part(known.hosts, wanted.value.trim().toLowerCase(),
            { remove, again }));
    // Redrawn only when something changed, so that the focus stays.
    async function draw() {
        known = await ask_service('GET', '/v1/index', { signal });
        const now = JSON.stringify(known);
        if (now === before) return;
        before = now;
        sum.replaceChildren(figures([['Pages', number(known.pages)],
            ['Passages', number(known.passages)],
            ['On disk', bytes(known.bytes)]]));
        crawls.replaceChildren(known.crawls.length
            ? crawls_part(known.crawls, { stop, again })
            : element('p', {}, 'No crawls yet.'));
        if (!hosts.contains(document.activeElement)) draw_hosts();
        const runs = known.crawls.some((one) => one.state === 'running');
        if (running && !runs) say(`The crawl has ended: ${
            state_words(known.crawls[0].state)}.`);
        running = runs;
    }
    async function remove(one) {
        const sure = await confirm_dialog(`Remove ${one.host}?`,
            `${plural(one.pages, 'page')} will no longer be found or cited. ` +
            'The site can be crawled again.', 'Remove');
        if (!sure) return;
        try {
            const { removed } = await ask_service('DELETE',
                `/v1/index/hosts/${encodeURIComponent(one.host)}`);
            say(`${plural(removed, 'page')} removed.`);
            wanted.focus();
            await draw();
            draw_hosts();
        } catch (failure) {
            trouble.replaceChildren(failure_notice(failure));
        }
    }
    async function begin(body) {
        await ask_service('POST', '/v1/index/crawls', { body });
        say('The crawl has begun.');
        running = true;
        woken();
    }
    async function start(made, place) {
        const body = { url: url.value.trim() };
        if (pages.value) body.pages = Number(pages.value);
        if (delay.value) body.delay = Math.round(1000 * delay.value);
        await begin(body);
        url.value = '';
        place.replaceChildren(notice(element('p', {}, 'The crawl has begun. ' +
            'Its pages can be found as they arrive.')));
    }
    const tried = (what) => async (one) => {
        try {
            trouble.replaceChildren();
            await what(one);
        } catch (failure) {
            trouble.replaceChildren(failure_notice(failure));
            trouble.scrollIntoView({ block: 'center' });
        }
    };
    // The site that is in the index may be one of http, or of another port:
    // what was crawled before knows.
    const again = tried(({ url: from, pages: most }) => {
        const host = new URL(from).host;
        const before_it = known.crawls.find((one) => {
            const had = new URL(one.url);
            return one.url === from || had.hostname === host;
        });
        return begin({ url: before_it?.url ?? from,
            pages: most ?? before_it?.pages,
            delay: before_it?.delay ?? undefined });
    });
    const stop = tried(async ({ id }) => {
        await ask_service('DELETE', `/v1/index/crawls/${id}`);
        say('The crawl is stopped.');
        await draw();
    });
    async function add(made, place) {
        const body = new FormData();
        body.append('url', cited_as.value.trim());
        if (file.files.length) body.append('file', file.files[0]);
        const [page] = (await ask_service('POST', '/v1/pages', { body })).data;
        made.reset();
        place.replaceChildren(notice(element('p', {}, outward(page.url,
            page.title || page.url), ` is in the index: ${
            plural(page.passages, 'passage')}.`)));
        say('The page was added.');
        await draw();
    }
    wanted.addEventListener('input', () => known && draw_hosts());
    const submit = (words) => element('button',
        { type: 'submit', class: 'primary' }, words);
    main.append(sum, trouble, element('div', { class: 'two' },
        element('section', {}, element('h2', {}, 'Crawl a site'),
            form({ 'aria-label': 'Crawl a site' }, start,
                field('url', 'Address', url, 'Follows links on this host, ' +
                    'as far as its robots.txt allows.'),
                element('div', { class: 'pair' },
                    field('pages', 'Page limit', pages),
                    field('delay', 'Seconds between requests', delay)),
                element('p', { class: 'help' }, '0 is fine for a site of your ' +
                    'own. A longer delay in its robots.txt wins.'),
                submit('Crawl'))),
        element('section', {}, element('h2', {}, 'Add a page'),
            form({ 'aria-label': 'Add a page' }, add,
                field('url', 'Address to cite', cited_as, 'Where readers ' +
                    'find the page. A page stored under it is replaced.'),
                field('file', 'File', file, 'HTML, Markdown, plain text or ' +
                    'PDF.'), submit('Add page')))),
    element('section', {}, element('h2', {}, 'Crawls'), crawls),
    element('section', {}, element('h2', {}, 'Sites'),
        field('host', 'Find a site', wanted), hosts));
    try {
        for (;;) {
            await draw();
            // Without a crawl nothing changes until the reader starts one.
            await (running ? pause(AGAIN, signal)
                : new Promise((resolve, reject) => {
                    woken = resolve;
                    signal.addEventListener('abort', () =>
                        reject(signal.reason), { once: true });
                }));
        }
    } catch (failure) {
        if (failure.name !== 'AbortError')
            main.replaceChildren(main.firstChild, failure_notice(failure));
    }
}

/* --- the pages of a site ------------------------------------------------ */

export async function show_host(main, { rest, signal, title }) {
    const host = decodeURIComponent(rest);
    const list = element('div', {}), trouble = element('div', {});
    const rows = [];
    let next = 0;
    title(host);
    main.querySelector('h1').before(element('p', { class: 'small' },
        element('a', { href: '#/index' }, 'All sites')));
    main.append(trouble, list);
    const remove = (one) => async () => {
        if (!await confirm_dialog('Remove this page?', `${one.title ||
            one.url} will no longer be found or cited.`, 'Remove')) return;
        try {
            await ask_service('DELETE',
                `/v1/pages?url=${encodeURIComponent(one.url)}`);
            rows.splice(rows.indexOf(one), 1);
            say('The page is removed.');
            draw();
        } catch (failure) {
            trouble.replaceChildren(failure_notice(failure));
        }
    };
    function draw() {
        list.replaceChildren(rows.length ? table('Pages',
            ['Page', 'Dated', '#Passages', 'Read', ''], rows.map((one) => [
                element('span', {}, element('button', { 'type': 'button',
                    'class': 'plain left',
                    'onclick': () => show_page(one.title, one.url, []) },
                one.title || one.url), element('br'), element('span',
                    { class: 'small url' }, outward(one.url))),
                one.date ? day(one.date) : '', number(one.passages),
                time(one.fetchedAt), element('button', { 'type': 'button',
                    'aria-label': `Remove: ${one.title || one.url}`,
                    'onclick': remove(one) }, 'Remove')]))
            : element('p', {}, 'No page of this site is in the index.'),
        next === null ? '' : element('button', { type: 'button',
            onclick: more }, 'Show more'));
    }
    async function more() {
        try {
            const part = await ask_service('GET', `/v1/index/hosts/${
                encodeURIComponent(host)}?after=${next}`, { signal });
            rows.push(...part.data);
            next = part.next;
            draw();
        } catch (failure) {
            if (failure.status === 404 || !rows.length) next = null;
            if (failure.status === 404) draw();
            else if (failure.name !== 'AbortError')
                trouble.replaceChildren(failure_notice(failure));
        }
    }
    await more();
}
