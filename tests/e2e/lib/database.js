import { spawn } from 'node:child_process';
import net from 'node:net';
import { ROOT } from './world.js';

// A PostgreSQL on a port that can be cut off.
export class Database {
    static async make() {
        const db = new Database();
        db.child = spawn(`${ROOT}/tests/support/postgres.sh`,
            ['sh', '-c', 'echo "$CITED_TEST_POSTGRES"; cat'],
            { stdio: ['pipe', 'pipe', 'inherit'] });
        const line = await new Promise((resolve, reject) => {
            db.child.stdout.once('data', (data) => resolve(String(data)));
            db.child.once('exit', (code) => reject(new Error(`ended: ${code}`)));
        });
        db.socket = `${/host=([^&]*)/.exec(line)[1]}/.s.PGSQL.5432`;
        await db.open(0);
        db.port = db.server.address().port;
        db.address = `postgresql://cited:sesame@127.0.0.1:${db.port}/postgres`;
        return db;
    }

    async open(port) {
        this.open_sockets = new Set();
        this.server = net.createServer((here) => {
            const there = net.connect(this.socket);
            for (const [one, other] of [[here, there], [there, here]]) {
                this.open_sockets.add(one);
                one.on('error', () => {});
                one.on('close', () => other.destroy());
                one.pipe(other);
            }
        });
        await new Promise((done) =>
            this.server.listen(port, '127.0.0.1', done));
    }

    async cut() {
        const closed = new Promise((done) => this.server.close(done));
        for (const socket of this.open_sockets) socket.destroy();
        await closed;
    }

    async stop() {
        if (this.server.listening) await this.cut();
        const ended = new Promise((done) => this.child.once('exit', done));
        this.child.stdin.end();
        await ended;
    }
}
