// `updatePhase` in process: durable, against both ways of writing it by hand.

import fs from 'node:fs';
import path from 'node:path';
import { alternate } from '../measure.mjs';
import { fasterThan, timesItsTime } from '../report.mjs';
import { smallCheckpoint } from '../sample.mjs';

export const name = 'update-phase';
const PLAN = { rounds: 300, warmups: 20 };
const FEATURE = 'checkpoint-infrastructure';

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const durable = fixture.require(fixture.plain('durable-checkpoint-manager.cjs'));
  const inherited = process.env.GIT_ROOT;
  try {
    const samples = alternate(PLAN, {
      ours: contestant(fixture.require('milepost'), fixture.repository('update-ours')),
      spawning: contestant(
        fixture.require(fixture.plain('checkpoint-manager.cjs')),
        fixture.repository('update-plain'),
      ),
      durable: contestant(durable, fixture.repository('update-durable')),
      folderSync: contestant(durable.withFolderSync, fixture.repository('update-folder-sync')),
      disk: bareSync(fixture.repository('update-disk')),
      calls: sameCalls(fixture, fixture.repository('update-calls')),
    });
    return rowsFrom(samples);
  } finally {
    if (inherited === undefined) delete process.env.GIT_ROOT;
    else process.env.GIT_ROOT = inherited;
  }
}

function rowsFrom({ ours, spawning, durable, folderSync, disk, calls }) {
  const what = 'updatePhase in process, durable';
  return [
    fasterThan({ what, peerName: 'plain JS, spawns git', ours, peer: spawning, atLeast: 15 }),
    timesItsTime({ what, peerName: 'plain JS, fsync, rename', ours, peer: durable, atMost: 1.5 }),
    timesItsTime({
      what: 'beside it: as durable as ours',
      peerName: 'plain JS, fsync, rename, fsync of the folder',
      ours,
      peer: folderSync,
    }),
    timesItsTime({
      what: 'beside it: what no Node can be below',
      peerName: 'its system calls, and nothing else',
      ours,
      peer: calls,
    }),
    timesItsTime({
      what: 'beside it: what the disk alone takes',
      peerName: 'one file written, fsync',
      ours,
      peer: disk,
    }),
  ];
}

// Where this is most of the time, the rows above compare the disk with itself.
function bareSync(folder) {
  const text = JSON.stringify(smallCheckpoint(), null, 2);
  return (round) => {
    const begun = process.hrtime.bigint();
    const descriptor = fs.openSync(path.join(folder, `${round}.json`), 'wx');
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
    fs.closeSync(descriptor);
    return Number(process.hrtime.bigint() - begun) / 1e6;
  };
}

/** The floor of an update: the calls that the promise needs, made by Node's `fs`. */
function sameCalls(fixture, folder) {
  const { SameCalls } = fixture.require(fixture.plain('same-calls.cjs'));
  const made = new SameCalls(folder);
  return () => made.update();
}

// Each in a repository of its own, from the same document, through the seeds' signature.
function contestant({ saveCheckpoint, updatePhase }, folder) {
  process.env.GIT_ROOT = folder;
  if (!saveCheckpoint('implement', smallCheckpoint(), FEATURE)) {
    throw new Error(`the first save failed in ${folder}`);
  }
  return (round) => {
    process.env.GIT_ROOT = folder;
    const patch = {
      status: 'in_progress',
      context_summary: `round ${round}: implemented token-counter, next is the manager`,
      files_modified: ['src/lib.rs'],
    };
    const begun = process.hrtime.bigint();
    const updated = updatePhase('implement', 'implementation', patch, FEATURE);
    const ms = Number(process.hrtime.bigint() - begun) / 1e6;
    if (!updated) throw new Error(`an update failed in ${folder}`);
    return ms;
  };
}
