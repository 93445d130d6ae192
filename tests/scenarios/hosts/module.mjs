// Runs the scenarios of a file on the package, as an ES module: on Node, Deno and Bun.
//
//   node module.mjs SCENARIOS OUTCOMES

import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import * as root from 'milepost';
import { MemoryFiles } from 'milepost/memory';
import { runOperation } from 'milepost/operation';
import { outcome } from '../js/memory.mjs';

const [scenarios, outcomes] = process.argv.slice(2);
const output = openSync(outcomes, 'w');
for (const line of readFileSync(scenarios, 'utf8').trimEnd().split('\n')) {
  writeSync(output, `${outcome({ ...root, MemoryFiles, runOperation }, line)}\n`);
}
closeSync(output);
