// What the component must survive: the table of `tests/scenarios/inputs`, through its command line.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { CannotBeHad, Ground } from '../node/inputs/ground.mjs';
import { Case } from '../node/inputs/step.mjs';
import * as host from './inputs-host.mjs';

const table = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, '../../scenarios/inputs/table.json'), 'utf8'),
);

/** What only a process that shares its clock and its waiting with the test can be asked. */
function beyond({ needs, steps }) {
  if (steps.some(({ clock }) => clock !== undefined)) return 'the clock is the machine’s';
  if (steps.some(({ while_waiting }) => while_waiting)) return 'its waiting is its own';
  if (needs === 'reftable') return 'a component runs no git';
  return false;
}

for (const { row, name, each, needs, steps } of table.cases) {
  test(`row ${row}: ${name}`, { skip: beyond({ needs, steps }) }, (t) => {
    for (const variant of each ?? [undefined]) {
      const running = new Case(new Ground(t), {}, variant, host);
      try {
        for (const step of steps) running.take(step);
      } catch (error) {
        if (!(error instanceof CannotBeHad)) {
          error.message = `${JSON.stringify(variant)?.slice(0, 80)}: ${error.message}`;
          throw error;
        }
        assert.ok(needs !== undefined, 'cannot be put in place');
        t.skip(`this machine lacks ${needs}`);
      }
    }
  });
}

test('nearly all of it was asked on wasmtime', () => {
  assert.ok(host.asked.wasmtime > 10 * host.asked.node, JSON.stringify(host.asked));
});
