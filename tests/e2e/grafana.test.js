// The dashboard in deploy/grafana asks for nothing that GET /metrics does not
// give: names are held against a running service, labels against the source.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Client } from './lib/http.js';
import { start } from './lib/server.js';
import { Site } from './lib/site.js';
import { ROOT } from './lib/world.js';

const HISTOGRAM = ['_bucket', '_sum', '_count'];

// { metric: Set of labels } of every name{label="…"} that is counted.
function labels_in_source() {
    const labels = {};
    for (const name of fs.readdirSync(`${ROOT}/src`, { recursive: true })) {
        if (!/\.[ch]$/.test(name)) continue;
        // Adjacent strings are one; the histogram's name is a macro.
        const text = fs.readFileSync(`${ROOT}/src/${name}`, 'utf8')
            .replace(/FIGURES_SECONDS\s+"/g, '"cited_request_seconds')
            .replace(/\\"/g, '\'').replace(/"(,)?\s*"/g, '$1');
        for (const [, metric, list] of
            text.matchAll(/(cited_[a-z_]+),?\{([^}]*)\}/g))
            labels[metric] = new Set([...labels[metric] ?? [],
                ...[...list.matchAll(/(\w+)=/g)].map((one) => one[1])]);
    }
    return labels;
}

// Every { metric, labels, by } that an expression of PromQL names.
function asked_in(expression) {
    const by = [...expression.matchAll(/\bby \(([^)]*)\)/g)]
        .flatMap((found) => found[1].split(/, */));
    return [...expression.matchAll(/(cited_[a-z_]+)(?:\{([^}]*)\})?/g)]
        .map(([, metric, list = '']) => ({ metric, labels: [...by,
            ...[...list.matchAll(/(\w+)=/g)].map((one) => one[1])] }));
}

describe('the dashboard', () => {
    const board = JSON.parse(
        fs.readFileSync(`${ROOT}/deploy/grafana/cited.json`, 'utf8'));
    const expressions = board.panels.flatMap((panel) =>
        (panel.targets ?? []).map((target) => target.expr));
    let site, server, types;

    before(async () => {
        site = await Site.make({ pages: [] });
        await site.cited_ok(
            ['account', 'role', 'first@example.org', 'operator']);
        server = await start('lighttpd', site);
        const { text } = await new Client(server.base, site.key)
            .get('/metrics');
        types = Object.fromEntries(
            [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)]
                .map(([, name, type]) => [name, type]));
    });
    after(async () => {
        await server?.stop();
        await site?.close();
    });

    it('names only metrics that exist, and every one of them', () => {
        const names = new Set(Object.entries(types).flatMap(([name, type]) =>
            type === 'histogram' ? HISTOGRAM.map((end) => name + end) : name));
        const asked = new Set(expressions.flatMap(asked_in)
            .map((one) => one.metric));
        assert.ok(names.size > 10, [...names].join());
        assert.deepEqual([...asked].sort(), [...names].sort());
    });

    it('names only labels that exist', () => {
        const known = labels_in_source();
        for (const expression of expressions)
            for (const { metric, labels } of asked_in(expression))
                for (const label of labels)
                    // job is Prometheus' own.
                    assert.ok(label === 'job' || known[metric]?.has(label),
                        `${label} of ${metric}: ${expression}`);
    });

    it('takes rates of counters and of nothing else', () => {
        for (const expression of expressions)
            for (const { metric } of asked_in(expression)) {
                const type = types[metric] ??
                    types[metric.replace(/_(bucket|sum|count)$/, '')];
                assert.equal(expression.includes(`rate(${metric}{`),
                    type !== 'gauge', expression);
            }
    });

    it('can be laid out', () => {
        const ids = board.panels.map((panel) => panel.id);
        assert.equal(new Set(ids).size, ids.length);
        for (const { gridPos } of board.panels)
            assert.ok(gridPos.x + gridPos.w <= 24);
    });
});
