// One of many writers: `writer.mjs NUMBER UPDATES`. Each update adds a field to its own phase. Begins
// at the end of its standard input, so that all of them write at the same time. Where others were in
// the way for as long as an update waits, it was refused as `busy`, nothing was written, and it is retried.

import { readFileSync } from 'node:fs';
import { openStore } from 'milepost';

/** No machine is so slow that an update is refused more often in a row. */
const MOST_TRIES = 20;

const [number, updates] = process.argv.slice(2).map(Number);
const store = openStore();
const done = {};
console.log('ready');
readFileSync(0);
for (let at = 0; at < updates; at++) {
  done[`u${at}`] = true;
  update(MOST_TRIES);
  console.log('acknowledged');
}

function update(tries) {
  try {
    store.updatePhase('implement', `writer ${number}`, { updates: done });
  } catch (error) {
    if (error.code !== 'busy' || tries === 1) throw error;
    update(tries - 1);
  }
}
