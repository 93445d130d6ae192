// The first hook process: it saves phase after phase, and is killed while it does.

const fs = require('node:fs');
const path = require('node:path');
const { Worker } = require('node:worker_threads');
const { updatePhase } = require('milepost/checkpoint-manager');

const LIFETIME_MS = 200;

function save(phase, patch) {
  if (!updatePhase('implement', phase, patch)) process.exit(1);
}

/** Tells the tour, outside of the checkpoint, which save has returned. */
function acknowledge(round) {
  fs.writeFileSync(path.join(__dirname, 'acknowledged'), String(round));
}

save('plan', {
  status: 'complete',
  context_summary: 'Three modules: reader, checker, writer. The reader comes first.',
});
save('reader', {
  status: 'complete',
  context_summary: 'The reader is done: src/reader.js, all of its tests pass. Next: the checker.',
  files_created: ['src/reader.js'],
});
save('checker', { status: 'in_progress', round: 0 });
acknowledge(0);
// Not console.log: what is said must have left the process before it dies.
fs.writeSync(1, 'saved: plan and reader are complete, checker is in progress\n');

// SIGKILL at any point of a save: the main thread never yields to a timer of its own.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${LIFETIME_MS})`, { eval: true });
for (let round = 1; ; round++) {
  save('checker', { round });
  acknowledge(round);
}
