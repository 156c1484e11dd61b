// Programs that were made for other services, unmodified, against ours: each
// is given our address and a key, and nothing else.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Client as Http, failure, request, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { ROOT } from './lib/world.js';

const from_build = createRequire(`${ROOT}/build/package.json`);
const load = (name) => import(pathToFileURL(from_build.resolve(name)));

const QUESTION = 'How tall is the tower of the Halden lighthouse?';
const HALDEN = 'https://lights.example/halden';
const MISSING = 'zzyzx qwertz plugh';
const SCHEMA = { type: 'object', properties: { height: { type: 'string' } },
    required: ['height'], additionalProperties: false };

describe('clients of other services', () => {
    let site, server, me, saved_fetch;

    before(async () => {
        site = await Site.make({ settings: { 'clients.path_key': 'true' } });
        server = await start('lighttpd', site);
        me = new Http(server.base, site.key);
        saved_fetch = globalThis.fetch;
    });
    after(async () => {
        globalThis.fetch = saved_fetch;
        await server?.stop();
        await site?.close();
    });

    // Citations are where the annotations say, and of pages that say it.
    function assert_cited(text, cited) {
        assert.match(text, /41\s+metres/);
        assert.ok(cited.length > 0);
        for (const one of cited) {
            assert.match([...text].slice(one.start_index, one.end_index)
                .join(''), /^\[\[\d+\]\]\(http.*\)$/);
            assert.ok(one.url.startsWith('https://'), one.url);
            assert.ok(one.title);
        }
    }

    describe('openai', () => {
        let client;
        before(async () => {
            const { default: OpenAI } = await load('openai');
            client = new OpenAI({ apiKey: site.key,
                baseURL: `${server.base}/v1`, maxRetries: 0 });
        });
        const messages = [{ role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'Hello.' },
            { role: 'assistant', content: 'Hello.' },
            { role: 'user', content: [{ type: 'text', text: QUESTION }] }];

        it('lists models', async () => {
            const names = [];
            for await (const one of client.models.list()) names.push(one.id);
            assert.deepEqual(names, ['cited', 'cited-deep']);
        });

        it('completes a chat', async () => {
            const { choices: [{ message, finish_reason }] } =
                await client.chat.completions.create(
                    { model: 'cited', messages });
            assert.equal(finish_reason, 'stop');
            assert_cited(message.content, message.annotations.map((one) =>
                one.url_citation));
        });

        it('streams a chat', async () => {
            const stream = client.chat.completions.stream(
                { model: 'cited-deep', messages });
            let text = '';
            for await (const chunk of stream)
                text += chunk.choices[0].delta.content ?? '';
            assert.match(text, /41\s+metres/);
            assert.equal(await stream.finalContent(), text);
        });

        it('gets a response, and one as a stream', async () => {
            const asked = { model: 'cited', input: QUESTION };
            const whole = await client.responses.create(asked);
            assert.equal(whole.status, 'completed');
            assert_cited(whole.output_text,
                whole.output[0].content[0].annotations);
            const stream = client.responses.stream({ model: 'cited',
                input: [{ role: 'user', content: [
                    { type: 'input_text', text: QUESTION }] }] });
            let text = '';
            for await (const event of stream)
                if (event.type === 'response.output_text.delta')
                    text += event.delta;
            const last = await stream.finalResponse();
            assert.equal(last.output_text, text);
            assert.equal(text, whole.output_text);
        });

        it('gets an object in the shape of a schema', async () => {
            const chat = await client.chat.completions.create({ model: 'cited',
                messages, response_format: { type: 'json_schema',
                    json_schema: { name: 'tower', schema: SCHEMA } } });
            assert.match(JSON.parse(chat.choices[0].message.content).height,
                /41/);
            const response = await client.responses.create({ model: 'cited',
                input: QUESTION, text: { format: { type: 'json_schema',
                    name: 'tower', schema: SCHEMA } } });
            assert.match(JSON.parse(response.output_text).height, /41/);
        });

        it('is told what is wrong, and that nothing answers', async () => {
            const { choices: [{ message }] } =
                await client.chat.completions.create({ model: 'cited',
                    messages: [{ role: 'user', content: MISSING }] });
            assert.match(message.content, /^No page in the index answers/);
            await assert.rejects(client.chat.completions.create(
                { model: 'gpt-5', messages }), (failed) =>
                failed.status === 400 &&
                failed.error.details[0].field === 'model');
            await assert.rejects(client.chat.completions.create(
                { model: 'cited', messages, tools: [{ type: 'function',
                    function: { name: 'f' } }] }), /400/);
        });
    });

    it('the AI SDK writes and streams text', async () => {
        const { generateText, streamText } = await load('ai');
        const { createOpenAICompatible } =
            await load('@ai-sdk/openai-compatible');
        const cited = createOpenAICompatible({ name: 'cited',
            baseURL: `${server.base}/v1`, apiKey: site.key });
        const asked = { model: cited('cited'), prompt: QUESTION };
        const { text } = await generateText(asked);
        assert.match(text, /41\s+metres/);
        let streamed = '';
        for await (const part of streamText(asked).textStream)
            streamed += part;
        assert.equal(streamed, text);
    });

    it('Tavily\'s client searches and extracts', async () => {
        const { tavily } = await load('@tavily/core');
        const client = tavily({ apiKey: site.key, apiBaseURL: server.base });
        const found = await client.search(QUESTION, { includeAnswer: true,
            maxResults: 3, includeRawContent: 'text',
            includeDomains: ['lights.example'] });
        assert.match(found.answer, /41\s+metres/);
        assert.ok(found.results.length > 0 && found.results.length <= 3);
        assert.equal(found.results[0].url, HALDEN);
        assert.match(found.results[0].rawContent, /41 metres/);
        for (const one of found.results)
            assert.equal(new URL(one.url).hostname, 'lights.example');
        assert.deepEqual((await client.search(MISSING)).results, []);
        const { results, failedResults } = await client.extract(
            ['https://nowhere.invalid/']);
        assert.equal(results.length, 0);
        assert.equal(failedResults.length, 1);
    });

    it('LangChain\'s tool of Tavily finds the page', async () => {
        const { TavilySearch } = await load('@langchain/tavily');
        const tool = new TavilySearch({ tavilyApiKey: site.key,
            apiBaseUrl: server.base, maxResults: 3 });
        const { results } = await tool.invoke({ query: QUESTION });
        assert.ok(results.some((one) => one.url === HALDEN));
    });

    it('mcp-searxng searches with nothing but an address', async () => {
        const sdk = (name) =>
            from_build(`@modelcontextprotocol/sdk/${name}.js`);
        const { Client } = sdk('client/index');
        const { StdioClientTransport } = sdk('client/stdio');
        const client = new Client({ name: 'cited-e2e', version: '1' });
        await client.connect(new StdioClientTransport({
            command: process.execPath,
            args: [`${ROOT}/build/node_modules/mcp-searxng/dist/cli.js`],
            env: { ...process.env,
                SEARXNG_URL: `${server.base}/key/${site.key}` },
            stderr: 'ignore',
        }));
        try {
            const said = await client.callTool({ name: 'searxng_web_search',
                arguments: { query: `${QUESTION} site:lights.example` } });
            const text = said.content.map((one) => one.text).join('\n');
            assert.ok(text.includes(HALDEN), text);
            assert.match(text, /41 metres/);
            assert.doesNotMatch(text, /travel\.example/);
        } finally {
            await client.close();
        }
    });

    it('SearXNG\'s parameters are honoured, or refused by name', async () => {
        const get = (query) => me.get(`/search?${new URLSearchParams(query)}`);
        const json = { format: 'json', q: 'Halden lighthouse' };
        const first = success(await get(json)).results;
        assert.ok(first.length > 0);
        assert.ok(first.every((one, i) =>
            !i || one.score < first[i - 1].score));
        // As LangChain's SearxngSearch asks: by POST, without a body.
        const posted = await request(`${server.base}/search?${
            new URLSearchParams(json)}`, { method: 'POST', headers: {
            'Authorization': `Bearer ${site.key}`,
            'Content-Type': 'application/json', 'Content-Length': '0' } });
        assert.deepEqual(success(posted).results, first);
        assert.deepEqual(success(await get({ ...json, pageno: '9' })).results,
            []);
        assert.deepEqual(success(await get({ ...json, time_range: 'day' }))
            .results, []);
        for (const wrong of [{ q: 'x' }, { format: 'json' },
            { ...json, pageno: '0' }, { ...json, time_range: 'epoch' }])
            failure(await get(wrong), 400, 'VALIDATION_ERROR');
        failure(await new Http(server.base, null).get('/search?q=x'), 401);
    });

    it('Open WebUI\'s external search gets its list', async () => {
        // As open_webui/retrieval/web/external.py sends it.
        const list = success(await me.post('/external/search',
            { query: QUESTION, count: 3 }, { 'User-Agent':
                'Open WebUI (https://github.com/open-webui/open-webui) RAG Bot',
            }));
        assert.ok(list.length > 0 && list.length <= 3);
        assert.equal(list[0].link, HALDEN);
        assert.ok(list.every((one) => one.title && one.snippet));
        assert.deepEqual(success(await me.post('/external/search',
            { query: MISSING })), []);
    });

    it('each can be switched off', async () => {
        const other = await Site.make({ settings: { 'clients.searxng': 'false',
            'clients.tavily': 'false', 'clients.openai': 'false',
            'clients.open_webui': 'false' } });
        const front = await start('lighttpd', other);
        try {
            const you = new Http(front.base, other.key);
            failure(await you.get('/search?q=x&format=json'), 404);
            failure(await you.get('/v1/models'), 404);
            for (const path of ['/search', '/extract', '/external/search',
                '/v1/chat/completions', '/v1/responses'])
                failure(await you.post(path, {}), 404);
            // Without path_key the key in the path is none.
            assert.equal((await request(`${front.base}/key/${other.key
            }/v1/credits/balance`)).status, 401);
        } finally {
            await front.stop();
            await other.close();
        }
    });
});
