// A whole hook process against a process that does nothing.

import fs from 'node:fs';
import { alternate, runNode } from '../measure.mjs';
import { plain } from '../ground.mjs';
import { timesItsTime } from '../report.mjs';

export const name = 'hook-process';
const PLAN = { rounds: 60, warmups: 5 };

/** @param {import('../ground.mjs').Ground} ground */
export function measure(ground) {
  const hook = (implementation, folder) => () => {
    runNode([ground.script('hook.cjs'), implementation], folder);
  };
  const nowhere = ground.repository('hook-bare');
  const ours = ground.repository('hook-ours');
  const samples = alternate(PLAN, {
    bare: () => void runNode(['-e', '0'], nowhere),
    ours: hook('milepost', ours),
    plain: hook(plain('checkpoint-manager.cjs'), ground.repository('hook-plain')),
    durable: hook(plain('durable-checkpoint-manager.cjs'), ground.repository('hook-durable')),
  });
  expectRecorded(ours);

  const against = (what, measured, atMost) =>
    timesItsTime({ what, peerName: 'node -e 0', ours: measured, peer: samples.bare, atMost });
  return [
    against('whole hook process: updatePhase, getResumePoint', samples.ours, 1.15),
    against('beside it: the same in plain JS that spawns git', samples.plain),
    against('beside it: the same in plain JS, durable', samples.durable),
  ];
}

function expectRecorded(folder) {
  const file = `${folder}/.claude/state/implement-checkpoint.json`;
  const { revision } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const runs = PLAN.rounds + PLAN.warmups;
  if (revision !== runs) throw new Error(`${runs} hook processes left revision ${revision}`);
}
