// Other languages than English: each is found and answered in an index of its
// own, in one that holds all of them, and by domain.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, failure, success } from './lib/http.js';
import { ENGLISH, LANGUAGES, pages_of } from './lib/languages.js';
import { start } from './lib/server.js';
import { Site, squeeze } from './lib/site.js';

const ALL = { ...LANGUAGES, en: ENGLISH };

// The text of each indexed page by its address.
const TEXTS = Object.fromEntries(Object.entries(ALL).flatMap(
    ([code, set]) => pages_of(code, set).map(({ url, text }) => [url, squeeze(text)])));

function service(pages) {
    const it = {};
    before(async () => {
        it.site = await Site.make({ pages });
        it.server = await start('lighttpd', it.site);
        it.me = new Client(it.server.base, it.site.key);
    });
    after(async () => {
        await it.server?.stop();
        await it.site?.close();
    });
    return it;
}

// The right page first, its snippet verbatim, and the fact in the first
// sentence of the answer.
async function asked(me, code, [q, page, fact], fields = {}) {
    const url = `https://${code}.example/${page}`;
    const { results } = success(await me.search({ q, ...fields }));
    assert.equal(results[0].url, url, `${q}: ${JSON.stringify(results[0])}`);
    for (const { url: from, content } of results)
        assert.ok(TEXTS[from].includes(squeeze(content)), `verbatim: ${content}`);
    const { answer, sources } = success(await me.search(
        { q, outputType: 'sourcedAnswer', ...fields }));
    const text = sources[0];
    assert.ok(text.snippet.includes(fact), `${q}: ${answer}`);
    assert.equal(text.url, url, `${q}: ${answer}`);
    assert.ok(TEXTS[url].includes(squeeze(text.snippet)), `verbatim: ${text.snippet}`);
    assert.ok(answer.includes(fact), `${q}: ${answer}`);
}

for (const [code, set] of Object.entries(LANGUAGES)) {
    describe(`an index in ${code}`, () => {
        const at = service(pages_of(code, set));

        for (const question of set.ask)
            it(`answers ${question[0]}`, () => asked(at.me, code, question));
        for (const q of set.silent)
            it(`does not answer ${q}`, async () => {
                failure(await at.me.search({ q, outputType: 'sourcedAnswer' }),
                    [400], ['SEARCH_QUERY_NO_RESULT']);
            });
    });
}

describe('an index in all languages at once', () => {
    const at = service(
        Object.entries(ALL).flatMap(([code, set]) => pages_of(code, set)));

    for (const [code, set] of Object.entries(ALL)) {
        for (const question of [...set.ask, ...(set.mixed ?? [])])
            it(`answers ${question[0]}`, () => asked(at.me, code, question));
        it(`answers ${set.ask[1][0]} from ${code}.example only`, () =>
            asked(at.me, code, set.ask[1],
                { includeDomains: [`${code}.example`] }));
        it(`has nothing on ${set.ask[1][0]} elsewhere`, async () => {
            const [q] = set.ask[1];
            const other = code === 'en' ? 'fr' : 'en';
            failure(await at.me.search({ q, outputType: 'sourcedAnswer',
                includeDomains: [`${other}.example`] }), [400]);
        });
    }
    for (const set of Object.values(LANGUAGES))
        for (const q of set.silent)
            it(`does not answer ${q}`, async () => {
                failure(await at.me.search({ q, outputType: 'sourcedAnswer' }),
                    [400], ['SEARCH_QUERY_NO_RESULT']);
            });
});

describe('keywords that could be of any language', () => {
    const at = service(
        Object.entries(ALL).flatMap(([code, set]) => pages_of(code, set)));

    for (const [q, url] of [
        ['Nebeltage Gipfel', 'https://de.example/brocken'],
        ['chamois printemps montagnes', 'https://fr.example/dent'],
        ['erupciones volcán nieve', 'https://es.example/volcan'],
        ['метеостанции вершина', 'https://ru.example/gora'],
        ['活字印刷', 'https://zh.example/tu'],
        ['白鳥', 'https://ja.example/mizuumi'],
        ['Penguin passengers strait', 'https://en.example/ferry'],
    ])
        it(`finds ${q}`, async () => {
            const { results } = success(await at.me.search({ q }));
            assert.equal(results[0].url, url, JSON.stringify(results[0]));
        });
});
