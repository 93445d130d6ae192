// Common parts of the tests of task checkpoints.

import { MilepostError } from 'milepost';
import { createCheckpointManager } from 'milepost/tasks';
import { emptyFolder } from './fixture.mjs';

/** Each storage by its name: what a manager is made with. */
export const STORAGES = {
  memory: () => ({}),
  files: (t) => ({ storagePath: emptyFolder(t), durability: 'lazy' }),
};

/** Makes managers on a storage, with options of either kind. */
export const managersOn =
  (storage) =>
  (t, more = {}) => {
    const { maxPerTask, onWarning, ...rest } = more;
    return createCheckpointManager({ maxPerTask, onWarning, storage: { ...storage(t), ...rest } });
  };

export function state(id, more = {}) {
  return {
    id,
    taskId: 'task-1',
    agentId: 'agent-1',
    stepIndex: 1,
    totalSteps: 3,
    context: { branch: 'main', nested: { list: [1, 'two', null] } },
    completedSteps: [
      { stepId: 's1', name: 'Read', result: { ok: true }, durationMs: 12.5, completedAt: '2026-01-29T10:30:00.000Z' },
    ],
    pendingSteps: ['s2', 's3'],
    createdAt: '2026-01-29T10:30:00.000Z',
    ...more,
  };
}

export const ids = (states) => states.map(({ id }) => id);

export const refused = (code) => (error) => error instanceof MilepostError && error.code === code;

export async function overviews(manager) {
  const all = [];
  for await (const task of manager.tasks()) all.push(task);
  return all;
}
