// A data folder with an account, a key and some thirty pages whose facts the
// tests know. The places and people are invented, so that no answer can come
// from anywhere else.
import fs from 'node:fs';
import path from 'node:path';
import {
    DEPLOY, ROOT, copy_programs, end_processes, environment, give,
    make_folder, remove_folder, run, sanitizer_reports,
} from './world.js';

const LONG = ' The building is kept by a society of volunteers, who open it ' +
    'to visitors on Sundays between April and October.';

export const PAGES = [
    {
        url: 'https://lights.example/halden',
        title: 'Halden lighthouse',
        date: '2023-05-14',
        html: '<html lang="en"><head><title>Halden lighthouse</title></head>' +
            '<body><main><h1>Halden lighthouse</h1>' +
            '<p>The Halden lighthouse stands on the northern cape of the ' +
            'island of Orvik. The Halden lighthouse was built in 1874 by the ' +
            'engineer Marit Solheim. The tower of the Halden lighthouse is ' +
            '41 metres tall.</p>' +
            '<img src="/img/halden-tower.jpg" alt="The tower of the Halden ' +
            'lighthouse" width="800" height="600">' +
            `<p>Its lamp can be seen from 28 nautical miles.${LONG}</p>` +
            '</main></body></html>',
    },
    {
        url: 'https://lights.example/brannoy',
        title: 'Brannoy lighthouse',
        date: '2021-02-03',
        html: '<html lang="en"><head><title>Brannoy lighthouse</title></head>' +
            '<body><main><h1>Brannoy lighthouse</h1><p>The Brannoy ' +
            'lighthouse was built in 1902. The tower of the Brannoy ' +
            'lighthouse is 23 metres tall and painted red.</p>' +
            '<img src="https://cdn.example/brannoy.png" alt="Brannoy ' +
            'lighthouse in winter" width="640" height="480">' +
            `<p>The lighthouse was automated in 1988.${LONG}</p>` +
            '</main></body></html>',
    },
    {
        url: 'https://www.travel.example/orvik/lighthouses',
        title: 'Lighthouses of Orvik for visitors',
        date: '2024-08-20',
        text: 'Visitors to the island of Orvik can climb the Halden ' +
            'lighthouse. The Halden lighthouse has 196 steps. A ticket for ' +
            'the Halden lighthouse costs 12 crowns.' + LONG,
    },
    {
        url: 'https://blog.travel.example/a-week-on-orvik',
        title: 'A week on Orvik',
        date: '2025-01-09',
        text: 'We spent a week on the island of Orvik. On the third day we ' +
            'walked to the Halden lighthouse in heavy rain. The keeper of ' +
            'the Halden lighthouse gave us tea.' + LONG,
    },
    {
        url: 'https://undated.example/halden-notes',
        title: 'Notes on the Halden lighthouse',
        text: 'These notes about the Halden lighthouse carry no date. The ' +
            'Halden lighthouse lamp was made in Sarnholm.' + LONG,
    },
    {
        url: 'https://xn--bcher-kva.example/leuchtturm',
        title: 'Books about the Halden lighthouse',
        date: '2022-11-30',
        text: 'A book about the Halden lighthouse was printed in Sarnholm. ' +
            'The book describes each keeper of the Halden lighthouse.' + LONG,
    },
    {
        url: 'https://docs.storage.example/journal/write-ahead',
        title: 'Write-ahead journal of Kvist',
        date: '2024-03-01',
        text: 'The Kvist database has a write-ahead journal. With the ' +
            'write-ahead journal readers of Kvist do not block writers. The ' +
            'write-ahead journal of Kvist is folded back after 1000 pages. ' +
            'The write-ahead journal does not work over a network file ' +
            'system.',
    },
    {
        url: 'https://docs.storage.example/journal/rollback',
        title: 'Rollback journal of Kvist',
        date: '2024-03-02',
        text: 'The Kvist database has a rollback journal, which is the ' +
            'default. With the rollback journal a writer of Kvist blocks ' +
            'all readers. The rollback journal of Kvist holds the old ' +
            'content of each changed page.',
    },
    {
        url: 'https://docs.storage.example/limits',
        title: 'Limits of Kvist',
        date: '2024-03-03',
        text: 'The maximum size of a Kvist database file is 281 terabytes. ' +
            'A Kvist table holds at most 2000 columns.',
    },
    {
        url: 'https://forum.storage.example/thread/77',
        title: 'Which journal should I use with Kvist?',
        date: '2020-06-06',
        text: 'Use the write-ahead journal of Kvist when there are many ' +
            'readers. Use the rollback journal of Kvist on network drives.',
    },
    ...[
        ['Aster', 'a ferry', 1911, 64], ['Birka', 'a tug', 1923, 21],
        ['Cirrus', 'a cutter', 1899, 17], ['Dunlin', 'a dredger', 1950, 48],
        ['Ekorn', 'a pilot boat', 1961, 14], ['Fjell', 'a trawler', 1934, 33],
        ['Grindal', 'a ferry', 1972, 71], ['Hegre', 'a schooner', 1888, 39],
        ['Isbjorn', 'an icebreaker', 1957, 88], ['Jerv', 'a barge', 1940, 52],
        ['Kestrel', 'a sloop', 1903, 19], ['Lomvi', 'a lifeboat', 1968, 13],
        ['Myrtue', 'a collier', 1915, 93], ['Nordlys', 'a liner', 1929, 121],
        ['Orkla', 'a brig', 1861, 27], ['Petrel', 'a ketch', 1907, 23],
        ['Rype', 'a launch', 1919, 9], ['Skua', 'a gunboat', 1876, 44],
        ['Terne', 'a yacht', 1936, 18], ['Urd', 'a survey ship', 1964, 58],
    ].map(([name, kind, year, length]) => ({
        url: `https://ships.example/register/${name.toLowerCase()}`,
        title: `The ${name}`,
        date: `20${10 + (length % 10)}-07-0${1 + (year % 9)}`,
        text: `The ${name} was ${kind} of the harbour of Sarnholm. The ` +
            `${name} was launched in ${year}. The ${name} was ${length} ` +
            'metres long.',
    })),
];

// The words of a page, for "verbatim" checks.
export function page_text(page) {
    return (page.html ?? page.text).replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ');
}

export function squeeze(text) {
    return text.replace(/\s+/g, ' ').trim();
}

// settings: { 'section.key': value }
function ini(settings) {
    const sections = {};
    for (const [name, value] of Object.entries(settings)) {
        const dot = name.lastIndexOf('.');
        (sections[name.slice(0, dot)] ??= []).push(
            `${name.slice(dot + 1)} = ${value}`);
    }
    return Object.entries(sections).map(([section, lines]) =>
        `[${section}]\n${lines.join('\n')}\n`).join('\n');
}

export class Site {
    // pages: what is indexed; settings: as in ini above; www: have the
    // static pages; email: of the first account.
    static async make({ pages = PAGES, settings = {}, www = true,
        email = 'first@example.org' } = {}) {
        const site = new Site();
        site.dir = make_folder();
        site.bin = `${site.dir}/bin`;
        site.data = `${site.dir}/data`;
        site.conf = `${site.bin}/cited.conf`;
        site.env = environment(site.dir, { CITED_CONF: site.conf });
        copy_programs(site.bin);
        // The files the servers need, where their user can read them.
        fs.cpSync(`${DEPLOY}/errors`, `${site.dir}/deploy/errors`,
            { recursive: true });
        fs.cpSync(`${DEPLOY}/lighttpd`, `${site.dir}/deploy/lighttpd`,
            { recursive: true, verbatimSymlinks: true });
        if (www)
            fs.cpSync(`${ROOT}/www`, `${site.dir}/www`, { recursive: true });
        else fs.mkdirSync(`${site.dir}/www`);
        fs.writeFileSync(site.conf, ini({
            'data.dir': site.data, ...settings,
        }));
        give(site.dir);
        site.key = await site.account(email);
        if (pages.length) await site.add(pages);
        return site;
    }

    settings(settings) {
        fs.writeFileSync(this.conf, ini({
            'data.dir': this.data, ...settings,
        }));
    }

    // The operator's command.
    async cited(args, { input, timeout } = {}) {
        return run([`${this.bin}/cited`, '--data', this.data, ...args],
            { cwd: this.dir, env: this.env, input, timeout });
    }

    async cited_ok(args, options) {
        const { code, stdout, stderr } = await this.cited(args, options);
        if (code !== 0)
            throw new Error(`cited ${args.join(' ')}: ${code}\n${stderr}`);
        return stdout;
    }

    async worker(args, { timeout = 120000 } = {}) {
        return run([`${this.bin}/cited-worker`, '--data', this.data, ...args],
            { cwd: this.dir, env: this.env, timeout });
    }

    // A new account with a key; returns the key.
    async account(email) {
        await this.cited_ok(['account', 'create', email]);
        const made = await this.cited_ok(
            ['key', 'create', email, '--label', 'test', '--json']);
        return JSON.parse(made).key;
    }

    async add(pages) {
        await this.cited_ok(['index', 'add', '-'], {
            input: pages.map((page) => JSON.stringify(page)).join('\n') + '\n',
        });
    }

    // Throws when a program crashed or a sanitizer had something to say.
    async close() {
        await end_processes(this.dir);
        const reports = sanitizer_reports(this.dir);
        remove_folder(this.dir);
        if (reports) throw new Error(`sanitizer report:\n${reports}`);
    }
}

export function folder_of(site, name) {
    const dir = path.join(site.dir, name);
    fs.rmSync(dir, { recursive: true, force: true });
    fs.mkdirSync(dir, { mode: 0o700 });
    give(dir);
    return dir;
}
