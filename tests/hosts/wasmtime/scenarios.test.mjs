// The scenarios of `tests/scenarios/hand` over real files, through the component's command line.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Case } from '../../scenarios/js/case.mjs';
import { CannotBeHad, Fixture } from '../../scenarios/js/fixture.mjs';
import { scenarios } from '../../scenarios/js/hand.mjs';
import { IS_FULL_RANGE } from '../environment.mjs';
import { emptyFolder } from '../node/fixture.mjs';
import * as host from './scenarios-host.mjs';

/** Requests that only a process that shares its clock and its waiting with the test can be asked. */
function beyond({ needs, steps }) {
  if (steps.some((step) => 'clock' in step || 'pass' in step)) return 'the clock is the machine’s';
  if (steps.some(({ while_waiting }) => while_waiting)) return 'its waiting is its own';
  if (steps.some(({ with_faults }) => with_faults)) return '`tests/faults/syscalls` has its faults';
  if (steps.some(({ feature }) => feature === '')) return 'on the command line, an empty feature is an absent one';
  if (needs === 'reftable') return 'a component runs no git';
  return false;
}

/** Of each scenario one variant decides a change. */
const CHOSEN = IS_FULL_RANGE ? scenarios().flat() : scenarios().map(([first]) => first);

for (const scenario of CHOSEN) {
  const { topic, name, needs } = scenario;
  test(`${topic}: ${name}`, { skip: beyond(scenario) }, (t) => {
    try {
      new Case(new Fixture(emptyFolder(t)), {}, host).play(scenario);
    } catch (error) {
      if (!(error instanceof CannotBeHad)) throw error;
      assert.ok(needs !== undefined, 'cannot be put in place');
      t.skip(`this machine lacks ${needs}`);
    }
  });
}

test('nearly all of it was asked on wasmtime', () => {
  assert.ok(host.asked.here > 10 * host.asked.node, JSON.stringify(host.asked));
});
