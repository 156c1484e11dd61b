// The pictures of docs/pictures: the console over PostgreSQL's documentation
// from Debian's package and this product's own, in Debian's chromium.
//
//   node tools/pictures.mjs      after a build and `make check`, which installs
//                                what drives the browser
//
// Called by `make pictures`. Everything made lies in build/pictures.
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { launch, open } from '../tests/e2e/lib/browser.js';

const root = path.resolve(import.meta.dirname, '..');
const work = `${root}/build/pictures`, to = `${root}/docs/pictures`;
const PORT = 18080, origin = `http://127.0.0.1:${PORT}`;
const ANSWERED = 'What does autovacuum do?';
const RESEARCHED = 'How does PostgreSQL keep dead rows from filling the disk?';
const ASKED = ['Why does VACUUM not return space to the operating system?',
    'What is the maximum number of columns in a PostgreSQL table?', ANSWERED];

const cited = (...words) => execFileSync(`${root}/build/cited`,
    ['--data', `${work}/data`, ...words], { cwd: work });

function fill() {
    const manual = fs.readdirSync('/usr/share/doc')
        .find((name) => /^postgresql-doc-\d+$/.test(name));
    if (!manual) throw new Error('the package postgresql-doc is not there');
    fs.rmSync(work, { recursive: true, force: true });
    fs.mkdirSync(work, { recursive: true });
    execFileSync('sh', [`${root}/deploy/lib/stage-docs.sh`, `${work}/docs`]);
    cited('index', 'add', `${work}/docs`, '--base',
        'https://cited.example.org/docs/');
    cited('index', 'add', `/usr/share/doc/${manual}/html`, '--base',
        'https://www.postgresql.org/docs/current/');
}

// The link that signs in, once the service is there.
function serve() {
    const child = spawn(`${root}/build/cited`, ['--data', `${work}/data`,
        'serve', '--port', String(PORT), '--www', `${root}/www`]);
    const link = new Promise((resolve, reject) => {
        let said = '';
        child.stdout.on('data', (some) => {
            said += some;
            const found = /(http\S+#\/open\/\S+)[\s\S]*Serving on/.exec(said);
            if (found) resolve(found[1]);
        });
        child.on('exit', () => reject(new Error('the service ended')));
    });
    return { link, stop: () => child.kill('SIGTERM') };
}

const shot = (page, name) =>
    page.screenshot({ path: `${to}/${name}.png` });

async function on_a_desk(page) {
    for (const question of ASKED) {
        await page.goto(`${origin}/#/ask?q=${encodeURIComponent(question)}`);
        await page.locator('.cite').first().waitFor();
    }
    await page.locator('.cite').last().focus();
    await shot(page, 'answer');
    await page.locator('.cite').first().click();
    await page.getByRole('dialog').locator('mark').first().waitFor();
    await shot(page, 'page');
    await page.keyboard.press('Escape');
    await page.goto(`${origin}/#/research?q=${encodeURIComponent(RESEARCHED)}`);
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('region', { name: 'Report' }).waitFor();
    await shot(page, 'report');
    await page.goto(`${origin}/#/index`);
    await page.getByRole('cell', { name: 'Remove' }).first().waitFor();
    await shot(page, 'index');
}

fill();
const service = serve();
const browser = await launch();
try {
    const desk = await open(browser, origin);
    await desk.page.goto(await service.link);
    await desk.page.getByText('in the index').waitFor();
    await on_a_desk(desk.page);
    const key = fs.readFileSync(`${work}/data/api-key`, 'utf8').trim();
    const phone = await open(browser, origin,
        { size: 'phone', scheme: 'dark' });
    await phone.page.goto(`${origin}/#/sign-in`);
    await phone.page.getByText('Use an API key instead').click();
    await phone.page.getByLabel('API key').fill(key);
    await phone.page.getByRole('button', { name: 'Use this key' }).click();
    await phone.page.getByText('Recent').waitFor();
    await shot(phone.page, 'phone');
} finally {
    await browser.close();
    service.stop();
}
