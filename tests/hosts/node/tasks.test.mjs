// Task checkpoints on each storage that needs no server; `tests/hosts/postgres` has one more.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCheckpointManager } from 'milepost/tasks';
import { STORAGES, state } from './task-fixture.mjs';
import { testManager } from './task-manager.mjs';
import { testValues } from './task-values.mjs';

for (const [name, storage] of Object.entries(STORAGES)) {
  testManager(name, storage);
  testValues(name, storage);
}

test('a manager in memory keeps its checkpoints to itself', async () => {
  const [one, other] = [createCheckpointManager(), createCheckpointManager()];
  await one.save(state('a'));
  assert.equal((await other.restore('task-1')).success, false);
});
