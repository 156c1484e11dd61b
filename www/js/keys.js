// The keys of the account: made, shown once, revoked.
import { copy_button, element } from '../lib.js';
import { ask_service, who } from './session.js';
import {
    confirm_dialog, failure_notice, field, form, notice, number, say, table,
    time,
} from './ui.js';

// The new key, seen this once. It can be selected where it cannot be copied.
function fresh_key(made) {
    const box = element('input', {
        'type': 'text', 'readonly': true, 'value': made.key, 'class': 'mono',
        'aria-label': 'The new key', 'onfocus': () => box.select(),
    });
    return notice(
        element('p', {}, element('strong', {}, 'Your new key'),
            made.label ? ` “${made.label}”` : '', '. It is shown only ',
            'once: keep it somewhere safe.'),
        element('div', { class: 'row grow' }, box,
            copy_button(() => made.key, 'Copy the key')));
}

function state_of(one, revoke) {
    if (one.revokedAt)
        return element('span', {}, 'revoked ', time(one.revokedAt));
    return element('button', {
        'type': 'button', 'onclick': () => revoke(one),
        'aria-label': `Revoke ${one.label || 'the key without a label'}`,
    }, 'Revoke');
}

export async function show_keys(main, { signal }) {
    if (!who().email) {
        main.append(notice(element('p', {}, 'You use an API key. To make ' +
            'and revoke keys, ', element('a', { href: '#/sign-in' },
            'sign in'), ' with e-mail and password.')));
        return;
    }
    const label = element('input', { type: 'text', maxlength: '100',
        autocomplete: 'off' });
    const list = element('section', { 'aria-label': 'Your keys' });
    async function draw() {
        const { data } = await ask_service('GET', '/v1/keys', { signal });
        list.replaceChildren(element('h2', { tabindex: '-1' }, 'Your keys'),
            data.length ? table('Your keys',
                ['Label', 'Created', 'Last used', '#Requests', ''],
                data.map((one) => [
                    one.label || 'no label', time(one.createdAt),
                    time(one.lastUsedAt), number(one.requests),
                    state_of(one, revoke)])) :
                element('p', {}, 'You have no key yet.'));
    }
    async function revoke(one) {
        const sure = await confirm_dialog(
            `Revoke ${one.label ? `“${one.label}”` : 'this key'}?`,
            'Whatever uses it is refused from then on. This cannot be undone.',
            'Revoke');
        if (!sure) return;
        try {
            await ask_service('DELETE',
                `/v1/keys/${encodeURIComponent(one.id)}`);
            await draw();
            say('The key is revoked.');
            list.querySelector('h2').focus();
        } catch (failure) {
            if (failure.name !== 'AbortError')
                list.prepend(failure_notice(failure));
        }
    }
    main.append(
        element('p', {}, 'A key lets a program ask on your behalf. ' +
            'Create one per program, so that you can revoke each alone.'),
        form({ 'class': 'narrow', 'aria-label': 'New key' },
            async (made, place) => {
                const answer = await ask_service('POST', '/v1/keys',
                    { body: { label: label.value.trim() } });
                label.value = '';
                place.replaceChildren(fresh_key(answer));
                place.querySelector('input').focus();
                say('The key is created. It is shown only once.');
                await draw();
            },
            field('label', 'Label', label,
                'To tell your keys apart, such as the program’s name.'),
            element('button', { type: 'submit', class: 'primary' },
                'Create key')),
        list);
    try {
        await draw();
    } catch (failure) {
        if (failure.name !== 'AbortError') list.append(failure_notice(failure));
    }
}
