// One of many writers: so many updates of the checkpoint that all share, as fast as it can. Prints how
// long each took, in milliseconds, and how many were refused as `busy`.
//
//   node crowd-writer.cjs NUMBER UPDATES FSYNC_MS

const fs = require('node:fs');

const [number, updates, fsyncMs] = process.argv.slice(2).map(Number);
if (fsyncMs > 0) {
  // A disk that takes long for this writer. The package calls what stands here when it is loaded.
  const { fsyncSync } = fs;
  const pause = new Int32Array(new SharedArrayBuffer(4));
  fs.fsyncSync = (descriptor) => {
    fsyncSync(descriptor);
    Atomics.wait(pause, 0, 0, fsyncMs);
  };
}
const { openStore } = require('milepost');

const store = openStore({ root: '.' });
// The work that a process does once (to compile the wasm, to make folders) is done before the release.
store.updatePhase('design', `warm-up-${number}`, { status: 'pending' }, `feature-${number}`);
process.stdin.once('data', () => {
  const waits = [];
  let busy = 0;
  for (let update = 0; update < updates; update++) {
    const begun = process.hrtime.bigint();
    try {
      const patch = { status: 'in_progress', context_summary: `update ${update}` };
      store.updatePhase('implement', `writer-${number}`, patch);
    } catch (error) {
      if (error.code !== 'busy') throw error;
      busy++;
    }
    waits.push(Number(process.hrtime.bigint() - begun) / 1e6);
  }
  process.stdout.write(`${JSON.stringify({ waits, busy })}\n`, () => process.exit());
});
console.log('ready');
