// A process with one `updatePhase` on Deno and Bun, against the runtime's bare start.

import { alternate, runProgram } from '../measure.mjs';
import { addedTo } from '../report.mjs';

export const name = 'hosts';
const PLAN = { rounds: 60, warmups: 5 };

const RUNTIMES = [
  {
    host: 'Deno',
    variable: 'MILEPOST_DENO',
    atMost: 15,
    words: (root) => ['run', '--no-prompt', `--allow-read=${root}`, `--allow-write=${root}`],
  },
  { host: 'Bun', variable: 'MILEPOST_BUN', atMost: 20, words: () => [] },
];

/** @param {import('../ground.mjs').Ground} ground */
export function measure(ground) {
  return RUNTIMES.map(({ host, variable, atMost, words }) => {
    const program = process.env[variable];
    if (!program) throw new Error(`${variable} names no file: \`cargo xtask bench\` sets it`);
    const root = ground.repository(`hosts-${host}`);
    const run = (script) => () => {
      runProgram(program, [...words(root), ground.script(script)], root);
    };
    const { bare, ours } = alternate(PLAN, { bare: run('empty.mjs'), ours: run('update.mjs') });
    expectRecorded(ground, root);
    const what = `one updatePhase on ${host}, whole process`;
    return addedTo({ what, peerName: `${host}, nothing`, ours, peer: bare, atMost });
  });
}

function expectRecorded(ground, root) {
  const { revision } = ground.require('milepost').openStore({ root }).load('implement');
  const expected = PLAN.rounds + PLAN.warmups;
  if (revision !== expected) throw new Error(`revision ${revision} instead of ${expected} in ${root}`);
}
