// What is older than [retention] allows is removed by the helper, once an
// hour, and nothing else.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { PAGES, Site } from './lib/site.js';
import { give } from './lib/world.js';

const DAY = 24 * 3600 * 1000;

describe('retention', () => {
    let site;

    before(async () => {
        site = await Site.make();
        const task = ['research', 'Halden lighthouse', '--effort', 'S'];
        await site.cited_ok(task);
        await site.cited_ok(task);
        for (let i = 0; i < 250; i++)
            await copy_task(i);
    });
    after(() => site.close());

    function sql(name, text, ...values) {
        const db = new DatabaseSync(`${site.data}/${name}`);
        db.exec('PRAGMA foreign_keys = ON');
        const rows = db.prepare(text).all(...values);
        db.close();
        give(site.data);
        return rows;
    }
    // Ended 40 days ago.
    async function copy_task(i) {
        sql('state.db', 'INSERT INTO task(id, account, state, created,' +
            ' updated, input) SELECT ?, account, 2, created, ?, input' +
            ' FROM task LIMIT 1', `00000000-0000-4000-8000-${
            String(i).padStart(12, '0')}`, Date.now() - 40 * DAY);
        sql('state.db', 'UPDATE task_count SET total = total + 1');
    }
    const count = (name, table) =>
        sql(name, `SELECT count(*) AS n FROM ${table}`)[0].n;
    const sweep = async () => {
        const { code, stderr } = await site.worker(['--sweep']);
        assert.equal(code, 0, stderr);
        return stderr;
    };
    const rested = () => fs.rmSync(`${site.data}/retention.stamp`);

    it('keeps everything unless it is told', async () => {
        await sweep();
        assert.equal(count('state.db', 'task'), 252);
        assert.ok(!fs.existsSync(`${site.data}/retention.stamp`));
    });

    it('removes old tasks, and keeps their count right', async () => {
        sql('state.db', 'UPDATE task SET updated = ? WHERE seq = 2',
            Date.now() - 40 * DAY);
        // Its record is still to be sent, for the seventh time, in an hour.
        sql('state.db', 'INSERT INTO callback(task, url, state, tries, due) ' +
            "VALUES(2, 'https://hook.example/', 1, 6, ?)",
        Date.now() + 3600 * 1000);
        assert.ok(count('state.db', 'task_step') > 0);
        site.settings({ 'retention.tasks_days': 30 });
        await sweep();
        assert.deepEqual(sql('state.db', 'SELECT seq FROM task ORDER BY seq')
            .map((row) => row.seq), [1, 2]);
        assert.equal(sql('state.db', 'SELECT total FROM task_count')[0].total,
            2);
        assert.equal(count('index.db', 'page'), PAGES.length);
    });

    it('looks again an hour later, not before', async () => {
        await copy_task(999);
        await sweep();
        assert.equal(count('state.db', 'task'), 3);
        rested();
        await sweep();
        assert.equal(count('state.db', 'task'), 2);
    });

    it('removes old pages from the index', async () => {
        sql('index.db', 'UPDATE page SET fetched = ? WHERE url LIKE ?',
            Date.now() - 8 * DAY, 'https://ships.example/%');
        site.settings({ 'retention.pages_days': 7 });
        rested();
        await sweep();
        const ships = PAGES.filter((page) =>
            page.url.startsWith('https://ships.example/')).length;
        assert.ok(ships > 10);
        assert.equal(count('index.db', 'page'), PAGES.length - ships);
        const told = JSON.parse(await site.cited_ok(
            ['--json', 'search', 'Halden lighthouse', '--results']));
        assert.ok(told.results.length > 0);
        const { code } = await site.cited(['search', 'Aster ferry',
            '--include', 'ships.example']);
        assert.equal(code, 1);
    });
});
