// Pages made to be expensive: each a name and a function that returns bytes, or
// the type and bytes. Used by index.mjs, which measures what `cited extract`
// spends on each. HTML above 8 MiB is refused unread, so most stay just below.
const page = (body, head = '') => Buffer.from(
  `<!doctype html><html><head><title>Page</title>${head}</head><body>${body}</body></html>`);
const times = (n, one) => one.repeat(n);
const each = (n, f) => Array.from({ length: n }, (_, i) => f(i)).join('');
const nested = (tag, n = 100000) => page(times(n, `<${tag}>`) + 'deep' + times(n, `</${tag}>`));
const filler = 'The quick brown fox jumps over the lazy dog and runs into the wood. ';

// Bytes that look random and are the same each time (xorshift32).
function noise(n, seed = 2463534242) {
  const b = Buffer.alloc(n);
  let x = seed;
  for (let i = 0; i < n; i++) {
    x ^= x << 13; x ^= x >>> 17; x ^= x << 5;
    b[i] = x & 255;
  }
  return b;
}

function declared(charset, bytes) {
  return Buffer.concat([Buffer.from(
    `<html><head><meta charset="${charset}"><title>Page</title></head><body><p>`), bytes]);
}

function utf16(declaration) {
  const b = Buffer.from(`<html><head><meta charset="${declaration}"></head><body><p>` +
    times(20000, filler), 'utf16le');
  return b.subarray(0, b.length - 1); // cut inside a character
}

export const hostile = {
  // nesting
  'nested div': () => nested('div'),
  'nested formatting elements': () => nested('b'),
  'nested links': () => nested('a href="/x"'),
  'nested tables': () => page(times(100000, '<table><tr><td>')),
  'nested lists': () => page(times(100000, '<ul><li>item ')),
  'nested quotations': () => nested('blockquote'),
  // what looks for others
  'captions without a picture': () =>
    page('<div class=figure>' + times(400000, '<p class=title>x')),
  'footnotes in the other order': () => page('<p>' +
    each(100000, (i) => `x<a href=#n${i}><sup>1</sup></a>`) +
    each(100000, (i) => `<p id=n${99999 - i}>note`)),
  'hidden things': () => page(times(150000, '<span><b hidden>x</b><b hidden>y</b></span>')),
  'nested svg and math': () => page(times(50000, '<svg><g><math><mi>')),
  'nested templates': () => nested('template'),
  'nested buttons and forms': () => page(times(100000, '<form><button>')),
  'formatting closed in the wrong order': () => page(times(100000, '<b><i><p></b></i>text ')),
  'formatting reopened by paragraphs': () => page(times(2000, '<b><i><u><s><em>') +
    times(20000, '<p>text</p>')),
  'nested spans, never closed, with text': () => page(times(100000, '<span>a word ')),
  // attributes
  '20 MB in one attribute': () => page(`<p title="${times(20 << 20, 'x')}">text</p>`),
  '8 MB in one attribute': () => page(`<p title="${times(8000000, 'x')}">text</p>`),
  '20 MB of attributes of one element': () => page(
    `<p ${each(1500000, (i) => `a${i}="v${i}" `)}>text</p>`),
  '8 MB of attributes of one element': () => page(
    `<p ${each(500000, (i) => `a${i}="v" `)}>text</p>`),
  '20 MB of the same attribute': () => page(`<p ${times(3 << 20, 'id="x" ')}>text</p>`),
  '8 MB of the same attribute': () => page(`<p ${times(1100000, 'id="x" ')}>text</p>`),
  '20 MB of attributes of many elements': () => page(
    each(100000, (i) => `<p ${each(20, (k) => `d${k}="v${i}" `)}>t</p>`)),
  '8 MB of attributes of many elements': () => page(
    each(30000, (i) => `<p ${each(20, (k) => `d${k}="v${i}" `)}>t</p>`)),
  'an attribute that never ends': () => page(`<p title="${times(110000, filler)}`),
  // character sets
  'noise called UTF-8': () => declared('utf-8', noise(4 << 20)),
  'noise called Shift_JIS': () => declared('shift_jis', noise(4 << 20)),
  'noise called GB18030': () => declared('gb18030', noise(4 << 20)),
  'noise without a name': () => noise(4 << 20),
  'UTF-16 called UTF-8, cut in a character': () => utf16('utf-8'),
  'UTF-16 with a mark and another name': () => Buffer.concat(
    [Buffer.from([0xff, 0xfe]), utf16('windows-1252')]),
  'a character set nobody knows': () => declared('x-nobody-knows',
    Buffer.from(times(60000, 'caf\u00e9 na\u00efve '), 'latin1')),
  'overlong and surrogate UTF-8': () => declared('utf-8',
    Buffer.from(times(400000, 'a\xc0\xaf\xed\xa0\x80\xf8\x88\x80\x80\x80'), 'latin1')),
  'zero bytes': () => declared('utf-8', Buffer.alloc(8000000)),
  // tables and lists
  'a table of 700,000 cells': () => page('<table>' + times(70000,
    `<tr>${times(10, '<td>1</td>')}</tr>`)),
  'a table that never ends': () => page('<table>' + times(600000, '<tr><td>cell')),
  'cells spanning a billion columns': () => page('<table>' + times(100000,
    '<tr><td colspan=1000000000 rowspan=1000000000>x</td></tr>')),
  'text thrown out of a table': () => page('<table>' + times(200000, 'text<tr>')),
  'a list of a million items': () => page('<ul>' + times(1000000, '<li>one')),
  'a select of 700,000 options': () => page('<select>' + times(700000, '<option>one')),
  // tokens
  '8 MB of angle brackets': () => page(times(8000000, '<')),
  '8 MB of ampersands': () => page(times(8000000, '&')),
  '8 MB of character references': () => page(times(600000, '&notin;&#x41;')),
  'a comment that never ends': () => page(`<p>text</p><!--${times(8000000, '-')}`),
  'a script that never ends': () => page(`<p>text</p><script>${times(2000000, '<!--')}`),
  'a title that never ends': () => page('', `<title>${times(110000, filler)}`),
  'one word of 8 MB': () => page(`<p>${times(8000000, 'x')}</p>`),
  'one sentence of 8 MB': () => page(`<p>${times(1600000, 'word ')}</p>`),
  'a million paragraphs': () => page(times(1000000, '<p>text ')),
  'a million line breaks': () => page(times(1000000, 'text<br>')),
  '700,000 dates': () => page(`<p>${times(700000, '2020-01-01 ')}</p>`),
  '150,000 dates in time elements': () => page(times(150000,
    '<time datetime="2020-01-01">1 January 2020</time>')),
  '2.6 million full stops': () => page(`<p>${times(2600000, 'A. ')}</p>`),
  '200,000 links': () => page(each(200000, (i) => `<a href="/p/${i}">page ${i}</a> `)),
  '150,000 images': () => page(each(150000, (i) => `<p>text<img src="/i/${i}" alt="picture ${i}">`)),
  // metadata
  'JSON-LD nested 100,000 deep': () => page('text',
    `<script type="application/ld+json">${times(100000, '{"a":[')}</script>`),
  '8 MB of JSON-LD': () => page('text', `<script type="application/ld+json">[${
    times(160000, '{"datePublished":"2020-01-01","headline":"A"},')}{}]</script>`),
  '100,000 meta elements': () => page('text', each(100000,
    (i) => `<meta property="article:published_time" content="2020-01-01T00:00:${i % 60}Z">`)),
  // other types
  'Markdown: quotation nested 100,000 deep': () => ['markdown', Buffer.from(times(100000, '>') + ' deep')],
  'Markdown: list nested deep': () => ['markdown',
    Buffer.from(each(3000, (i) => `${' '.repeat(2 * i)}- item\n`))],
  'Markdown: 4 MB of brackets': () => ['markdown', Buffer.from(times(4 << 20, '['))],
  'Markdown: 4 MB of emphasis': () => ['markdown', Buffer.from(times(1 << 20, '*a_ '))],
  'Markdown: 4 MB of backticks': () => ['markdown', Buffer.from(
    each(2800, (i) => times(i, '`') + ' '))],
  'Markdown: one word of 20 MB': () => ['markdown', Buffer.from(times(20 << 20, 'x'))],
  'text: 20 MB without a space': () => ['text', Buffer.from(times(20 << 20, 'x'))],
  'text: noise': () => ['text', noise(4 << 20)],
};
