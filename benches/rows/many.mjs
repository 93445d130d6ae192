// The command line beside thousands of checkpoints: which one to carry on with, and all of them.

import path from 'node:path';
import { alternate, runNode } from '../measure.mjs';
import { addedTo, timesItsTime } from '../report.mjs';
import { smallCheckpoint } from '../sample.mjs';

export const name = 'many';
const PLAN = { rounds: 15, warmups: 2 };
const MANY = 10_000;
const SOME = 100;
/** One in so many is not finished yet, as in a project where most work is done. */
const UNFINISHED = 10;

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const crowded = withOthers(fixture, MANY);
  const verb = (folder, ...words) => () => void runNode([fixture.commandLine, ...words], folder);
  const samples = alternate(PLAN, {
    named: verb(crowded, 'resume', 'implement'),
    unnamed: verb(crowded, 'resume'),
    one: verb(withOthers(fixture, 1), 'status', '--all'),
    some: verb(withOthers(fixture, SOME), 'status', '--all'),
    many: verb(crowded, 'status', '--all'),
  });
  const status = (count, ours, atMost) =>
    addedTo({
      what: `status with ${count} checkpoints, whole process`,
      peerName: 'the same with one',
      ours,
      peer: samples.one,
      atMost,
    });
  return [
    timesItsTime({
      what: `resume without a name, beside ${MANY} checkpoints, whole process`,
      peerName: 'resume with a name, there too',
      ours: samples.unnamed,
      peer: samples.named,
      atMost: 2.5,
      aim: 1.8,
    }),
    status(SOME, samples.some, 10),
    status(MANY, samples.many, 400),
  ];
}

/** `implement` in the middle of its work, and so many in all. */
export function withOthers(fixture, count) {
  const root = fixture.repository(`many-${count}`);
  const store = fixture.require('milepost').openStore({ root, durability: 'lazy' });
  for (let number = 1; number < count; number++) {
    const feature = `other-${number}`;
    const isDone = number % UNFINISHED !== 0;
    store.updatePhase('design', 'plan', { status: isDone ? 'complete' : 'pending' }, feature);
    if (isDone) store.complete('design', feature);
  }
  store.save('implement', { ...smallCheckpoint(), feature: null });
  return root;
}
