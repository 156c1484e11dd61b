// Sign in and sign up.
import { element } from '../lib.js';
import { Failure, ask_service, sign_in, use_key, who } from './session.js';
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
            try {
                await use_key(value.value.trim());
            } catch (failure) {
                throw failure.status === 401
                    ? new Failure('This key is not known here. Was it ' +
                        'copied whole?') : failure;
            }
            done();
        }, field('key', 'API key', value, 'With a key you can ask and do ' +
            'research. It is forgotten when this tab is closed.'),
        button('Use this key')));
}

const is_local = () => /^(localhost|127\.|\[::1\])/.test(location.hostname);

// How somebody gets in who was given no password.
function help_part() {
    const code = (words) => element('code', {}, words);
    return element('div', { class: 'notice' },
        is_local() ? element('p', {}, 'Is this your own machine? ',
            code('make run'), ' and ', code('cited serve'), ' print a link ' +
            'that opens this page signed in. For a new one: ',
            code('cited account link admin@localhost'), '.')
            : element('p', {}, 'No password yet? The operator of this ' +
                'service makes accounts, and links that sign in once.'));
}

export async function show_sign_in(main, { query, go }) {
    const email = input('email', 'username');
    const password = input('password', 'current-password');
    const done = () => go(wanted(query));
    main.classList.add('door');
    main.append(element('p', { class: 'lead' }, 'Ask the pages you chose. ' +
        'Every sentence of an answer is checked against the page it cites.'));
    if (who()) main.append(notice(element('p', {}, 'You are signed in',
        who().email ? ` as ${who().email}.` : ' with an API key.')));
    else if (query.has('to')) main.append(element('p', {},
        'Please sign in to go on.'));
    main.append(
        form({ 'class': 'narrow', 'aria-label': 'Sign in' }, async () => {
            await sign_in({ email: email.value.trim(),
                password: password.value });
            done();
        }, field('email', 'E-mail', email),
        field('password', 'Password', password), button('Sign in')),
        key_part(done));
    (is_local() ? main.querySelector('.lead') : main.lastChild).after(
        element('div', { class: 'narrow' }, help_part()));
    try {
        const { registration } = await ask_service('GET', '/v1/accounts');
        if (registration !== 'closed') main.append(element('p', {},
            'No account yet? ', element('a', { href: '#/sign-up' },
                'Sign up'), '.'));
    } catch {
        // What is there serves.
    }
}

// The link that was printed where the service was started.
export async function show_open(main, { rest: link, go }) {
    // Out of sight and out of the history before anything else.
    history.replaceState(null, '', '#/sign-in');
    try {
        await sign_in({ link });
        go('#/ask');
    } catch (failure) {
        main.append(notice(element('p', {}, failure.status === 401
            ? 'This link was used already, or is older than an hour. '
            : `${failure.message} `, element('a', { href: '#/sign-in' },
            'Sign in'), ' another way, or make a new link: ',
        element('code', {}, 'cited account link EMAIL'), '.')));
    }
}

export function show_sign_up(main, { go }) {
    main.classList.add('door');
    const email = input('email', 'username');
    const password = input('password', 'new-password');
    const code = element('input', { type: 'text', autocomplete: 'off' });
    main.append(
        form({ 'class': 'narrow', 'aria-label': 'Sign up' }, async () => {
            const body = { email: email.value.trim(),
                password: password.value };
            if (code.value.trim()) body.code = code.value.trim();
            await ask_service('POST', '/v1/accounts', { body });
            await sign_in({ email: body.email, password: body.password });
            go('#/keys');
        }, field('email', 'E-mail', email, 'You sign in with it; no mail is ' +
            'sent.'),
        field('password', 'Password', password, 'At least 8 characters.'),
        field('code', 'Registration code', code, 'Only if the operator of ' +
            'this service gave you one.'), button('Sign up')),
        element('p', {}, 'You have an account? ',
            element('a', { href: '#/sign-in' }, 'Sign in'), '.'));
}
