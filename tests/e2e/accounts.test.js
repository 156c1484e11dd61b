// Accounts, sign-ins, keys and roles over the API, through real servers.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, failure, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { until } from './lib/world.js';

const PASSWORD = 'correct horse';

async function with_service(kind, settings, use) {
    const site = await Site.make({ settings });
    let server;
    try {
        server = await start(kind, site);
        await use(server, site, new Client(server.base, null));
    } finally {
        await server?.stop();
        await site.close();
    }
}

for (const kind of ['lighttpd', 'apache', 'cgi'])
    describe(`accounts behind ${kind}`, () => {
        let site, server, nobody, me, token;

        before(async () => {
            site = await Site.make({
                settings: { 'accounts.registration': 'open' },
            });
            server = await start(kind, site);
            nobody = new Client(server.base, null);
        });
        after(async () => {
            await server?.stop();
            await site?.close();
        });

        it('registers, signs in and says who it is', async () => {
            const made = success(await nobody.post('/v1/accounts',
                { email: 'Ada@Example.org', password: PASSWORD }));
            assert.deepEqual(Object.keys(made), ['email', 'role', 'createdAt']);
            assert.equal(made.email, 'ada@example.org');
            assert.equal(made.role, 'user');
            const session = success(await nobody.post('/v1/sessions',
                { email: 'ada@example.org', password: PASSWORD }));
            token = session.token;
            assert.match(token, /^cs_[\w-]{43}$/);
            const left = Date.parse(session.expiresAt) - Date.now();
            assert.ok(left > 3500e3 && left <= 3600e3, session.expiresAt);
            me = new Client(server.base, token);
            const who = success(await me.get('/v1/sessions'));
            assert.deepEqual(who, {
                email: 'ada@example.org', role: 'user',
                expiresAt: session.expiresAt,
            });
        });

        it('tells a taken address by its field', async () => {
            const error = failure(await nobody.post('/v1/accounts',
                { email: 'ADA@example.org', password: PASSWORD }),
            400, 'VALIDATION_ERROR');
            assert.deepEqual(error.details.map((one) => one.field), ['email']);
        });

        it('searches with the token as with a key', async () => {
            success(await me.search({ q: 'Halden lighthouse' }));
        });

        it('makes a key, shows its use, revokes it', async () => {
            const key = success(await me.post('/v1/keys', { label: 'laptop' }));
            assert.match(key.key, /^ck_[\w-]{43}$/);
            const client = new Client(server.base, key.key);
            for (let i = 0; i < 3; i++)
                success(await client.get('/v1/credits/balance'));
            const listed = success(await me.get('/v1/keys')).data;
            assert.equal(listed.length, 1);
            assert.equal(listed[0].id, key.id);
            assert.equal(listed[0].label, 'laptop');
            assert.equal(listed[0].requests, 3);
            assert.equal(listed[0].revokedAt, null);
            failure(await client.get('/v1/keys'), 403, 'FORBIDDEN');
            failure(await client.post('/v1/keys', {}), 403, 'FORBIDDEN');
            const gone = success(await me.call('DELETE', `/v1/keys/${key.id}`));
            assert.equal(gone.id, key.id);
            failure(await me.call('DELETE', `/v1/keys/${key.id}`),
                404, 'NOT_FOUND');
            await until(async () =>
                (await client.get('/v1/credits/balance')).status === 401,
            3000, 'the key is refused');
        });

        it('signs out', async () => {
            assert.deepEqual(success(await me.call('DELETE', '/v1/sessions')),
                {});
            await until(async () =>
                (await me.get('/v1/sessions')).status === 401,
            3000, 'the token is refused');
        });

        it('holds up guesses', async () => {
            const guess = { email: 'eve@example.org', password: 'guess guess' };
            for (let i = 0; i < 5; i++) {
                const res = await nobody.post('/v1/sessions', guess);
                failure(res, 401, 'UNAUTHORIZED');
            }
            const res = await nobody.post('/v1/sessions', guess);
            failure(res, 429, 'TOO_MANY_REQUESTS');
            assert.ok(Number(res.headers['retry-after']) >= 1);
        });
    });

describe('accounts of the operator', () => {
    it('are made, given passwords and roles by the command', async () =>
        with_service('lighttpd', {}, async (server, site, nobody) => {
            failure(await nobody.post('/v1/accounts',
                { email: 'a@example.org', password: PASSWORD }),
            403, 'FORBIDDEN');
            await site.cited_ok(['account', 'create', '--operator',
                'op@example.org']);
            await site.cited_ok(['account', 'password', 'op@example.org'],
                { input: `${PASSWORD}\n` });
            const session = success(await nobody.post('/v1/sessions',
                { email: 'op@example.org', password: PASSWORD }));
            assert.equal(session.role, 'operator');
            await site.cited_ok(['account', 'role', 'op@example.org', 'user']);
            const me = new Client(server.base, session.token);
            await until(async () =>
                success(await me.get('/v1/sessions')).role === 'user',
            3000, 'the role is gone');
            const short = await site.cited(
                ['account', 'password', 'op@example.org'], { input: 'x\n' });
            assert.equal(short.code, 1);
            assert.match(short.stderr, /at least 8 characters/);
            const wrong = await site.cited(
                ['account', 'role', 'op@example.org', 'king']);
            assert.equal(wrong.code, 2);
            await site.cited_ok(['account', 'password', 'op@example.org'],
                { input: 'another horse' });
            await until(async () =>
                (await me.get('/v1/sessions')).status === 401,
            3000, 'a new password ends the sign-ins');
            const [account] = JSON.parse(await site.cited_ok(
                ['account', 'list', '--json'])).slice(-1);
            assert.equal(account.role, 'user');
            assert.equal(account.password, true);
        }));

    it('hand out a code', async () => with_service('lighttpd', {
        'accounts.registration': 'code', 'accounts.code': 'sesame',
    }, async (server, site, nobody) => {
        const wish = { email: 'a@example.org', password: PASSWORD };
        failure(await nobody.post('/v1/accounts', wish), 400,
            'VALIDATION_ERROR');
        failure(await nobody.post('/v1/accounts', { ...wish, code: 'x' }), 403,
            'FORBIDDEN');
        success(await nobody.post('/v1/accounts',
            { ...wish, code: 'sesame' }));
    }));
});
