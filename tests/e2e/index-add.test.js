// `cited index add`: files, folders and JSON lines, parsed ahead on threads and
// put in the order they stand, with what cannot be read told by file and line.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, describe, it } from 'node:test';
import {
    copy_programs, environment, give, make_folder, remove_folder, run,
    sanitizer_reports,
} from './lib/world.js';

const folder = make_folder();
copy_programs(folder);
give(folder);

after(() => {
    assert.equal(sanitizer_reports(folder), '');
    remove_folder(folder);
});

const cited = (data, args, input) => run(
    [`${folder}/cited`, '--data', `${folder}/${data}`, '--quiet', '--json', ...args],
    { cwd: folder, env: environment(folder), input });

async function pages(data) {
    const r = await cited(data, ['index', 'list']);
    assert.equal(r.code, 0, r.stderr);
    return JSON.parse(r.stdout);
}

const prose = (i) => `The lighthouse number ${i} was built by the harbour board ` +
    `in the year ${1700 + i} and stands on the northern side of the bay. `;
const line = (i, words = 1) => JSON.stringify({
    url: `https://lights.example.org/${i}`, title: `Lighthouse ${i}`,
    text: prose(i).repeat(words) });

describe('a folder', () => {
    it('is put in the order of its names, whatever takes long', async () => {
        const from = `${folder}/mixed`;
        fs.mkdirSync(`${from}/deep`, { recursive: true });
        const names = [];
        for (let i = 0; i < 60; i++) {
            const name = `${String(i).padStart(2, '0')}.${['html', 'md', 'txt'][i % 3]}`;
            const text = prose(i).repeat(i % 7 === 0 ? 400 : 2);
            fs.writeFileSync(`${from}/${name}`, i % 3 === 0
                ? `<title>Light ${i}</title><p>${text}</p>` : `${text}\n`);
            names.push(name);
        }
        fs.writeFileSync(`${from}/deep/one.txt`, prose(99));
        fs.writeFileSync(`${from}/picture.png`, 'x');
        /* What Sphinx made pages of is no page beside them. */
        for (const left of ['_sources', '.git']) {
            fs.mkdirSync(`${from}/${left}`);
            fs.writeFileSync(`${from}/${left}/one.rst.txt`, prose(98));
        }
        const r = await cited('a', ['index', 'add', from, '--base',
            'https://lights.example.org/']);
        assert.equal(r.code, 0, r.stderr);
        const told = JSON.parse(r.stdout);
        assert.deepEqual([told.added, told.skipped, told.failed], [61, 1, 0]);
        assert.deepEqual((await pages('a')).map((p) => p.url),
            [...names, 'deep/one.txt'].map((n) => `https://lights.example.org/${n}`));
    });
});

describe('JSON lines', () => {
    it('that cannot be read are told by their number, in order; the rest is put',
        async () => {
            const lines = [];
            for (let i = 1; i <= 80; i++)
                lines.push(i % 10 === 3 ? '{"url":' : i % 10 === 6 ? '[1]'
                    : i % 10 === 8 ? JSON.stringify({ url: 'no address', text: 'x' })
                        : line(i, i % 9 === 0 ? 500 : 2));
            lines.splice(40, 0, '', '   ');
            const r = await cited('b', ['index', 'add', '-', '--type', 'jsonl'],
                lines.join('\n'));
            assert.equal(r.code, 1);
            const told = JSON.parse(r.stdout);
            assert.deepEqual([told.added, told.failed], [56, 24]);
            const at = told.errors.map((e) => e.line);
            assert.deepEqual(at, lines.map((_, i) => i + 1).filter((n) => {
                const i = n > 42 ? n - 2 : n;
                return n !== 41 && n !== 42 && [3, 6, 8].includes(i % 10);
            }));
            assert.match(told.errors[1].message, /not a JSON object/);
            const ids = (await pages('b')).map((p) => Number(p.url.split('/').at(-1)));
            assert.deepEqual(ids, [...ids].sort((a, b) => a - b));
            assert.equal(ids.length, 56);
        });

    it('that replace each other: the last one stands', async () => {
        const lines = [];
        for (let i = 0; i < 50; i++)
            lines.push(JSON.stringify({ url: 'https://lights.example.org/same',
                title: `Version ${i}`, text: prose(i).repeat(i % 5 === 0 ? 300 : 1) }));
        const r = await cited('c', ['index', 'add', '-', '--type', 'jsonl'],
            lines.join('\n'));
        assert.equal(r.code, 0, r.stderr);
        assert.deepEqual((await pages('c')).map((p) => p.title), ['Version 49']);
    });
});

describe('files', () => {
    it('larger together than what is read ahead are all put', async () => {
        const from = `${folder}/large`;
        fs.mkdirSync(from);
        for (let i = 0; i < 6; i++)
            fs.writeFileSync(`${from}/${i}.txt`, prose(i).repeat(24000));
        const r = await cited('d', ['index', 'add', from, '--base',
            'https://lights.example.org/']);
        assert.equal(r.code, 0, r.stderr);
        assert.equal((await pages('d')).length, 6);
    });

    it('without an address, unknown or missing ones are told in their order',
        async () => {
            const from = `${folder}/bad`;
            fs.mkdirSync(from);
            fs.writeFileSync(`${from}/1.html`, `<p>${prose(1)}</p>`);
            fs.writeFileSync(`${from}/2.html`,
                `<link rel=canonical href="https://lights.example.org/2"><p>${prose(2)}</p>`);
            const r = await cited('e', ['index', 'add', `${from}/1.html`,
                `${from}/none.html`, `${from}/2.html`]);
            assert.equal(r.code, 1);
            const told = JSON.parse(r.stdout);
            assert.equal(told.added, 1);
            assert.deepEqual(told.errors.map((e) => e.file),
                [`${from}/1.html`, `${from}/none.html`]);
            assert.match(told.errors[0].message, /no address to be cited by/);
        });
});
