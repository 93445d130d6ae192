// A whole hook process on Deno and on Bun, against the runtime's bare start and the plain script.

import path from 'node:path';
import { alternate, runProgram } from '../measure.mjs';
import { addedTo } from '../report.mjs';

export const name = 'hosts';
const PLAN = { rounds: 60, warmups: 5 };

const RUNTIMES = [
  {
    host: 'Deno',
    variable: 'MILEPOST_DENO',
    atMost: 15,
    words: (root, code) => [
      ...['run', '--no-prompt', '--allow-env=GIT_ROOT'],
      ...[`--allow-read=${root},${code}`, `--allow-write=${root}`],
    ],
  },
  { host: 'Bun', variable: 'MILEPOST_BUN', atMost: 20, words: () => [] },
];

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const durable = fixture.plain('durable-checkpoint-manager.cjs');
  return RUNTIMES.flatMap(({ host, variable, atMost, words }) => {
    const program = process.env[variable];
    if (!program) throw new Error(`${variable} names no file: \`cargo xtask bench\` sets it`);
    const contestant = (whose, script, ...more) => {
      const root = fixture.repository(`hosts-${host}-${whose}`);
      const given = words(root, path.dirname(durable));
      return () => void runProgram(program, [...given, fixture.script(script), ...more], root);
    };
    const { bare, ours, plain } = alternate(PLAN, {
      bare: contestant('bare', 'empty.mjs'),
      ours: contestant('ours', 'hook.mjs'),
      plain: contestant('plain', 'hook.cjs', durable),
    });
    expectRecorded(fixture, `hosts-${host}-ours`);
    const what = `whole hook process on ${host}: updatePhase, getResumePoint`;
    const peerName = `${host}, nothing`;
    return [
      addedTo({ what, peerName, ours, peer: bare, atMost }),
      addedTo({ what: 'beside it: plain JS, durable', peerName, ours: plain, peer: bare }),
    ];
  });
}

function expectRecorded(fixture, repository) {
  const root = path.join(fixture.work, repository);
  const { revision } = fixture.require('milepost').openStore({ root }).load('implement');
  const expected = PLAN.rounds + PLAN.warmups;
  if (revision !== expected) throw new Error(`revision ${revision} instead of ${expected} in ${root}`);
}
