// `cited backup` and `cited restore`: a copy made while tasks and pages are
// being written is whole and goes back; what is in use, there already, or no
// backup is refused.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { Client, success } from './lib/http.js';
import { start } from './lib/server.js';
import { PAGES, Site } from './lib/site.js';
import { run } from './lib/world.js';

describe('backup and restore', () => {
    let site, copy;
    const to = (name) => `${site.dir}/${name}`;
    const restore = (dir, data, ...more) => run([`${site.bin}/cited`, '--data',
        data, '--json', 'restore', dir, ...more],
    { cwd: site.dir, env: site.env });
    const pages = (data) => {
        const db = new DatabaseSync(`${data}/index.db`, { readOnly: true });
        const { n } = db.prepare('SELECT count(*) AS n FROM page').get();
        db.close();
        return n;
    };

    before(async () => {
        site = await Site.make();
        copy = to('copy');
    });
    after(() => site.close());

    it('copies while the service answers and pages are written', async () => {
        const server = await start('lighttpd', site);
        const me = new Client(server.base, site.key);
        let busy = true, asked = 0, added = 0;
        const asking = (async () => {
            while (busy) {
                success(await me.search({ q: 'Halden lighthouse' }));
                asked++;
            }
        })();
        const adding = (async () => {
            while (busy)
                await site.add([{ url: `https://new.example/${added++}`,
                    title: 'New', text: 'A new page about a new thing.' }]);
        })();
        try {
            for (let i = 0; i < 5; i++) {
                const told = JSON.parse(await site.cited_ok(
                    ['--json', 'backup', to(`busy-${i}`)]));
                assert.equal(told.files.length, 2);
                assert.deepEqual(fs.readdirSync(to(`busy-${i}`)).sort(),
                    ['index.db', 'state.db']);
                assert.equal(fs.statSync(to(`busy-${i}/state.db`)).mode & 0o777,
                    0o600);
                assert.ok(!fs.existsSync(to(`busy-${i}.part`)));
            }
        } finally {
            busy = false;
            await Promise.all([asking, adding]);
            await server.stop();
        }
        assert.ok(asked > 5 && added > 3, `${asked} asked, ${added} added`);
        // Later copies hold no less than earlier ones.
        const counts = [0, 1, 2, 3, 4].map((i) => pages(to(`busy-${i}`)));
        assert.deepEqual(counts, counts.toSorted((a, b) => a - b));
        assert.ok(counts[0] >= PAGES.length);
    });

    it('brings everything back', async () => {
        await site.cited_ok(['backup', copy]);
        const other = to('other');
        const { code, stderr } = await restore(copy, other);
        assert.equal(code, 0, stderr);
        assert.equal(fs.statSync(other).mode & 0o777, 0o700);
        assert.equal(pages(other), pages(site.data));
        const was = site.data;
        site.data = other;
        site.settings({});
        const server = await start('lighttpd', site);
        try {
            const me = new Client(server.base, site.key);
            const { answer } = success(await me.search({
                q: 'When was the Halden lighthouse built?',
                outputType: 'sourcedAnswer' }));
            assert.match(answer, /1874/);
            // A service that runs is not pulled from under.
            const { code, stderr } = await restore(copy, other, '--force');
            assert.equal(code, 1);
            assert.match(stderr, /in use by process \d+; stop the service/);
        } finally {
            await server.stop();
            site.data = was;
            site.settings({});
        }
    });

    it('does not replace what is there unless told to', async () => {
        const before = pages(site.data);
        await site.add([{ url: 'https://later.example/', title: 'Later',
            text: 'This page came later than the copy.' }]);
        let done = await restore(copy, site.data);
        assert.equal(done.code, 1);
        assert.match(done.stderr, /exists; --force replaces it/);
        assert.equal(pages(site.data), before + 1);
        done = await restore(copy, site.data, '--force');
        assert.equal(done.code, 0, done.stderr);
        assert.equal(pages(site.data), before);
        assert.deepEqual(fs.readdirSync(site.data).filter((name) =>
            name.includes('.new')), []);
    });

    it('refuses what is no backup, and a damaged one', async () => {
        fs.mkdirSync(to('empty'));
        let done = await restore(to('empty'), to('nowhere'));
        assert.equal(done.code, 1);
        assert.equal(JSON.parse(done.stdout).error.code, 'not_found');
        assert.ok(!fs.existsSync(to('nowhere')));
        fs.cpSync(copy, to('bad'), { recursive: true });
        const fd = fs.openSync(to('bad/index.db'), 'r+');
        fs.writeSync(fd, Buffer.alloc(40960, 0x5a), 0, 40960, 4096 * 3);
        fs.closeSync(fd);
        await run(['chmod', '-R', 'a+rwX', to('bad')],
            { cwd: site.dir, env: site.env });
        done = await restore(to('bad'), to('nowhere'));
        assert.equal(done.code, 1);
        assert.match(done.stderr, /no sound backup/);
        assert.ok(!fs.existsSync(to('nowhere')));
    });

    it('refuses a folder that exists, and tells what it cannot read',
        async () => {
            let done = await site.cited(['backup', copy]);
            assert.equal(done.code, 1);
            assert.match(done.stderr, /exists; a backup goes into a new/);
            done = await run([`${site.bin}/cited`, '--data', to('none'),
                'backup', to('x')], { cwd: site.dir, env: site.env });
            assert.equal(done.code, 1);
            assert.match(done.stderr, /No such file/);
            assert.ok(!fs.existsSync(to('none')) && !fs.existsSync(to('x')));
        });

    it('takes over what an interrupted one left', async () => {
        fs.mkdirSync(to('again.part'), { mode: 0o777 });
        fs.writeFileSync(to('again.part/state.db'), 'half');
        await run(['true'], { cwd: site.dir, env: site.env });
        fs.chmodSync(to('again.part'), 0o777);
        await site.cited_ok(['backup', to('again')]);
        assert.ok(!fs.existsSync(to('again.part')));
        assert.equal(pages(to('again')), pages(site.data));
    });
});
