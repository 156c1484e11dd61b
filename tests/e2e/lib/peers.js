// Real servers from packages that stand for the world outside: a MediaWiki, a
// searx in front of it, httpbin. Each is started on loopback in a folder of
// its own and stopped with stop(). missing(name) says which package is not
// there; a test that needs it is skipped with that reason.
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { request } from './http.js';
import {
    environment, free_port, give, make_folder, remove_folder, run,
    start_process, stop_process, until,
} from './world.js';

const MEDIAWIKI = '/usr/share/mediawiki';
const SEARX_SETTINGS = '/usr/share/doc/searx/examples/settings.yml';
const PYTHON = '/usr/bin/python3';

const NEEDS = {
    mediawiki: [[`${MEDIAWIKI}/api.php`, 'mediawiki'], ['/usr/bin/php', 'php-cli']],
    searx: [['/usr/bin/searx-run', 'searx']],
    httpbin: [['/usr/lib/python3/dist-packages/httpbin/core.py',
        'python3-httpbin']],
    sqlite_docs: [['/usr/share/doc/sqlite3/wal.html', 'sqlite3-doc']],
    pdftotext: [['/usr/bin/pdftotext', 'poppler-utils']],
    postgresql: [['/usr/lib/postgresql', 'postgresql']],
};

// false, or why the tests of these peers cannot run.
export function missing(...names) {
    const lacks = names.flatMap((name) => NEEDS[name])
        .filter(([file]) => !fs.existsSync(file)).map(([, name]) => name);
    return lacks.length ? `not installed: ${lacks.join(', ')}` : false;
}

async function answers(url, child, name) {
    await until(() => {
        if (child.ended) throw new Error(`${name} ended: ${child.output}`);
        return request(url, { timeout: 20000, foreign: true })
            .then((res) => res.status < 500, () => false);
    }, 40000, `${name} answers: ${child.output}`);
}

function peer(dir, port, child) {
    return {
        dir, port, child,
        origin: `http://127.0.0.1:${port}`,
        async stop() {
            await stop_process(child);
            remove_folder(dir);
        },
    };
}

// PHP's own server asks this file first. A wiki usually has a robots.txt that
// keeps readers off its special pages.
const ROUTER = `<?php
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
if ($path === '/robots.txt') {
    header('Content-Type: text/plain');
    echo "User-agent: *\\nDisallow: /wiki/Special:\\nDisallow: /wiki/Forbidden\\n";
    return true;
}
if (strncmp($path, '/wiki/', 6) === 0) {
    $_SERVER['SCRIPT_NAME'] = '/index.php';
    $_SERVER['PATH_INFO'] = substr($path, 5);
    $_GET['title'] = $_REQUEST['title'] = rawurldecode(substr($path, 6));
    require '${MEDIAWIKI}/index.php';
    return true;
}
return false;
`;

// pages: [{ title, text }], as wiki text.
export async function start_mediawiki(pages) {
    const dir = make_folder();
    const port = await free_port();
    const env = {
        ...environment(dir), MW_INSTALL_PATH: MEDIAWIKI,
    };
    const php = async (script, args, input) => {
        const { code, stdout, stderr } = await run(
            ['/usr/bin/php', `maintenance/${script}`, ...args],
            { cwd: MEDIAWIKI, env, input, timeout: 120000 });
        if (code !== 0) throw new Error(`${script}: ${stdout}${stderr}`);
    };
    fs.mkdirSync(`${dir}/data`);
    fs.writeFileSync(`${dir}/router.php`, ROUTER);
    give(dir);
    await php('install.php', ['--dbtype', 'sqlite', '--dbname', 'wiki',
        '--dbpath', `${dir}/data`, '--scriptpath', '',
        '--server', `http://127.0.0.1:${port}`, '--lang', 'en',
        '--pass', randomBytes(12).toString('hex'),
        '--extensions', 'TextExtracts,PageImages', '--confpath', dir,
        'Lab', 'Admin']);
    fs.appendFileSync(`${dir}/LocalSettings.php`, `
$wgJobRunRate = 0;
$wgEnableEmail = false;
$wgArticlePath = "/wiki/$1";
$wgCacheDirectory = "${dir}/data";
`);
    env.MW_CONFIG_FILE = `${dir}/LocalSettings.php`;
    for (const page of pages)
        await php('edit.php', ['--user', 'Admin', '--summary', 'seed',
            page.title], page.text);
    await php('rebuildtextindex.php', []);
    const child = start_process(['/usr/bin/php', '-S', `127.0.0.1:${port}`,
        '-t', MEDIAWIKI, `${dir}/router.php`], { cwd: MEDIAWIKI, env });
    await answers(`http://127.0.0.1:${port}/api.php?action=query&format=json`,
        child, 'mediawiki');
    return peer(dir, port, child);
}

// A searx whose only engine is that wiki.
export async function start_searx(wiki) {
    const dir = make_folder();
    const port = await free_port();
    const text = fs.readFileSync(SEARX_SETTINGS, 'utf8');
    const own = text
        .replace(/^engines:\n[\s\S]*?(?=^[a-z_]+:|(?![\s\S]))/m, `engines:
  - name: labwiki
    engine: mediawiki
    shortcut: lab
    categories: general
    base_url: http://127.0.0.1:${wiki.port}/
    search_postfix: "api.php?action=query&list=search&{query}&format=json\
&sroffset={offset}&srlimit={limit}&srwhat={searchtype}"
    number_of_results: 20
    search_type: text
    enable_http: true
    timeout: 5.0

`)
        .replace(/^( +)port *:.*$/m, `$1port : ${port}`)
        .replace(/^( +)bind_address *:.*$/m, '$1bind_address : "127.0.0.1"')
        .replace(/^( +)secret_key *:.*$/m,
            `$1secret_key : "${randomBytes(16).toString('hex')}"`);
    fs.writeFileSync(`${dir}/settings.yml`, own);
    give(dir);
    const child = start_process(['/usr/bin/searx-run'], {
        cwd: dir,
        env: {
            ...environment(dir), PATH: '/usr/bin:/bin',
            SEARX_SETTINGS_PATH: `${dir}/settings.yml`,
        },
    });
    await answers(`http://127.0.0.1:${port}/config`, child, 'searx');
    return peer(dir, port, child);
}

export async function start_httpbin() {
    const dir = make_folder();
    const port = await free_port();
    const child = start_process([PYTHON, '-m', 'httpbin.core', '--host',
        '127.0.0.1', '--port', String(port)],
    { cwd: dir, env: { ...environment(dir), PATH: '/usr/bin:/bin' } });
    await answers(`http://127.0.0.1:${port}/status/204`, child, 'httpbin');
    return peer(dir, port, child);
}
