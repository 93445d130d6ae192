// The manager of task checkpoints in a database: all that is tested of it in memory and in files, and
// several of them together.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createCheckpointManager } from 'milepost/tasks';
import { openPostgresStore, postgresHost } from 'milepost/postgres';
import { IS_FULL_RANGE } from '../environment.mjs';
import { testValues } from '../node/task-values.mjs';
import { testManager } from '../node/task-manager.mjs';
import { newProject, patiently, serverFor } from './server.mjs';

const server = serverFor(test);

/** So many checkpoints each of some managers saves. */
const SAVES = IS_FULL_RANGE ? 20 : 5;

function hostFor(t, project = newProject()) {
  const postgres = postgresHost({ project, connection: server.connection });
  t.after(() => postgres.close());
  return postgres;
}

for (const onEach of [testManager, testValues]) onEach('PostgreSQL', (t) => ({ postgres: hostFor(t) }));

function state(id, more) {
  return {
    ...{ id, taskId: 'task', agentId: 'agent', stepIndex: 0, totalSteps: 2, context: {} },
    ...{ completedSteps: [], pendingSteps: ['s1'], createdAt: '2026-01-29T10:30:00.000Z', ...more },
  };
}

test('of managers on one task, none loses what another saved', async (t) => {
  const project = newProject();
  const managers = Array.from({ length: 6 }, () =>
    createCheckpointManager({ maxPerTask: 1000, storage: { postgres: hostFor(t, project) } }),
  );
  await Promise.all(
    managers.map(async (manager, at) => {
      for (let n = 0; n < SAVES; n += 1) await patiently(() => manager.save(state(`${at}-${n}`)));
    }),
  );
  const ids = new Set((await managers[0].list('task')).map(({ id }) => id));
  assert.equal(ids.size, managers.length * SAVES, 'violated: an acknowledged checkpoint is lost');
});

test('of two that go on from one revision, one wins', async (t) => {
  const project = newProject();
  const [one, other] = [0, 1].map(() => createCheckpointManager({ storage: { postgres: hostFor(t, project) } }));
  await one.save(state('a'));
  const { revision: expectedRevision } = await one.restore('task');
  const both = await Promise.allSettled(
    [one, other].map((manager, at) => manager.save(state(`b${at}`), { expectedRevision })),
  );
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  assert.equal(both.find(({ status }) => status === 'rejected').reason.code, 'conflict');
});

test('a place beside a database, or an invalid database, is refused', (t) => {
  const postgres = hostFor(t);
  for (const storage of [
    { postgres, storagePath: 'a' },
    { postgres, durability: 'lazy' },
    { postgres: {} },
    { postgres: openPostgresStore({ project: 'a' }) },
  ]) {
    assert.throws(() => createCheckpointManager({ storage }), { code: 'usage', message: /storage\.postgres/ });
  }
});
