// The cost of a hook's process, counted instead of timed: the same on a busy machine.

import { costOfHook, hook, instructions } from '../cost.mjs';
import { classify, kilobytes, rounded, skipped, target } from '../report.mjs';

export const name = 'instructions';
const MILLION = 1e6;

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const valgrind = process.env.MILEPOST_VALGRIND;
  const ours = costOfHook(fixture, valgrind);
  return [counted(fixture, valgrind, ours), compiledRow(ours)];
}

function counted(fixture, valgrind, ours) {
  const what = 'user-mode instructions of a hook, above an empty script';
  if (!valgrind) return skipped(what, 'valgrind is not there (apt-get install valgrind)');
  const plain = hook(fixture, fixture.plain('durable-checkpoint-manager.cjs'), 'cost-durable');
  const peer = instructions(valgrind, plain.args, plain.folder) - ours.empty;
  const [atMost, aim] = [60, 35];
  const ratio = ours.instructions / peer;
  return {
    what,
    ours: millions(ours.instructions),
    peer: `plain JS, durable: ${millions(peer)} (an empty script: ${millions(ours.empty)})`,
    ratio: `${rounded(ratio)} times its number`,
    target: target('at most', atMost, 'M', aim),
    verdict: classify(atMost, ours.instructions <= atMost * MILLION),
    numbers: { ...ours, peer, ratio, atMost, aim },
  };
}

function compiledRow({ bytes, functions }) {
  return {
    what: 'wasm that V8 compiles in one hook',
    ours: `${kilobytes(bytes)}, ${functions} functions`,
    peer: '-',
    ratio: '-',
    target: '-',
    verdict: '-',
    numbers: { bytes, functions },
  };
}

function millions(count) {
  return `${rounded(count / MILLION)} M`;
}
