// Documentation sites out of Debian packages: installed ones as they are, others
// unpacked below build/bench/sites and not installed; indexes of them; and what
// is right of what is found on them.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root, bin, dir, run } from './lib.mjs';

// site → package and the folder of it that is the site's root
const sites = {
  postgres: ['postgresql-doc-15', 'usr/share/doc/postgresql-doc-15/html'],
  git: ['git-doc', 'usr/share/doc/git/html'],
  sqlite: ['sqlite3-doc', 'usr/share/doc/sqlite3'],
  python: ['python3.11-doc', 'usr/share/doc/python3.11/html'],
  harden: ['harden-doc', 'usr/share/doc/harden-doc/html/en-US'],
};

// Those of a set of questions, as its sites.json has them.
export function sitesOf(folder) {
  const file = path.join(folder, 'sites.json');
  if (fs.existsSync(file))
    for (const [k, v] of Object.entries(JSON.parse(fs.readFileSync(file, 'utf8'))))
      sites[k] = [v.package, v.root.replace(/^\//, '')];
}

const isInstalled = (pkg) => spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status}', pkg])
  .stdout.toString() === 'installed';

// The site's root folder, of the installed package or of an unpacked one.
export function siteRoot(name) {
  const [pkg, at] = sites[name];
  const installed = path.join('/', at), to = path.join(root, 'build', 'bench', 'sites', pkg);
  if (isInstalled(pkg) && fs.existsSync(installed)) return installed;
  if (!fs.existsSync(path.join(to, at))) {
    const got = path.join(dir, pkg);
    fs.mkdirSync(got, { recursive: true });
    run('apt-get', ['download', '-q', '-o', 'APT::Sandbox::User=root', pkg],
      { cwd: got, stdio: ['ignore', 'pipe', 'pipe'] });
    fs.mkdirSync(to, { recursive: true });
    for (const f of fs.readdirSync(got)) run('dpkg', ['-x', path.join(got, f), to]);
  }
  return path.join(to, at);
}

// Where a site stands in the index.
export const base = (site) => `http://${site}.example.org/`;

// --- indexes ------------------------------------------------------------------

// Folders named by KEEP stay, to be found there by the next run.
export const kept = process.env.KEEP || dir;
export const encoder = path.join(root, 'build', 'meaning', 'minilm.model');

// The sites in one index, each put in once, at an address that may name them or not;
// returns those that can be had.
export function indexSites(data, names, address = base) {
  return names.filter((name) => {
    const mark = path.join(data, `indexed-${name}`), t = Date.now();
    let at;
    try { at = siteRoot(name); } catch (e) {
      console.log(`skip site ${name}: ${String(e.message).split('\n')[0]}`);
      return false;
    }
    if (fs.existsSync(mark)) return true;
    run(bin('cited'), ['--data', data, '--quiet', 'index', 'add', at, '--base', address(name)]);
    fs.writeFileSync(mark, '');
    console.log(`indexed ${name} in ${((Date.now() - t) / 1000).toFixed(1)} s`);
    return true;
  });
}

// Vectors of all passages there are; those that are there stay.
export function vectors(data) {
  const t = Date.now();
  if (!fs.existsSync(encoder)) throw new Error('no encoder: run make meaning first');
  run(bin('cited-worker'), ['--data', data, '--vectors'],
    { env: { ...process.env, CITED_MEANING_MODEL: encoder } });
  console.log(`vectors after ${((Date.now() - t) / 1000).toFixed(0)} s`);
}

// --- what is right ------------------------------------------------------------

// All of the patterns, and none of the others.
export const matches = (must, text, not = []) => must.every((m) => pattern(m).test(text)) &&
  !not.some((m) => pattern(m).test(text));
function pattern(m) {
  return new RegExp(m.replace(/\(\?i\)/g, '').replace(/\(\?P</g, '(?<'), 'is');
}

// The words of a text, and what marks some of them: two hashes of FNV's kind.
export const wordsOf = (z) => z.normalize('NFKC').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
function markOf(words) {
  let a = 0x811c9dc5, b = 0x9747b28c;
  const text = words.join(' ');
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(i), 0x85ebca6b);
  }
  return [a, b].map((x) => (x >>> 0).toString(16).padStart(8, '0')).join('');
}

// Does a text hold the words in a row that question q of bench/questions/asked marks?
export function says(q, text) {
  const w = wordsOf(text);
  for (let i = 0; i + q.words <= w.length; i++)
    if (markOf(w.slice(i, i + q.words)) === q.said) return true;
  return false;
}

const pathOf = (url, site) => url.startsWith(base(site)) ?
  decodeURIComponent(url.slice(base(site).length).replace(/#.*/, '')) || 'index.html' : null;
const same = (a, b) => a === b || (a === 'index.html' && b === 'git.html') ||
  (a === 'git.html' && b === 'index.html');
export const onPage = (q, urls) => urls.some((u) => {
  const at = pathOf(u, q.site);
  return at !== null && q.pages.some((p) => same(at, p));
});
