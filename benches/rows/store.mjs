// The store's own promises about speed: one writer, many at the same time, and many other checkpoints.

import fs from 'node:fs';
import path from 'node:path';
import { alternate, quantile, runNode } from '../measure.mjs';
import { classify, rounded, timesItsTime, withinTime } from '../report.mjs';
import { smallCheckpoint } from '../sample.mjs';

export const name = 'store';
const PLAN = { rounds: 500, warmups: 50 };
const BURST = { processes: 32, rounds: 20, warmups: 5 };
const OTHERS = 10_000;
const FEATURE = 'checkpoint-infrastructure';

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const { openStore } = fixture.require('milepost');
  const open = (root, durability) => openStore({ root, durability });
  return [
    ...oneWriter(fixture, open),
    ...burst(fixture.repository('store-burst')),
    manyOthers(fixture, open),
  ];
}

function oneWriter(fixture, open) {
  const { durable, lazy, bare } = alternate(PLAN, {
    durable: updates(open(fixture.repository('store-durable'), 'durable')),
    lazy: updates(open(fixture.repository('store-lazy'), 'lazy')),
    bare: bareWrite(fixture.repository('store-bare')),
  });
  return [
    timesItsTime({
      what: 'store: one durable update, one writer',
      peerName: 'bare write, fsync, rename, fsync of the folder',
      ours: durable,
      peer: bare,
      atMost: 2,
      aim: 1.5,
    }),
    withinTime({ what: 'store: the same without fsync', ours: lazy, atMost: 1 }),
  ];
}

function burst(folder) {
  const { processes, rounds, warmups } = BURST;
  const script = path.join(path.dirname(folder), 'process/burst.mjs');
  const args = [script, String(processes), String(rounds + warmups)];
  const times = JSON.parse(runNode(args, folder));
  const file = path.join(folder, '.claude/state/implement-checkpoint.json');
  const { revision } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const asked = processes * (rounds + warmups);
  if (times.flat().length !== asked || revision !== asked) {
    throw new Error(`${times.flat().length} of ${asked} acknowledged, revision ${revision}`);
  }
  const what = `store: ${processes} processes released together`;
  const counted = sorted(times.slice(warmups).flat());
  return [
    withinMs(`${what}, ${rounds} rounds, 99th percentile`, counted, quantile(counted, 0.99), 300),
    withinMs(`${what}, the last of ${counted.length}`, counted, counted.at(-1), 1000),
    // Their wasm is compiled and no more: V8 optimises it while they contend.
    withinMs(`${what}, each just started, the last`, sorted(times[0]), Math.max(...times[0]), 1000),
  ];
}

function sorted(numbers) {
  return [...numbers].sort((a, b) => a - b);
}

function withinMs(what, all, ms, atMost) {
  return {
    what,
    ours: `${rounded(ms)} ms after the release (median ${rounded(quantile(all, 0.5))} ms)`,
    peer: '-',
    ratio: '-',
    target: `at most ${atMost} ms`,
    verdict: classify(atMost, ms <= atMost),
    numbers: { ms, atMost },
  };
}

function manyOthers(fixture, open) {
  const crowded = fixture.repository('store-crowded');
  const filling = open(crowded, 'lazy');
  for (let number = 0; number < OTHERS; number++) {
    filling.updatePhase('design', 'plan', { status: 'pending' }, `other-${number}`);
  }
  const samples = alternate(PLAN, {
    ours: updates(open(crowded, 'durable')),
    peer: updates(open(fixture.repository('store-alone'), 'durable')),
  });
  return timesItsTime({
    what: `store: one durable update beside ${OTHERS} other checkpoints`,
    peerName: 'the same with none',
    ...samples,
    atMost: 1.1,
  });
}

function updates(store) {
  store.save('implement', smallCheckpoint(), FEATURE);
  return (round) => {
    const patch = { status: 'in_progress', context_summary: `round ${round}` };
    const begun = process.hrtime.bigint();
    store.updatePhase('implement', 'implementation', patch, FEATURE);
    return Number(process.hrtime.bigint() - begun) / 1e6;
  };
}

// The least that a durable replacement takes: the same bytes, no look at what is there.
function bareWrite(folder) {
  const text = `${JSON.stringify(smallCheckpoint(), null, 2)}\n`;
  const file = path.join(folder, 'document.json');
  return (round) => {
    const begun = process.hrtime.bigint();
    const temporary = `${file}.${round}`;
    const descriptor = fs.openSync(temporary, 'wx');
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
    fs.closeSync(descriptor);
    fs.renameSync(temporary, file);
    const parent = fs.openSync(folder, 'r');
    fs.fsyncSync(parent);
    fs.closeSync(parent);
    return Number(process.hrtime.bigint() - begun) / 1e6;
  };
}
