// `make soak`: two thousand tasks (TASKS=), while helpers and responders are
// killed and stopped, the clock is set two hours to and fro, the search provider
// fails half of the time and the receiver of callbacks one time in twenty.
// Prints what came of them; the exit status is 1 when a task was lost, ended
// twice, failed for another reason than its own or was left alone for more than
// two leases, or a record did not arrive.
import { Trouble } from '../tests/e2e/lib/trouble.js';

const tasks = Number(process.env.TASKS || 2000);
const lease = Number(process.env.LEASE || 3000);
const since = Date.now();
const trouble = await Trouble.make({ lease });
let figures;
try {
  await trouble.run(tasks, { seconds: 3600 });
  await trouble.settle({ seconds: 400 });
  figures = trouble.figures();
} finally {
  await trouble.close();
}

const f = figures;
console.log(`${f.tasks} tasks in ${Math.round((Date.now() - since) / 1000)} s, ` +
  `leases of ${f.leaseMs} ms

  helpers killed            ${f.helpers}
  helpers stopped           ${f.stops}
  responders killed         ${f.responders}, web server restarted ${f.servers} times
  clock set by two hours    ${f.steps}
  provider's outages        ${f.outages}

  lost                      ${f.lost}
  ended twice               ${f.endedTwice}
  written again             ${f.rewritten}
  status backwards          ${f.backwards}
  failed for another reason ${f.failedForAnotherReason}
  records to be sent        ${f.callbacks}
  records delivered         ${f.delivered}, ${f.deliveredTwice} of them twice
  longest under a dead lease         ${f.longestMs.held} ms
  longest free, and nothing claimed  ${f.longestMs.idle} ms
  longest wait for its turn          ${f.longestMs.turn} ms`);
for (const reason of f.reasons) console.log(`  ${reason}`);
process.exitCode = f.lost || f.endedTwice || f.rewritten || f.backwards ||
  f.failedForAnotherReason || f.delivered < f.callbacks ||
  f.longestMs.held > 2 * f.leaseMs || f.longestMs.idle > 2 * f.leaseMs ? 1 : 0;
