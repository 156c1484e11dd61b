// A report as one HTML file that needs nothing else: its own look, no script.
import { Cited, blocks_in, draw_blocks } from './text.js';
import { element } from '../lib.js';
import { host_of } from './ui.js';

const LOOK = `body{max-width:44rem;margin:2rem auto;padding:0 1rem;
font:1.0625rem/1.6 Charter,Georgia,serif;color:#1d1c1a;background:#fdfcfa}
h1,h2,h3{line-height:1.25}table{border-collapse:collapse;width:100%}
th,td{border-bottom:1px solid #d9d4ca;padding:.4rem;text-align:left;
vertical-align:top}pre{padding:1rem;background:#f5f3ee;overflow:auto;
white-space:pre-wrap}blockquote{margin:.3rem 0 1rem;color:#5f5b54}
a{color:#1f5a8a}sup a{text-decoration:none}li{overflow-wrap:anywhere}
@media (prefers-color-scheme:dark){body{color:#e8e6e1;background:#17181a}
pre{background:#212326}a{color:#8ec1ea}blockquote{color:#a8a49b}}`;

export function as_html(question, { answer, sources = [] }) {
    const page = document.implementation.createHTMLDocument(question);
    const cited = new Cited((n) => sources[n - 1] && element('sup', {},
        element('a', { href: `#source-${n}` }, `[${n}]`)));
    const blocks = blocks_in(answer);
    const titled = blocks[0]?.[0] === 'heading';
    page.head.prepend(element('meta', { charset: 'utf-8' }));
    page.head.append(element('meta', { name: 'viewport',
        content: 'width=device-width, initial-scale=1' }));
    page.body.append(element('h1', {}, question),
        ...draw_blocks(titled ? blocks.slice(1) : blocks, cited, 2),
        element('h2', {}, 'Sources'),
        element('ol', {}, sources.map((one, i) => element('li', {
            id: `source-${i + 1}` },
        element('a', { href: /^https?:/i.test(one.url) && one.url },
            one.name || one.url), ` (${host_of(one.url)})`,
        one.snippet ? element('blockquote', {}, one.snippet) : null))));
    return `<!doctype html>\n<html><head>${page.head.getHTML()}<style>${LOOK
    }</style></head>\n<body>${page.body.getHTML()}</body></html>\n`;
}
