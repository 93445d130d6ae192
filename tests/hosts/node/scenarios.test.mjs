// The scenarios of `tests/scenarios/hand` over real files, through the store and the bin. Faults have a
// file of their own.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openStore } from 'milepost';
import { Case } from '../../scenarios/js/case.mjs';
import { CannotBeHad, Fixture } from '../../scenarios/js/fixture.mjs';
import { scenarios } from '../../scenarios/js/hand.mjs';
import { emptyFolder } from './fixture.mjs';
import * as host from './scenarios/host.mjs';
import { World } from './scenarios/world.mjs';

/** Under wine a process takes half a second to start: of each scenario one variant does so there. */
const startsFast = process.platform !== 'win32';

for (const variants of scenarios()) {
  const [{ topic, needs, steps }] = variants;
  if (steps.at(-1).with_faults) continue;
  for (const [at, scenario] of variants.entries()) {
    if (!startsFast && at > 0 && scenario.steps.some(({ line }) => line)) continue;
    test(`${topic}: ${scenario.name}`, (t) => {
      try {
        new Case(new Fixture(emptyFolder(t)), new World(t), host).play(scenario);
      } catch (error) {
        if (!(error instanceof CannotBeHad)) throw error;
        const excused = needs !== undefined || process.platform === 'win32';
        assert.ok(excused, 'cannot be put in place');
        t.skip(`this machine lacks ${needs ?? 'links and pipes'}`);
      }
    });
  }
}

test('half a character in a string of JavaScript is replaced, with a warning', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  store.saveText('design', '{"note":"a\ud800b"}');
  assert.deepEqual(store.warnings.map(({ code }) => code), ['text_replaced']);
  assert.equal(store.load('design').note, 'a\ufffdb');
  assert.throws(() => store.load('design', 'a\udc00'), { code: 'invalid_name' });
});
