// The cost of a process before the package has answered once: its wasm, its `require`, its first
// call; and the first answer of the command line.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { alternate, runNode, summarize } from '../measure.mjs';
import { withinSize, withinTime } from '../report.mjs';
import { smallCheckpoint } from '../sample.mjs';

export const name = 'start';
const RUNS = 60;
const ENTRIES = ['milepost', 'milepost/token-counter', 'milepost/checkpoint-manager'];
// The lightest and the heaviest first call of the package, and one of each seed module.
const FIRST_CALLS = [
  ['milepost', 'countTokens'],
  ['milepost', 'updatePhase'],
  ['milepost', 'countTokens, updatePhase'],
  ['milepost/token-counter', 'countTokens'],
  ['milepost/checkpoint-manager', 'getResumePoint'],
];
const BOTH = { atMost: 14, aim: 8 };
const FIRST_RUN = { rounds: 20, warmups: 1 };

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const folder = fixture.repository('start');
  const store = fixture.require('milepost').openStore({ root: folder });
  store.save('implement', { ...smallCheckpoint(), feature: null });
  return [...sizes(fixture, folder), ...times(fixture, folder), firstRun(fixture)];
}

/** The first run: `npx milepost` once it is downloaded, in a project that has nothing of it. */
function firstRun(fixture) {
  const folder = path.join(fixture.work, 'first-run');
  fs.mkdirSync(folder);
  const { ours } = alternate(FIRST_RUN, { ours: () => void runNode([fixture.commandLine], folder) });
  if (fs.readdirSync(folder).length > 0) throw new Error('the first run of `milepost` wrote something');
  return withinTime({ what: '`milepost` in a project without anything, a whole process', ours, atMost: 300 });
}

function sizes(fixture, folder) {
  return ENTRIES.map((entry) => {
    const { raw, gzip } = JSON.parse(runNode([fixture.script('wasm-size.cjs'), entry], folder));
    const [atMost, aim] = [60 * 1024, 45 * 1024];
    return withinSize({ what: `wasm behind ${entry}, gzip`, bytes: gzip, raw, atMost, aim });
  });
}

function times(fixture, folder) {
  const required = Object.fromEntries(ENTRIES.map((entry) => [entry, []]));
  const called = FIRST_CALLS.map(() => []);
  for (let run = 0; run < RUNS; run++) {
    FIRST_CALLS.forEach(([entry, call], at) => {
      const sample = JSON.parse(runNode([fixture.script('start.cjs'), entry, call], folder));
      required[entry].push(sample.required);
      called[at].push(sample.called);
    });
  }
  return [
    ...ENTRIES.map((entry) =>
      withinTime({ what: `require('${entry}')`, ours: summarize(required[entry]), atMost: 1.5 }),
    ),
    ...FIRST_CALLS.map(([entry, call], at) =>
      withinTime({
        what: `require('${entry}') and a first ${call}`,
        ours: summarize(called[at]),
        ...(call.includes(',') ? BOTH : { atMost: 8 }),
      }),
    ),
  ];
}
