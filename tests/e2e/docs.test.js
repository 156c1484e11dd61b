// What is written agrees with what is there: the example configuration, the
// manual pages, the commands in the documents and the links between them.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import {
    ROOT, copy_programs, environment, give, make_folder, remove_folder, run,
} from './lib/world.js';

const COMMANDS = ['account', 'key', 'crawl', 'index', 'search', 'research',
    'provider', 'extract', 'conf', 'doctor', 'backup', 'check', 'restore', 'move', 'init', 'serve'];

const read = (name) => fs.readFileSync(`${ROOT}/${name}`, 'utf8');
const names_in = (dir, ending) => fs.readdirSync(`${ROOT}/${dir}`)
    .filter((name) => name.endsWith(ending)).map((name) => `${dir}/${name}`);
const DOCUMENTS = ['README.md', 'src/README.md', ...names_in('docs', '.md'),
    'deploy/shared-hosting/README.md'];

// Manual pages are mdoc: "Fl Fl name" is --name.
const options_of_page = (text) => new Set(
    [...text.matchAll(/Fl Fl ([a-z-]+)/g)].map((found) => `--${found[1]}`));
const options_in = (text) => new Set(
    [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map((found) => found[0]));

// { 'section.key': { allowed, fallback, environment } } of the example.
function example_keys(text) {
    const keys = {};
    let section = '';
    for (const line of text.split('\n')) {
        section = /^\[(.*)\]$/.exec(line)?.[1] ?? section;
        const key = /^#([a-z_]+) =(.*)$/.exec(line);
        if (key && section) {
            keys[`${section}.${key[1]}`] = { fallback: key[2].trim() };
        }
        if (line.startsWith('# Search providers')) break;
    }
    return keys;
}

// { 'section.key': text of its entry } of cited.conf(5), in mdoc.
function page_keys(text) {
    const keys = {};
    for (const part of text.split('\n.Ss Section [').slice(1)) {
        const [first, ...lines] = part.split('\n');
        for (const entry of lines.join('\n').split('\n.El')[0]
            .split('\n.It Ic ').slice(1)) {
            const end = entry.indexOf('\n');
            keys[`${first.replace(']', '')}.${entry.slice(0, end)}`] =
                entry.slice(end + 1);
        }
    }
    return keys;
}

// Lines of ```sh blocks, continued ones joined.
function shell_lines(text) {
    return [...text.matchAll(/```sh\n([^]*?)```/g)].flatMap((found) =>
        found[1].replace(/\\\n/g, ' ').split('\n'));
}

// What headings are called in links, as GitHub does it.
const anchors_of = (text) => [...text.matchAll(/^#+ (.*)$/gm)].map((found) =>
    found[1].toLowerCase().replace(/[^\w -]/g, '').replace(/ /g, '-'));

// The ```sh blocks in which curl is called, one after the other.
const curl_blocks = (text) => [...text.matchAll(/```sh\n([^]*?)```/g)]
    .map((found) => found[1])
    .filter((block) => /(^|[(|\s])curl /m.test(block));

describe('the curl lines of the documents', () => {
    let site, server;
    before(async () => {
        // The code that docs/accounts.md gives as an example.
        site = await Site.make({
            pages: [], settings: {
                'accounts.registration': 'code', 'accounts.code': 'sesame',
            },
        });
        await site.cited_ok(['account', 'role', 'first@example.org',
            'operator']);
        fs.cpSync(`${ROOT}/docs`, `${site.dir}/docs`, { recursive: true });
        fs.copyFileSync(`${ROOT}/README.md`, `${site.dir}/docs/cited.md`);
        // What `make run` leaves where the lines look for it; the port they
        // name leads to ours, and a failure ends the shell.
        server = await start('lighttpd', site);
        fs.mkdirSync(`${site.dir}/var`);
        fs.writeFileSync(`${site.dir}/var/api-key`, `${site.key}\n`);
        fs.writeFileSync(`${site.dir}/.curlrc`,
            `connect-to = 127.0.0.1:8080:127.0.0.1:${server.port}\n` +
            'fail-with-body\n');
        give(site.dir);
        await site.cited_ok(
            ['account', 'role', 'first@example.org', 'operator']);
        await site.cited_ok(['index', 'add', `${site.dir}/docs`, '--base',
            'http://127.0.0.1:8080/docs/']);
    });
    after(async () => {
        await server?.stop();
        await site?.close();
    });

    it('stand in blocks of shell commands, all of them', () => {
        for (const name of DOCUMENTS) {
            const rest = read(name).replace(/```sh\n[^]*?```/g, '');
            assert.doesNotMatch(rest, /curl -|curl http/, name);
        }
    });

    it('work as they are written', async () => {
        let seen = 0;
        for (const name of DOCUMENTS) {
            const blocks = curl_blocks(read(name));
            if (!blocks.length) continue;
            const { code, stdout, stderr } = await run(
                ['sh', '-e', '-u', '-c', blocks.join('\necho\n')],
                { cwd: site.dir, env: environment(site.dir, {
                    KEY: site.key,
                }) });
            assert.equal(code, 0, `${name}: ${stdout}${stderr}`);
            // Everything but /metrics answers in JSON.
            for (const [line] of stdout.matchAll(/^\{.*$/gm)) JSON.parse(line);
            seen += blocks.length;
        }
        assert.ok(seen >= 3, `${seen} blocks`);
    });
});

describe('the documents', () => {
    let dir;
    const help = {};
    async function cited(...args) {
        const { code, stdout, stderr } = await run([`${dir}/cited`, ...args],
            { cwd: dir, env: environment(dir) });
        assert.equal(code, 0, stderr);
        return stdout;
    }

    before(async () => {
        dir = make_folder();
        copy_programs(dir);
        fs.copyFileSync(`${ROOT}/deploy/lib/conf-docs.sh`,
            `${dir}/conf-docs.sh`);
        give(dir);
        help[''] = await cited('help');
        for (const name of COMMANDS) help[name] = await cited('help', name);
    });
    after(() => remove_folder(dir));

    it('know every command there is', () => {
        const listed = [...help[''].matchAll(/^ {2}([a-z]+) {2,}\S/gm)]
            .map((found) => found[1]).filter((name) => name !== 'help');
        assert.deepEqual(listed.sort(), [...COMMANDS].sort());
        const page = read('deploy/man/cited.1');
        for (const name of COMMANDS)
            assert.match(page, new RegExp(`^\\.Ss ${name}:`, 'm'));
        for (const word of help.index.matchAll(/^cited ([a-z]+ [a-z]+)/gm))
            assert.ok(page.includes(`.It Ic ${word[1]}`), word[1]);
    });

    it('hold the example configuration that the program prints', async () => {
        assert.equal(read('deploy/cited.conf.example'),
            await cited('conf', 'example'));
    });

    it('describe the interface of this version', async () => {
        assert.equal(`cited ${
            JSON.parse(read('src/web/openapi.json')).info.version}\n`,
        await cited('--version'));
    });

    it('hold the reference that `make docs` makes', async () => {
        const { code, stdout, stderr } = await run(
            ['sh', `${dir}/conf-docs.sh`, `${dir}/cited`],
            { cwd: dir, env: environment(dir) });
        assert.equal(code, 0, stderr);
        assert.equal(read('docs/configuration.md'), stdout);
        for (const [key, { fallback }] of Object.entries(
            example_keys(read('deploy/cited.conf.example')))) {
            const [section, name] = key.split('.');
            const row = stdout.split(`## Section [${section}]`)[1].split('\n')
                .find((line) => line.startsWith(`| \`${name}\` |`));
            assert.ok(row?.includes(fallback === '' ? '| empty |' :
                `| \`${fallback}\` |`), key);
        }
    });

    it('explain every key of the configuration and no other', () => {
        const example = example_keys(read('deploy/cited.conf.example'));
        const page = page_keys(read('deploy/man/cited.conf.5'));
        assert.ok(Object.keys(example).length > 20);
        assert.deepEqual(Object.keys(page).sort(), Object.keys(example).sort());
    });

    it('tell ranges, defaults and variables as they are', () => {
        const text = read('deploy/cited.conf.example');
        const page = page_keys(read('deploy/man/cited.conf.5'));
        for (const [key, { fallback }] of Object.entries(example_keys(text))) {
            const [section, name] = key.split('.');
            const from = text.indexOf(`\n[${section}]`);
            const end = text.indexOf(`\n#${name} =`, from);
            const block = text.slice(text.lastIndexOf('\n\n', end), end);
            const range = /from (-?\d+) to (-?\d+)/.exec(block)?.[0];
            const variable = /# Environment: (\w+)/.exec(block)[1];
            const entry = page[key].replace(/\s+/g, ' ');
            if (range) assert.ok(entry.includes(range), `${key}: ${range}`);
            assert.ok(entry.includes(`.Ev ${variable} `), `${key}: ${variable}`);
            // The version in a default is not repeated.
            assert.ok(fallback === '' ? entry.includes('default empty') :
                key === 'crawl.user_agent' ||
                entry.includes(`default .Li ${fallback} .`),
            `${key}: default ${fallback}`);
        }
    });

    it('explain every key of a provider and no other', () => {
        const page = read('deploy/man/cited.conf.5')
            .split('.Sh PROVIDERS')[1].split('\n.El')[0];
        const told = [...page.matchAll(/^\.It Ic (\w+)/gm)]
            .map((found) => found[1]).filter((name) => name !== 'header');
        const source = read('src/find/provider_def.c');
        const known = /known_keys\[\] = \{([^}]*)\}/.exec(source)[1];
        assert.deepEqual(told.sort(),
            [...known.matchAll(/"(\w+)"/g)].map((found) => found[1]).sort());
    });

    it('explain every option that help prints, and no other', () => {
        const page = options_of_page(read('deploy/man/cited.1'));
        const all = options_in(Object.values(help).join('\n'));
        assert.ok(all.size > 20);
        for (const name of all) assert.ok(page.has(name), name);
        // Of these the help of each command says nothing.
        for (const name of ['--help', '--version'])
            all.add(name);
        for (const name of page) assert.ok(all.has(name), name);
    });

    it('explain the options of the other programs', async () => {
        for (const [page, program] of [['cited.fcgi.8', 'cited.fcgi'],
            ['cited-worker.8', 'cited-worker']]) {
            const { stdout } = await run([`${dir}/${program}`, '--help'],
                { cwd: dir, env: environment(dir) });
            const told = options_of_page(read(`deploy/man/${page}`));
            for (const name of options_in(stdout))
                assert.ok(told.has(name), `${page}: ${name}`);
        }
    });

    it('show only commands and options that exist', () => {
        const common = options_in(help['']);
        let seen = 0;
        for (const name of DOCUMENTS) {
            const inline = [...read(name).matchAll(/`(cited [a-z][^`]*)`/g)]
                .map((found) => found[1]);
            for (const line of [...shell_lines(read(name)), ...inline]) {
                const found =
                    /^\s*(?:build\/)?cited\s+(.*?)(?:\s#.*)?$/.exec(line);
                if (!found) continue;
                const words = found[1].replace(/--(data|conf)[= ]\S+/g, '')
                    .trim().split(/\s+/);
                const text = help[words[0]];
                assert.ok(text !== undefined, `${name}: ${line}`);
                seen++;
                if (['account', 'key', 'index', 'conf'].includes(words[0]))
                    assert.match(text,
                        new RegExp(`^cited ${words[0]} ${words[1]}\\b`, 'm'),
                        `${name}: ${line}`);
                for (const option of options_in(found[1]))
                    assert.ok(common.has(option) ||
                        options_in(text).has(option), `${name}: ${line}`);
            }
        }
        assert.ok(seen > 10, `${seen} commands found`);
    });

    it('use keys and variables that exist', () => {
        const keys = example_keys(read('deploy/cited.conf.example'));
        const sections = new Set(
            Object.keys(keys).map((key) => key.split('.')[0]));
        const variables = new Set(['CITED_DATA', 'CITED_CONF', 'CITED_KEY',
            ...Object.keys(keys).map((key) =>
                `CITED_${key.replace('.', '_').toUpperCase()}`)]);
        for (const name of DOCUMENTS) {
            const text = read(name);
            for (const [, section, key] of
                text.matchAll(/`([a-z]+)\.([a-z_]+)(?: = [^`]*)?`/g))
                if (sections.has(section) && !['c', 'h', 'md', 'db'].includes(key))
                    assert.ok(`${section}.${key}` in keys,
                        `${name}: ${section}.${key}`);
            for (const [variable] of text.matchAll(/\bCITED_[A-Z_]+[A-Z]\b/g))
                assert.ok(variables.has(variable), `${name}: ${variable}`);
        }
    });

    it('are all in the index by question', () => {
        const index = read('docs/README.md');
        for (const name of names_in('docs', '.md'))
            assert.ok(name === 'docs/README.md' ||
                index.includes(`](${path.basename(name)})`), name);
    });

    it('link to files and headings that exist', () => {
        for (const name of DOCUMENTS)
            for (const [, target] of read(name).matchAll(/\]\(([^)]+)\)/g)) {
                if (/^[a-z]+:/.test(target)) continue;
                const [place, anchor] = target.split('#');
                const file = path.resolve(ROOT, path.dirname(name), place);
                assert.ok(fs.existsSync(file), `${name}: ${target}`);
                if (anchor)
                    assert.ok(anchors_of(fs.readFileSync(file, 'utf8'))
                        .includes(anchor), `${name}: ${target}`);
            }
    });

    it('map the source as it is', () => {
        const map = read('src/README.md');
        const all = fs.readdirSync(`${ROOT}/src`, { recursive: true });
        const files = new Set(all.map((name) => path.basename(name)));
        for (const [, name] of map.matchAll(/`([a-z_/]+\.(?:c|h|sql))`/g))
            assert.ok(name.includes('/') ? all.includes(name) : files.has(name),
                name);
        for (const room of fs.readdirSync(`${ROOT}/src`))
            if (fs.statSync(`${ROOT}/src/${room}`).isDirectory())
                assert.ok(map.includes(`| \`${room}/\` |`), room);
        for (const [, name] of map.matchAll(/`((?:tests|bench)\/[\w.-]+)`/g))
            assert.ok(fs.existsSync(`${ROOT}/${name}`), name);
    });
});
