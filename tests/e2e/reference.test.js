// The static pages: served with their policy by every web server, and the
// reference page in a real browser: what it shows is the description, every
// call can be tried, with the keyboard too, on a phone, light and dark.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import {
    axe, launch, no_browser, open, shot, too_wide,
} from './lib/browser.js';
import { request } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { ROOT } from './lib/world.js';

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; " +
    "img-src 'self' data:; connect-src 'self'; form-action 'none'; " +
    "frame-ancestors 'none'; base-uri 'none'";
const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
const FILES = fs.readdirSync(`${ROOT}/www`, { recursive: true })
    .filter((name) => name.includes('.'));
const document_ = JSON.parse(
    fs.readFileSync(`${ROOT}/src/web/openapi.json`, 'utf8'));

for (const kind of ['lighttpd', 'apache', 'nginx', 'shared-hosting'])
    describe(`the static pages behind ${kind}`, () => {
        let site, server;
        before(async () => {
            site = await Site.make({ pages: [] });
            server = await start(kind, site);
        });
        after(async () => {
            await server?.stop();
            await site?.close();
        });

        it('come with their type and policy', async () => {
            for (const name of ['', ...FILES]) {
                const res = await request(`${server.base}/${name}`);
                const ending = name.split('.').pop() || 'html';
                assert.equal(res.status, 200, name);
                assert.ok(res.headers['content-type'].startsWith(
                    TYPES[ending]), `${name}: ${res.headers['content-type']}`);
                assert.match(res.headers['content-type'], /charset=utf-8/i);
                assert.equal(res.headers['content-security-policy'], POLICY);
                assert.equal(res.headers['x-content-type-options'], 'nosniff');
                assert.equal(res.headers['referrer-policy'], 'no-referrer');
                assert.equal(res.headers['cache-control'], 'no-cache');
            }
        });
        it('do not hide the service', async () => {
            const res = await request(`${server.base}/v1/openapi.json`);
            assert.deepEqual(res.json(), document_);
            assert.equal((await request(`${server.base}/gone.html`)).status,
                404);
        });
    });

describe('the static pages', () => {
    it('hold no markup from text and load nothing from elsewhere', () => {
        for (const name of FILES) {
            const text = fs.readFileSync(`${ROOT}/www/${name}`, 'utf8');
            assert.doesNotMatch(text, /innerHTML|outerHTML|AdjacentHTML/, name);
            assert.doesNotMatch(text, /\.write\(|eval\(|new Function/, name);
            assert.doesNotMatch(text, /(?:src|href|url\()\s*=?\s*["']?https?:/,
                name);
            assert.doesNotMatch(text, /\sstyle=|\son[a-z]+="/, name);
        }
    });
});

describe('the reference page', { skip: no_browser }, () => {
    let site, server, browser;
    before(async () => {
        site = await Site.make();
        server = await start('lighttpd', site);
        browser = await launch();
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
        await site?.close();
    });

    async function visit(options, what) {
        const { page, complaints, close } =
            await open(browser, server.origin, options);
        try {
            await page.goto(`${server.base}/reference.html`);
            await page.waitForSelector('article');
            await what(page);
            assert.deepEqual(complaints, []);
        } finally {
            await close();
        }
    }

    const answer_of = (part) =>
        part.getByLabel('Answer', { exact: true }).textContent();

    it('shows every operation, status and field', () => visit({},
        async (page) => {
            const text = await page.evaluate(() => document.body.textContent);
            for (const [path, item] of Object.entries(document_.paths)) {
                assert.ok(text.includes(path), path);
                for (const operation of Object.values(item)) {
                    if (!operation.operationId) continue;
                    const part = await page.locator(
                        `#${operation.operationId}`).textContent();
                    for (const status of Object.keys(operation.responses))
                        assert.ok(part.includes(status), `${path} ${status}`);
                }
            }
            for (const schema of Object.values(document_.components.schemas))
                for (const name of Object.keys(schema.properties ?? {}))
                    assert.ok(text.includes(name), name);
        }));

    for (const scheme of ['light', 'dark']) for (const size of
        ['desktop', 'phone'])
        it(`is accessible: ${scheme}, ${size}`, () => visit({ scheme, size },
            async (page) => {
                assert.deepEqual(await axe(page), []);
                await shot(page, `reference-${size}-${scheme}`);
                await page.evaluate(() => {
                    for (const one of document.querySelectorAll('details'))
                        one.open = true;
                });
                assert.deepEqual(await axe(page), []);
                assert.ok(await too_wide(page) <= 0, 'scrolls sideways');
                await page.locator('#search').scrollIntoViewIfNeeded();
                await shot(page, `reference-open-${size}-${scheme}`);
            }));

    it('tries a call, with the keyboard alone', () => visit({},
        async (page) => {
            await page.getByLabel('API key').focus();
            await page.keyboard.type(site.key);
            const search = page.locator('#search');
            await search.getByText('Try it').focus();
            await page.keyboard.press('Enter');
            await search.getByRole('textbox', { name: 'Body' }).focus();
            await page.keyboard.press('Control+a');
            await page.keyboard.insertText(JSON.stringify({
                q: 'How tall is the tower of the Halden lighthouse?',
                depth: 'standard', outputType: 'sourcedAnswer',
            }));
            await search.getByRole('button', { name: 'Send' }).focus();
            await page.keyboard.press('Enter');
            assert.match(await answer_of(search), /41 metres/);
            await search.getByLabel('Answer', { exact: true })
                .scrollIntoViewIfNeeded();
            await shot(page, 'reference-tried');
        }));

    it('forgets the key with the tab', () => visit({}, async (page) => {
        await page.getByLabel('API key').fill(site.key);
        await page.reload();
        await page.waitForSelector('article');
        assert.equal(await page.getByLabel('API key').inputValue(), site.key);
        assert.equal(await page.evaluate(() => localStorage.length), 0);
        assert.equal(await page.evaluate(() => document.cookie), '');
    }));

    it('tries calls with parameters, and shows what is refused', () => visit({},
        async (page) => {
            const one = page.locator('#getResearch');
            await one.getByText('Try it').click();
            await one.getByLabel('id (path)').fill('a b/../c');
            await one.getByRole('button', { name: 'Send' }).click();
            assert.match(await answer_of(one), /UNAUTHORIZED/);
            const list = page.locator('#listResearch');
            await page.getByLabel('API key').fill(site.key);
            await list.getByText('Try it').click();
            await list.getByLabel('pageSize (query)').fill('5');
            await list.getByLabel('sortBy (query)').selectOption('updatedAt');
            await list.getByRole('button', { name: 'Send' }).click();
            assert.match(await answer_of(list), /"pageSize": 5/);
        }));

    it('fills the example that is chosen, and copies a sample', () => visit({},
        async (page) => {
            const search = page.locator('#search');
            await search.getByText('Try it').click();
            await search.getByRole('combobox').selectOption('Ranked passages');
            assert.match(await search.getByRole('textbox').inputValue(),
                /searchResults/);
            await search.getByRole('button', { name: 'Copy' }).click();
            await search.getByRole('button', { name: 'Copied' }).waitFor();
            assert.equal(
                await page.evaluate(() => navigator.clipboard.readText()),
                document_.paths['/v1/search'].post['x-codeSamples'][0].source);
        }));

    it('shows text as text', async () => {
        const hostile = structuredClone(document_);
        const evil = '<img src=x onerror="window.evil = 1"><script>' +
            'window.evil = 1</script>';
        const poison = (value) => {
            for (const [key, one] of Object.entries(value))
                if (['description', 'summary', 'source'].includes(key) &&
                    typeof one === 'string') value[key] = `${evil}${one}`;
                else if (one && typeof one === 'object') poison(one);
        };
        poison(hostile);
        const { page, complaints, close } =
            await open(browser, server.origin);
        try {
            await page.route('**/openapi.json', (route) =>
                route.fulfill({ json: hostile }));
            await page.goto(`${server.base}/reference.html`);
            await page.waitForSelector('article');
            assert.equal(await page.evaluate(() => window.evil), undefined);
            assert.equal(await page.locator('main img').count(), 0);
            assert.deepEqual(complaints, []);
        } finally {
            await close();
        }
    });

    it('says so when the description cannot be read', async () => {
        const { page, close } = await open(browser, server.origin);
        try {
            await page.route('**/openapi.json', (route) =>
                route.fulfill({ status: 503, body: 'no' }));
            await page.goto(`${server.base}/reference.html`);
            await page.getByText('could not be read').waitFor();
            assert.match(await page.getByRole('status').textContent(), /503/);
        } finally {
            await close();
        }
    });
});
