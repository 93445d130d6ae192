// axe-core in every view. Other schemes, widths and languages are in accessibility.all.test.mjs.

import assert from 'node:assert/strict';
import test from 'node:test';
import { violationsIn } from './axe.mjs';
import { listed } from './fixture.mjs';

test('every view keeps the rules of accessibility', async (t) => {
  const { visitor } = await listed(t, { reducedMotion: 'reduce' });
  assert.deepEqual(await violationsIn(visitor, 'light', 1280), []);
});
