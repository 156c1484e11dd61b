// Search providers and pages of our own making, whose behaviour a test can
// change while they run: answer, or fail in each way a server can.
import http from 'node:http';

export const FAULTS = ['refuse', 'hang', '429', '500', 'html', 'half', 'huge'];

const HUGE = 50 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024, ' ');

function fail(mode, req, res) {
    switch (mode) {
    case 'refuse':
        req.socket.resetAndDestroy();
        return;
    case 'hang':
        setTimeout(() => req.socket.destroy(), 60000).unref();
        return;
    case '429':
        res.writeHead(429, { 'Content-Type': 'text/plain' });
        res.end('slow down');
        return;
    case '500':
        res.writeHead(500, { 'Content-Type': 'text/html' });
        res.end('<h1>Internal error</h1>');
        return;
    case 'html':
        res.writeHead(200, { 'Content-Type': 'text/html' });
        res.end('<html><body>Please sign in</body></html>');
        return;
    case 'half':
        res.writeHead(200, { 'Content-Type': 'application/json' });
        res.end('{"results":[{"url":"http://half.exa');
        return;
    case 'huge': {
        res.writeHead(200, { 'Content-Type': 'application/json' });
        res.write('{"results":[');
        let left = HUGE;
        const more = () => {
            while (left > 0 && !res.destroyed) {
                left -= PIECE.length;
                if (!res.write(PIECE)) {
                    res.once('drain', more);
                    return;
                }
            }
            res.end(']}');
        };
        more();
        return;
    }
    default:
        throw new Error(`no such fault: ${mode}`);
    }
}

// handlers: { '/path': (req, res, body, url) => … }; a server that counts
// the requests to each path, with mode = null (work) or one of FAULTS.
export class Fake {
    static async start(handlers, { host = '127.0.0.1', port = 0 } = {}) {
        const fake = new Fake();
        fake.mode = null;
        fake.hits = 0;
        fake.seen = [];
        fake.server = http.createServer((req, res) => {
            const parts = [];
            fake.hits++;
            fake.seen.push(`${req.method} ${req.url}`);
            req.on('data', (part) => parts.push(part));
            req.on('error', () => {});
            res.on('error', () => {});
            req.on('end', () => {
                const url = new URL(req.url, 'http://fake');
                const handler = handlers[url.pathname] ?? handlers['*'];
                if (fake.mode && url.pathname === '/search')
                    return fail(fake.mode, req, res);
                if (!handler) {
                    res.writeHead(404);
                    return res.end();
                }
                return handler(req, res, Buffer.concat(parts).toString(), url);
            });
        });
        await new Promise((resolve, reject) => {
            fake.server.on('error', reject);
            fake.server.listen(port, host, resolve);
        });
        fake.port = fake.server.address().port;
        fake.origin = `http://127.0.0.1:${fake.port}`;
        return fake;
    }

    async stop() {
        this.server.closeAllConnections();
        await new Promise((resolve) => this.server.close(resolve));
    }
}

export function json(res, value, status = 200) {
    res.writeHead(status, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(value));
}

export function html(res, title, text, more = '') {
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    res.end(`<html lang="en"><head><title>${title}</title>${more}</head>` +
        `<body><main><h1>${title}</h1><p>${text}</p></main></body></html>`);
}
