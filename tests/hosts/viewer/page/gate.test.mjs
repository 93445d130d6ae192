// The gate of a run in the page: that it is open, for which commit, and that one which was never used warns of nothing.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openStore } from 'milepost';
import { git } from '../data/git.mjs';
import { ownSample } from '../sample.mjs';
import { show } from '../views.mjs';
import { served } from './fixture.mjs';

const GATE = 'section[aria-labelledby=gate]';
const revision = (key) => ({ address: `#/revision/${encodeURIComponent(key)}` });

test('the gate of a revision names the commit that it is open for', async (t) => {
  const root = await ownSample(t);
  const store = openStore({ root, durability: 'lazy', onWarning() {} });
  assert.ok(store.gate('research', null, { open: true }).open);
  const head = git(root, 'rev-parse', 'HEAD').slice(0, 7);
  const { visitor } = await served(t, root);
  await show(visitor, revision('c/research-checkpoint'));
  await visitor.sees(new RegExp(`^Gate: ✓ open for ${head}$`), GATE);
  await show(visitor, revision('c/ship-release-2'));
  await visitor.sees(/^Gate: ✕ closed\s+dark mode has no tests of print\s/, GATE);
  await show(visitor, revision('c/implement-search'));
  await visitor.sees(/^Gate: ○ closed, never used\s/, GATE);
  await visitor.assertQuiet();
});
