// Tasks of several kinds, while helpers and responders are killed and stopped,
// the clock is set to and fro, the search provider fails part of the time, and
// the receiver of callbacks now and then. Used by kill.test.js, and at length
// by bench/soak.mjs.
//
// What is counted: tasks lost, ended twice, failed for another reason than
// their own, callbacks that never came, and the longest time a task was kept
// from others by a lease that nobody prolonged.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { Client, success } from './http.js';
import { Ledger, MIX, make_web } from './ledger.js';
import { start } from './server.js';
import { Site } from './site.js';
import { ROOT, give, processes_of, signal_processes } from './world.js';

const HOURS = 3600;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const pick = (list) => list[Math.floor(Math.random() * list.length)];

// The programs behind scripts that preload the clock.
function set_clock_up(site) {
    const so = `${site.dir}/clock_step.so`;
    const file = `${site.dir}/clock_step`;
    const real = `${site.bin}/real`;
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-D_GNU_SOURCE', '-o', so,
        `${ROOT}/tests/support/clock_step.c`, '-ldl']);
    fs.writeFileSync(file, Buffer.alloc(8));
    fs.mkdirSync(real);
    for (const name of ['cited.fcgi', 'cited-worker']) {
        fs.renameSync(`${site.bin}/${name}`, `${real}/${name}`);
        fs.writeFileSync(`${site.bin}/${name}`, '#!/bin/sh\n' +
            `export CLOCK_STEP='${file}' LD_PRELOAD='${so}'\n` +
            'export ASAN_OPTIONS="$ASAN_OPTIONS:verify_asan_link_order=0"\n' +
            `exec '${real}/${name}' "$@"\n`, { mode: 0o755 });
    }
    give(site.dir);
    return (seconds) => {
        const b = Buffer.alloc(8);
        b.writeBigInt64LE(BigInt(seconds));
        fs.writeFileSync(file, b, { flag: 'r+' });
    };
}

// Our own eyes on the database: every end of a task is noted by it.
function open_audit(site) {
    const db = new DatabaseSync(`${site.data}/state.db`);
    db.exec('PRAGMA busy_timeout = 20000');
    db.exec(`CREATE TABLE audit(task TEXT, what TEXT);
        CREATE TRIGGER audit_end AFTER UPDATE ON task WHEN NEW.state >= 2
            AND (OLD.state <> NEW.state OR OLD.output IS NOT NEW.output OR
                OLD.error IS NOT NEW.error)
            BEGIN INSERT INTO audit VALUES(NEW.id, 'end'); END;
        CREATE TRIGGER audit_back AFTER UPDATE ON task
            WHEN NEW.state < OLD.state
            BEGIN INSERT INTO audit VALUES(NEW.id, 'back'); END;
        CREATE TABLE audit_claims(n INTEGER);
        INSERT INTO audit_claims VALUES(0);
        CREATE TRIGGER audit_claim AFTER UPDATE ON task
            WHEN NEW.token IS NOT NULL AND NEW.token IS NOT OLD.token
            BEGIN UPDATE audit_claims SET n = n + 1; END;`);
    db.prepare('SELECT count(*) FROM task').get();
    give(site.data); // the files that our looking made
    return db;
}

export class Trouble {
    // stops: have helpers stopped, the clock set and the provider fail.
    static async make({ lease, stops = true, settings = {} }) {
        const t = new Trouble();
        t.lease = lease;
        t.counts = { helpers: 0, responders: 0, stops: 0, steps: 0,
            outages: 0, spared: 0, servers: 0 };
        t.ledger = new Ledger();
        t.ahead = 0;
        t.longest = { held: 0, idle: 0, turn: 0 };
        t.web = await make_web();
        t.site = await Site.make();
        t.step = set_clock_up(t.site);
        t.site.settings({
            'research.lease_ms': lease, 'research.workers': 2,
            'research.parallel': 4,
            // A task may be begun as often as its helper is killed.
            'research.attempts': 100, 'limits.tasks_open': 10000,
            'limits.in_flight': 0, 'net.allow_hosts': '127.0.0.1',
            'search.provider_timeout_ms': 2000,
            'provider.web.url': `${t.web.origin}/search?q={q}`,
            'provider.web.results': 'results',
            'provider.web.url_field': 'url',
            'provider.web.title_field': 'title',
            'provider.web.snippet_field': 'content',
            'read.pages': 0,
            ...settings,
        });
        t.db = open_audit(t.site);
        t.server = await start('lighttpd', t.site);
        t.me = new Client(t.server.base, t.site.key);
        t.going = true;
        t.troubles = [t.kill(), t.watch()];
        if (stops)
            t.troubles.push(t.stop_helpers(), t.set_clock(), t.fail());
        return t;
    }

    // Wait, less when it is over.
    async while_going(ms) {
        for (const end = Date.now() + ms; this.going && Date.now() < end;)
            await pause(Math.min(50, ms));
        return this.going;
    }

    async kill() {
        for (let round = 0; ; round++) {
            // Longer and longer, so that work gets done in the end.
            if (!await this.while_going(100 + Math.min(round * 10, 900)))
                return;
            const responder = round % 6 === 5;
            const ids = processes_of(this.site.bin,
                responder ? 'cited.fcgi' : 'cited-worker');
            if (!ids.length) continue;
            signal_processes([pick(ids)], 'SIGKILL');
            this.counts[responder ? 'responders' : 'helpers']++;
        }
    }

    // Does somebody hold the database's lock for writing?
    is_locked() {
        try {
            this.db.exec('PRAGMA busy_timeout = 200; BEGIN IMMEDIATE; ROLLBACK');
            return false;
        } catch {
            return true;
        }
    }

    // Not one that was stopped in the middle of a write: nobody could write
    // until it goes on, whatever anybody did.
    async stop_helpers() {
        while (await this.while_going(700)) {
            let ids = [];
            do ids = processes_of(this.site.bin, 'cited-worker');
            while (!ids.length && await this.while_going(20));
            if (!ids.length) return;
            const one = [pick(ids)];
            signal_processes(one, 'SIGSTOP');
            if (this.is_locked()) {
                this.counts.spared++;
            } else {
                this.counts.stops++;
                await this.while_going(this.lease * pick([0.4, 1.7, 2.4]));
            }
            signal_processes(one, 'SIGCONT');
        }
    }

    async set_clock() {
        for (let i = 0; await this.while_going(this.lease * 2); i++) {
            this.ahead = [2, 0, -2, 0][i % 4] * HOURS * 1000;
            this.step(this.ahead / 1000);
            this.counts.steps++;
        }
        this.ahead = 0;
        this.step(0);
    }

    async fail() {
        for (let i = 0; await this.while_going(this.lease); i++) {
            this.web.mode = ['500', null, 'hang', null, '429', null,
                'refuse', null][i % 8];
            this.counts.outages += this.web.mode !== null;
        }
        this.web.mode = null;
    }

    // For how long was a task kept from others by a lease that nobody
    // prolonged; for how long was one free and no helper took any; and how long
    // was one free until it was its turn? Leases are prolonged three times in
    // their length. What was given back has no token. Pauses of our own are
    // nobody's.
    async watch() {
        const held = new Map(), free = new Map();
        let idle = 0, claims = -1, last = Date.now();
        const look = this.db.prepare('SELECT id, token, lease_until AS until ' +
            'FROM task WHERE state < 2');
        const claimed = this.db.prepare('SELECT n FROM audit_claims');
        const count = (map, id, key, ms) => {
            const was = map.get(id);
            const sum = was?.key === key ? was.sum + ms : 0;
            map.set(id, { key, sum });
            return sum;
        };
        while (await this.while_going(100)) {
            const now = Date.now();
            const ms = Math.min(now - last, 200), theirs = now + this.ahead;
            const n = claimed.get().n;
            let waiting = false;
            for (const { id, token, until } of look.all()) {
                const is_free = until <= theirs ||
                    until > theirs + 2 * this.lease;
                waiting ||= is_free;
                (is_free ? held : free).delete(id);
                if (is_free)
                    this.longest.turn = Math.max(this.longest.turn,
                        count(free, id, '', ms));
                else if (token)
                    this.longest.held = Math.max(this.longest.held,
                        count(held, id, `${token} ${until}`, ms));
            }
            idle = waiting && n === claims ? idle + ms : 0;
            this.longest.idle = Math.max(this.longest.idle, idle);
            claims = n;
            last = now;
        }
    }

    // Lighttpd starts no responder while a copy of the last one's socket is
    // open, and takes it for somebody else's from then on. That is so for a
    // moment whenever a helper is started: then an operator has to.
    async restart_server() {
        this.counts.servers++;
        await this.server.stop({ crashes: true });
        this.server = await start('lighttpd', this.site);
        this.me.base = this.server.base;
    }

    // A request may meet a responder that was just killed: ask again.
    async surely(ask, ms = 180000) {
        const end = Date.now() + ms;
        for (let late = Date.now() + 15000; ;) {
            if (Date.now() > late) {
                await this.restart_server();
                late = Date.now() + 15000;
            }
            const res = await ask().catch((e) => ({ status: 599, text: e }));
            if (res.status === 200) return success(res);
            if (res.status < 500)
                throw new Error(`${res.status}: ${res.text}`);
            if (Date.now() > end)
                throw new Error(`no service: ${res.status} ${res.text}\n` +
                    this.server.log().split('\n').slice(-30).join('\n'));
            await pause(20);
        }
    }

    async create(i) {
        const kind = MIX[i % MIX.length];
        const [type, input] = kind.make(i, this.web);
        const body = { ...input };
        if (type !== 'research') {
            // Without a key, one that was cut may have made its task.
            const [task] = await this.surely(
                () => this.me.post('/v1/tasks', [{ type, input: body }]));
            this.ledger.made.set(task.id, kind);
            return;
        }
        body.outputType = 'sourcedAnswer';
        body.callbackUrl = `${this.web.origin}/record`;
        const task = await this.surely(() => this.me.call('POST',
            '/v1/research', body, { 'Idempotency-Key': `task-${i}` }));
        this.ledger.made.set(task.id, kind);
    }

    // Create count tasks, more while there was not enough trouble, and see
    // them end.
    async run(count, { seconds = 600, enough = () => true } = {}) {
        const end = Date.now() + seconds * 1000;
        for (let i = 0; i < count; i++) await this.create(i);
        while (Date.now() < end) {
            if (this.ledger.open().length === 0) {
                if (enough(this.counts)) break;
                await this.create(this.ledger.made.size);
            }
            for (let page = 1, last = 1; page <= last; page++) {
                const list = await this.surely(() =>
                    this.me.get(`/v1/tasks?pageSize=100&page=${page}`));
                last = Math.ceil(list.metadata.total / 100);
                for (const task of list.data) this.ledger.note(task);
            }
        }
    }

    // No more trouble; wait until every record was sent.
    async settle({ seconds = 90 } = {}) {
        this.going = this.web.failing = false;
        await Promise.all(this.troubles);
        const open = () => this.db.prepare(
            'SELECT count(*) AS n FROM callback WHERE state < 2').get().n;
        // Who asks has a helper started, which sends what is due by then: the
        // pauses grow to five minutes after four tries.
        const [id] = this.ledger.made.keys();
        for (const end = Date.now() + seconds * 1000;
            open() > 0 && Date.now() < end; await pause(500))
            await this.surely(() => this.me.get(`/v1/tasks/${id}`));
    }

    figures() {
        const { lost, own } = this.ledger.judge();
        const count = (text) => this.db.prepare(text).get().n;
        const expected = this.ledger.with_callback();
        return {
            tasks: this.ledger.made.size, ...this.counts,
            lost: lost.length,
            endedTwice: count('SELECT count(*) AS n FROM (SELECT 1 FROM audit' +
                " WHERE what = 'end' GROUP BY task HAVING count(*) > 1)"),
            backwards: this.ledger.backwards + count(
                "SELECT count(*) AS n FROM audit WHERE what = 'back'"),
            rewritten: this.ledger.rewritten,
            failedForAnotherReason: own.length, reasons: own.slice(0, 5),
            callbacks: expected.length,
            delivered: expected.filter((id) => this.web.sent.has(id)).length,
            deliveredTwice: [...this.web.sent.values()]
                .filter((n) => n > 1).length,
            longestMs: this.longest, leaseMs: this.lease,
        };
    }

    // Also when a test failed half-way: nothing goes on.
    async close() {
        this.going = false;
        await Promise.allSettled(this.troubles ?? []);
        signal_processes(processes_of(this.site.dir), 'SIGCONT');
        await this.server?.stop({ crashes: true });
        this.db?.close();
        await this.web?.stop();
        await this.site?.close();
    }
}
