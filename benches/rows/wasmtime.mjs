// The command line as a precompiled component: a whole process that records a phase, against the
// same runtime doing nothing, a Node that does nothing, and the command line on Node.

import fs from 'node:fs';
import path from 'node:path';
import { alternate, runNode, runProgram } from '../measure.mjs';
import { timesItsTime, withinSize } from '../report.mjs';
import { smallCheckpoint } from '../sample.mjs';

export const name = 'wasmtime';
const PLAN = { rounds: 60, warmups: 5 };
const UPDATE = ['phase', 'implement', 'implementation', 'in_progress', '--modified', 'src/lib.rs'];

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const wasmtime = given('MILEPOST_WASMTIME');
  const here = withCheckpoint(fixture, 'wasmtime-ours');
  const there = withCheckpoint(fixture, 'wasmtime-node');
  const compiled = (variable) => {
    const to = path.join(here, `${variable}.cwasm`);
    runProgram(wasmtime, ['compile', '-o', to, given(variable)], here);
    return to;
  };
  const run = (file, words) => () => {
    const options = ['--allow-precompiled', '--dir', '.'];
    runProgram(wasmtime, ['run', ...options, file, ...words], here);
  };
  const samples = alternate(PLAN, {
    nothing: run(compiled('MILEPOST_NOTHING'), []),
    ours: run(compiled('MILEPOST_COMPONENT'), UPDATE),
    node: () => void runNode([fixture.commandLine, ...UPDATE], there),
    bare: () => void runNode([fixture.script('empty.cjs')], there),
  });
  expectRecorded(fixture, here);
  expectRecorded(fixture, there);

  const against = (peerName, peer, atMost, aim) => {
    const what = 'milepost phase on wasmtime, precompiled, whole process';
    return timesItsTime({ what, peerName, ours: samples.ours, peer, atMost, aim });
  };
  return [
    against('node empty.cjs', samples.bare, 0.18, 0.15),
    against('wasmtime, nothing', samples.nothing, 1.5),
    against('milepost phase on Node', samples.node, 0.25),
    size('milepost.wasm', 'MILEPOST_COMPONENT', 560, 480),
    size('milepost-core.wasm', 'MILEPOST_CORE', 240, 150),
  ];
}

function size(file, variable, atMost, aim) {
  const [bytes, most, least] = [fs.statSync(given(variable)).size, atMost * 1024, aim * 1024];
  return withinSize({ what: `${file}, before compression`, bytes, atMost: most, aim: least });
}

function given(variable) {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} names no file: \`cargo xtask bench\` sets it`);
  return value;
}

function withCheckpoint(fixture, name) {
  const root = fixture.repository(name);
  const store = fixture.require('milepost').openStore({ root });
  store.save('implement', { ...smallCheckpoint(), feature: null });
  return root;
}

function expectRecorded(fixture, root) {
  const { revision } = fixture.require('milepost').openStore({ root }).load('implement');
  const expected = 1 + PLAN.rounds + PLAN.warmups;
  if (revision !== expected) throw new Error(`revision ${revision} instead of ${expected} in ${root}`);
}
