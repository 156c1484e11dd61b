// Two hundred tasks, while helpers and responders are killed and stopped, the
// clock is set two hours to and fro and the provider fails part of the time:
// each ends once, as it has to, and no status is ever seen going backwards.
// `make soak` does the same with two thousand.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Trouble } from './lib/trouble.js';

const TASKS = 200;

describe('killed, stopped and set back', { timeout: 400000 }, () => {
    let trouble;

    before(async () => {
        trouble = await Trouble.make({ lease: 1000 });
    });
    after(async () => {
        await trouble?.close();
    });

    it(`${TASKS} tasks all end as they have to, each once`, async (context) => {
        const enough = (n) => n.helpers >= 5 && n.responders >= 1 &&
            n.stops >= 3 && n.steps >= 2 && n.outages >= 1;
        await trouble.run(TASKS, { seconds: 300, enough });
        await trouble.settle();
        const f = trouble.figures();
        const told = JSON.stringify(f);
        context.diagnostic(told);
        assert.ok(f.tasks >= TASKS, told);
        for (const name of ['lost', 'endedTwice', 'backwards', 'rewritten',
            'failedForAnotherReason'])
            assert.equal(f[name], 0, told);
        assert.equal(f.delivered, f.callbacks, told);
        assert.ok(enough(f), told);
    });
});
