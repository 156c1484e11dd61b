// The encoder of sentences: a file that is none of ours is told as what it is
// and nothing else fails; with the published weights, where `make meaning` left
// them, passages get their vectors when they come in.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { PAGES, Site } from './lib/site.js';
import { ROOT } from './lib/world.js';

const built = `${ROOT}/build/meaning/minilm.model`;
const missing = !fs.existsSync(built) &&
    'there is no build/meaning/minilm.model; make meaning writes it';

describe('[meaning] model', () => {
    let site;
    beforeEach(async () => { site = await Site.make({ pages: [] }); });
    afterEach(() => site.close());

    const model = () => `${site.dir}/model`;
    const vectors = () => `${site.data}/index.vectors`;
    const found = async (check) => JSON.parse((await site.cited(
        ['--json', 'doctor', '--offline'])).stdout).findings
        .find((one) => one.check === check);

    it('is told when it cannot be used, and words serve on', async () => {
        site.settings({ 'meaning.model': model() });
        for (const [content, words] of [
            [null, /cannot be opened/], ['', /is empty/],
            ['GGUF and more', /is not a model that make meaning wrote/]]) {
            if (content !== null) fs.writeFileSync(model(), content);
            const one = await found('meaning');
            assert.equal(one.level, 'error');
            assert.match(one.what, words);
            const { code, stderr } = await site.worker(['--vectors']);
            assert.equal(code, 1);
            assert.match(stderr, words);
        }
        await site.add(PAGES.slice(0, 3));
        assert.match(await site.cited_ok(['search', 'Halden lighthouse']),
            /Halden/);
        assert.ok(!fs.existsSync(vectors()));
    });

    it('costs nothing where none is named', async () => {
        await site.add(PAGES.slice(0, 3));
        const { code } = await site.worker(['--vectors']);
        assert.equal(code, 0);
        assert.ok(!fs.existsSync(vectors()));
        assert.equal(await found('meaning'), undefined);
    });

    it('takes the one installed with the programs, unless it is turned off', async () => {
        const lib = `${site.dir}/prefix/lib/cited`;
        fs.mkdirSync(`${site.dir}/prefix/bin`, { recursive: true });
        fs.mkdirSync(lib, { recursive: true });
        fs.copyFileSync(`${site.bin}/cited`, `${site.dir}/prefix/bin/cited`);
        fs.writeFileSync(`${lib}/minilm.model`, '');
        const doctor = () => {
            const { stdout } = spawnSync(`${site.dir}/prefix/bin/cited`,
                ['--json', 'doctor', '--offline'], { env: site.env, encoding: 'utf8' });
            return JSON.parse(stdout).findings.find((one) => one.check === 'meaning');
        };
        assert.equal(doctor().level, 'error');
        assert.match(doctor().what, /lib.cited.minilm.model is empty/);
        if (!missing) {
            fs.copyFileSync(built, `${lib}/minilm.model`);
            assert.equal(doctor().level, 'ok');
        }
        site.settings({ 'meaning.model': '' });
        assert.equal(doctor(), undefined);
    });

    it('finds what is said in other words', { skip: missing }, async () => {
        const asked = 'I no longer know my password, what now?';
        const page = {
            url: 'https://guide.example/entering', title: 'Entering',
            html: '<html lang="en"><head><title>Entering</title></head><body><main>' +
                '<h1>Entering</h1><p>Members enter by the form on the first ' +
                'page.</p><h2>Lost credentials</h2><p>Whoever has forgotten the ' +
                'passphrase presses Recover below the form; a letter with a new ' +
                'one arrives within minutes.</p></main></body></html>',
        };
        await site.add([...PAGES, page]);
        const words = await site.cited(['search', asked]);
        assert.ok(!words.stdout.includes('Recover'), words.stdout);
        site.settings({ 'meaning.model': built });
        assert.equal((await site.worker(['--vectors'])).code, 0);
        assert.match(await site.cited_ok(['search', asked]), /presses Recover/);
        // Filters hold for what is found so, and what is foreign stays so.
        const { code, stdout } = await site.cited(['search', asked,
            '--include', 'lights.example']);
        assert.ok(code !== 0 || !stdout.includes('Recover'));
        assert.notEqual((await site.cited(['search',
            'Which enzyme unwinds the double helix of bacteria?'])).code, 0);
    });

    it('gives passages that come in their vectors', { skip: missing }, async () => {
        fs.copyFileSync(built, model());
        site.settings({ 'meaning.model': model() });
        await site.add(PAGES);
        for (let i = 0; (await found('vectors')).level !== 'ok'; i++) {
            assert.ok(i < 100, 'within 20 s');
            await new Promise((done) => setTimeout(done, 200));
        }
        const one = await found('meaning');
        assert.equal(one.level, 'ok');
        assert.match(one.what, /loads; [\d.]+ ms a question with/);
        // A cut one leaves what is there.
        const size = fs.statSync(vectors()).size;
        fs.truncateSync(model(), 100000);
        assert.match((await found('meaning')).what, /is cut: 100000 of \d+ bytes/);
        assert.equal((await site.worker(['--vectors'])).code, 1);
        assert.equal(fs.statSync(vectors()).size, size);
    });
});
