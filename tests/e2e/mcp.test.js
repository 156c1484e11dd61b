// The Model Context Protocol: the official client package against POST /mcp
// behind real web servers, and the MCP server package that is built on the
// official JavaScript client, unmodified, against our base URL.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { Client as Http, failure, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { ROOT, until } from './lib/world.js';

const from_build = createRequire(`${ROOT}/build/package.json`);
const sdk = (name) => from_build(`@modelcontextprotocol/sdk/${name}.js`);
const { Client } = sdk('client/index');
const { StreamableHTTPClientTransport } = sdk('client/streamableHttp');
const { StdioClientTransport } = sdk('client/stdio');
const types = sdk('types');

const QUESTION = 'How tall is the tower of the Halden lighthouse?';

async function connect(server, key, origin) {
    const client = new Client({ name: 'cited-e2e', version: '1' });
    const headers = {
        ...key && { Authorization: `Bearer ${key}` },
        ...origin && { Origin: origin },
    };
    const transport = new StreamableHTTPClientTransport(
        new URL(`${server.base}/mcp`), { requestInit: { headers } });
    await client.connect(transport);
    return { client, transport };
}

const call = (client, name, args) =>
    client.callTool({ name, arguments: args });
const text_of = (result) => result.content.map((part) => part.text).join('');

for (const kind of ['lighttpd', 'lighttpd-prefix', 'apache', 'nginx'])
    describe(`the MCP client behind ${kind}`, () => {
        let site, server, client, transport;
        before(async () => {
            site = await Site.make({
                settings: { 'server.cors_origins': 'https://ui.example' },
            });
            server = await start(kind, site);
            ({ client, transport } = await connect(server, site.key));
        });
        after(async () => {
            await client?.close();
            await server?.stop();
            await site?.close();
        });

        it('agrees on the newest version it knows, and pings', async () => {
            assert.equal(transport.protocolVersion,
                types.LATEST_PROTOCOL_VERSION);
            assert.equal(transport.sessionId, undefined);
            assert.equal(client.getServerVersion().name, 'cited');
            assert.match(client.getInstructions(), /get_research/);
            assert.deepEqual(await client.ping(), {});
        });

        it('lists four tools with their schemas', async () => {
            const { tools } = await client.listTools();
            assert.deepEqual(tools.map((tool) => tool.name).sort(),
                ['fetch', 'get_research', 'research', 'search']);
            for (const tool of tools) {
                assert.equal(tool.inputSchema.type, 'object');
                assert.equal(tool.outputSchema.type, 'object');
                assert.ok(tool.description.length > 40, tool.name);
            }
        });

        // The client itself holds structuredContent against outputSchema.
        it('searches: an answer with sources', async () => {
            const result = await call(client, 'search', { q: QUESTION });
            const { answer, sources } = result.structuredContent;
            assert.match(answer, /41 metres.*\[1\]/s);
            assert.equal(sources[0].url, 'https://lights.example/halden');
            assert.deepEqual(JSON.parse(text_of(result)),
                result.structuredContent);
        });

        it('searches: passages, and an object', async () => {
            const list = await call(client, 'search', {
                q: QUESTION, outputType: 'searchResults', maxResults: 2,
            });
            assert.equal(list.structuredContent.results.length, 2);
            const object = await call(client, 'search', {
                q: 'How many steps does the Halden lighthouse have?',
                outputType: 'structured',
                structuredOutputSchema: {
                    type: 'object', required: ['steps'],
                    properties: { steps: { type: 'integer' } },
                },
            });
            assert.equal(object.structuredContent.data.steps, 196);
            assert.ok(object.structuredContent.sources.length > 0);
        });

        it('tells the agent what is wrong and what to do', async () => {
            const wrong = await call(client, 'search',
                { q: '', maxResults: 1000 });
            assert.equal(wrong.isError, true);
            assert.match(text_of(wrong),
                /- q must [^]*- maxResults must [^]*Correct/);
            const nothing = await call(client, 'search',
                { q: 'zyzzyva quuxification' });
            assert.equal(nothing.isError, true);
            assert.match(text_of(nothing), /^SEARCH_QUERY_NO_RESULT: /);
            const closed = await call(client, 'fetch',
                { url: `${server.origin}/healthz` });
            assert.equal(closed.isError, true);
            assert.match(text_of(closed), /^FETCH_TARGET_UNREACHABLE: /);
        });

        it('answers what it does not know with JSON-RPC errors', async () => {
            await assert.rejects(call(client, 'shell', {}),
                { code: types.ErrorCode.InvalidParams });
            await assert.rejects(client.request(
                { method: 'resources/list', params: {} },
                types.ListResourcesResultSchema),
            { code: types.ErrorCode.MethodNotFound });
        });

        it('researches to the end', async () => {
            const { structuredContent: task } = await call(client, 'research',
                { q: QUESTION, reasoningDepth: 'S', mode: 'answer' });
            assert.ok(['pending', 'processing'].includes(task.status));
            const done = await until(async () => {
                const { structuredContent: now } = await call(client,
                    'get_research', { id: task.id });
                return ['completed', 'failed'].includes(now.status) && now;
            }, 90000, 'research ends');
            assert.equal(done.status, 'completed', done.error);
            assert.ok(done.output.sources.length > 0);
            const other = await call(client, 'get_research',
                { id: '00000000-0000-4000-8000-000000000000' });
            assert.match(text_of(other), /^TASK_NOT_FOUND: /);
        });

        it('needs a key, and an origin that is allowed', async () => {
            await assert.rejects(connect(server, 'ck_wrong'), { code: 401 });
            const http = new Http(server.base, null);
            const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
            const closed = await http.post('/mcp', ping);
            failure(closed, 401, 'UNAUTHORIZED');
            assert.equal(closed.headers['www-authenticate'], 'Bearer');
            http.key = site.key;
            failure(await http.post('/mcp', ping,
                { Origin: 'https://elsewhere.example' }), 403, 'FORBIDDEN');
            success(await http.post('/mcp', ping,
                { Origin: 'https://ui.example' }));
        });

        it('has no stream to offer', async () => {
            const http = new Http(server.base, site.key);
            const res = await http.get('/mcp', { Accept: 'text/event-stream' });
            failure(res, 405, 'METHOD_NOT_ALLOWED');
            assert.match(res.headers.allow, /\bPOST\b/);
        });

        it('takes notifications with 202 and no body', async () => {
            const http = new Http(server.base, site.key);
            const res = await http.post('/mcp',
                { jsonrpc: '2.0', method: 'notifications/initialized' },
                { 'MCP-Protocol-Version': '2025-11-25' });
            assert.equal(res.status, 202);
            assert.equal(res.text, '');
        });

        it('refuses versions it does not know', async () => {
            const http = new Http(server.base, site.key);
            const res = await http.post('/mcp',
                { jsonrpc: '2.0', id: 1, method: 'ping' },
                { 'MCP-Protocol-Version': '2024-11-05' });
            assert.equal(res.status, 400);
            assert.equal(res.json().error.code, -32600);
        });
    });

describe('linkup-mcp-server, unmodified', () => {
    let site, server, client;
    before(async () => {
        site = await Site.make();
        server = await start('lighttpd', site);
        client = new Client({ name: 'cited-e2e', version: '1' });
        await client.connect(new StdioClientTransport({
            command: process.execPath,
            args: [from_build.resolve('linkup-mcp-server/build/index.js'),
                `--base-url=${server.base}/v1`],
            env: { LINKUP_API_KEY: site.key, PATH: process.env.PATH },
            stderr: 'pipe',
        }));
    });
    after(async () => {
        await client?.close();
        await server?.stop();
        await site?.close();
    });

    it('searches', async () => {
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map((tool) => tool.name), ['search-web']);
        const result = await call(client, 'search-web',
            { query: QUESTION, depth: 'standard' });
        const [first] = JSON.parse(text_of(result));
        assert.equal(first.url, 'https://lights.example/halden');
        assert.match(first.content, /41 metres/);
    });

    it('passes on what we say when nothing is found', async () => {
        const result = await call(client, 'search-web',
            { query: 'zyzzyva quuxification', depth: 'deep' });
        assert.equal(result.isError, true);
        assert.match(text_of(result), /\S/);
    });
});
