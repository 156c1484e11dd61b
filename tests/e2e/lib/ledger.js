// Tasks of several kinds and what is known of them: how each has to end, and
// what was seen of it on the way. Used by trouble.js, and for several nodes by
// bench/cluster.mjs.
import { Fake, html, json } from './fake.js';

const ORDER = ['pending', 'processing', 'completed', 'failed'];

// What is asked, and how it has to end. Nothing but the provider knows who
// tamed a walrus; of zyxwv nobody knows.
const KINDS = [
    {
        name: 'research, from the index', share: 3,
        make: () => ['research', { q: 'Compare the write-ahead journal and ' +
            'the rollback journal of Kvist', reasoningDepth: 'S' }],
        done: /journal/,
    },
    {
        name: 'research, from the provider', share: 4,
        make: (i) => ['research', { reasoningDepth: 'S',
            q: `Who tamed the walrus of the harbour of Fjordby${i}?` }],
        done: /Ottilie Brandt/,
    },
    {
        name: 'search', share: 1,
        make: (i) => ['search', { depth: 'fast', outputType: 'searchResults',
            q: `Who tamed the walrus of the harbour of Fjordby${i}?` }],
        done: /Ottilie Brandt/,
    },
    {
        name: 'fetch', share: 1,
        make: (i, web) => ['fetch', { url: `${web.origin}/page/${i}` }],
        done: /A page with a sentence in it/,
    },
    {
        name: 'research about nothing', share: 1,
        make: () => ['research', { q: 'What is zyxwvuq qponmlk?',
            reasoningDepth: 'S' }],
        failed: /^nothing was found/,
    },
];
export const MIX = KINDS.flatMap((kind) => Array(kind.share).fill(kind));

// A provider, pages, and where records go. sent: id -> times accepted.
export async function make_web() {
    const sent = new Map();
    const web = await Fake.start({
        '/search': (req, res, body, url) => {
            const [word] = /fjordby\d+/i.exec(url.search) ?? [];
            const place = word?.replace(/^f/, 'F');
            return json(res, { results: !place ? [] : [{
                url: `${web.origin}/walrus/${place}`,
                title: `The walrus of ${place}`,
                content: `The walrus of the harbour of ${place} was tamed ` +
                    'by Ottilie Brandt in 1931.',
            }] });
        },
        '/record': (req, res, body) => {
            if (web.failing && Math.random() < 0.05) {
                res.writeHead(500);
                return res.end();
            }
            const { id } = JSON.parse(body);
            sent.set(id, (sent.get(id) ?? 0) + 1);
            return res.end();
        },
        '*': (req, res) => html(res, 'T', 'A page with a sentence in it.'),
    });
    web.sent = sent;
    web.failing = true;
    return web;
}

export class Ledger {
    made = new Map();  // id -> kind
    seen = new Map();  // id -> index in ORDER
    ended = new Map(); // id -> the record at its end
    backwards = 0;
    rewritten = 0;

    // A record as it was answered.
    note(task) {
        const at = ORDER.indexOf(task.status);
        const text = JSON.stringify(task);
        if (at < (this.seen.get(task.id) ?? 0)) this.backwards++;
        this.seen.set(task.id, at);
        if (at < 2) return;
        if (this.ended.has(task.id) && this.ended.get(task.id) !== text)
            this.rewritten++;
        this.ended.set(task.id, text);
    }

    // Those not seen to end.
    open() {
        return [...this.made.keys()].filter((id) => !this.ended.has(id));
    }

    // Those of which a record is to be sent.
    with_callback() {
        return [...this.made].filter(([id, kind]) => this.ended.has(id) &&
            kind.name.startsWith('research')).map(([id]) => id);
    }

    // The ids of those lost, and how those ended that had no reason to.
    judge() {
        const own = [];
        for (const [id, kind] of this.made) {
            const task = this.ended.has(id) && JSON.parse(this.ended.get(id));
            if (!task) continue;
            if (kind.failed ? !kind.failed.test(task.error ?? '')
                : task.status !== 'completed' ||
                    !kind.done.test(JSON.stringify(task.output)))
                own.push(`${kind.name}: ${task.status}: ${task.error}`);
        }
        return { lost: this.open(), own };
    }
}
