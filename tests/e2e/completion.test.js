// The completion of the shell offers every command, word and option that the
// program's help names.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { BIN, DEPLOY, environment } from './lib/world.js';

const env = environment('/');
const cited = (...args) =>
    execFileSync(`${BIN}/cited`, args, { encoding: 'utf8', env });

// What is offered for the last of these words.
const offered = (...words) => execFileSync('bash', ['-c', `
    . "${DEPLOY}/completion/cited"
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _cited
    printf '%s\\n' "\${COMPREPLY[@]}"`, 'bash', `${BIN}/cited`, ...words],
{ encoding: 'utf8', env, cwd: '/' }).split('\n').filter(Boolean);

describe('the completion of bash', () => {
    const commands = [...cited('help').matchAll(/^ {2}([a-z]+) {2,}\S/gm)]
        .map((found) => found[1]);

    it('offers the commands', () => {
        assert.ok(commands.length > 10);
        const all = offered('');
        for (const name of commands) assert.ok(all.includes(name), name);
        assert.deepEqual(offered('do'), ['doctor']);
        assert.deepEqual(offered('help', 'rest'), ['restore']);
        assert.ok(offered('--').includes('--data'));
    });

    it('offers the words and options of each', () => {
        for (const name of commands.filter((one) => one !== 'help')) {
            const help = cited('help', name);
            const words = offered(name, '');
            for (const [, word] of help.matchAll(
                new RegExp(`^cited ${name} ([a-z]+)\\b`, 'gm')))
                assert.ok(words.includes(word), `${name} ${word}`);
            const options = offered('--data', '/x', name, '--');
            for (const [option] of help.matchAll(/--[a-z][a-z-]*/g))
                assert.ok(options.includes(option), `${name} ${option}`);
        }
    });
});
