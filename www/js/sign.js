// Sign in and sign up.
import { element } from '../lib.js';
import { ask_service, sign_in, use_key, who } from './session.js';
import { field, form, notice } from './ui.js';

const input = (type, autocomplete) => element('input', {
    type, autocomplete, required: true, spellcheck: 'false',
    autocapitalize: 'none',
});

// Where the reader wanted to go; only a place of the console.
function wanted(query) {
    const to = query.get('to') ?? '';
    return /^\/[\w/?=&%-]*$/.test(to) ? `#${to}` : '#/ask';
}

const button = (text) => element('button',
    { type: 'submit', class: 'primary' }, text);

function key_part(done) {
    const value = input('password', 'off');
    return element('details', {},
        element('summary', {}, 'Use an API key instead'),
        form({}, async () => {
            await use_key(value.value.trim());
            done();
        }, field('key', 'API key', value, 'With a key you can ask and do ' +
            'research. To manage keys, sign in. The key is forgotten when ' +
            'this tab is closed.'), button('Use this key')));
}

export function show_sign_in(main, { query, go }) {
    const email = input('email', 'username');
    const password = input('password', 'current-password');
    const done = () => go(wanted(query));
    if (who()) main.append(notice(element('p', {}, 'You are signed in',
        who().email ? ` as ${who().email}.` : ' with an API key.')));
    else if (query.has('to')) main.append(element('p', {},
        'Please sign in to go on.'));
    main.append(
        form({ 'class': 'narrow', 'aria-label': 'Sign in' }, async () => {
            await sign_in(email.value.trim(), password.value);
            done();
        }, field('email', 'E-mail', email),
        field('password', 'Password', password), button('Sign in')),
        element('p', {}, 'No account yet? ',
            element('a', { href: '#/sign-up' }, 'Sign up'), '.'),
        key_part(done));
}

export function show_sign_up(main, { go }) {
    const email = input('email', 'username');
    const password = input('password', 'new-password');
    const code = element('input', { type: 'text', autocomplete: 'off' });
    main.append(
        form({ 'class': 'narrow', 'aria-label': 'Sign up' }, async () => {
            const body = { email: email.value.trim(),
                password: password.value };
            if (code.value.trim()) body.code = code.value.trim();
            await ask_service('POST', '/v1/accounts', { body });
            await sign_in(body.email, body.password);
            go('#/keys');
        }, field('email', 'E-mail', email, 'Your name here; nothing is sent ' +
            'to it.'),
        field('password', 'Password', password, 'At least 8 characters.'),
        field('code', 'Registration code', code, 'Only if the operator of ' +
            'this service gave you one.'), button('Sign up')),
        element('p', {}, 'You have an account? ',
            element('a', { href: '#/sign-in' }, 'Sign in'), '.'));
}
