// Hostile text in every view of the console: what others stored (titles,
// texts, addresses, questions, labels, names in schemas), and a service whose
// every answer is hostile. It is shown as text; nothing runs; no link leads
// anywhere but to http and https.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { launch, no_browser, open } from './lib/browser.js';
import { Client, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { environment, run, until } from './lib/world.js';

const RUN = 'window.hit=1;alert(1)';
const PAYLOADS = [
    `<script>${RUN}</script>`,
    `"><script>${RUN}</script>`,
    `'><script>${RUN}</script>`,
    `</title><script>${RUN}</script>`,
    `</textarea><script>${RUN}</script>`,
    `</script><script>${RUN}</script>`,
    `<scr<script>ipt>${RUN}</scr</script>ipt>`,
    `<ScRiPt src="//evil.example/x.js"></ScRiPt>`,
    `<img src=x onerror="${RUN}">`,
    `<img src=x onerror=${RUN}//`,
    `" onmouseover="${RUN}" x="`,
    `' onfocus='${RUN}' autofocus tabindex=1 x='`,
    `<svg onload="${RUN}">`,
    `<svg><animate onbegin="${RUN}" attributeName=x dur=1s>`,
    `<svg><script>${RUN}</script></svg>`,
    `<math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
    `<iframe src="javascript:${RUN}"></iframe>`,
    `<iframe srcdoc="<script>parent.hit=1</script>"></iframe>`,
    `<object data="javascript:${RUN}"></object>`,
    `<embed src="javascript:${RUN}">`,
    `<a href="javascript:${RUN}">click</a>`,
    `[click](javascript:${RUN})`,
    `![x](x" onerror="${RUN})`,
    `<form action="javascript:${RUN}"><button>go</button></form>`,
    `<button formaction="javascript:${RUN}">go</button>`,
    `<details open ontoggle="${RUN}">`,
    `<body onload="${RUN}">`,
    `<base href="//evil.example/">`,
    `<link rel=stylesheet href="//evil.example/x.css">`,
    `<meta http-equiv=refresh content="0;url=javascript:${RUN}">`,
    `<style>@import "//evil.example/x.css"; *{background:url(//evil.example)}`,
    `<template><script>${RUN}</script></template>`,
    `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
    `<!--><img src=x onerror=${RUN}>-->`,
    `<![CDATA[><img src=x onerror=${RUN}>]]>`,
    `{{constructor.constructor('${RUN}')()}} \${${RUN}}`,
    `\u202egpj.exe\u202c <img src=x onerror=${RUN}>`,
    `&lt;img src=x onerror=${RUN}&gt;`,
];
const ADDRESSES = [
    `javascript:${RUN}`, `JaVaScRiPt:${RUN}`, ` javascript:${RUN}`,
    `java\tscript:${RUN}`, `java\nscript:${RUN}`, `\u0001javascript:${RUN}`,
    `javascript://https://good.example/%0a${RUN}`, `javascript&colon;${RUN}`,
    `data:text/html,<script>${RUN}</script>`,
    `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
    `vbscript:msgbox(1)`, `blob:null/x`, `file:///etc/passwd`,
    `//evil.example/x`, `https://good.example/" onclick="${RUN}`,
    `https://good.example/<script>${RUN}</script>`, `http://`, `https://[`,
];
const WORD = 'halden lighthouse lantern';

// What the page must be after it showed something hostile.
async function assert_tame(page, dialogs, what) {
    const found = await page.evaluate(() => {
        const all = [...document.querySelectorAll('*')];
        return {
            hit: window.hit ?? null,
            attributes: all.flatMap((one) => [...one.attributes]
                .filter((a) =>
                    /^on|^style$|^srcdoc$|^formaction$/i.test(a.name))
                .map((a) => `${one.tagName} ${a.name}`)),
            elements: all.map((one) => one.localName).filter((name) =>
                ['iframe', 'object', 'embed', 'img', 'base', 'style', 'math',
                    'template', 'animate'].includes(name)),
            scripts: all.filter((one) => one.localName === 'script').length,
            metas: all.filter((one) => one.localName === 'meta').length,
            links: [...document.links, ...document.forms]
                .map((one) => [one.protocol ?? '', one.getAttribute('href') ??
                    one.getAttribute('action') ?? '', one.rel, one.target])
                .filter(([protocol, href, rel, target]) => (protocol &&
                    !/^https?:$/.test(protocol)) || /^\s*(java|data|vb)/i
                    .test(href) || (target === '_blank' &&
                    !/noopener noreferrer/.test(rel))),
        };
    });
    assert.deepEqual({ ...found, dialogs: [...dialogs] }, { hit: null,
        attributes: [], elements: [], scripts: 1, metas: 3, links: [],
        dialogs: [] }, what);
}

const shows = (page, text) => page.waitForFunction((wanted) =>
    document.body.textContent.includes(wanted), text);

/* --- a service of which every answer is hostile -------------------------- */

// Every string of every answer is the next payload, every address the next
// address; numbers and states stay, so that all parts of a view are drawn.
function liar() {
    let at = 0;
    const text = () => PAYLOADS[at++ % PAYLOADS.length];
    const url = () => ADDRESSES[at++ % ADDRESSES.length];
    const many = (n, make) => Array.from({ length: n }, make);
    const source = () => ({ type: 'text', name: text(), url: url(),
        snippet: text(), content: text(), favicon: url(), date: text() });
    const answer = () => ({ answer: `# ${text()}\n\n${PAYLOADS.map((one, i) =>
        `${one} [${i + 1}]`).join('\n\n')}\n- ${text()} [1]`,
    sources: many(PAYLOADS.length, source), writer: text(),
    directness: text(), evidence: PAYLOADS.map((one, i) => ({ text: one,
        source: i + 1, url: url(), date: text(), quote: text() })) });
    const named = () => Object.fromEntries(PAYLOADS.map((one) =>
        [one, [one, { [one]: one }]]));
    const task = (status, id = '0f0e0d0c-0b0a-4908-8706-050403020100') => ({
        id, type: 'research', status, createdAt: text(), updatedAt: text(),
        error: status === 'failed' ? text() : null,
        input: { q: text(), outputType: 'sourcedAnswer' },
        output: status === 'completed' ? answer() : null });
    const budget = { rounds: 1, queries: 9, pages: 9, milliseconds: 9000 };
    const steps = () => [
        { type: 'plan', subQuestions: PAYLOADS },
        ...PAYLOADS.map((query) => ({ type: 'search', query, candidates: 1,
            subQuestion: text(), passagesKept: 1, failed: text(),
            pages: [...ADDRESSES, { url: url() }] })),
        { type: 'gap', newPassages: 1, open: PAYLOADS, ended: text() },
        { type: 'write', sections: 1, verified: { held: 1, moved: 1,
            dropped: 1, why: text() } },
        { type: text() }, { type: 'constructor' }, { type: '__proto__' }];
    return {
        status: 'completed', output: 'sourcedAnswer', text, url, many, answer,
        answer_to(method, path) {
            const [, name, id, more] = /^\/v1\/(\w+)(?:\/([^/?]+))?(\/\w+)?/
                .exec(path) ?? [];
            const { status } = this;
            if (path.startsWith('/healthz')) return { status: 'degraded',
                degraded: PAYLOADS, providers: [], model: null };
            if (name === 'search') return this.output === 'sourcedAnswer'
                ? answer() : this.output === 'structured'
                    ? { data: named(), sources: many(5, source) }
                    : { results: many(PAYLOADS.length, source) };
            if (name === 'pages') return { url: url(), title: text(),
                date: text(), language: text(), text: PAYLOADS.join('\n') };
            if (name === 'keys') return method === 'POST' ? { id: text(),
                key: text(), label: text(), createdAt: text() } : { data:
                PAYLOADS.map((label) => ({ id: label, label, createdAt: text(),
                    lastUsedAt: text(), revokedAt: null, requests: label })) };
            if (name === 'examples') return { pages: text(), passages: 1,
                questions: PAYLOADS };
            if (name === 'index' && id === 'hosts') return { next: text(),
                data: PAYLOADS.map((title) => ({ title, url: url(),
                    date: text(), passages: text(), fetchedAt: text() })) };
            if (name === 'tasks' && id) return { ...task('completed', id),
                type: 'search', input: { q: text(), depth: text(),
                    outputType: 'sourcedAnswer', includeDomains: PAYLOADS } };
            if (name === 'tasks') return { data: PAYLOADS.map((one) => ({
                ...task('failed', one), status: one, input: { q: one } })),
            metadata: { page: 1, pageSize: 10, total: 99, totalPages: 9 },
            quota: { inFlight: 1, limit: 9 } };
            if (more === '/events') return [...steps().map((step) =>
                ['step', step]), ['progress', { id, status, budget, spent: {
                rounds: 1, queries: 3, pages: text(), milliseconds: 5 } }]]
                .map(([event, data], i) => `id: ${i}\nevent: ${event}\ndata: ${
                    JSON.stringify(data)}\n\n`).join('');
            if (name === 'research') return task(status);
            if (name === 'index') return { pages: 1, passages: 1, bytes: 1,
                hosts: PAYLOADS.map((host) => ({ host, pages: text(),
                    passages: 1 })),
                crawls: [...ADDRESSES, ...PAYLOADS].map((one) => ({ url: one,
                    state: text(), stored: 1, skipped: text(), failed: 1,
                    queued: 1, startedAt: text(), endedAt: text(),
                    error: text() })) };
            if (name === 'status') return { providers: PAYLOADS.map((one) => ({
                name: one, state: text(), reason: text(), until: text() })),
            model: { name: text(), state: text() },
            queue: { pending: text(), processing: 1, helpers: 1 },
            errors: PAYLOADS.map((message) => ({ at: text(),
                requestId: text(), message })),
            requests: { perMinute: many(60, () => 1), p50Ms: 1, p95Ms: 2 } };
            return null; // sessions are left to the service
        },
    };
}

describe('hostile text', { skip: no_browser }, () => {
    let site, server, browser;

    before(async () => {
        site = await Site.make({
            settings: { 'accounts.registration': 'open' } });
        await site.add(PAYLOADS.map((payload, i) => ({
            url: `https://evil${i}.example/a?q=${encodeURIComponent(payload)}`,
            title: `${payload} ${i}`, date: '2024-01-02',
            text: `The ${WORD} number ${i} was lit in ${1800 + i}. The note ` +
                `on the ${WORD} says ${payload} to every keeper of it.`,
        })));
        await site.cited_ok(['account', 'create', '--operator',
            'op@example.org']);
        await site.cited_ok(['account', 'password', 'op@example.org'],
            { input: 'correct horse\n' });
        server = await start('lighttpd', site);
        browser = await launch();
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
        await site?.close();
    });

    async function visit(what) {
        const { page, complaints, close } =
            await open(browser, server.origin);
        const dialogs = [];
        page.on('dialog', (dialog) => {
            dialogs.push(dialog.message());
            dialog.dismiss();
        });
        try {
            await page.goto(`${server.base}/#/sign-in`);
            await page.getByLabel('E-mail').fill('op@example.org');
            await page.getByLabel('Password').fill('correct horse');
            await page.getByRole('button', { name: 'Sign in' }).click();
            await page.getByRole('button', { name: 'Sign out' }).waitFor();
            await what(page, (name) => assert_tame(page, dialogs, name));
            assert.deepEqual(complaints, []);
        } finally {
            await close();
        }
    }
    const ask = async (page, question, output = 'Answer') => {
        await page.goto(`${server.base}/#/ask`);
        await page.getByRole('heading', { name: 'Ask your pages' }).waitFor();
        await page.getByLabel('Question').fill(question);
        await page.getByRole('radio', { name: output }).check();
        await page.getByRole('button', { name: 'Ask' }).click();
        await page.locator('#result h2').first().waitFor();
    };

    // A dialog goes, and the step back in the history that it was.
    const shut = async (page) => {
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.waitForFunction(() => !history.state?.dialog);
    };

    it('has payloads enough', () => {
        assert.ok(PAYLOADS.length >= 30 && ADDRESSES.length >= 15);
        assert.equal(new Set([...PAYLOADS, ...ADDRESSES]).size,
            PAYLOADS.length + ADDRESSES.length);
    });

    it('that was stored is shown as text', () => visit(async (page, tame) => {
        const client = new Client(server.base, await page.evaluate(() =>
            sessionStorage.getItem('cited.key')));
        for (const label of PAYLOADS) {
            // What the service refuses cannot be shown.
            const res = await client.post('/v1/keys', { label });
            assert.ok([200, 400].includes(res.status), res.text);
        }
        const { data } = success(await client.get('/v1/keys'));
        assert.ok(data.length >= 30, `${data.length} labels`);
        await page.goto(`${server.base}/#/keys`);
        for (const { label } of data) await shows(page, label);
        await tame('keys');

        const seen = new Set();
        for (const output of ['Passages', 'Answer'])
            for (let i = 0; i < PAYLOADS.length; i++) {
                await ask(page, `What does the note on the ${WORD} number ${
                    i} say?`, output);
                const text = await page.locator('#result').textContent();
                for (const [n, one] of PAYLOADS.entries())
                    if (text.includes(`${one} ${n}`)) seen.add(n);
                await tame(`${output} ${i}`);
            }
        assert.ok(seen.size >= 30, `titles seen: ${seen.size}`);
        await ask(page, `${PAYLOADS[8]} ${WORD}`, 'Passages');
        await page.getByRole('button', { name: /^View in page/ }).first()
            .click();
        await page.getByRole('dialog').locator('mark').first().waitFor();
        await tame('passage');
        await page.keyboard.press('Escape');

        const asked = PAYLOADS.slice(0, 3);
        for (const q of asked) success(await client.post('/v1/research',
            { q: `${q} ${WORD}`, outputType: 'sourcedAnswer',
                reasoningDepth: 'S' }));
        const listed = async () => success(await client.get('/v1/research'))
            .data;
        const tasks = await until(async () => {
            const all = await listed();
            return all.every((one) => one.output || one.error) && all;
        }, 90000, 'the tasks end');
        await page.goto(`${server.base}/#/research`);
        for (const q of asked) await shows(page, q);
        await tame('tasks');
        for (const { id } of tasks) {
            await page.goto(`${server.base}/#/research/${id}`);
            await page.locator('.result > *').first().waitFor();
            await page.evaluate(() => {
                for (const one of document.querySelectorAll('details'))
                    one.open = true;
            });
            await tame('task');
        }
        await page.goto(`${server.base}/#/index`);
        await shows(page, 'evil7.example');
        await tame('index');
    }));

    it('of a lying service is shown as text', () => visit(
        async (page, tame) => {
            const lies = liar();
            await page.route(/\/(v1|healthz)/, (route) => {
                const request = route.request();
                const url = new URL(request.url());
                const said = lies.answer_to(request.method(),
                    url.pathname + url.search);
                return typeof said === 'string' ? route.fulfill({ body: said,
                    contentType: 'text/event-stream' })
                    : said ? route.fulfill({ json: said }) : route.continue();
            });
            const go = (name) => page.goto(`${server.base}/#/${name}`);
            for (const [output, label] of [
                ['sourcedAnswer', 'Answer'],
                ['searchResults', 'Passages'],
                ['structured', 'Data']]) {
                lies.output = output;
                await ask(page, PAYLOADS[3], label);
                for (const one of PAYLOADS)
                    if (output !== 'structured') await shows(page, one);
                await tame(output);
                for (const cite of await page.locator('.cite').all()) {
                    await cite.click();
                    await page.locator('.stored').waitFor();
                    await shut(page);
                }
                const place = page.getByRole('button', { name: /^View in page/ });
                await place.nth(1).click();
                await page.locator('.stored').waitFor();
                await shows(page, PAYLOADS.at(-1));
                await tame('passage');
                await shut(page);
                // Links that there are open nothing of ours.
                assert.equal(await page.locator(
                    '#result .reading a:not([href^="http"])').count(), 0);
            }
            for (const status of ['processing', 'failed', 'completed']) {
                lies.status = status;
                await go('research');
                await shows(page, PAYLOADS.at(-1));
                await tame('tasks');
                await go('research/0f0e0d0c-0b0a-4908-8706-050403020100');
                await page.locator('.step').nth(5).waitFor({
                    state: 'attached' });
                await page.evaluate(() => {
                    for (const one of document.querySelectorAll('details'))
                        one.open = true;
                });
                await tame(`task ${status}`);
            }
            await go('answer/0f0e0d0c-0b0a-4908-8706-050403020100?after=x');
            for (const one of PAYLOADS) await shows(page, one);
            for (const cite of (await page.locator('.cite').all()).slice(0, 5))
                await cite.hover();
            await tame('answer');
            for (const name of ['keys', 'index', 'status', 'ask', 'history',
                'index/evil.example']) {
                await go(name);
                for (const one of PAYLOADS) await shows(page, one);
                await tame(name);
            }
            await go('keys');
            await page.getByLabel('Label').fill(PAYLOADS[0]);
            await page.getByRole('button', { name: 'Create key' }).click();
            await page.getByLabel('The new key').waitFor();
            await tame('new key');
            await page.getByRole('button', { name: /^Revoke/ }).first().click();
            await tame('dialog');
        }));

    it('in errors, fields and addresses of ours is shown as text', () => visit(
        async (page, tame) => {
            await page.route(/\/v1\/(search|keys|index|tasks|research)/,
                (route) => route.fulfill({ status: 400, json: {
                    statusCode: 400, error: { code: PAYLOADS[0],
                        message: PAYLOADS.join(' '),
                        details: [...PAYLOADS, 'q', '__proto__', 'x"]',
                            'includeDomains.0'].map((field) =>
                            ({ field, message: field })) } } }));
            await page.goto(`${server.base}/#/ask`);
            await page.getByLabel('Question').fill('x');
            await page.getByRole('button', { name: 'Ask' }).click();
            for (const one of PAYLOADS) await shows(page, one);
            assert.equal(await page.locator('.field-error').count(), 2);
            await tame('ask');
            for (const name of ['keys', 'index', 'research', 'research/x']) {
                await page.goto(`${server.base}/#/${name}`);
                await page.getByRole('alert').waitFor();
                await tame(name);
            }
            // The address of the page itself.
            for (const one of [...PAYLOADS, ...ADDRESSES]) {
                await page.evaluate((hash) => { location.hash = hash; },
                    `#/sign-in?to=${encodeURIComponent(one)}`);
                await page.evaluate((hash) => { location.hash = hash; },
                    `#/research/${one}?order=${one}&state=${one}&page=${one}`);
                await page.evaluate((hash) => { location.hash = hash; },
                    `#/${one}`);
            }
            await page.goto(`${server.base}/#/__proto__`);
            await page.getByRole('heading', { level: 1, name: 'No such page' })
                .waitFor();
            await tame('addresses');
        }));

    it('leads nowhere after a sign-in', () => visit(async (page, tame) => {
        for (const to of ['javascript:alert(1)', '//evil.example/',
            'https://evil.example/', '/\\evil.example']) {
            await page.goto(`${server.base}/#/sign-in?to=${
                encodeURIComponent(to)}`);
            await page.getByLabel('E-mail').fill('op@example.org');
            await page.getByLabel('Password').fill('correct horse');
            await page.getByRole('button', { name: 'Sign in' }).click();
            await page.waitForFunction(() =>
                !location.hash.startsWith('#/sign-in'));
            assert.equal(await page.evaluate(() => location.origin),
                server.origin);
            await tame(to);
        }
    }));

    it('does not break out of the copied curl line', () => visit(
        async (page) => {
            const question = `The note on the 'halden' $(echo lighthouse) ` +
                "\"lantern\" `echo number`; \\ 3 '; echo ''";
            await ask(page, question, 'Passages');
            await page.getByRole('button', { name: 'Copy as curl' }).click();
            const line = await page.evaluate(() =>
                navigator.clipboard.readText());
            const { code, stdout, stderr } = await run(['sh', '-c', line], {
                cwd: site.dir, env: environment(site.dir, { KEY: site.key }) });
            assert.equal(code, 0, stderr);
            assert.ok(JSON.parse(stdout).results.length);
        }));
});
