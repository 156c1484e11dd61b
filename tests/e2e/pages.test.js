// Pages put in over HTTP, through a real server and with real clients: JSON,
// curl's forms, Node's FormData as a browser's extension sends it, PDF; many of
// them while searches run.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Client, failure, success } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { run } from './lib/world.js';

const PAGES = 1000;

// A PDF of one page with these lines.
function pdf(...lines) {
    const text = lines.map((line) => `(${line}) Tj T*`).join(' ');
    const stream = `BT /F1 12 Tf 72 720 Td 14 TL ${text} ET`;
    const objects = ['<< /Type /Catalog /Pages 2 0 R >>',
        '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R ' +
            '/Resources << /Font << /F1 5 0 R >> >> >>',
        `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
        '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
        '<< /CreationDate (D:20110602091500+02) >>'];
    let file = '%PDF-1.4\n';
    const places = objects.map((object, i) => {
        const at = file.length;
        file += `${i + 1} 0 obj\n${object}\nendobj\n`;
        return at;
    });
    const xref = file.length;
    file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
    for (const at of places) file += `${String(at).padStart(10, '0')} 00000 n \n`;
    return `${file}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ` +
        `/Info 6 0 R >>\n` +
        `startxref\n${xref}\n%%EOF\n`;
}

// A server of a site whose account may put pages in, for the tests of a suite.
function served(kind) {
    const at = {};

    before(async () => {
        at.site = await Site.make({});
        await at.site.cited_ok(['account', 'role', 'first@example.org',
            'operator']);
        at.server = await start(kind, at.site);
        at.me = new Client(at.server.base, at.site.key);
    });
    after(async () => {
        await at.server?.stop();
        await at.site?.close();
    });
    return at;
}

for (const kind of ['lighttpd', 'apache', 'nginx'])
    describe(`pages put in behind ${kind}`, () => {
        const at = served(kind);

        const stored = async (url) => success(
            await at.me.get(`/v1/pages?url=${encodeURIComponent(url)}`));
        const first = async (q) =>
            success(await at.me.search({ q })).results[0];
        const curl = async (...fields) => {
            const { stdout } = await run(['curl', '-s', `${at.server.base}/v1/pages`,
                '-H', `Authorization: Bearer ${at.site.key}`,
                ...fields.flatMap((one) => ['-F', one])], { cwd: at.site.dir });
            return JSON.parse(stdout);
        };

        it('are found at once, and gone when they are removed', async () => {
            const url = 'https://wiki.example.org/barrels';
            const vectors = () =>
                fs.statSync(`${at.site.data}/index.words`).mtimeMs;
            const before = vectors();
            const { data } = success(await at.me.post('/v1/pages', [
                { url, title: 'Barrels', date: '2026-05-04', text:
                    'A barrel of rape oil lasts the Tarnvik lamp a month.' },
                { url: 'https://wiki.example.org/wicks', html:
                    '<title>Wicks</title><main><p>Tarnvik wicks are woven ' +
                    'of cotton in the cellar.</p></main>' }]));
            assert.deepEqual(data, [
                { url, title: 'Barrels', passages: 1, date: '2026-05-04' },
                { url: 'https://wiki.example.org/wicks', title: 'Wicks',
                    passages: 1, date: null }]);
            // Whoever asks next need not make them.
            assert.ok(vectors() > before);
            assert.equal((await first('Tarnvik barrel of rape oil')).url, url);
            await success(await at.me.post('/v1/pages', { url, text:
                'A barrel of whale oil lasts the Tarnvik lamp a week.' }));
            assert.match((await stored(url)).text, /whale oil/);
            success(await at.me.call('DELETE',
                `/v1/pages?url=${encodeURIComponent(url)}`));
            failure(await at.me.get(`/v1/pages?url=${encodeURIComponent(url)}`),
                404);
        });

        it('come as files from curl', async () => {
            fs.writeFileSync(`${at.site.dir}/fog.md`, '# Fog horns\n\nThe fog ' +
                'horn of Tarnvik is blown every thirty seconds.\n');
            fs.writeFileSync(`${at.site.dir}/log.pdf`, pdf('The log of Tarnvik',
                'In June 1911 the keeper counted ninety ships.'));
            const md = await curl('url=https://wiki.example.org/fog',
                'file=@fog.md');
            assert.deepEqual(md.data.map((one) => one.title), ['Fog horns']);
            const { data, error } = await curl('date=1911-07-01', 'title=The log',
                'url=https://wiki.example.org/log.pdf', 'file=@log.pdf');
            assert.equal(error, undefined, JSON.stringify(error));
            assert.deepEqual(data, [{ url: 'https://wiki.example.org/log.pdf',
                title: 'The log', passages: 1, date: '1911-07-01' }]);
            assert.match((await stored('https://wiki.example.org/log.pdf')).text,
                /keeper counted ninety ships/);
            const same = await curl('url=https://wiki.example.org/log.pdf',
                'file=@log.pdf');
            assert.equal(same.data[0].date, '2011-06-02');
            const none = await curl('url=https://wiki.example.org/none');
            assert.deepEqual(none.error.details.map((one) => one.field),
                ['file']);
        });

        it('come from a browser, several megabytes at a time', async () => {
            const page = '<!doctype html><meta charset=utf-8><title>Der Turm' +
                `</title><style>a{background:url("data:${'A'.repeat(5 << 20)}")}` +
                '</style><article><p>Der Leuchtturm von Tärnvik brennt seit ' +
                '1859 mit Rüböl.</p></article>';
            const form = new FormData();
            form.append('file', new File([new Blob([page])], 'SingleFile.html',
                { type: 'text/html' }));
            form.append('url', 'https://wiki.example.org/turm');
            const send = (key) => fetch(`${at.server.base}/v1/pages`, {
                method: 'POST', body: form, headers: {
                    Authorization: `Bearer ${key}`,
                    Accept: 'multipart/form-data',
                },
            });
            const answer = await send(at.site.key);
            assert.equal(answer.status, 200, await answer.clone().text());
            assert.equal((await answer.json()).data[0].title, 'Der Turm');
            assert.match((await stored('https://wiki.example.org/turm')).text,
                /brennt seit\s+1859 mit Rüböl/);
            // Of others not even a megabyte is kept.
            const other = await send(await at.site.account('b@example.org'));
            assert.equal(other.status, 403);
        });
    });

describe('lists of a page', () => {
    const at = served('lighttpd');

    const text = { type: 'string' };
    const array = (items, description) => ({ type: 'array', description,
        items });
    const rows = (properties, description) =>
        array({ type: 'object', properties }, description);

    it('become arrays of values and of objects', async () => {
        const html = `<title>Fog signals of Tarnvik</title><main>
            <h1>Fog signals of Tarnvik</h1>
            <p>The fog signals of Tarnvik were rebuilt after the storm, and
            their keeper wrote down what each of them means to a ship.</p>
            <h2>Signal modes</h2><p>A signal is in one of the following modes:
            <dl><dt>STEADY (0)</dt><dd>One note, as long as fog lies.</dd>
            <dt>SHORT (1)</dt><dd>Three notes a minute, by hand.</dd>
            <dt>SILENT (2)</dt><dd>Nothing is heard, the lamp burns.</dd></dl>
            <h2>Marks in the log</h2><p>The log has these marks:
            <table><tr><td>%f<td>fog came<tr><td>%s<td>a ship was seen
            <tr><td>%w<td>wind from the west</table></main>`;
        success(await at.me.post('/v1/pages',
            { url: 'https://wiki.example.org/signals', html }));
        const { data } = success(await at.me.post('/v1/search', {
            q: 'fog signals of Tarnvik', depth: 'standard',
            outputType: 'structured', includeSources: true,
            structuredOutputSchema: { type: 'object', properties: {
                modes: array(text, 'signal modes'),
                signal_modes: rows({ name: text,
                    number: { type: 'integer' }, meaning: text }),
                marks: rows({ mark: text, meaning: text }, 'marks in the log'),
                keepers: array(text, 'keepers of the lamp'),
            } },
        }));
        assert.deepEqual(data.modes, ['STEADY', 'SHORT', 'SILENT']);
        assert.deepEqual(data.signal_modes[1], { name: 'SHORT', number: 1,
            meaning: 'Three notes a minute, by hand.' });
        assert.deepEqual(data.marks.map((one) => one.mark),
            ['%f', '%s', '%w']);
        assert.equal(data.keepers, undefined);
    });

    it('become values, and nothing where they only look like it', async () => {
        const html = `<title>Settings of the Tarnvik winch</title><main>
            <h1>Settings of the Tarnvik winch</h1>
            <p>The Tarnvik winch has settings, which the keeper may change.
            The winch fails at any point of its stages: when the rope is
            first taken, during any pull, or when the brake is let go.</p>
            <h2>winch_grace</h2><ul><li>Units: seconds</li>
            <li>Default: 10.000</li><li>Minimum: 0.000</li></ul>
            <h2>winch_lock</h2><ul><li>Units: bool</li>
            <li>Default: on</li></ul>
            <h2>Parameters</h2><ul><li>brake_wait=-30 –<p>seconds until it
            holds.</p></li><li>dry_run=False –<p>if True, nothing turns.</p>
            </li></ul>
            <h2>Brakes</h2><p>Where WinchBrake is set, the winch stops by
            itself. By default, this setting is "off" because it wears.</p>
            <p>With oil_can the flask names the default can of the Tarnvik
            winch. The Tarnvik winch rejects a drum that has more than one
            SPINDLE pin.</p>
            <h2>Pull modes</h2><p>The pull modes are:</p><dl>
            <dt>slow</dt><dd><p>A man turns the crank.</p><p>Twice an hour he
            rests.</p></dd><dt>steady</dt><dd><p>The horse does.</p></dd>
            </dl><table><tr><td>Note<td>The horse wants oats.</table><dl>
            <dt>fast</dt><dd><p>Nobody has seen it.</p></dd></dl>
            <h2>Rope kinds</h2><p>The rope kinds are:</p><dl>
            <dt>usual, hemp</dt><dd>Lasts a year.</dd>
            <dt>wire</dt><dd>Lasts ten.</dd></dl>
            <ol><li>1: Notes are no rope.</li><li>2: Nor are these.</li></ol>
            <h2>Drums</h2><p>The drums of the winch:</p><table>
            <tr><th>Wood<th>Weight<tr><td>oak<td>40<tr><td>elm<td>35</table>
            </main>`;
        const boolean = (description) => ({ type: 'boolean', description });
        success(await at.me.post('/v1/pages',
            { url: 'https://wiki.example.org/winch', html }));
        const { data } = success(await at.me.post('/v1/search', {
            q: 'Tarnvik winch', depth: 'standard',
            outputType: 'structured', includeSources: true,
            structuredOutputSchema: { type: 'object', properties: {
                grace: { type: 'number',
                    description: 'default winch_grace in seconds' },
                lock: boolean('is winch_lock on by default'),
                wait: { type: 'integer', description: 'default brake_wait' },
                dry: boolean('is dry_run on by default'),
                brake: boolean('is WinchBrake on by default'),
                can: boolean('does can default to true'),
                spindle: boolean('must a drum have a SPINDLE pin'),
                weight: { type: 'integer',
                    description: 'drum weight of that winch' },
                stages: array(text, 'stages'),
                modes: rows({ name: text, description: text }, 'pull modes'),
                ropes: array(text, 'rope kinds'),
                drums: rows({ colour: text, smell: text }, 'drums'),
            } },
        }));
        assert.deepEqual(data, { grace: 10, lock: true, wait: -30, dry: false,
            brake: false,
            modes: [
                { name: 'slow', description: 'A man turns the crank.' },
                { name: 'steady', description: 'The horse does.' },
                { name: 'fast', description: 'Nobody has seen it.' }],
            ropes: ['usual', 'hemp', 'wire'] });
    });

    it('become values that stand behind an entry, far down a page', async () => {
        const notes = (of) => Array.from({ length: 13 }, (_, k) =>
            `Note ${k} on ${of} was written by the keeper in winter.`).join(' ');
        const fillers = Array.from({ length: 260 }, (_, k) =>
            `<h2>Log ${k}</h2><p>The crane arm has a reach. ` +
            `${notes(k % 60 ? `day ${k}` : 'the crane arm\'s reach')}</p>`)
            .join('');
        const html = `<title>Settings of the Sarnvik crane</title><main>
            <h1>Settings of the Sarnvik crane</h1>${fillers}
            <h2>Settings of the arm</h2><dl><dt>CRANE_ARM_REACH</dt>
            <dd><p>The CRANE_ARM_REACH setting limits the reach of the arm of
            the Sarnvik crane. ${notes('the reach of the arm')}</p>
            <p>Minimum value: 0, maximum value: 900, default value: 47.</p>
            </dd></dl></main>`;
        success(await at.me.post('/v1/pages',
            { url: 'https://wiki.example.org/crane', html }));
        const { data } = success(await at.me.post('/v1/search', {
            q: 'Sarnvik crane settings', depth: 'standard',
            outputType: 'structured', includeSources: true,
            structuredOutputSchema: { type: 'object', properties: {
                craneArmReach: { type: 'integer' },
            } },
        }));
        assert.deepEqual(data, { craneArmReach: 47 });
    });
});

describe('many pages put in while searches run', () => {
    const at = served('lighttpd');

    it(`are all found: ${PAGES} of them`, async () => {
        let going = true;
        const searches = (async () => {
            let n = 0;
            for (; going; n++)
                success(await at.me.search({ q: 'lighthouse keeper' }));
            return n;
        })();
        const page = (i) => ({ url: `https://wiki.example.org/${i}`,
            title: `Lamp ${i}`, markdown: `# Lamp ${i}\n\nLamp number zq${i}x ` +
                `is lit by keeper ${i % 7} at ${i % 24} o'clock.` });
        for (let i = 0; i < PAGES; i += i < 100 ? 1 : 50) {
            const many = Array.from({ length: i < 100 ? 1 : 50 },
                (_, k) => page(i + k));
            success(await at.me.post('/v1/pages',
                many.length === 1 ? many[0] : many));
            const last = many.at(-1);
            const { results } = success(await at.me.search(
                { q: `lamp number zq${i + many.length - 1}x`, maxResults: 1 }));
            assert.equal(results[0].url, last.url);
        }
        going = false;
        assert.ok(await searches > 0);
        for (let i = 0; i < PAGES; i += 97) {
            const { results } = success(await at.me.search(
                { q: `lamp number zq${i}x`, maxResults: 1 }));
            assert.equal(results[0].url, page(i).url);
        }
    });
});
