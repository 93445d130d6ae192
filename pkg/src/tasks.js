// `milepost/tasks`: the last few execution snapshots of each task.

import * as host from 'milepost:host';
import { Place } from './place.js';
import { unexpected } from './reply.js';
import { Manager } from './tasks/manager.js';
import { TasksInMemory } from './tasks/memory.js';
import { StoredTasks } from './tasks/stored.js';

/** @typedef {import('../types/tasks.js').CheckpointManagerConfig} Config */

/**
 * @param {Config} [config]
 * @returns {CheckpointManager}
 * @throws {MilepostError} `usage`
 */
export function createCheckpointManager(config) {
  return new CheckpointManager(config);
}

/** Keeps them in files where it is told a folder, else in memory. */
export class CheckpointManager extends Manager {
  /** @param {Config} [config] */
  constructor(config = {}) {
    super(config, ({ storagePath, durability, postgres }, limits, onWarning) => {
      if (postgres !== undefined) {
        if (storagePath !== undefined || durability !== undefined) {
          throw unexpected('storage.postgres', 'the only place of `storage`', postgres);
        }
        if (!isPostgres(postgres)) throw unexpected('storage.postgres', 'what `postgresHost()` of milepost/postgres gives', postgres);
        return postgres.tasks(limits, onWarning);
      }
      if (storagePath === undefined) {
        if (durability === undefined) return new TasksInMemory(limits, onWarning);
        throw unexpected('storage.durability', 'left out where there is no `storage.storagePath`', durability);
      }
      if (typeof storagePath !== 'string' || storagePath === '') {
        throw unexpected('storage.storagePath', 'the path of a folder', storagePath);
      }
      const place = { ...placeOf(storagePath), durability, onWarning };
      return new StoredTasks(new Place(place, host), limits);
    });
  }
}

/**
 * @param {any} host
 * @returns {host is {tasks: import('./postgres/host.js').PostgresHost['tasks']}}
 */
function isPostgres(host) {
  return typeof host?.tasks === 'function';
}

/** What leads out of the working folder. */
const OUTWARDS = /^([/\\]|[a-z]:)|(^|[/\\])\.\.([/\\]|$)/i;

/**
 * A folder below the working one is that of a project, which messages name from there; any other stands for itself.
 *
 * @param {string} storagePath
 */
function placeOf(storagePath) {
  if (OUTWARDS.test(storagePath)) return { dir: host.absolute(storagePath) };
  return { root: host.place().working, dir: storagePath };
}
