// `cited check` and POST /v1/check: sentences held against what they cite, by
// the programs themselves; ranges are cut again from the page as it is given.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { Client, failure, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';

const URL_ = 'https://lights.example/halden';
const REPORT = `# Lighthouses

The Halden lighthouse was built in 1874 by the engineer Marit Solheim [1]. It was
built in 1875 [1].

- Marit Solheim built the Halden lighthouse in 1874. [1]
- The Halden lighthouse was not built in 1874 ([page](${URL_})).
- The red Halden lighthouse was built in 1874. [1]
- Penguins live there [2].

[1] Halden lighthouse
    ${URL_}
[2] https://nowhere.example/
`;
const KINDS = ['quoted', 'contradicted', 'supported', 'contradicted', 'repaired', 'unsupported'];

describe('the check', () => {
    let site, server, me, text, web, elsewhere;

    before(async () => {
        web = http.createServer((req, res) => {
            if (req.url === '/old') return res.writeHead(302, { Location: '/page' }).end();
            if (req.url !== '/page') return res.writeHead(404).end();
            res.writeHead(200, { 'Content-Type': 'text/html' });
            res.end('<title>Pier</title><main><h1>Pier</h1><p>The pier of Skagn is ' +
                '212 metres long.</p><p>It was opened in 1931 after a storm had taken ' +
                'the old one, which had been of wood.</p></main>');
        });
        await new Promise((resolve) => web.listen(0, '127.0.0.1', resolve));
        elsewhere = `http://127.0.0.1:${web.address().port}`;
        site = await Site.make({ settings: { 'net.allow_hosts':
            `127.0.0.1:${web.address().port}` } });
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
        text = Buffer.from(success(await me.get(
            `/v1/pages?url=${encodeURIComponent(URL_)}`)).text);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
        web?.close();
    });

    function check_all(list) {
        assert.deepEqual(list.map((one) => one.kind), KINDS);
        for (const one of list.filter(({ quote }) => quote !== null)) {
            assert.equal(one.url, URL_);
            assert.equal(text.subarray(one.start, one.end).toString(), one.quote);
        }
        assert.equal(list[0].why, '');
        assert.match(list[4].why, /red/);
        assert.match(list[5].why, /not in the index/);
    }

    it('reads reports on the command line', async () => {
        const r = await site.cited(['--json', 'check', '-'], { input: REPORT });
        assert.equal(r.code, 1, r.stderr);
        check_all(r.stdout.trim().split('\n').map((one) => JSON.parse(one)));
        const plain = await site.cited(['check', '-'], { input: REPORT });
        assert.match(plain.stdout, /^contradicted: The Halden/m);
        assert.match(plain.stderr, /2 of 6 sentences/);
    });

    it('reads texts over the API', async () => {
        check_all(success(await me.post('/v1/check', { text: REPORT })).data);
        const [one] = success(await me.post('/v1/check', {
            text: 'It was built in 1874. [1]', sources: [URL_] })).data;
        assert.equal(one.kind, 'supported');
    });

    it('fetches pages that are not in the index where it is told to', async () => {
        const report = `The pier of Skagn is 212 metres long [1]. The pier of Skagn is 300 metres ` +
            `long [2]. It is of wood [3]. It is old [4].\n\n[1]: ${elsewhere}/page\n` +
            `[2]: ${elsewhere}/old\n[3]: ${elsewhere}/gone\n[4]: http://127.0.0.1:9/\n`;
        const want = ['quoted', 'contradicted', 'unsupported', 'unsupported'];
        const r = await site.cited(['--json', 'check', '--fetch', '-'], { input: report });
        const out = r.stdout.trim().split('\n').map((one) => JSON.parse(one));
        const { data } = success(await me.post('/v1/check', { text: report, fetch: true }));
        for (const list of [out, data]) {
            assert.deepEqual(list.map((one) => one.kind), want);
            assert.equal(list[0].quote, 'The pier of Skagn is 212 metres long.');
            assert.match(list[2].why, /answered 404/);
            assert.match(list[3].why, /cannot be fetched/);
        }
        const none = success(await me.post('/v1/check', { text: report })).data;
        assert.ok(none.every((one) => /not in the index/.test(one.why)));
        failure(await me.get(`/v1/pages?url=${encodeURIComponent(`${elsewhere}/page`)}`), 404,
            'NOT_FOUND');
    });

    it('bears out what the service answers', async () => {
        for (const q of ['Who built the Halden lighthouse?',
            'How tall is the Brannoy lighthouse?']) {
            const found = success(await me.search({ q,
                outputType: 'sourcedAnswer', includeInlineCitations: true }));
            const r = await site.cited(['--json', 'check', '-'],
                { input: JSON.stringify(found) });
            assert.equal(r.code, 0, r.stdout);
        }
    });

    it('takes a quote for what the sentence rests on', async () => {
        const passage = 'The tower is red. The bridge is 40 m long.';
        const { data } = success(await me.post('/v1/check', { items: [
            { sentence: 'The bridge is 40 metres long.', passage,
                quote: 'bridge is 40\u00a0m' },
            { sentence: 'The bridge is 40 metres long.', passage,
                quote: 'The tower is red' },
            { sentence: 'The bridge is 40 metres long.', passage,
                quote: 'The tower is blue' },
            { sentence: 'The new bridge is 40 metres long.', passage,
                quote: '40 m' },
        ] }));
        assert.deepEqual(data.map((one) => one.kind),
            ['supported', 'unsupported', 'unsupported', 'repaired']);
    });

    it('says what an option may be, and how text begins with a dash', async () => {
        for (const [args, told] of [[['search', '-s simulate'], /behind -- stands/],
            [['search', '--dpeth', 'x'], /no option --dpeth; did you mean --depth/],
            [['search', '--nothing=x', 'y'], /no option --nothing\n/],
            [['search', '--clean vs --clean-final'], /no option --clean vs --clean-final; behind -- stands text/]]) {
            const r = await site.cited(args);
            assert.equal(r.code, 2, r.stderr);
            assert.match(r.stderr, told);
        }
        const found = await site.cited(['search', '--', '-s simulate']);
        assert.doesNotMatch(found.stderr, /option/);
    });

    it('says what is wrong with a request', async () => {
        const bad = [{}, { items: [] }, { items: [{ sentence: 'A.' }] },
            { text: 'A.', sources: [1] }, { text: 'A.', url: 7 },
            { items: [{ sentence: 'x'.repeat(5000), passage: 'x' }] }];
        for (const body of bad)
            failure(await me.post('/v1/check', body), 400, 'VALIDATION_ERROR');
        const r = await site.cited(['check', '-'], { input: '{"sentence":"A."}' });
        assert.equal(r.code, 1);
        assert.match(r.stderr, /line 1 wants/);
    });
});
