// A writer of which each update is a process of its own on wasmtime; else as `crowd-writer.cjs`.
//
//   node crowd-component.mjs WASMTIME COMPONENT UPDATES

import { spawnSync } from 'node:child_process';

const TRY_AGAIN = 75;

const [wasmtime, component, updates] = process.argv.slice(2);
const words = ['run', '--allow-precompiled', '--dir', '.', component, 'phase', 'implement', 'component'];
process.stdin.once('data', () => {
  const waits = [];
  let busy = 0;
  for (let update = 0; update < Number(updates); update++) {
    const begun = process.hrtime.bigint();
    const { status, stderr } = spawnSync(wasmtime, words, { encoding: 'utf8' });
    if (status === TRY_AGAIN) busy++;
    else if (status !== 0) throw new Error(`wasmtime ended with ${status}\n${stderr}`);
    waits.push(Number(process.hrtime.bigint() - begun) / 1e6);
  }
  process.stdout.write(`${JSON.stringify({ waits, busy })}\n`, () => process.exit());
});
console.log('ready');
