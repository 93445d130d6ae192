// The page says what the command line says: after every scenario by hand, and of more projects by chance.

import assert from 'node:assert/strict';
import test from 'node:test';
import { ask, line } from '../../node/scenarios/host.mjs';
import { World } from '../../node/scenarios/world.mjs';
import { Case } from '../../../scenarios/js/case.mjs';
import { CannotBeHad, Fixture } from '../../../scenarios/js/fixture.mjs';
import { scenarios } from '../../../scenarios/js/hand.mjs';
import { makeRandom } from '../data/random.mjs';
import { folder } from '../fixture.mjs';
import { assertSame } from './equality.mjs';

/** The first one is in equality.test.mjs. */
const SEEDS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
const CHECKPOINTS = 10;

for (const variants of scenarios()) {
  for (const scenario of variants) {
    const { topic, needs, steps } = scenario;
    if (steps.at(-1).with_faults) continue;
    test(`the page says what the command line says, ${topic}: ${scenario.name}`, async (t) => {
      const made = folder((remove) => t.after(remove));
      const fixture = new Fixture(made);
      const world = new World(t);
      try {
        new Case(fixture, world, { ask, line }).play(scenario);
      } catch (error) {
        if (!(error instanceof CannotBeHad)) throw error;
        t.skip(`this machine lacks ${needs ?? 'links and pipes'}`);
        return;
      }
      await assertSame(fixture.project, folder((remove) => t.after(remove)));
    });
  }
}

for (const seed of SEEDS) {
  test(`the page says what the command line says, of project ${seed} by chance`, async (t) => {
    const root = folder((remove) => t.after(remove));
    makeRandom(root, seed, CHECKPOINTS);
    const count = await assertSame(root, folder((remove) => t.after(remove)));
    assert.ok(count > 3, `${count} checkpoints`);
  });
}
