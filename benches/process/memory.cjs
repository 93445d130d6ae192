'use strict';

// Many updates in one process, without fsync; run with --expose-gc, so that garbage that was only
// not collected yet is not taken for a leak.
//
//   memory.cjs ours|PLAIN MARK...    PLAIN is the path of the plain durable manager

const witness = require('./witness.cjs');

const [, , implementation, ...marks] = process.argv;
const updatePhase = updater();
const phases = ['research', 'planning', 'specs', 'implementation', 'validation'];

let done = 0;
const samples = marks.map(Number).map((updates) => {
  for (; done < updates; done++) {
    updatePhase('implement', phases[done % phases.length], {
      status: done % 2 === 0 ? 'in_progress' : 'complete',
      context_summary: `update ${done} of a long day`,
    });
  }
  globalThis.gc();
  const { rss, heapUsed } = process.memoryUsage();
  return { updates, rss, heapUsed, wasm: witness.memoryBytes() };
});
console.log(JSON.stringify(samples));

function updater() {
  if (implementation !== 'ours') return require(implementation).withoutSync.updatePhase;
  const store = require('milepost').openStore({ root: process.cwd(), durability: 'lazy' });
  return (...update) => store.updatePhase(...update);
}
