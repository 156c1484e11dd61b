// The console in a real browser: the whole story of a person who signs up,
// asks, follows a citation, does research and revokes the key; an operator's
// views; every view under axe, light and dark, on a phone and on a desk.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import http from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import {
    SIZES, axe, launch, no_browser, open, shot, too_wide,
} from './lib/browser.js';
import { Client, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { until } from './lib/world.js';

const PASSWORD = 'correct horse';
const QUESTION = 'How tall is the tower of the Halden lighthouse?';
const COMPARED =
    'Compare the write-ahead journal of Kvist with its rollback journal';
const TASKS = 10000;
// A report with all that reports are written in.
const LAMP = `The lamp is hers. [1] The call returns \\[1\\] of argv[1]. [1]

These are its parts:

- wick
- glass [1]

\`\`\`
for part in lamp:
    print(part[1])  # [1] <b>
\`\`\`

[1]`;

// A site of a few pages, for an operator to crawl.
async function website() {
    const server = http.createServer((rq, rs) => {
        const n = /^\/guide\/(\d*)$/.exec(rq.url)?.[1];
        // Each page leads to another, each after a while.
        const deep = /^\/endless\/(\d*)$/.exec(rq.url)?.[1];
        if (deep !== undefined) return void setTimeout(() => {
            rs.setHeader('Content-Type', 'text/html; charset=utf-8');
            rs.end(`<!doctype html><title>Step ${deep}</title><main><p>Step ${
                deep || 0} of a stair that goes on and on for whoever climbs ` +
                `it.</p><a href="/endless/${Number(deep) + 1}">on</a></main>`);
        }, 200);
        rs.statusCode = n === undefined ? 404 : 200;
        rs.setHeader('Content-Type', 'text/html; charset=utf-8');
        rs.end(n === undefined ? '' : `<!doctype html><title>Guide ${n}</title>
            <main><h1>Guide ${n}</h1><p>The guide to lamp number ${n || 0}
            says when its wick is trimmed and who keeps the green book.</p>${
    n ? '' : [1, 2, 3, 4].map((i) => `<a href="/guide/${i}">${i}</a>`).join('')
}</main>`);
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    return {
        url: `http://127.0.0.1:${server.address().port}`,
        close() { server.closeAllConnections(); server.close(); },
    };
}

const view = (page, name) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

const asked = (page) => page.getByRole('textbox', { name: 'Question' });

// A tab of its own history that is signed in by the link of the command.
async function open_link(page, server, site, email) {
    const link = (await site.cited_ok(['account', 'link', email])).trim();
    await page.goto(server.base + link);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

async function sign_in(page, server, email, hash = '#/ask') {
    await page.goto(`${server.base}/${hash}`);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

async function operator(site, email) {
    await site.cited_ok(['account', 'create', '--operator', email]);
    await site.cited_ok(['account', 'password', email],
        { input: `${PASSWORD}\n` });
}

const saved = async (page, name) => {
    const [file] = await Promise.all([page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click()]);
    return { name: file.suggestedFilename(),
        text: fs.readFileSync(await file.path(), 'utf8') };
};

// Copies of a finished task; only how many there are matters.
function multiply_tasks(site, count) {
    const db = new DatabaseSync(`${site.data}/state.db`);
    const columns = db.prepare('PRAGMA table_info(task)').all()
        .map((one) => one.name).filter((one) => !['id', 'seq'].includes(one));
    db.exec(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
        WHERE i < ${count}) INSERT INTO task (id, ${columns}) SELECT
        printf('00000000-0000-4000-8000-%012d', i), ${columns} FROM n,
        (SELECT * FROM task WHERE state = 2 AND type = 0 LIMIT 1)`);
    db.exec(`UPDATE task_count SET total = total + ${count} WHERE account =
        (SELECT account FROM task WHERE state = 2 AND type = 0
        LIMIT 1)`);
    db.close();
}

// An answer about a task, as if the task were still at work.
async function hold(route) {
    const answer = await route.fetch();
    const events = (await answer.text()).split('event: end')[0];
    await route.fulfill({ response: answer, body: events.replace(
        '"status":"completed"', '"status":"processing"') });
}

// A service with much to tell.
function troubled(route) {
    const at = '2026-05-04T10:00:00.000Z';
    return route.fulfill({ json: {
        providers: [{ name: 'searx', state: 'ok' },
            { name: 'brave', state: 'suspended', reason: 'rate limit',
                until: at }, { name: 'mojeek', state: 'not ready',
                reason: 'its key is not set' }],
        model: { name: 'qwen', state: 'ok' },
        queue: { pending: 3, processing: 2, helpers: 1 },
        errors: [{ at, requestId: '0f0e0d0c0b0a', message:
            'provider brave: 429, tried again in 60 s' }],
        requests: { perMinute: Array.from({ length: 60 }, (_, i) =>
            Math.round(20 + 15 * Math.sin(i / 6))), p50Ms: 38, p95Ms: 412 },
    } });
}

// What the service tells of a task since a step, as events.
function events_of({ steps, ...progress }, last) {
    const event = (name, data, id) => `${id === undefined ? '' : `id: ${id}\n`
    }event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    return ['retry: 500\n\n', ...steps.filter((one) => one.number > last)
        .map((one) => event('step', one, one.number)),
    event('progress', progress), progress.status === 'completed'
        ? event('end', { id: ID, status: 'completed' }) : ''].join('');
}

// A task as a client sees it while it goes on: [record, steps] a poll.
const ID = '0f0e0d0c-0b0a-4908-8706-050403020100';
function course() {
    const at = '2026-05-04T10:00:00.000Z';
    const budget = { rounds: 2, queries: 10, pages: 20, milliseconds: 60000 };
    const steps = [
        { number: 0, type: 'plan', at, durationMs: 20, mode: 'research',
            subQuestions: ['Which lamp?', 'Whose lamp?'] },
        { number: 1, type: 'search', at, durationMs: 900, round: 1,
            subQuestion: 'Which lamp?', query: 'lamp', candidates: 7,
            passagesKept: 3, pages: ['https://lights.example/lamp'],
            failed: null },
        { number: 2, type: 'gap', at, durationMs: 1, round: 1, newPassages: 3,
            open: ['Whose lamp?'], nextQueries: ['lamp owner'], ended: null },
        { number: 3, type: 'write', at, durationMs: 80, sections: 1,
            sentences: 1, sources: 1, notFound: 1 },
    ];
    const record = (status, output = null) => ({ id: ID, type: 'research',
        status, createdAt: at, updatedAt: at, error: null,
        input: { q: 'Whose lamp is it?', outputType: 'sourcedAnswer' },
        output });
    const view = (status, n, queries) => ({ id: ID, status, budget, steps: steps.slice(0, n), spent: { rounds: n ? 1 : 0, queries,
        pages: queries, milliseconds: 100 } });
    return [[record('pending'), view('pending', 0, 0)],
        [record('processing'), view('processing', 2, 4)],
        null, // the service is away
        [record('processing'), view('processing', 3, 8)],
        [record('completed', { answer: LAMP, sources: [{
            name: 'Lamp', url: 'https://lights.example/lamp', snippet:
                'The lamp is hers.', favicon: '' }] }),
        view('completed', 4, 8)]];
}

describe('the console', { skip: no_browser }, () => {
    let site, server, browser, web;

    before(async () => {
        web = await website();
        site = await Site.make({ settings: {
            'accounts.registration': 'open', 'net.allow_hosts': '127.0.0.1',
            'crawl.delay_ms': 0,
        } });
        await operator(site, 'op@example.org');
        server = await start('lighttpd', site);
        browser = await launch();
    });
    after(async () => {
        await browser?.close();
        await server?.stop();
        await site?.close();
        web?.close();
    });

    async function visit(options, what) {
        const { page, complaints, close } =
            await open(browser, server.origin, options);
        try {
            await what(page);
            assert.deepEqual(complaints, []);
        } finally {
            await close();
        }
    }

    it('goes the whole way of a person', () => visit({}, async (page) => {
        await page.goto(server.base);
        await view(page, 'Sign in');
        // Refused in words, at the field.
        await page.getByRole('link', { name: 'Sign up' }).click();
        await view(page, 'Sign up');
        await page.getByLabel('E-mail').fill('ada@example.org');
        await page.getByLabel('Password').fill('short');
        await page.getByRole('button', { name: 'Sign up' }).click();
        await page.getByRole('alert').waitFor();
        assert.equal(await page.getByLabel('Password')
            .getAttribute('aria-invalid'), 'true');
        assert.equal(await page.evaluate(() => document.activeElement.name),
            'password');
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign up' }).click();

        // A key, shown once.
        await view(page, 'Keys');
        await page.getByLabel('Label').fill('laptop');
        await page.getByRole('button', { name: 'Create key' }).click();
        const key = await page.getByLabel('The new key').inputValue();
        assert.match(key, /^ck_/);
        await page.getByRole('button', { name: 'Copy the key' }).click();
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        assert.equal(await page.evaluate(() =>
            navigator.clipboard.readText()), key);
        const client = new Client(server.base, key);
        success(await client.get('/v1/credits/balance'));

        // Ask, and follow a citation into the page.
        await page.getByRole('link', { name: 'Ask' }).click();
        await view(page, 'Ask your pages');
        assert.ok(!(await page.content()).includes(key), 'shown once');
        await page.getByText(/^\d+ pages in the index/).waitFor();
        await asked(page).press('Enter');
        await page.getByText('Type a question first.').waitFor();
        await asked(page).fill(QUESTION);
        await asked(page).press('Enter');
        await view(page, QUESTION);
        const answer = page.getByRole('region', { name: 'Answer' });
        assert.match(await answer.textContent(), /41 metres/);
        const cite = answer.locator('.cite').first();
        const card = page.getByRole('tooltip');
        await cite.hover();
        assert.match(await card.textContent(), /41\s+metres/);
        assert.equal(await page.locator('.source.lit').count(), 1);
        await page.keyboard.press('Escape');
        await card.waitFor({ state: 'hidden' });
        await cite.click();
        const dialog = page.getByRole('dialog');
        const mark = dialog.locator('mark').first();
        await mark.waitFor();
        assert.match(await mark.textContent(), /41\s+metres/);
        // Back closes what is open, and nothing else.
        await page.goBack();
        await dialog.waitFor({ state: 'detached' });
        await view(page, QUESTION);
        await cite.click();
        await mark.waitFor();
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
        await page.mouse.move(0, 0);
        await card.waitFor({ state: 'hidden' });
        await page.getByRole('button', { name: 'Copy as curl' }).click();
        assert.match(await page.evaluate(() => navigator.clipboard.readText()),
            /^curl -s http.*\/v1\/search \\\n.*Bearer \$KEY/);
        await page.getByRole('button', { name: 'Copy JSON' }).click();
        assert.ok(JSON.parse(await page.evaluate(() =>
            navigator.clipboard.readText())).sources.length);

        // Its link shows the same again, also after a reload.
        assert.match(page.url(), /#\/answer\/[\w-]{36}$/);
        await page.getByRole('button', { name: 'Copy link' }).click();
        assert.equal(await page.evaluate(() =>
            navigator.clipboard.readText()), page.url());
        await page.reload();
        await view(page, QUESTION);
        assert.match(await answer.textContent(), /41 metres/);
        await page.getByText(/^Answered /).waitFor();

        // A question that follows, and both among the recent ones.
        await asked(page).fill('Who keeps the lighthouse of Halden?');
        await page.getByRole('button', { name: 'Ask' }).click();
        await page.getByText('Follow-up to:').waitFor();
        await page.getByRole('link', { name: QUESTION }).waitFor();
        await page.getByRole('link', { name: 'Ask', exact: true }).click();
        await view(page, 'Ask your pages');
        await page.getByRole('link', { name: QUESTION }).waitFor();
        await page.getByRole('link', { name: 'All questions' }).click();
        await view(page, 'Questions');
        await page.getByRole('button', { name: `Remove: ${QUESTION}` })
            .click();
        await page.getByRole('button', { name: 'Remove', exact: true }).click();
        await page.getByText(/^1 question\.$/).waitFor();
        await page.goBack();

        // Research, to its end.
        await page.getByRole('link', { name: 'Research' }).click();
        await view(page, 'Research');
        await asked(page).fill(COMPARED);
        await page.getByLabel('Effort').selectOption('S');
        await page.getByRole('button', { name: 'Start' }).click();
        await view(page, COMPARED);
        const report = page.getByRole('region', { name: 'Report' });
        await report.waitFor({ timeout: 90000 });
        assert.match(await report.textContent(), /journal/);
        await page.getByText(/^Took \d/).waitFor();
        await page.getByText('Steps', { exact: true }).click();
        assert.match(await page.getByRole('region', { name: 'Progress' })
            .textContent(), /Breaks the question down.*Searches for.*Writes/s);
        const markdown = await saved(page, 'Markdown');
        assert.match(markdown.name, /^research-[\w-]+\.md$/);
        assert.match(markdown.text, /^# Compare.*## Sources.*<https:/s);
        const html = await saved(page, 'HTML');
        assert.match(html.text, /^<!doctype html>.*<h1>Compare.*<sup><a/s);
        assert.doesNotMatch(html.text, /<script/);
        const json = await saved(page, 'JSON');
        assert.equal(JSON.parse(json.text).status, 'completed');

        // The list, page by page, with very many tasks in it.
        multiply_tasks(site, TASKS - 1);
        await page.getByRole('link', { name: 'All tasks' }).click();
        await page.getByText('Page 1 of 1,000, 10,000 tasks').waitFor();
        await page.getByRole('link', { name: 'Next' }).click();
        await page.getByText('Page 2 of 1,000').waitFor();
        await page.getByRole('link', { name: 'Last' }).click();
        await page.getByText('Page 1,000 of 1,000').waitFor();
        assert.equal(await page.locator('tbody tr').count(), 10);
        await page.getByLabel('Order').selectOption('Oldest first');
        await page.getByText('Page 1 of 1,000').waitFor();
        await page.getByRole('button', { name: /^Remove/ }).first().click();
        await page.getByRole('button', { name: 'Remove', exact: true }).click();
        await page.getByText('9,999 tasks').waitFor();
        await page.getByLabel('State').selectOption('Done');
        await page.getByText('Page 1 of 1,000, 9,999 tasks').waitFor();
        await page.getByLabel('State').selectOption('Failed');
        await page.getByText('No task is in this state.').waitFor();

        // The key, revoked.
        await page.getByRole('link', { name: 'Keys' }).click();
        await page.getByRole('button', { name: 'Revoke laptop' }).click();
        await page.getByRole('button', { name: 'Keep it' }).click();
        await page.getByRole('button', { name: 'Revoke laptop' }).click();
        await page.getByRole('dialog')
            .getByRole('button', { name: 'Revoke' }).click();
        await page.getByRole('cell', { name: /^revoked/ }).waitFor();
        await until(async () =>
            (await client.get('/v1/credits/balance')).status === 401,
        3000, 'the key is refused');
        assert.equal(await page.evaluate(() => localStorage.length), 0);
        assert.equal(await page.evaluate(() => document.cookie), '');
        await page.getByRole('button', { name: 'Sign out' }).click();
        await view(page, 'Sign in');
        assert.equal(await page.evaluate(() => sessionStorage.length), 0);

        // Whoever signs in next finds nothing of it.
        await page.getByLabel('E-mail').fill('op@example.org');
        await page.getByLabel('Password').fill(PASSWORD);
        await page.getByRole('button', { name: 'Sign in' }).click();
        await view(page, 'Ask your pages');
        await page.getByText(/^\d+ pages in the index/).waitFor();
        assert.equal(await asked(page).inputValue(), '');
        assert.equal(await page.getByText('Recent').count(), 0);
    }));

    it('lets an operator crawl a site and remove it', () => visit({},
        async (page) => {
            await sign_in(page, server, 'op@example.org', '#/index');
            await view(page, 'Index');
            await page.getByLabel('Address', { exact: true })
                .fill(`${web.url}/guide/`);
            await page.getByRole('button', { name: 'Crawl', exact: true })
                .click();
            await page.getByRole('cell', { name: /^5 stored/ })
                .waitFor({ timeout: 60000 });
            await page.locator('.state.done').waitFor();
            // A crawl without an end, stopped.
            await page.getByLabel('Address', { exact: true })
                .fill(`${web.url}/endless/`);
            await page.getByRole('button', { name: 'Crawl', exact: true })
                .click();
            await page.getByRole('button', { name: /^Stop: / }).click();
            await page.locator('.state.interrupted').waitFor();
            await page.getByRole('button', { name: /^Crawl again: .*guide/ })
                .click();
            await page.locator('.state.done').nth(1).waitFor();
            // Its pages, one of them opened, one removed.
            await page.getByRole('link', { name: '127.0.0.1' }).last().click();
            await view(page, '127.0.0.1');
            await page.getByRole('button', { name: 'Guide 2', exact: true })
                .click();
            await page.locator('.stored', { hasText: 'lamp number 2' })
                .waitFor();
            await page.keyboard.press('Escape');
            await page.getByRole('button', { name: 'Remove: Guide 2' })
                .click();
            await page.getByRole('button', { name: 'Remove', exact: true })
                .click();
            await page.getByRole('button', { name: 'Guide 2', exact: true })
                .waitFor({ state: 'detached' });
            await page.getByRole('link', { name: 'All sites' }).click();
            await page.getByLabel('Find a site').fill('127.0');
            await page.getByRole('button', { name: 'Remove 127.0.0.1' })
                .click();
            await page.getByRole('button', { name: 'Remove', exact: true })
                .click();
            await page.getByText('No site has this in its name.').waitFor();
            await page.getByLabel('Address', { exact: true })
                .fill('ftp://example.org/');
            await page.getByRole('button', { name: 'Crawl', exact: true })
                .click();
            await page.locator('.field-error').waitFor();
        }));

    it('lets an operator add a page', () => visit({}, async (page) => {
        await sign_in(page, server, 'op@example.org', '#/index');
        await view(page, 'Index');
        const form = page.getByRole('form', { name: 'Add a page' });
        await page.getByRole('button', { name: 'Add page' }).click();
        await form.locator('.field-error').first().waitFor();
        assert.equal(await form.locator('.field-error').count(), 2);
        await page.getByLabel('Address to cite').fill('https://wiki.example/oil');
        await page.getByLabel('File').setInputFiles({ name: 'oil.md',
            mimeType: 'text/markdown', buffer: Buffer.from('# Rape oil\n\n' +
                'Lamps burn rape oil, of which a barrel lasts a month.') });
        await page.getByRole('button', { name: 'Add page' }).click();
        await form.getByRole('link', { name: 'Rape oil' }).waitFor();
        assert.match(await form.textContent(), /is in the index: 1 passage\./);
        await page.getByRole('rowheader', { name: 'wiki.example' }).waitFor();
    }));

    it('works with the keyboard alone', () => visit({}, async (page) => {
        await page.goto(`${server.base}/#/ask`);
        await view(page, 'Sign in');
        await page.keyboard.press('Tab');
        assert.equal(await page.evaluate(() => document.activeElement.id),
            'skip');
        await page.keyboard.press('Enter');
        assert.equal(await page.evaluate(() => document.activeElement.id),
            'content');
        await page.keyboard.press('Tab');
        await page.keyboard.type('op@example.org');
        await page.keyboard.press('Tab');
        await page.keyboard.type(PASSWORD);
        await page.keyboard.press('Enter');
        await view(page, 'Ask your pages');
        // The box has the focus.
        await page.keyboard.type(QUESTION);
        await page.keyboard.press('Enter');
        await page.locator('.cite').first().waitFor();
        // From the question the first citation is one step away.
        await page.keyboard.press('Tab');
        assert.equal(await page.locator('.source.lit').count(), 1);
        await page.getByRole('tooltip').waitFor();
        await page.keyboard.press('Enter');
        await page.getByRole('dialog').locator('mark').first().waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        assert.equal(await page.evaluate(() =>
            document.activeElement.dataset.cite), '1');
    }));

    it('opens signed in with the link of the command, once', () => visit({},
        async (page) => {
            const link = (await site.cited_ok(['account', 'link',
                'op@example.org'])).trim();
            await page.goto(server.base + link);
            await view(page, 'Ask your pages');
            await page.getByText('op@example.org').waitFor();
            assert.ok(!page.url().includes('open'));
            await page.getByRole('button', { name: 'Sign out' }).click();
            await view(page, 'Sign in');
            await page.goto(server.base + link);
            await page.getByText('This link was used already').waitFor();
            await page.goto(`${server.base}/#/nonsense`);
            await view(page, 'No such page');
        }));

    it('takes an API key instead of a sign-in', () => visit({},
        async (page) => {
            await page.goto(`${server.base}/#/sign-in`);
            await page.getByText('Use an API key instead').click();
            await page.getByLabel('API key').fill('ck_wrong');
            await page.getByRole('button', { name: 'Use this key' }).click();
            await page.getByText('This key is not known here.').waitFor();
            await page.getByLabel('API key').fill(site.key);
            await page.getByRole('button', { name: 'Use this key' }).click();
            await view(page, 'Ask your pages');
            await page.getByRole('link', { name: 'Keys' }).click();
            await page.getByText('You use an API key.').waitFor();
        }));

    it('says when the sign-in ended and when nothing was found', () => visit({},
        async (page) => {
            await sign_in(page, server, 'op@example.org');
            await asked(page).fill('zzyzx qwertz plugh');
            await page.getByRole('button', { name: 'Ask' }).click();
            await page.getByText('No page answers this.').waitFor();
            // Where words of it stand somewhere, those places are shown.
            await asked(page).fill('zzyzx visitors');
            await page.getByRole('button', { name: 'Ask' }).click();
            await page.getByRole('region', { name: 'Closest passages' })
                .waitFor();
            await page.getByText('Filters', { exact: true }).click();
            await page.getByLabel('Only these sites').fill('not a domain!');
            await page.getByLabel('From', { exact: true }).fill('2030-01-02');
            await page.getByLabel('To', { exact: true }).fill('2020-01-02');
            await page.getByRole('button', { name: 'Ask' }).click();
            await page.getByRole('alert').waitFor();
            assert.ok(await page.locator('.field-error').count() >= 1);
            assert.doesNotMatch(await page.locator('.field-error').first()
                .textContent(), /includeDomains|fromDate/);
            const token = await page.evaluate(() =>
                sessionStorage.getItem('cited.key'));
            const me = new Client(server.base, token);
            success(await me.call('DELETE', '/v1/sessions'));
            // Every process of the service learns of it within a second.
            await until(async () => {
                const [answer] = await Promise.all([
                    page.waitForResponse(/\/v1\/(keys|tasks)/),
                    page.evaluate(() => {
                        location.hash = location.hash === '#/keys'
                            ? '#/research' : '#/keys';
                    })]);
                return answer.status() === 401;
            }, 5000, 'refused');
            await page.getByText('Please sign in to go on.').waitFor();
            await page.getByLabel('E-mail').fill('op@example.org');
            await page.getByLabel('Password').fill(PASSWORD);
            await page.getByRole('button', { name: 'Sign in' }).click();
            await page.getByRole('heading', { level: 1,
                name: /^(Keys|Research)$/ }).waitFor();
        }));

    it('watches a task step by step', () => visit({}, async (page) => {
        let at = 0;
        const now = course();
        await page.route(`**/v1/research/${ID}**`, (route) => {
            if (now[at] === null)
                return route.fulfill({ status: 503, json: { statusCode: 503,
                    error: { code: 'SERVICE_UNAVAILABLE', details: [],
                        message: 'It is away.' } } });
            const [record, view] = now[at];
            const rq = route.request();
            return route.fulfill(rq.url().endsWith('/events')
                ? { contentType: 'text/event-stream', body: events_of(view,
                    Number(rq.headers()['last-event-id'] ?? -1)) }
                : { json: record });
        });
        await sign_in(page, server, 'op@example.org', `#/research/${ID}`);
        const bar = page.getByRole('progressbar');
        await page.getByText('So far: round 0 of 2, 0 of 10 queries').waitFor();
        assert.equal(await bar.getAttribute('value'), '0');
        at = 1;
        await page.getByText('So far: round 1 of 2, 4 of 10 queries').waitFor();
        assert.equal(await bar.evaluate((one) => one.value), 40);
        await page.locator('#said', { hasText:
            'Searches for lamp 900 ms; 40 percent' }).waitFor();
        await page.getByText('1 page read').click();
        at = 2;
        await page.getByText('It is away.').waitFor();
        at = 3;
        await page.getByText('Still open:').waitFor();
        await page.getByRole('link', { name: 'https://lights.example/lamp' })
            .waitFor();
        assert.equal(await page.getByText('It is away.').count(), 0);
        assert.equal(await bar.evaluate((one) => one.value), 80);
        at = 4;
        await page.getByRole('region', { name: 'Report' }).waitFor();
        await page.locator('#said', { hasText: 'The report is ready.' })
            .waitFor();
        const report = page.getByRole('region', { name: 'Report' });
        const texts = (what) => report.locator(what).evaluateAll((all) =>
            all.map((one) => {
                const copy = one.cloneNode(true);
                for (const cite of copy.querySelectorAll('.cite'))
                    cite.replaceWith(`[${cite.dataset.cite}]`);
                return copy.textContent;
            }));
        assert.deepEqual(await texts('p'), [
            'The lamp is hers. [1] The call returns [1] of argv[1]. [1]',
            'These are its parts:', '[1]']);
        assert.deepEqual(await texts('li'), ['wick', 'glass [1]']);
        assert.deepEqual(await texts('pre'),
            ['for part in lamp:\n    print(part[1])  # [1] <b>']);
        assert.equal(await report.locator('.cite').count(), 4);
    }));

    it('puts filters, priority and a schema into the request', () => visit({},
        async (page) => {
            await sign_in(page, server, 'op@example.org');
            await asked(page).fill(QUESTION);
            await page.getByText('Filters', { exact: true }).click();
            await page.getByLabel('Only these sites')
                .fill('lights.example\ntravel.example');
            await page.getByLabel('Prefer these sites')
                .fill('lights.example');
            await page.getByLabel('From', { exact: true }).fill('2001-02-03');
            await page.getByRole('radio', { name: 'Data' }).check();
            const schema = { type: 'object', properties: {
                height: { type: 'string' } } };
            await page.getByLabel('JSON Schema').fill(JSON.stringify(schema));
            const [sent] = await Promise.all([
                page.waitForRequest('**/v1/search'),
                page.getByRole('button', { name: 'Ask' }).click()]);
            const { q, ...rest } = sent.postDataJSON();
            assert.equal(q, '<guidance><priority>\n- lights.example\n' +
                `</priority></guidance>\n${QUESTION}`);
            assert.deepEqual(rest, {
                depth: 'standard', outputType: 'structured',
                structuredOutputSchema: JSON.stringify(schema),
                includeDomains: ['lights.example', 'travel.example'],
                fromDate: '2001-02-03', includeSources: true, store: true,
            });
            await page.goto(`${server.base}/#/ask`);
            await view(page, 'Ask your pages');
            await asked(page).fill(QUESTION);
            await page.getByRole('radio', { name: 'Passages' }).check();
            await page.getByRole('button', { name: 'Ask' }).click();
            await page.getByRole('heading', { name: /passages?$/ }).waitFor();
        }));

    // Every view, filled, in all four looks.
    const VIEWS = {
        'sign-in': (page) => page.getByLabel('E-mail').waitFor(),
        'sign-up': (page) => page.getByLabel('E-mail').waitFor(),
        'keys': async (page) => {
            await page.getByLabel('Label').fill('the library’s catalogue');
            await page.getByRole('button', { name: 'Create key' }).click();
            await page.getByLabel('The new key').waitFor();
            await page.locator('tbody tr').first().waitFor();
        },
        'ask': (page) => page.getByText(/pages in the index/).waitFor(),
        'answer': async (page) => {
            await page.goto(`${page.url().replace(/#.*/, '')}#/ask?${
                new URLSearchParams({ q: QUESTION })}`);
            await page.locator('.cite').first().hover();
            await page.getByRole('tooltip').waitFor();
        },
        'history': (page) => page.locator('tbody tr').first().waitFor(),
        'index/www.travel.example': (page) =>
            page.locator('tbody tr').first().waitFor(),
        'research': (page) => page.locator('tbody tr').first().waitFor(),
        'index': (page) => page.locator('tbody tr').nth(3).waitFor(),
        'status': (page) => page.locator('.notice').waitFor(),
    };
    for (const scheme of ['light', 'dark']) for (const size of
        Object.keys(SIZES))
        it(`is accessible in every view: ${scheme}, ${size}`, () =>
            visit({ scheme, size }, async (page) => {
                const look = async (name, full = true) => {
                    assert.deepEqual(await axe(page), [], name);
                    assert.ok(await too_wide(page) <= 0, `${name} is too wide`);
                    await shot(page, `console-${name.replace(/\W/g, '-')}-${
                        size}-${scheme}`, full);
                };
                const go = async (name) => {
                    if (name !== 'answer')
                        await page.goto(`${server.base}/#/${name}`);
                    await VIEWS[name](page);
                    await look(name);
                };
                await go('sign-in');
                await go('sign-up');
                await sign_in(page, server, 'op@example.org');
                for (const name of ['keys', 'ask', 'index', 'status',
                    'index/www.travel.example', 'answer'])
                    await go(name);
                await page.getByRole('button', { name: /^View in page/ })
                    .first().click();
                await page.getByRole('dialog').locator('mark').first()
                    .waitFor();
                await look('passage', false);
                await page.keyboard.press('Escape');
                await page.waitForFunction(() => !history.state?.dialog);
                await go('history');
                await page.goto(`${server.base}/#/ask?q=zzyzx+visitors`);
                await page.getByText('No page answers this.').waitFor();
                await look('nothing');
                await page.goto(`${server.base}/#/nonsense`);
                await view(page, 'No such page');
                await look('nowhere');
                await page.goto(`${server.base}/#/research`);
                await asked(page).fill(COMPARED);
                await page.getByLabel('Effort').selectOption('S');
                // Held at work, to be looked at.
                const task = '**/v1/research/*/events';
                await page.route(task, hold);
                await page.getByRole('button', { name: 'Start' }).click();
                await page.locator('.step').nth(3).waitFor();
                await look('task-working');
                await page.unrouteAll({ behavior: 'ignoreErrors' });
                await page.getByRole('region', { name: 'Report' })
                    .waitFor({ timeout: 90000 });
                await page.getByText('Steps', { exact: true }).click();
                await look('task');
                await go('research');
                await page.getByRole('button', { name: /^Remove/ }).first()
                    .click();
                await look('confirm', false);
                await page.keyboard.press('Escape');
                await page.route('**/v1/status', troubled);
                await page.goto(`${server.base}/#/status`);
                await page.getByText('rate limit').waitFor();
                await look('status-troubled');
                await page.unrouteAll({ behavior: 'ignoreErrors' });
                await page.setViewportSize({ width: 320, height: 640 });
                for (const name of ['keys', 'ask', 'research', 'index',
                    'history', 'status']) {
                    await page.goto(`${server.base}/#/${name}`);
                    await page.locator('h1').waitFor();
                    await page.locator('tbody tr, .recent, .notice').first()
                        .waitFor();
                    assert.ok(await too_wide(page) <= 0, `${name} at 320`);
                }
            }));
});
