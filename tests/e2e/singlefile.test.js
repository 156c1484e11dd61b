// A page behind a log-in, sent by SingleFile from Debian's chromium to the form
// of POST /v1/pages. The library that the extension is made of comes from npm;
// the extension itself is in no package: SINGLEFILE=FOLDER, where it lies
// unpacked, tries it too, set up as docs/crawling.md says.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { CHROMIUM, launch, no_browser } from './lib/browser.js';
import { Client, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { ROOT, until } from './lib/world.js';

const from_build = createRequire(`${ROOT}/build/package.json`);
const { chromium } = from_build('playwright-core');
const { SINGLEFILE } = process.env;
const no_extension = no_browser || (SINGLEFILE ? false
    : 'SINGLEFILE does not name the folder of the extension');
if (!no_browser && no_extension)
    console.log(`SKIPPED: the extension SingleFile itself: ${no_extension}`);

// A site that shows its page to those who are signed in, and not before a
// script has run.
function members_only() {
    const page = '<!doctype html><title>Secret lamp</title><article>' +
        '<h1>Secret lamp</h1><p id=a></p></article><script>document' +
        '.getElementById("a").textContent = "The secret lamp of Tarnvik ' +
        'burns seal oil, which only its " + "members know."</script>';
    const server = http.createServer((request, response) => {
        if (request.url === '/login')
            response.writeHead(303, { Location: '/page',
                'Set-Cookie': 'in=yes; HttpOnly' }).end();
        else if (!/in=yes/.test(request.headers.cookie ?? ''))
            response.writeHead(403).end('members only');
        else
            response.writeHead(200, { 'Content-Type': 'text/html' }).end(page);
    });
    return new Promise((done) => server.listen(0, '127.0.0.1', () =>
        done(server)));
}

describe('SingleFile', { skip: no_browser }, () => {
    let site, server, me, wiki, at;

    before(async () => {
        site = await Site.make({});
        await site.cited_ok(['account', 'role', 'first@example.org',
            'operator']);
        server = await start('lighttpd', site);
        me = new Client(server.base, site.key);
        wiki = await members_only();
        at = `http://127.0.0.1:${wiki.address().port}`;
    });
    after(async () => {
        wiki?.close();
        await server?.stop();
        await site?.close();
    });

    const stored = () => me.get(
        `/v1/pages?url=${encodeURIComponent(`${at}/page`)}`);
    async function is_there() {
        const page = success(await stored());
        assert.equal(page.title, 'Secret lamp');
        assert.match(page.text, /seal oil, which only its members know\./);
        const { results } = success(await me.search(
            { q: 'secret lamp of Tarnvik seal oil' }));
        assert.equal(results[0].url, `${at}/page`);
        success(await me.call('DELETE',
            `/v1/pages?url=${encodeURIComponent(`${at}/page`)}`));
    }

    it('sends what a member sees, as its library makes it', async () => {
        const { script } = await import(
            from_build.resolve('single-file-cli/lib/single-file-bundle.js'));
        const browser = await launch();
        try {
            const page = await browser.newPage();
            await page.goto(`${at}/login`);
            await page.evaluate(script);
            const content = await page.evaluate(async () => {
                globalThis.singlefile.init({});
                return (await globalThis.singlefile.getPageData({
                    removeHiddenElements: true, blockScripts: true,
                    compressHTML: true, url: location.href })).content;
            });
            const sender = await browser.newPage();
            await sender.goto(`${server.origin}/healthz`);
            const status = await sender.evaluate(async (x) => {
                const form = new FormData();
                form.append('file', new Blob([x.content],
                    { type: 'text/html' }), 'Secret lamp.html');
                form.append('url', x.url);
                return (await fetch(x.to, { method: 'POST', body: form,
                    headers: { Accept: 'application/json',
                        Authorization: `Bearer ${x.key}` } })).status;
            }, { content, url: page.url(), key: site.key,
                to: `${server.base}/v1/pages` });
            assert.equal(status, 200);
        } finally {
            await browser.close();
        }
        await is_there();
    });

    it('sends it itself', { skip: no_extension }, async () => {
        const context = await chromium.launchPersistentContext(
            fs.mkdtempSync(`${site.dir}/profile-`), {
                executablePath: CHROMIUM, headless: false, args: [
                    '--headless=new', `--load-extension=${SINGLEFILE}`,
                    `--disable-extensions-except=${SINGLEFILE}`,
                    ...process.getuid() === 0 ? ['--no-sandbox'] : []] });
        try {
            const worker = context.serviceWorkers()[0] ??
                await context.waitForEvent('serviceworker');
            const options = { saveToRestFormApi: true,
                saveToRestFormApiUrl: `${server.base}/v1/pages`,
                saveToRestFormApiToken: site.key,
                saveToRestFormApiFileFieldName: 'file',
                saveToRestFormApiUrlFieldName: 'url' };
            await until(() => worker.evaluate(async (given) => {
                const name = 'profile___Default_Settings__';
                const { storage } = globalThis.chrome;
                const old = (await storage.local.get(name))[name];
                if (old) await storage.local.set(
                    { [name]: { ...old, ...given } });
                return Boolean(old);
            }, options), 10000, 'the extension has no settings');
            const page = await context.newPage();
            await page.goto(`${at}/login`);
            await page.bringToFront();
            // As a click on its button does.
            await worker.evaluate(async () => {
                const { tabs, action } = globalThis.chrome;
                action.onClicked.dispatch((await tabs.query(
                    { active: true, lastFocusedWindow: true }))[0]);
            });
            await until(async () => (await stored()).status === 200,
                20000, 'the page did not come');
        } finally {
            await context.close();
        }
        await is_there();
    });
});
