// What many slow clients leave of the service for the others: behind each web
// server, in the configuration that is shipped (deploy/), SLOW connections
// (default 1500) that send a byte of a request each second and come again
// whenever they are closed, for SECONDS (default 15), from 8 addresses of the
// loopback network; and an honest client, from another, that asks four times a
// second, each time on a new connection. Called by bench.mjs.
//
// Two ways to be slow: headers (in the midst of a request's head) and bodies
// (in the midst of what it sends).
import http from 'node:http';
import net from 'node:net';
import { start } from '../tests/e2e/lib/server.js';
import { Site } from '../tests/e2e/lib/site.js';

export const SLOW = Number(process.env.SLOW ?? 1500);
export const SERVERS = ['lighttpd', 'apache', 'nginx', 'cgi'];
export const WAYS = ['headers', 'bodies'];
const SECONDS = Number(process.env.SECONDS ?? 15);
const ADDRESSES = 8;
const GIVE_UP_MS = 5000;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

const BEGINNINGS = {
  headers: 'POST /v1/search HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  bodies: 'POST /v1/search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n' +
    'Authorization: Bearer wrong\r\nContent-Length: 100000\r\n\r\n{"q":"',
};

// count connections that are kept, each opened again when it is closed.
function slow_clients(port, how, count) {
  const open = new Set();
  let running = true;
  function one(i) {
    if (!running) return;
    const socket = net.connect({ port, host: '127.0.0.1', localAddress: `127.0.0.${10 + i % ADDRESSES}` });
    socket.on('connect', () => { open.add(socket); socket.write(BEGINNINGS[how]); });
    socket.on('data', () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      setTimeout(() => one(i), 100);
    });
  }
  for (let i = 0; i < count; i++) setTimeout(() => one(i), i * 2000 / count);
  const drip = setInterval(() => { for (const socket of open) socket.write('a'); }, 1000);
  return {
    open: () => open.size,
    stop() { running = false; clearInterval(drip); for (const socket of open) socket.destroy(); },
  };
}

// The milliseconds an answer took, or null when none came that serves.
function ask(port, key) {
  const began = performance.now();
  return new Promise((done) => {
    const request = http.get({
      port, host: '127.0.0.1', path: '/v1/credits/balance', agent: false,
      timeout: GIVE_UP_MS, headers: { Authorization: `Bearer ${key}` },
    }, (res) => {
      res.resume();
      res.on('end', () => done(res.statusCode === 200 ? performance.now() - began : null));
      res.on('error', () => done(null));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => done(null));
  });
}

// { asked, answered, median, p95, open }: milliseconds, and the most slow
// connections that were open at once.
export async function slow(kind, way) {
  const site = await Site.make({ pages: [] });
  const server = await start(kind, site);
  const others = slow_clients(server.port, way, SLOW);
  const running = [];
  let open = 0;
  try {
    await pause(3000); // until they are all there
    for (const end = Date.now() + SECONDS * 1000; Date.now() < end;) {
      open = Math.max(open, others.open());
      running.push(ask(server.port, site.key));
      await pause(250);
    }
    const ms = (await Promise.all(running)).filter((one) => one !== null).sort((a, b) => a - b);
    const at = (share) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? GIVE_UP_MS;
    return { asked: running.length, answered: ms.length, median: at(0.5), p95: at(0.95), open };
  } finally {
    others.stop();
    await server.stop({ crashes: true });
    await site.close();
  }
}
