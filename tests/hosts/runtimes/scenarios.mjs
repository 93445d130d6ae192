// The scenarios of `tests/scenarios/hand` over real files, through the store that this runtime imports,
// without faults and lines. Prints as JSON how many were played, and what went wrong.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import process from 'node:process';
import { openStore } from 'milepost';
import { askBy } from '../node/scenarios/host.mjs';
import { Case } from '../../scenarios/js/case.mjs';
import { CannotBeHad, Fixture } from '../../scenarios/js/fixture.mjs';
import { scenarios } from '../../scenarios/js/hand.mjs';

/** One scenario's clocks and waiting. */
class World {
  wallMs = null;
  passedMs = 0;
  whileWaiting = null;
  waitedMs = 0;
}

let world = new World();
/** The scenario's own clock goes on while it waits for nothing. */
let isAsking = false;
const waited = () => (isAsking ? world.waitedMs : 0);

const now = Date.now;
const hrtime = process.hrtime;
const monotonic = performance.now.bind(performance);
Date.now = () => (world.wallMs ?? now()) + world.passedMs;
performance.now = () => monotonic() + waited();
process.hrtime = () => {
  const [seconds, nanoseconds] = hrtime();
  return [seconds + waited() / 1000, nanoseconds];
};
Atomics.wait = (_cells, _at, _value, ms) => {
  world.whileWaiting?.();
  world.whileWaiting = null;
  world.waitedMs += ms;
  return 'timed-out';
};

const askStore = askBy(openStore);
const host = {
  ask(...words) {
    isAsking = true;
    try {
      return askStore(...words);
    } finally {
      isAsking = false;
    }
  },
};

const played = [];
const failed = [];
for (const scenario of scenarios().flat()) {
  const { topic, name, needs, steps } = scenario;
  if (steps.some(({ line, with_faults }) => line || with_faults)) continue;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-'));
  world = new World();
  try {
    new Case(new Fixture(folder), world, host).play(scenario);
    played.push(name);
  } catch (error) {
    const isExcused = error instanceof CannotBeHad && needs !== undefined;
    if (!isExcused) failed.push(`${topic}: ${name}: ${error?.stack ?? error}`);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
console.log(JSON.stringify({ played: played.length, failed }));
