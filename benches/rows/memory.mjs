// The growth of memory over many updates in one process. Not alternated: each contestant has
// a process of its own, and time is not what is measured.

import { runNode } from '../measure.mjs';
import { classify, kilobytes, rounded } from '../report.mjs';

export const name = 'memory';
const MARKS = [1_000, 10_000, 100_000];
// The engine's own pages come and go; a leak of 100 bytes an update is still seen.
const SLACK = 1.1;
// Else the engine lets its young generation grow to tens of megabytes under any program.
const FLAGS = ['--expose-gc', '--max-semi-space-size=1'];

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const updates = (implementation, repository) => {
    const args = [...FLAGS, fixture.script('memory.cjs'), implementation, ...MARKS.map(String)];
    return JSON.parse(runNode(args, fixture.repository(repository)));
  };
  const ours = updates('ours', 'memory-ours');
  const peer = updates(fixture.plain('durable-checkpoint-manager.cjs'), 'memory-plain');
  return [
    row({ label: 'wasm memory', key: 'wasm', ours, atMost: 1 }),
    row({ label: 'JS heap in use', key: 'heapUsed', ours, peer, atMost: SLACK }),
    row({ label: 'resident memory', key: 'rss', ours, peer, atMost: SLACK }),
  ];
}

function row({ label, key, ours, peer, atMost }) {
  const sizes = (samples) => samples.map((sample) => kilobytes(sample[key])).join(', ');
  const ratio = ours.at(-1)[key] / ours[0][key];
  return {
    what: `${label} after ${MARKS.join(', ')} updates`,
    ours: sizes(ours),
    peer: peer === undefined ? '-' : `plain JS: ${sizes(peer)}`,
    ratio: `${rounded(ratio)} times the first`,
    target: `at most ${atMost} times`,
    verdict: classify(atMost, ratio <= atMost),
    numbers: { ours, peer, ratio, atMost },
  };
}
