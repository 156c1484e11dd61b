// 2,000 random combinations of domain lists and dates against pages of the
// index, of a provider, and behind redirects: nothing leaves a search that the
// filter does not allow, neither as result nor as source nor as image. What is
// allowed is decided here a second time, with another language's URLs.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Fake, html, json } from './lib/fake.js';
import { Client, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';

const CASES = 2000;
const AT_ONCE = 4;
const HOSTS = ['a.example', 'www.a.example', 'docs.a.example', 'aa.example',
    'b.example', 'deep.er.b.example', 'xn--bcher-kva.example',
    'shop.xn--bcher-kva.example', 'example.org', 'a.example.org', 'b.co.uk',
    '192.0.2.7'];
const PATHS = ['/', '/docs', '/docs/', '/docs/x', '/docsx', '/Docs/x',
    '/blog/2024/one', '/caf%C3%A9/x', '/~user/x'];
const ENTRIES = [...HOSTS, 'A.Example', '*.a.example', 'https://b.example/',
    'http://www.b.example:8080/docs/', 'bücher.example', 'BÜCHER.example',
    'a.example/docs', 'a.example/docs/x?y=1#z', 'b.example:8080', 'example',
    'aa.example/blog', 'a.example/café', 'a.example/~user', 'a.example/%7Euser', '127.0.0.1',
    'localhost', '127.0.0.1/land', 'localhost/land', 'co.uk', 'le.org'];
const WORDS = ['harbour', 'lantern', 'ferry', 'granite'];

// A generator of known numbers, so that a failure can be had again.
function random(seed) {
    let x = seed;
    return (n) => {
        x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
        return Math.floor(x / 2 ** 32 * n);
    };
}

const pick = (rnd, list, most) => Array.from({ length: rnd(most + 1) },
    () => list[rnd(list.length)]);
const day = (n) => new Date(Date.UTC(2020, 0, 1 + n)).toISOString()
    .slice(0, 10);

// --- what the filter means, told a second time ---------------------------

function rule(entry) {
    const bare = entry.replace(/^https?:\/\//i, '').replace(/^\*\./, '');
    const url = new URL(`http://${bare}`);
    return {
        host: url.hostname.replace(/^www\./, ''),
        path: decodeURIComponent(url.pathname).replace(/\/+$/, ''),
    };
}

function matches(entry, text) {
    const { host, path } = rule(entry);
    const url = new URL(text);
    const at = decodeURIComponent(url.pathname);
    return (url.hostname === host || url.hostname.endsWith(`.${host}`)) &&
        (at === path || at.startsWith(`${path}/`));
}

function allowed(params, url) {
    if (params.includeDomains.length)
        return params.includeDomains.some((entry) => matches(entry, url));
    return !params.excludeDomains.some((entry) => matches(entry, url));
}

function in_time(params, date) {
    if (!params.fromDate && !params.toDate) return true;
    return date !== undefined &&
        (!params.fromDate || date >= params.fromDate) &&
        (!params.toDate || date <= params.toDate);
}

describe('filters hold', () => {
    let fake, site, server, me;
    const dates = new Map(); // of each URL; missing: it has none
    const image_dates = new Map(); // of the pages an image may come from
    const leads = new Map(); // where a redirect goes

    function text(rnd) {
        const words = pick(rnd, WORDS, 3);
        return `The ${WORDS[rnd(4)]} ${words.join(' ')} stands at the harbour ` +
            `of town ${rnd(1000)}. Its lantern was lit in ${1800 + rnd(200)}.`;
    }

    function note_image(image, date) {
        image_dates.set(image, [...image_dates.get(image) ?? [], date]);
    }

    function some_url(rnd, n) {
        const port = rnd(4) ? '' : ':8080';
        const host = HOSTS[rnd(HOSTS.length)];
        const path = PATHS[rnd(PATHS.length)];
        return new URL(`http${rnd(2) ? 's' : ''}://${host}${port}${path}` +
            `?n=${n}`).href;
    }

    function indexed(rnd, n) {
        const url = some_url(rnd, n);
        const date = rnd(5) ? day(rnd(1500)) : undefined;
        const image = some_url(rnd, n + 10000);
        dates.set(url, date);
        note_image(image, date);
        return {
            url, date, html: `<html lang="en"><head><title>Harbour ${n}` +
                `</title></head><body><main><h1>Harbour ${n}</h1><p>` +
                `${text(rnd)}</p><img src="${image}" alt="x" width="800" ` +
                'height="600"></main></body></html>',
        };
    }

    before(async () => {
        const rnd = random(1);
        fake = await Fake.start({
            '/search': (req, res) => json(res, { results: fake.results }),
            '*': (req, res, body, url) => {
                const to = leads.get(`http://${req.headers.host}${req.url}`);
                if (to) {
                    res.writeHead(302, { Location: to });
                    return res.end();
                }
                if (!url.pathname.startsWith('/land')) {
                    res.writeHead(404);
                    return res.end();
                }
                const date = dates.get(
                    `http://${req.headers.host}${req.url}`);
                return html(res, 'Harbour', text(random(fake.hits)), date
                    ? `<meta property="article:published_time" content="${date}">`
                    : '');
            },
        });
        // Redirects first, so that these are the pages that are read.
        fake.results = [];
        for (let n = 0; n < 5; n++) {
            const [from, to] = n % 2 ? ['127.0.0.1', 'localhost']
                : ['localhost', '127.0.0.1'];
            const url = `http://${from}:${fake.port}/go/${n}`;
            const land = `http://${to}:${fake.port}/land/${n}`;
            leads.set(url, land);
            dates.set(land, n ? day(300 * n) : undefined);
            fake.results.push({ url, title: 'Harbour', content: 'harbour' });
        }
        for (let n = 0; n < 60; n++) {
            const url = some_url(rnd, n + 1000);
            const date = rnd(3) ? day(rnd(1500)) : undefined;
            const image = some_url(rnd, n + 20000);
            dates.set(url, date);
            note_image(image, date);
            fake.results.push({
                url, title: `Harbour ${n}`, content: text(rnd),
                publishedDate: date && `${date}T01:02:03`, img_src: image,
            });
        }
        site = await Site.make({
            pages: Array.from({ length: 120 }, (_, n) => indexed(rnd, n)),
            settings: {
                'net.allow_hosts':
                    `127.0.0.1:${fake.port},localhost:${fake.port}`,
                'read.keep': false, 'server.threads': AT_ONCE,
                'provider.fake.use': 'searxng',
                'provider.fake.base': fake.origin,
            },
        });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        await fake?.stop();
    });

    function params_of(n) {
        const rnd = random(n + 77);
        const from = rnd(1500), span = 1 + rnd(800);
        return {
            q: `${WORDS[rnd(4)]} ${WORDS[rnd(4)]} at the harbour`,
            outputType: rnd(3) ? 'searchResults' : 'sourcedAnswer',
            includeDomains: rnd(2) ? pick(rnd, ENTRIES, 4) : [],
            excludeDomains: rnd(2) ? pick(rnd, ENTRIES, 6) : [],
            fromDate: rnd(3) ? null : day(from),
            toDate: rnd(3) ? null : day(from + span),
            includeImages: true, maxResults: 100,
        };
    }

    function check(params, one, say) {
        assert.ok(allowed(params, one.url), say(`domain of ${one.url}`));
        const lead = leads.get(one.url);
        assert.ok(!lead, say(`${one.url} leads to ${lead}`));
        if (image_dates.has(one.url) && !dates.has(one.url))
            return assert.ok(image_dates.get(one.url).some((date) =>
                in_time(params, date)), say(`date of image ${one.url}`));
        assert.ok(dates.has(one.url), say(`unknown ${one.url}`));
        return assert.ok(in_time(params, dates.get(one.url)),
            say(`date ${dates.get(one.url)} of ${one.url}`));
    }

    it(`over ${CASES} random combinations`, async () => {
        const seen = { found: 0, none: 0, urls: 0, images: 0, landed: 0 };
        let next = 0;
        const work = async () => {
            while (next < CASES) {
                const n = next++;
                const params = params_of(n);
                const say = (what) => `case ${n}: ${what} with ` +
                    JSON.stringify(params);
                const res = await me.search(params);
                if (res.status !== 200) {
                    assert.equal(res.status, 400, say(res.text));
                    assert.equal(res.json().error.code,
                        'SEARCH_QUERY_NO_RESULT', say(res.text));
                    seen.none++;
                    continue;
                }
                const { results, sources } = success(res);
                for (const one of results ?? sources) {
                    check(params, one, say);
                    seen.urls++;
                    seen.images += image_dates.has(one.url) ? 1 : 0;
                    seen.landed += one.url.includes('/land/') ? 1 : 0;
                }
                seen.found++;
            }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, work));
        console.log(`filters: ${JSON.stringify(seen)}`);
        assert.ok(seen.found > CASES / 4 && seen.urls > 10 * CASES / 4);
        assert.ok(seen.images > 100 && seen.landed > 100);
    });
});
