// What the package must survive: the table of `tests/scenarios/inputs`, through the store and the bin. Faults have
// a file of their own.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { emptyFolder } from './ground.mjs';
import { CannotBeHad, Ground } from './inputs/ground.mjs';
import { Case } from './inputs/step.mjs';
import { World } from './inputs/world.mjs';

const table = JSON.parse(
  fs.readFileSync(path.join(import.meta.dirname, '../../scenarios/inputs/table.json'), 'utf8'),
);

for (const { row, name, each, needs, steps } of table.cases) {
  test(`row ${row}: ${name}`, (t) => {
    for (const variant of each ?? [undefined]) {
      const running = new Case(new Ground(t), new World(t), variant);
      try {
        for (const step of steps) running.take(step);
      } catch (error) {
        if (!(error instanceof CannotBeHad)) {
          error.message = `${JSON.stringify(variant)?.slice(0, 80)}: ${error.message}`;
          throw error;
        }
        const excused = needs !== undefined || process.platform === 'win32';
        assert.ok(excused, 'cannot be put in place');
        t.skip(`this machine lacks ${needs ?? 'links and pipes'}`);
      }
      t.mock.restoreAll();
    }
  });
}

test('row 9: half a character in a string of JavaScript is replaced, with a warning', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  store.saveText('design', '{"note":"a\ud800b"}');
  assert.deepEqual(store.warnings.map(({ code }) => code), ['text_replaced']);
  assert.equal(store.load('design').note, 'a\ufffdb');
  assert.throws(() => store.load('design', 'a\udc00'), { code: 'invalid_name' });
});
