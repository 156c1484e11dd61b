// The sites the questions are about: fetches their Debian packages, takes them
// apart in a folder of the caller's (nothing is installed), lists and reads their
// pages. sites.json says where a package has its HTML and under which made-up host
// a bench indexes it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

export const sites = JSON.parse(
  fs.readFileSync(path.join(here, 'sites.json'), 'utf8'));

export const rows = (name) => fs.readFileSync(path.join(here, name), 'utf8')
  .split('\n').filter(Boolean).map((line) => JSON.parse(line));

// Takes apart in `folder` the packages that are not there yet. Returns the
// version of each site's package.
export function unpack(folder) {
  const versions = {};
  fs.mkdirSync(folder, { recursive: true });
  for (const [name, { package: pkg }] of Object.entries(sites)) {
    const to = path.join(folder, pkg);
    const note = path.join(folder, `${pkg}.version`);
    if (!fs.existsSync(note)) {
      execFileSync('apt-get', ['-qq', 'download', pkg],
        { cwd: folder, stdio: ['ignore', 'inherit', 'ignore'] });
      const deb = fs.readdirSync(folder)
        .find((file) => file.startsWith(`${pkg}_`) && file.endsWith('.deb'));
      const version = execFileSync('dpkg-deb', ['-f', deb, 'Version'],
        { cwd: folder }).toString().trim();
      execFileSync('dpkg', ['-x', deb, to], { cwd: folder });
      fs.rmSync(path.join(folder, deb));
      fs.writeFileSync(note, `${version}\n`);
    }
    versions[name] = fs.readFileSync(note, 'utf8').trim();
  }
  return versions;
}

// The pages of a site, relative to its root, sorted. Links to files are left out
// (they are second names of a page), and what `skip` says: pages that only send
// on, and whole books that are there as single pages too.
export function pages(folder, name) {
  const site = sites[name];
  const root = path.join(folder, site.package, site.root);
  const skip = site.skip && new RegExp(site.skip);
  return fs.readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.html?$/.test(file.name))
    .map((file) =>
      path.relative(root, path.join(file.parentPath ?? file.path, file.name)))
    .filter((page) => !skip?.test(`/${page}`))
    .sort();
}

export const html = (folder, name, page) => fs.readFileSync(
  path.join(folder, sites[name].package, sites[name].root, page), 'utf8');

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ',
  copy: '©', reg: '®', mdash: '—', ndash: '–', hellip: '…', rsquo: '’',
  lsquo: '‘', ldquo: '“', rdquo: '”', para: '¶', rarr: '→', times: '×',
  minus: '−', le: '≤', ge: '≥', ne: '≠', eacute: 'é', egrave: 'è', auml: 'ä',
  ouml: 'ö', uuml: 'ü', szlig: 'ß', sect: '§', trade: '™', laquo: '«',
  raquo: '»', rArr: '⇒', larr: '←', uarr: '↑', darr: '↓', bull: '•' };

// The text of a page: tags taken out, a line per block, spaces between cells.
export function text(source) {
  return source
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<!--[\s\S]*?-->/g, ' ')
    .split(/(<pre\b[\s\S]*?<\/pre>)/i)
    .map((part, i) => (i % 2 ? part : part.replace(/\s+/g, ' '))).join('')
    .replace(/<\/t[dh]>/gi, ' ')
    .replace(/<\/(p|div|li|tr|h\d|dt|dd|pre|table|section)>|<br[^>]*>/gi, '\n')
    .replace(/<(p|li|h\d|dt|dd|pre|tr)\b[^>]*>/gi, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&(#x[0-9a-f]+|#\d+|\w+);/gi, (all, name) => {
      if (name[0] !== '#') return entities[name] ?? all;
      const hex = name[1] === 'x' || name[1] === 'X';
      return String.fromCodePoint(hex ? parseInt(name.slice(2), 16)
        : Number(name.slice(1)));
    })
    .replace(/\u00a0/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n\s*\n+/g, '\n');
}
