// The index, for operators: what is in it by host, crawls and how they go,
// single pages put in.
import { element } from '../lib.js';
import { ask_service } from './session.js';
import {
    bytes, confirm_dialog, failure_notice, field, form, notice, number, outward,
    pause, plural, say, table, time,
} from './ui.js';

const AGAIN = 2000;    // ms, while a crawl runs
const HOSTS_SHOWN = 200;

function crawl_words(one) {
    const counts = `${number(one.stored)} stored, ${
        number(one.skipped)} skipped, ${number(one.failed)} failed`;
    return one.state === 'running' ? `${counts}, ${number(one.queued)} to come`
        : counts;
}

function crawls_part(crawls) {
    return table('Crawls', ['Site', 'State', 'Pages', 'Started', 'Ended'],
        crawls.map((one) => [outward(one.url),
            element('span', {}, element('span', {
                class: `state ${one.state}` }, one.state),
            one.error ? element('span', { class: 'small' }, ': ', one.error)
                : null),
            crawl_words(one), time(one.startedAt), time(one.endedAt, '')]));
}

function hosts_part(hosts, wanted, remove) {
    const found = hosts.filter((one) => one.host.includes(wanted))
        .sort((a, b) => b.pages - a.pages);
    if (!found.length) return [element('p', {}, hosts.length
        ? 'No host has this in its name.' : 'There is no page yet.')];
    return [table('Hosts', ['Host', 'Pages', 'Passages', ''],
        found.slice(0, HOSTS_SHOWN).map((one) => [one.host, number(one.pages),
            number(one.passages), element('button', { 'type': 'button',
                'aria-label': `Remove ${one.host}`,
                'onclick': () => remove(one) }, 'Remove')])),
    found.length > HOSTS_SHOWN ? element('p', { class: 'muted' },
        `${number(found.length - HOSTS_SHOWN)} more; find them by name.`) : ''];
}

export async function show_hosts(main, { signal }) {
    const url = element('input', { type: 'url', autocomplete: 'off',
        placeholder: 'https://www.example.org/docs/' });
    const pages = element('input', { type: 'number', min: '1', value: '500' });
    const cited_as = element('input', { type: 'url', autocomplete: 'off',
        placeholder: 'https://wiki.example.org/lamps' });
    const file = element('input', { type: 'file',
        accept: '.html,.htm,.xhtml,.md,.markdown,.txt,.text,.rst,.pdf' });
    const wanted = element('input', { type: 'search', autocomplete: 'off' });
    const sum = element('p', {});
    const crawls = element('div', {});
    const hosts = element('div', {});
    const trouble = element('div', {});
    let known = null, before = '', running = false, woken = () => {};

    const draw_hosts = () => hosts.replaceChildren(
        ...hosts_part(known.hosts, wanted.value.trim().toLowerCase(), remove));
    // Redrawn only when something changed, so that the focus stays.
    async function draw() {
        known = await ask_service('GET', '/v1/index', { signal });
        const now = JSON.stringify(known);
        if (now === before) return;
        before = now;
        sum.textContent = `${plural(known.pages, 'page')} in ${
            plural(known.passages, 'passage')}, ${bytes(known.bytes)} on disk.`;
        crawls.replaceChildren(known.crawls.length ? crawls_part(known.crawls)
            : element('p', {}, 'Nothing was crawled from here yet.'));
        if (!hosts.contains(document.activeElement)) draw_hosts();
        const runs = known.crawls.some((one) => one.state === 'running');
        if (running && !runs) say(`The crawl is ${known.crawls[0].state}.`);
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
    async function start(made, place) {
        const body = { url: url.value.trim() };
        if (pages.value) body.pages = Number(pages.value);
        await ask_service('POST', '/v1/index/crawls', { body });
        url.value = '';
        place.replaceChildren(notice(element('p', {}, 'The crawl has begun; ' +
            'watch it below. Its pages can be found as they come in.')));
        say('The crawl has begun.');
        running = true;
        woken();
    }
    async function add(made, place) {
        const body = new FormData();
        body.append('url', cited_as.value.trim());
        if (file.files.length) body.append('file', file.files[0]);
        const [page] = (await ask_service('POST', '/v1/pages', { body })).data;
        made.reset();
        place.replaceChildren(notice(element('p', {}, outward(page.url,
            page.title || page.url), ` can be found: ${
            plural(page.passages, 'passage')}.`)));
        say('The page was added.');
        await draw();
    }
    wanted.addEventListener('input', () => known && draw_hosts());
    main.append(sum, trouble,
        element('section', {}, element('h2', {}, 'Add a site'),
            form({ 'class': 'narrow', 'aria-label': 'Add a site' }, start,
                field('url', 'Address', url, 'The crawl stays on this host ' +
                    'and below this path, and follows robots.txt.'),
                field('pages', 'At most so many pages', pages),
                element('button', { type: 'submit', class: 'primary' },
                    'Crawl'))),
        element('section', {}, element('h2', {}, 'Add a page'),
            form({ 'class': 'narrow', 'aria-label': 'Add a page' }, add,
                field('url', 'URL to cite', cited_as, 'Where readers find ' +
                    'the page. One that is there already is replaced.'),
                field('file', 'File', file, 'HTML, Markdown, plain text or ' +
                    'PDF.'),
                element('button', { type: 'submit', class: 'primary' },
                    'Add page'))),
        element('section', {}, element('h2', {}, 'Crawls'), crawls),
        element('section', {}, element('h2', {}, 'Hosts'),
            field('host', 'Find a host', wanted), hosts));
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
