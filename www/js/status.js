// How the service is: what /healthz tells everybody, and what /v1/status tells
// an operator. Asked again every ten seconds.
import { element } from '../lib.js';
import { bar_chart, length_chart } from './chart.js';
import { ask_service, who } from './session.js';
import {
    failure_notice, figures, number, pause, plural, table, time,
} from './ui.js';

const AGAIN = 10000;

function state_words(one) {
    const good = one.state === 'ok';
    return element('span', {}, element('span',
        { class: `state ${good ? 'completed' : 'failed'}` }, one.state),
    one.reason ? element('span', { class: 'small' }, ': ', one.reason) : null,
    one.until ? element('span', { class: 'small' }, ', until ',
        time(one.until)) : null);
}

function health_part(health) {
    const well = health.status === 'ok';
    return [element('p', { class: `notice ${well ? 'good' : 'bad'}` },
        well ? 'Healthy.'
            : `Degraded: ${(health.degraded ?? []).join(', ')}.`)];
}

function parts_part(providers, model) {
    const rows = providers.map((one) => [one.name, 'provider',
        state_words(one)]);
    if (model) rows.push([model.name, 'model', state_words(model)]);
    return [element('h2', {}, 'Sources'),
        rows.length ? table('Providers and model', ['Name', 'Kind', 'State'],
            rows) : element('p', {}, 'The index alone: no search provider ' +
                'and no model is configured.')];
}

function requests_part({ perMinute, p50Ms, p95Ms }) {
    const sum = perMinute.reduce((all, one) => all + one, 0);
    const rows = [['Median', p50Ms], ['95th percentile', p95Ms]]
        .filter(([, value]) => typeof value === 'number');
    return [element('h2', {}, 'Requests of the last hour'),
        element('p', {}, plural(sum, 'request'), '.'),
        bar_chart(perMinute, `Requests a minute over the last hour: ${sum} ` +
            `in all, at most ${Math.max(0, ...perMinute)} in one minute`,
        ['an hour ago', 'now']),
        rows.length ? length_chart(rows, 'ms') : ''];
}

function queue_part({ pending, processing, helpers }) {
    return [element('h2', {}, 'Research'),
        figures([['Waiting', pending], ['At work', processing],
            ['Helpers', helpers]].map(([name, n]) => [name, number(n)]))];
}

function errors_part(errors) {
    return [element('h2', {}, 'Recent errors'), errors.length
        ? table('Recent errors', ['Time', 'Error', 'Request'],
            errors.map((one) => [time(one.at), one.message,
                element('code', {}, one.requestId)]))
        : element('p', {}, 'None since the service started.')];
}

// null for whoever may not see it, or where the service does not tell.
async function get_status(signal) {
    if (!who() || who().role === 'user') return null;
    try {
        return await ask_service('GET', '/v1/status', { signal });
    } catch (failure) {
        if (failure.status === 403 || failure.status === 404) return null;
        throw failure;
    }
}

export async function show_status(main, { signal }) {
    const place = element('div', {}, element('p', { class: 'muted' },
        'Checking the service.'));
    let before = '';
    main.append(place);
    for (;;) {
        try {
            const health = await ask_service('GET', '/healthz', { signal });
            const status = await get_status(signal);
            const now = JSON.stringify([health, status]);
            if (now !== before) place.replaceChildren(
                ...health_part(health),
                ...parts_part(status?.providers ?? health.providers ?? [],
                    status?.model ?? health.model ?? null),
                ...(status ? [...requests_part(status.requests),
                    ...queue_part(status.queue), ...errors_part(status.errors)]
                    : []));
            before = now;
        } catch (failure) {
            if (failure.name === 'AbortError') return;
            before = '';
            place.replaceChildren(failure_notice(failure));
        }
        try {
            await pause(AGAIN, signal);
        } catch {
            return;
        }
    }
}
