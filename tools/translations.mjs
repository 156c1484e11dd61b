// Which words of German and French mean the same as words of English: learned
// from what Debian packages say in both, which are unpacked and not installed.
//
//   node tools/translations.mjs [corpus]
//
// Called by `make translations`. Writes build/translations/CODE.tsv, lines
// "TEXT TAB ENGLISH" of the messages of programs, of help pages, of the
// descriptions of packages and of dictionaries, and from it
// src/lang/CODE.near (near_pairs.c); with `corpus` the former only. The same
// packages give the same files. Programs whose manuals the benches ask are left
// out.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { run, unpack } from './packages.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const out = path.join(root, 'build', 'translations');
const lists = path.join(out, 'lists');
const ASKED = /libreoffice|gimp/;
const WORDS_MAX = 40; // of a sentence; a longer one tells little

const packages = `apt aptitude-common bash binutils-common coreutils cups-client dpkg evince-common
  evolution-common findutils gawk gcc-12-locales gedit-common gettext git gnome-control-center-data
  gnome-shell-common gnome-user-docs gnucash-common gnumeric-common
  gnupg-l10n gparted grep grub-common inkscape libc-l10n libglib2.0-data
  libgtk-3-common make man-db mediawiki nano nautilus-data network-manager-gnome parted passwd
  phpmyadmin pidgin-data postgresql-15 postgresql-client-15 procps psmisc rhythmbox-data samba-common
  sed shotwell-common simple-scan subversion sudo synaptic system-config-printer-common systemd tar
  thunar-data transmission-common util-linux-locales vlc-l10n wget wordpress-l10n xfce4-settings yelp
  audacity-data brasero-common deja-dup digikam-data filezilla-common kdenlive-data krita-data
  krita-l10n plasma-desktop-data plasma-workspace-data abiword-common
  trans-de-en dict-freedict-eng-fra dict-freedict-fra-eng`.split(/\s+/);

// --- reading ------------------------------------------------------------------

const squeeze = (z) => z.replace(/\s+/g, ' ').trim();

// Without tags, places for values and the marks of keys.
const clean = (z) => squeeze(z.replace(/<[^<>]{1,200}>/g, ' ')
  .replace(/%[-#0 +']*\d*\$?[-\d.*]*[hlLqjzt]*[a-zA-Z]/g, ' ')
  .replace(/(?<=[\p{L}\p{N}])[_&~](?=[\p{L}\p{N}])/gu, '')
  .replace(/(?<![\p{L}\p{N}])[_&~](?=[\p{L}\p{N}])/gu, '')
  .replace(/\\[nt]|&\w+;|[{}$%]/g, ' '));

function filesBelow(folder) {
  return !fs.existsSync(folder) ? [] : fs.readdirSync(folder, { withFileTypes: true })
    .flatMap((e) => e.isDirectory() ? filesBelow(path.join(folder, e.name)) :
      e.isFile() ? [path.join(folder, e.name)] : []).sort();
}

// [English, translation] of a catalogue of messages, as GNU gettext writes it.
function messages(file) {
  const b = fs.readFileSync(file), little = b.length > 28 && b.readUInt32LE(0) === 0x950412de;
  const number = (at) => little ? b.readUInt32LE(at) : b.readUInt32BE(at);
  if (!little && !(b.length > 28 && b.readUInt32BE(0) === 0x950412de)) return [];
  const text = (table, i) => {
    const at = number(table + 8 * i + 4);
    return b.toString('utf8', at, at + number(table + 8 * i)).split('\0')[0];
  };
  return Array.from({ length: number(8) }, (_, i) =>
    [text(number(12), i).split('\x04').pop(), text(number(16), i)]);
}

// Paragraphs and titles of a help page (Mallard).
const ENTITIES = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
const paragraphs = (file) => !fs.existsSync(file) ? [] :
  [...fs.readFileSync(file, 'utf8').matchAll(/<(p|title|desc)\b[^>]*>([\s\S]*?)<\/\1>/g)]
    .map(([, , z]) => clean(z.replace(/<[^>]*>/g, ' ')
      .replace(/&(lt|gt|quot|apos|amp);/g, (_, n) => ENTITIES[n])));

// What packages are, paragraphs by what tells the English text.
function descriptions(code) {
  const all = new Map(), name = fs.readdirSync(lists).sort().filter((f) => f.includes(`Translation-${code}`));
  for (const f of name)
    for (const z of run('/usr/lib/apt/apt-helper', ['cat-file', path.join(lists, f)]).split('\n\n')) {
      const sum = z.match(/^Description-md5: (.*)$/m);
      const text = z.match(/^Description-(?!md5)\w+: (.*(?:\n .*)*)$/m);
      if (sum && text)
        all.set(sum[1], text[1].replace(/\n/, '\n .\n').split('\n .\n').map(squeeze));
    }
  return all;
}

function dictionary(from, name) {
  const file = path.join(from, 'usr/share/dictd', `${name}.dict.dz`);
  return gunzipSync(fs.readFileSync(file)).toString().split('\n');
}

const bare = (z) => squeeze(z.replace(/\{[^}]*\}|\[[^\]]*\]|\([^)]*\)|<[^>]*>|\/[^/]*\//g, ' '));

// [word, what it is] of a dictionary of heads "word /sound/ <kind>" and lines.
function* entries(lines) {
  let head;
  for (const l of lines) {
    const m = l.match(/^(\S[^/]*) \/[^/]*\//);
    if (m && !/^\d+\. /.test(l)) head = m[1];
    else if (head && l.trim() !== '')
      for (const y of bare(l).replace(/^\d+\. /, '').split(',')) yield [head, y.trim()];
  }
}

// --- pairs --------------------------------------------------------------------

const count = (z) => z.split(' ').length;

// [text, English] of all kinds of one language.
function* pairsOf(code, from) {
  const catalogue = new RegExp(`/${code}(_[A-Z]+)?/LC_MESSAGES/`);
  const region = /\/(de_CH|de_AT|fr_CA|fr_BE)\//;
  for (const f of filesBelow(from))
    if (f.endsWith('.mo') && catalogue.test(f) && !region.test(f) && !ASKED.test(f))
      for (const [a, b] of messages(f)) yield [clean(b), clean(a)];
  const help = path.join(from, 'usr/share/help');
  for (const f of filesBelow(path.join(help, code)).filter((z) => z.endsWith('.page'))) {
    const own = paragraphs(f), english = paragraphs(f.replace(`/help/${code}/`, '/help/C/'));
    if (own.length === english.length) yield* own.map((z, i) => [z, english[i]]);
  }
  const english = descriptions('en');
  for (const [sum, own] of descriptions(code)) {
    const other = english.get(sum) ?? [];
    for (let i = 0; own.length === other.length && i < own.length; i++) {
      const a = own[i].split(/(?<=[.!?;:])\s+/), b = other[i].split(/(?<=[.!?;:])\s+/);
      const sentences = a.length === b.length ? a.map((z, k) => [z, b[k]]) : [[own[i], other[i]]];
      yield* sentences.filter(([, z]) => count(z) <= WORDS_MAX);
    }
  }
  if (code === 'fr') {
    yield* entries(dictionary(from, 'freedict-fra-eng'));
    for (const [a, b] of entries(dictionary(from, 'freedict-eng-fra'))) yield [b, a];
  }
  if (code !== 'de') return;
  for (const l of fs.readFileSync(path.join(from, 'usr/share/trans/de-en'), 'utf8').split('\n')) {
    const [a, b] = l.split('::').map((z) => z.split('|').map(bare));
    if (b && a.length === b.length && !l.startsWith('#'))
      yield* a.map((z, i) => [z, b[i]]).filter((x) => x.every((z) => count(z) <= 12));
  }
}

function write(code, from) {
  const file = path.join(out, `${code}.tsv`), seen = new Set();
  for (const [a, b] of pairsOf(code, from)) {
    const line = `${a}\t${b}`;
    if (a !== b && a.length > 2 && /[a-z]{3}/i.test(b) && !/\t.*\t/.test(line)) seen.add(line);
  }
  fs.writeFileSync(file, `${[...seen].join('\n')}\n`);
  console.log(`${path.relative(root, file)}: ${seen.size} pairs`);
  return file;
}

try {
  const from = unpack(out, packages);
  fs.mkdirSync(path.join(lists, 'partial'), { recursive: true });
  run('apt-get', ['-q', 'update', '-o', `Dir::State::lists=${lists}`,
    '-o', 'Acquire::Languages=en,de,fr']);
  for (const code of ['de', 'fr']) {
    const file = write(code, from);
    if (process.argv[2] !== 'corpus')
      fs.writeFileSync(path.join(root, 'src', 'lang', `${code}.near`),
        run(path.join(root, 'build', 'tools', 'near_pairs'), [code, file],
          { stdio: ['ignore', 'pipe', 'inherit'] }));
  }
} catch (e) {
  console.error(`make translations: ${e.message}`);
  process.exitCode = 1;
}
