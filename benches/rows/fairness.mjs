// The turns that each writer gets: many on a machine that is busy with something else, and one
// with a slow disk and one on wasmtime among fast ones.

import fs from 'node:fs';
import path from 'node:path';
import { quantile, runNode, runProgram } from '../measure.mjs';
import { classify, rounded } from '../report.mjs';

export const name = 'fairness';
const RUNS = 5;
const LOADED = { writers: 16, updates: 50, loops: 4, atMostMs: 2_000 };
// The fast ones are at work until the slow ones have ended.
const MIXED = { fast: 15, fastUpdates: 100, updates: 30, fsyncMs: 50 };

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  return [loaded(fixture), ...mixed(fixture)];
}

function loaded(fixture) {
  const { writers, updates, loops, atMostMs } = LOADED;
  const crowd = Array.from({ length: writers }, (_, at) => writer(at, updates, 0));
  const runs = repeat('loaded', fixture, { loops, writers: crowd });
  const what = `fairness: ${writers} writers × ${updates} updates beside ${loops} busy loops`;
  return row(what, runs.flat(), `at most ${atMostMs} ms, no \`busy\``, ({ longest, busy }) =>
    classify(atMostMs, busy === 0 && longest <= atMostMs),
  );
}

function mixed(fixture) {
  const { fast, fastUpdates, updates, fsyncMs } = MIXED;
  const [wasmtime, component] = ['MILEPOST_WASMTIME', 'MILEPOST_COMPONENT'].map(given);
  const compiled = path.join(fixture.folder, 'fairness.cwasm');
  runProgram(wasmtime, ['compile', '-o', compiled, component], fixture.folder);
  const crowd = [
    writer(0, updates, fsyncMs),
    ['crowd-component.mjs', wasmtime, compiled, updates],
    ...Array.from({ length: fast }, (_, at) => writer(at + 1, fastUpdates, 0)),
  ];
  const runs = repeat('mixed', fixture, { loops: 0, writers: crowd });
  fs.rmSync(compiled);
  const of = (who, from, to) =>
    row(`fairness: ${who}`, runs.flatMap((run) => run.slice(from, to)), '-', () => '-');
  return [
    of(`one writer with an fsync of ${fsyncMs} ms among ${fast} fast ones`, 0, 1),
    of('one on wasmtime among them, a process for each update', 1, 2),
    of('the fast ones', 2),
  ];
}

/** A script of `process/`, with its arguments. */
function writer(number, updates, fsyncMs) {
  return ['crowd-writer.cjs', number, updates, fsyncMs];
}

/** Each run begins with no checkpoint. */
function repeat(what, fixture, plan) {
  return Array.from({ length: RUNS }, (_, run) => {
    const folder = fixture.repository(`fairness-${what}-${run}`);
    const writers = JSON.parse(runNode([fixture.script('crowd.mjs'), JSON.stringify(plan)], folder));
    const acknowledged = writers.reduce((sum, { waits, busy }) => sum + waits.length - busy, 0);
    const { revision } = fixture.require('milepost').openStore({ root: folder }).load('implement');
    if (revision !== acknowledged) {
      throw new Error(`revision ${revision} after ${acknowledged} acknowledged updates`);
    }
    return writers;
  });
}

function row(what, writers, target, verdict) {
  const waits = writers.flatMap((writer) => writer.waits).sort((a, b) => a - b);
  const busy = writers.reduce((sum, writer) => sum + writer.busy, 0);
  const [median, most, longest] = [0.5, 0.99, 1].map((share) => quantile(waits, share));
  const ms = [median, most, longest].map(rounded);
  return {
    what,
    ours: `median ${ms[0]} ms, 99 % within ${ms[1]} ms, longest ${ms[2]} ms, ${busy} \`busy\``,
    peer: '-',
    ratio: '-',
    target,
    verdict: verdict({ longest, busy }),
    numbers: { median, most, longest, busy, updates: waits.length },
  };
}

function given(variable) {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} names no file: \`cargo xtask bench\` sets it`);
  return value;
}
