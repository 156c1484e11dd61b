// Wrong input never gets in: every row of tests/support/bad_requests.json,
// sent byte by byte, gives exactly the status, code and field it names.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { failure, request, success, Client } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { ROOT } from './lib/world.js';

const ROWS = JSON.parse(fs.readFileSync(
    `${ROOT}/tests/support/bad_requests.json`, 'utf8'));

// What a web server refuses itself, before we see it, may have its own
// status; it is still an error in the one envelope.
function refused_before_us(row) {
    try {
        return /[\0-\x20\x7f]/.test(decodeURIComponent(row.path));
    } catch {
        return true; // broken escapes, broken UTF-8
    }
}

it('has at least 120 rows with different names', () => {
    assert.ok(ROWS.length >= 120, String(ROWS.length));
    assert.equal(new Set(ROWS.map((row) => row.name)).size, ROWS.length);
});

for (const kind of ['lighttpd', 'apache'])
    describe(`bad requests behind ${kind}`, () => {
        let site, server;

        before(async () => {
            site = await Site.make({ www: false });
            await site.cited_ok(['account', 'role', 'first@example.org',
                'operator']);
            server = await start(kind, site);
        });
        after(async () => {
            await server?.stop();
            await site?.close();
        });

        for (const row of ROWS) it(row.name, async () => {
            const headers = {
                'Authorization': `Bearer ${site.key}`,
                'Content-Type': 'application/json',
                ...row.headers,
            };
            const body = row.bodyBase64 !== undefined
                ? Buffer.from(row.bodyBase64, 'base64')
                : row.body === undefined || row.body === null ? undefined
                    : typeof row.body === 'string' ? row.body
                        : JSON.stringify(row.body);
            const method = row.method ?? 'POST';
            const res = await request(server.base + row.path, {
                method, headers,
                body: body ?? (method === 'POST' ? '' : undefined),
            });
            if (refused_before_us(row)) {
                failure(res, [400, 404, row.status]);
                return;
            }
            const error = failure(res, row.status, row.code);
            for (const field of row.fields ?? (row.field ? [row.field] : []))
                assert.ok(error.details.some((one) => one.field === field),
                    `field ${field}: ${JSON.stringify(error.details)}`);
        });

        it('made no task and still serves', async () => {
            const me = new Client(server.base, site.key);
            const list = success(await me.get('/v1/research'));
            assert.equal(list.metadata.total, 0);
            success(await me.search({ q: 'Halden lighthouse' }));
        });
    });
