// One of many writers: `writer.mjs NUMBER UPDATES`. Each update adds a field to its own phase. Begins
// at the end of its standard input, so that all of them write at the same time.

import { readFileSync } from 'node:fs';
import { openStore } from 'milepost';

const [number, updates] = process.argv.slice(2).map(Number);
const store = openStore();
const done = {};
console.log('ready');
readFileSync(0);
for (let update = 0; update < updates; update++) {
  done[`u${update}`] = true;
  store.updatePhase('implement', `writer ${number}`, { updates: done });
  console.log('acknowledged');
}
