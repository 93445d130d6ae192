// Runs the scenarios of a file on the package, as a CommonJS module.
//
//   node commonjs.cjs SCENARIOS OUTCOMES

const { closeSync, openSync, readFileSync, writeSync } = require('node:fs');
const root = require('milepost');
const { MemoryFiles } = require('milepost/memory');
const { runOperation } = require('milepost/operation');

import('../js/memory.mjs').then(({ outcome }) => {
  const [scenarios, outcomes] = process.argv.slice(2);
  const output = openSync(outcomes, 'w');
  for (const line of readFileSync(scenarios, 'utf8').trimEnd().split('\n')) {
    writeSync(output, `${outcome({ ...root, MemoryFiles, runOperation }, line)}\n`);
  }
  closeSync(output);
});
