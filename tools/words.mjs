// The vectors of words that are built in, learned from the encoder over text
// about computers and a part of everyday English: dictionaries and manual pages
// of Debian packages, which are unpacked and not installed.
//
//   node tools/words.mjs [corpus]
//
// Called by `make words`, after `make meaning`. Writes build/words/corpus.tsv,
// and from it src/meaning/words.model; with `corpus` the former only. Lines of
// the corpus are "QUERY TAB TITLE TAB HEADING TAB TEXT": queries are titles and
// sentences, those of one text stand together. The same packages give the same
// corpus. Packages stay in build/words, to be found there by the next run, and
// so do the encoder's vectors.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { run, unpack } from './packages.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const out = path.join(root, 'build', 'words');
const share = path.join(out, 'unpacked', 'usr', 'share');
const corpus = path.join(out, 'corpus.tsv');
const encoder = path.join(root, 'build', 'meaning', 'minilm.model');
const model = path.join(root, 'src', 'meaning', 'words.model');

const packages = `dict-foldoc dict-jargon dict-wn manpages manpages-dev openssh-client
  openssh-server systemd coreutils util-linux procps iproute2 mount e2fsprogs dpkg apt passwd
  login cron rsync curl wget tar gzip sed gawk grep findutils tmux screen gnupg gpg sudo ufw
  nftables iptables lvm2 mdadm parted fdisk udev network-manager chrony logrotate acl attr quota
  strace gdb make binutils gcc-12 cpp-12 ffmpeg ghostscript cups-client zip unzip xz-utils bzip2
  less nano mc htop apache2-utils smartmontools pciutils usbutils`.split(/\s+/);

// --- choices that look random and are the same each time (xorshift32) --------

let state = 2463534242;
function random() {
  state ^= state << 13; state ^= state >>> 17; state ^= state << 5;
  return (state >>> 0) / 2 ** 32;
}
const below = (n) => Math.floor(random() * n);
const oneOf = (xs) => xs[below(xs.length)];

// n of them, in any order.
function sample(xs, n) {
  const all = [...xs];
  for (let i = 0; i < n && i < all.length; i++) {
    const j = i + below(all.length - i);
    [all[i], all[j]] = [all[j], all[i]];
  }
  return all.slice(0, n);
}

// --- texts: { title, heading, text, man } --------------------------------------

const wordsOf = (z) => z.split(/\s+/).filter(Boolean);
const clean = (z) => z.replace(/[{}_]/g, ' ').replace(/\s+/g, ' ').trim();

// Pieces of so many words; a last one of a few is left out.
function pieces(z, count) {
  const w = wordsOf(z), all = [];
  for (let i = 0; i < w.length; i += count)
    if (w.length - i >= 5) all.push(w.slice(i, i + count).join(' '));
  return all;
}

function dictionary(name) {
  const file = path.join(share, 'dictd', `${name}.dict.dz`);
  if (!fs.existsSync(file)) throw new Error(`the dictionary ${name} is not in its package`);
  return gunzipSync(fs.readFileSync(file)).toString();
}

// An entry's beginning, and another part of a long one.
function terms(name) {
  const entry = /^(\S[^\n]{0,60})\n((?:(?:[ \t][^\n]*)?\n)+)/gm;
  return [...dictionary(name).matchAll(entry)].flatMap(([, title, text]) => {
    const [first, ...rest] = pieces(clean(text), 90);
    return [first, rest.length > 0 ? oneOf(rest) : undefined].filter(Boolean)
      .map((t) => ({ title: title.trim(), heading: '', text: t }));
  });
}

// Everyday words, fewer of them names.
function everyday() {
  const entry = /^(\S[^\n]{0,40})\n((?:[ \t][^\n]*\n)+)/gm, all = [];
  for (const [, title, text] of dictionary('wn').matchAll(entry)) {
    if (/^[A-Z]/.test(title) && random() < 0.7) continue;
    const [first] = pieces(clean(text), 50);
    if (first !== undefined) all.push({ title, heading: '', text: first });
  }
  return sample(all, 10000);
}

const UNSAID = new Set(['Synopsis', 'Author', 'Authors', 'Copyright', 'See also', 'Colophon',
  'Reporting bugs']);

// A manual page's title and paragraphs, each one long line between a line at
// its head and one at its foot.
function manual(file) {
  const z = spawnSync('sh',
    ['-c', 'mandoc -T utf8 -O width=900 "$1" 2>/dev/null | col -bx', 'sh', file],
    { maxBuffer: 1 << 28, timeout: 10000, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
  const found = { title: '', paragraphs: [] };
  let heading = '';
  for (const line of (z.stdout ?? '').toString().split('\n').slice(1, -2)) {
    if (/^[A-Z][A-Z ]+$/.test(line))
      heading = line[0] + line.slice(1).trim().toLowerCase();
    else if (heading === 'Name')
      found.title = `${found.title} ${line.trim()}`.trim().slice(0, 100);
    else if (wordsOf(line).length >= 8 && !UNSAID.has(heading))
      found.paragraphs.push({ heading, text: clean(line) });
  }
  return found;
}

// Some paragraphs of a page; a short one with the one that follows it.
function paragraphs(file) {
  const { title, paragraphs: all } = manual(file);
  if (title === '' || all.length < 2) return [];
  const some = sample(all.keys(), /\/man[23]\//.test(file) ? 4 : 9);
  return some.map((i) => {
    const next = all[i + 1], short = wordsOf(all[i].text).length < 40;
    const { heading, text } = all[i];
    const whole = short && next?.heading === heading ? `${text} ${next.text}` : text;
    return { title, heading, text: wordsOf(whole).slice(0, 100).join(' '), man: true };
  });
}

function manuals() {
  // In English. A page of several names is read for each: it says that much more.
  const files = fs.readdirSync(path.join(share, 'man')).filter((d) => /^man\d/.test(d))
    .map((d) => path.join(share, 'man', d))
    .flatMap((d) => fs.readdirSync(d).map((f) => path.join(d, f)))
    .filter((f) => f.endsWith('.gz') && fs.existsSync(f)).sort();
  console.log(`Reading ${files.length} manual pages.`);
  return files.flatMap(paragraphs);
}

// --- the corpus ---------------------------------------------------------------

// What somebody would ask who looks for the text.
function queries({ title, heading, text, man }) {
  const asked = [], name = title.split(/ [-–—] /).pop();
  if (random() < (man ? 0.4 : 0.8))
    asked.push(heading !== '' && random() < 0.7 ? `${name} ${heading}` : name);
  const sentences = text.split(/(?<=[.!?;])\s+/)
    .filter((s) => wordsOf(s).length >= 4 && wordsOf(s).length <= 25);
  if (sentences.length > 0 && random() < 0.6) asked.push(oneOf(sentences));
  return asked;
}

function writeCorpus() {
  const seen = new Set(), lines = [];
  let asked = 0;
  for (const t of [...terms('foldoc'), ...terms('jargon'), ...everyday(), ...manuals()]) {
    if (seen.has(t.text)) continue;
    seen.add(t.text);
    const own = queries(t);
    asked += own.length;
    for (const q of own.length > 0 ? own : [''])
      lines.push([q, t.title, t.heading, t.text].map((z) => z.replace(/\s+/g, ' ')).join('\t'));
  }
  fs.writeFileSync(corpus, `${lines.join('\n')}\n`);
  console.log(`${path.relative(root, corpus)}: ${seen.size} texts, ${asked} queries`);
}

try {
  const only = process.argv[2] === 'corpus';
  for (const tool of ['apt-get', 'dpkg-deb', 'mandoc', 'col'])
    if (spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0)
      throw new Error(`${tool} is not installed`);
  if (!only && !fs.existsSync(encoder))
    throw new Error(`${path.relative(root, encoder)} is not there; run make meaning first`);
  unpack(out, packages);
  writeCorpus();
  if (!only)
    run(path.join(root, 'build', 'tools', 'words'),
      ['--vectors', path.join(out, 'vectors'), encoder, corpus, model], { stdio: 'inherit' });
} catch (e) {
  console.error(`make words: ${e.message}`);
  process.exitCode = 1;
}
