// What the service costs, as ratios to bare programs measured in the same run.
//
//   node bench/bench.mjs [NAME…]     wire search push list crawl memory cold slow
//
// Called by `make bench`, which builds the programs under build/ and
// build/bench/ first. Every figure is a median over interleaved rounds; the
// records go to build/bench/bench.json. Servers listen on loopback only.
import fs from 'node:fs';
import path from 'node:path';
import { root, bin, tool, dir, run, fcgi, lighttpd, call, dataFolder, responder,
  hangUp, finish } from './lib.mjs';
import { slow as slowly, SLOW, SERVERS, WAYS } from './slow.mjs';

const records = [];
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const PASSAGES = Number(process.env.PASSAGES ?? 100000);
const TASKS = Number(process.env.TASKS ?? 1000000);

const median = (xs) => [...xs].sort((a, b) => a - b)[xs.length >> 1];
const fixed = (x) => (x >= 100 ? x.toFixed(0) : x.toPrecision(3));

function record(name, ours, floor, unit, ratio, limit, ok) {
  records.push({ name, ours, floor, unit, ratio, limit, ok });
  console.log(`${ok ? 'ok  ' : 'MISS'} ${name}: ${fixed(ours)} ${unit}` +
    (floor === null ? '' : ` against ${fixed(floor)} ${unit}`) +
    (ratio === null ? '' : `, ratio ${ratio.toFixed(2)}`) + ` (${limit})`);
}

function wrk(url, key, seconds, post) {
  const lua = path.join(dir, 'post.lua');
  fs.writeFileSync(lua, `wrk.method = "POST"
wrk.body = '{"q":"How large may a page be?","outputType":"sourcedAnswer"}'
wrk.headers["Content-Type"] = "application/json"\n`);
  hangUp(); // its idle connections end while wrk runs
  const out = run('wrk', ['-t1', '-c64', `-d${seconds}s`, '-H',
    `Authorization: Bearer ${key}`, ...(post ? ['-s', lua] : []), url]);
  if (/Non-2xx/.test(out)) throw new Error(`${url}: ${out}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(out)[1]);
}

// GET and POST of a task at 64 connections, against a bare libfcgi program.
async function wire() {
  const d = dataFolder('wire');
  const ours = await responder('wire', d);
  const bare = await fcgi('bare', [tool('bare_fcgi'), '16']);
  const at = await lighttpd({ fcgi: { '/bare': bare.sock, '/api': ours.sock } });
  const made = await call('POST', `${at}/api/v1/research`, d.key,
    '{"q":"What is it?","outputType":"sourcedAnswer"}');
  const get = `${at}/api/v1/research/${JSON.parse(made.text).id}`;
  const x = { bare: [], get: [], post: [] };
  for (let i = 0; i < ROUNDS; i++) {
    x.bare.push(wrk(`${at}/bare`, d.key, 3, false));
    x.get.push(wrk(get, d.key, 3, false));
    x.post.push(wrk(`${at}/api/v1/research`, d.key, 3, true));
  }
  for (const [n, k] of [['GET /v1/research/:id', 'get'], ['POST /v1/research', 'post']]) {
    const r = median(x[k].map((v, i) => v / x.bare[i]));
    record(`${n}, 64 connections`, median(x[k]), median(x.bare), 'requests/s', r,
      'at least 0.6 of bare libfcgi', r >= 0.6);
  }
}

// An index of made passages, its responder, and the plain FTS5 table.
let indexed;
async function index() {
  if (indexed) return indexed;
  const d = dataFolder('index');
  const pages = path.join(dir, 'pages.jsonl');
  fs.writeFileSync(pages, run(tool('words'), ['pages', String(PASSAGES)]));
  run(bin('cited'), ['--data', d.data, 'index', 'add', pages]);
  run(bin('cited'), ['--data', d.data, 'index', 'optimize']);
  const plain = path.join(dir, 'plain.db');
  run(tool('fts_floor'), ['build', path.join(d.data, 'index.db'), plain]);
  const ours = await responder('index', d);
  indexed = { d, plain, ours };
  return indexed;
}

// searchResults end to end, against a bare FTS5 query with an own ranking.
async function search() {
  const { d, plain, ours } = await index();
  const at = await lighttpd({ fcgi: { '/api': ours.sock } });
  for (const words of [5, 10]) {
    const queries = run(tool('words'), ['queries', '200', String(words)]);
    const lines = queries.trim().split('\n');
    const x = { ours: [], own: [], bm25: [] };
    for (let i = 0; i < ROUNDS; i++) {
      const ms = [];
      for (const q of lines) {
        const r = await call('POST', `${at}/api/v1/search`, d.key, JSON.stringify(
          { q, depth: 'fast', outputType: 'searchResults', maxResults: 10 }));
        if (r.status !== 200 && !/SEARCH_QUERY_NO_RESULT/.test(r.text))
          throw new Error(r.text);
        ms.push(r.ms);
      }
      x.ours.push(median(ms));
      for (const f of ['own', 'bm25'])
        x[f].push(median(run(tool('fts_floor'), ['ask', plain, f], { input: queries })
          .trim().split('\n').map((l) => Number(l.split(' ')[0]))));
    }
    const r = median(x.ours.map((v, i) => v / x.own[i]));
    record(`searchResults, ${PASSAGES} passages, ${words} words`, median(x.ours),
      median(x.own), 'ms', r, 'at most 2 of a bare FTS5 query with an own ranking function',
      r <= 2);
    const b = median(x.ours.map((v, i) => v / x.bm25[i]));
    record(`  the same against FTS5 bm25()`, median(x.ours), median(x.bm25), 'ms', b,
      'for information', true);
  }
}

// Searches alone, beside another who searches, while an operator puts pages in, one
// after another, and while one puts a page in and searches for it, in turns; every
// page is found as soon as it was put in.
async function push() {
  const d = dataFolder('push');
  const pages = path.join(dir, 'push.jsonl');
  fs.writeFileSync(pages, run(tool('words'), ['pages', String(PASSAGES)]));
  run(bin('cited'), ['--data', d.data, 'index', 'add', pages]);
  run(bin('cited'), ['--data', d.data, 'account', 'role', d.who, 'operator']);
  const { sock } = await responder('push', d);
  const at = await lighttpd({ fcgi: { '/api': sock } });
  const queries = run(tool('words'), ['queries', '200', '5']).trim().split('\n');
  const ask = (q, more = {}) => call('POST', `${at}/api/v1/search`, d.key, JSON.stringify(
    { q, depth: 'fast', outputType: 'searchResults', maxResults: 10, ...more }));
  const searches = async (going) => {
    const ms = [];
    for (let i = 0; going(i); i++) {
      const r = await ask(queries[i % queries.length]);
      if (r.status !== 200 && !/SEARCH_QUERY_NO_RESULT/.test(r.text)) throw new Error(r.text);
      ms.push(r.ms);
    }
    return ms;
  };
  const p99 = (ms) => [...ms].sort((a, b) => a - b)[Math.floor(ms.length * 0.99)];
  const text = run(tool('words'), ['queries', '40', '10']).replaceAll('\n', '. ');
  const x = { alone: [], two: [], beside: [], checked: [], put: [] };
  let found = 0, count = 0;
  const put = async () => {
    const n = count++, url = `https://wiki.example.org/${n}`, word = `zq${n}x`;
    const r = await call('POST', `${at}/api/v1/pages`, d.key, JSON.stringify(
      { url, title: `Page ${n}`, text: `${word}. ${text}` }));
    if (r.status !== 200) throw new Error(r.text);
    x.put.push(r.ms);
    return { url, word };
  };
  const find = async ({ url, word }) => {
    const hit = await ask(word, { maxResults: 1 });
    found += hit.status === 200 && JSON.parse(hit.text).results[0].url === url ? 1 : 0;
  };
  // p99 of one who searches meanwhile.
  const beside = async (work) => {
    let going = true;
    const ms = searches(() => going);
    await work();
    going = false;
    return p99(await ms);
  };
  await searches((i) => i < 200);
  for (let round = 0; round < ROUNDS; round++) {
    const pages = [];
    x.alone.push(p99(await searches((i) => i < 1000)));
    x.two.push(await beside(() => searches((i) => i < 400)));
    x.beside.push(await beside(async () => {
      for (let i = 0; i < 500 / ROUNDS; i++) pages.push(await put());
    }));
    for (const page of pages) await find(page);
    x.checked.push(await beside(async () => {
      for (let i = 0; i < 500 / ROUNDS; i++) await find(await put());
    }));
  }
  const r = median(x.beside.map((v, i) => v / x.alone[i]));
  record(`p99 of searches while pages are put in, ${PASSAGES} passages`, median(x.beside),
    median(x.alone), 'ms', r, `at most 1.5 of the idle one; a page takes ${
      fixed(median(x.put))} ms`, r <= 1.5);
  const t = median(x.checked.map((v, i) => v / x.two[i]));
  record('  and each is searched for at once, against one more who searches',
    median(x.checked), median(x.two), 'ms', t, 'at most 1.5', t <= 1.5);
  record('  pages found by the next search', found, count, '', found / count, 'all',
    found === count);
}

// First and last page of the list at 1,000 and at 1,000,000 tasks.
async function list() {
  const small = dataFolder('list-small'), large = dataFolder('list-large');
  const a = await responder('list-small', small), b = await responder('list-large', large);
  const at = await lighttpd({ fcgi: { '/small': a.sock, '/large': b.sock } });
  const total = async (side, key) => JSON.parse((await call('GET',
    `${at}/${side}/v1/research?pageSize=1`, key)).text).metadata.total;
  for (let i = 0; i < 1000; i++)
    await call('POST', `${at}/small/v1/research`, small.key,
      '{"q":"How large may a page be?","outputType":"sourcedAnswer"}');
  while (await total('large', large.key) < TASKS)
    wrk(`${at}/large/v1/research`, large.key, 5, true);
  const n = await total('large', large.key);
  for (const sort of ['createdAt', 'updatedAt'])
    for (const which of ['first', 'last']) {
      const url = (side, t) => `${at}/${side}/v1/research?sortBy=${sort}&page=` +
        (which === 'first' ? 1 : Math.ceil(t / 10));
      const x = { small: [], large: [] };
      for (let i = 0; i < 200; i++) {
        x.small.push((await call('GET', url('small', 1000), small.key)).ms);
        x.large.push((await call('GET', url('large', n), large.key)).ms);
      }
      const r = median(x.large) / median(x.small);
      record(`${which} page of ${n} tasks by ${sort}, against 1,000 tasks`,
        median(x.large), median(x.small), 'ms', r, 'at most 3', r <= 3);
    }
}

// A crawl of loopback pages, against fetching and parsing alone.
async function crawl() {
  const docs = '/usr/share/doc/sqlite3';
  if (!fs.existsSync(path.join(docs, 'index.html')))
    return console.log('skip crawl: the package sqlite3-doc is not installed');
  const at = await lighttpd({}, docs);
  const x = { ours: [], floor: [] };
  for (let i = 0; i < ROUNDS; i++) {
    const d = dataFolder(`crawl${i}`);
    const out = JSON.parse(run(bin('cited'), ['--data', d.data, '--json', 'crawl',
      '--delay', '0', '--per-host', '8', `${at}/index.html`],
    { env: { ...process.env, CITED_NET_ALLOW_HOSTS: '127.0.0.1' } }));
    const urls = JSON.parse(run(bin('cited'), ['--data', d.data, '--json', 'index',
      'list'])).map((p) => p.url);
    const [pages, , ms] = run(tool('fetch_floor'), ['8'],
      { input: urls.join('\n') + '\n' }).split(' ').map(Number);
    x.ours.push(out.stored / (out.elapsedMs / 1000));
    x.floor.push(pages / (ms / 1000));
  }
  const r = median(x.ours.map((v, i) => v / x.floor[i]));
  record('crawl of loopback pages', median(x.ours), median(x.floor), 'pages/s', r,
    'at least 0.5 of curl_multi and gumbo alone', r >= 0.5);
}

const rss = (pid) => Number(/VmRSS:\s+(\d+)/.exec(
  fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

// Resident memory of the responder, idle and with 64 searches in flight.
async function memory() {
  const { d } = await index();
  const p = await responder('memory', d);
  const at = await lighttpd({ fcgi: { '/api': p.sock } });
  await call('GET', `${at}/api/healthz`, d.key);
  const idle = rss(p.pid);
  record('resident memory, idle', idle, null, 'MiB', null, 'under 24 MiB', idle < 24);
  const lines = run(tool('words'), ['queries', '640', '5']).trim().split('\n');
  let most = 0;
  const watch = setInterval(() => { most = Math.max(most, rss(p.pid)); }, 5);
  let next = 0;
  await Promise.all(Array.from({ length: 64 }, async () => {
    while (next < lines.length)
      await call('POST', `${at}/api/v1/search`, d.key, JSON.stringify(
        { q: lines[next++], depth: 'standard', outputType: 'sourcedAnswer' }));
  }));
  clearInterval(watch);
  most = Math.max(most, rss(p.pid));
  record('resident memory, 64 searches in flight', most, null, 'MiB', null,
    'under 96 MiB', most < 96);
}

// The first answer of a process started for it, against a warm responder.
async function cold() {
  const { d, ours } = await index();
  const script = path.join(dir, 'cgi.sh');
  fs.writeFileSync(script, `#!/bin/sh\nCITED_LOG_LEVEL=error exec ${bin("cited.fcgi")} --data ${d.data}\n`,
    { mode: 0o755 });
  const at = await lighttpd({ fcgi: { '/api': ours.sock }, cgi: script });
  const lines = run(tool('words'), ['queries', '60', '5']).trim().split('\n');
  const x = { cold: [], warm: [] };
  for (const q of lines) {
    const body = JSON.stringify({ q, depth: 'standard', outputType: 'sourcedAnswer' });
    x.cold.push((await call('POST', `${at}/cgi/v1/search`, d.key, body)).ms);
    x.warm.push((await call('POST', `${at}/api/v1/search`, d.key, body)).ms);
  }
  const r = median(x.cold) / median(x.warm);
  record('first answer of a cold CGI start', median(x.cold), median(x.warm), 'ms', r,
    'under 3 of a warm responder', r < 3);
}

// An honest client while very many others are slow.
async function slow() {
  for (const server of SERVERS)
    for (const way of WAYS) {
      const r = await slowly(server, way);
      record(`95th percentile beside ${SLOW} connections with slow ${way}, ${server}`,
        r.p95, null, 'ms', null,
        `${r.answered} of ${r.asked} answered, median ${fixed(r.median)} ms; all within 5 s`,
        r.answered === r.asked && r.open >= SLOW / 2);
    }
}

const all = { wire, search, push, list, crawl, memory, cold, slow };
const names = process.argv.slice(2);
let failed = false;
try {
  for (const name of names.length ? names : Object.keys(all)) await all[name]();
} catch (e) {
  failed = true;
  console.error(e);
} finally {
  finish();
  fs.writeFileSync(path.join(root, 'build', 'bench', 'bench.json'),
    JSON.stringify(records, null, 1));
  const missed = records.filter((r) => !r.ok).length;
  console.log(`${records.length - missed} reached, ${missed} missed`);
  process.exitCode = failed || missed ? 1 : 0;
}
