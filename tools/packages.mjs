// Debian packages as texts to learn from: fetched and unpacked, not installed.
// Called by words.mjs and translations.mjs.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

// What it wrote on standard output.
export function run(cmd, args, opts = {}) {
  const r = spawnSync(cmd, args, { maxBuffer: 1 << 28, ...opts });
  if (r.error) throw r.error;
  if (r.status !== 0) throw new Error(`${cmd}: exit ${r.status}\n${r.stderr ?? ''}`);
  return r.stdout?.toString() ?? '';
}

// Those named, in folder/packages, to be found there by the next run; all of
// them below folder/unpacked, whose path is returned.
export function unpack(folder, names) {
  const debs = path.join(folder, 'packages'), to = path.join(folder, 'unpacked');
  fs.mkdirSync(debs, { recursive: true });
  const here = () => fs.readdirSync(debs).filter((f) => f.endsWith('.deb')).sort();
  const has = (name) => here().some((f) => f.startsWith(`${name}_`));
  const wanted = names.filter((p) => !has(p));
  // Of those that are not in the archive apt-cache says so, and fails.
  const known = wanted.length === 0 ? '' : spawnSync('apt-cache',
    ['show', '--no-all-versions', ...wanted], { maxBuffer: 1 << 28 }).stdout?.toString() ?? '';
  const there = new Set([...known.matchAll(/^Package: (\S+)$/gm)].map((m) => m[1]));
  const missing = wanted.filter((p) => !there.has(p));
  if (missing.length > 0) console.log(`Not in the archive, and left out: ${missing.join(' ')}.`);
  if (there.size > 0) {
    console.log(`Fetching ${there.size} packages.`);
    run('apt-get', ['-q', 'download', ...there], { cwd: debs });
  }
  fs.rmSync(to, { recursive: true, force: true });
  for (const f of here()) run('dpkg-deb', ['-x', f, to], { cwd: debs });
  return to;
}
