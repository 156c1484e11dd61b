// Debian's chromium, driven by playwright-core: a page that reports whatever a
// reader or an auditor would hold against it.
import { createRequire } from 'node:module';
import fs from 'node:fs';
import { ROOT } from './world.js';

const from_build = createRequire(`${ROOT}/build/package.json`);
const { chromium } = from_build('playwright-core');
const AXE = from_build.resolve('axe-core/axe.min.js');
export const SHOTS = `${ROOT}/build/screenshots`;

export const CHROMIUM = '/usr/bin/chromium';

// false, or why tests of pages are skipped; said aloud, for nothing of the
// pages is tested then.
export const no_browser = fs.existsSync(CHROMIUM) ? false
    : `${CHROMIUM} is not there: install the package chromium`;
if (no_browser) console.log(`SKIPPED: the pages of www/: ${no_browser}`);

export const SIZES = {
    desktop: { width: 1280, height: 900 },
    phone: { width: 390, height: 844 },
};

export function launch() {
    return chromium.launch({
        executablePath: CHROMIUM,
        // The sandbox does not start for root.
        args: process.getuid() === 0 ? ['--no-sandbox'] : [],
    });
}

// { page, complaints, close }: complaints gathers errors of the console and of
// scripts, broken rules of the content security policy, and requests that
// leave the origin.
export async function open(browser, origin,
    { size = 'desktop', scheme = 'light' } = {}) {
    const context = await browser.newContext({
        viewport: SIZES[size], colorScheme: scheme, reducedMotion: 'reduce',
        permissions: ['clipboard-read', 'clipboard-write'],
    });
    const page = await context.newPage();
    const complaints = [];
    page.on('console', (message) => {
        // A status of 4xx that the page shows is no fault of the page.
        if (message.type() === 'error' &&
            !/Failed to load resource/.test(message.text()))
            complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
        const url = new URL(request.url());
        if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== origin)
            complaints.push(`leaves the origin: ${url}`);
    });
    await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) =>
            console.error(`policy: ${event.violatedDirective} ` +
                event.blockedURI));
    });
    // What a test answers in the service's place may still be on its way.
    const close = async () => {
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await context.close();
    };
    return { page, complaints, close };
}

// What axe finds, one line each. It runs in the page's own world, where the
// content security policy does not hold for it.
export async function axe(page) {
    await page.evaluate(fs.readFileSync(AXE, 'utf8'));
    const { violations } = await page.evaluate(() => window.axe.run());
    return violations.flatMap((one) => one.nodes.map((node) =>
        `${one.id}: ${node.target} (${node.failureSummary})`));
}

// Something wider than the window makes a phone scroll sideways.
export function too_wide(page) {
    return page.evaluate(() => document.documentElement.scrollWidth -
        document.documentElement.clientWidth);
}

// full: the whole page, not only what the window shows.
export async function shot(page, name, full = false) {
    fs.mkdirSync(SHOTS, { recursive: true });
    await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: full });
}
