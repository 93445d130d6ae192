// `milepost/tasks`: the last few execution snapshots of each task.

import * as host from 'milepost:host';
import { openStorage } from './storage.js';
import { Manager } from './tasks/manager.js';
import { TasksInMemory } from './tasks/memory.js';
import { StoredTasks } from './tasks/stored.js';
import { Workspace } from './workspace.js';

/** @typedef {import('../../types/tasks.js').CheckpointManagerConfig} Config */
/** @typedef {import('./tasks/manager.js').Storage} Storage */

/**
 * @param {Config} [config]
 * @returns {CheckpointManager}
 * @throws {MilepostError} `usage`
 */
export function createCheckpointManager(config) {
  return new CheckpointManager(config);
}

/** Keeps them in files or in a database where one is named, else in memory. */
export class CheckpointManager extends Manager {
  /** @param {Config} [config] */
  constructor(config = {}) {
    super(config, (described, limits, onWarning) =>
      openStorage(described, 'storage.', {
        memory: () => /** @type {Storage} */ (new TasksInMemory(limits, onWarning)),
        files: (place, named) => new StoredTasks(new Workspace({ ...place, onWarning }, host, null, named), limits),
        postgres: (database) => database.tasks(limits, onWarning),
      }),
    );
  }
}
