// The manager of task checkpoints, on any storage.

import * as check from '../arguments.js';
import { membersOf } from '../../wasm/wire.js';
import { decide } from '../operation.js';
import { unexpected } from '../reply.js';
import { PLACES } from '../storage.js';
import { carried } from './carried.js';

/** @typedef {import('../../../types/tasks.js').CheckpointState} CheckpointState */
/** @typedef {import('../../../types/tasks.js').CheckpointManagerConfig} Config */
/** @typedef {import('../../../types/tasks.js').CheckpointManager} CheckpointManagerType */
/** @typedef {import('../../../types/tasks.js').TaskOverview} TaskOverview */
/** @typedef {import('../../../types/tasks.js').CleanedUpTasks} CleanedUpTasks */
/** @typedef {import('../../../types/index.js').Warning} Warning */
/** @typedef {{state: CheckpointState, remainingSteps: string[], revision: number}} LoadedCheckpoint */

/**
 * The storage of task checkpoints. A checkpoint that is not there is no failure.
 *
 * @typedef {{
 *   save(text: string, state: CheckpointState, expected: string): any,
 *   latest(taskId: string): LoadedCheckpoint | null | Promise<LoadedCheckpoint | null>,
 *   byId(id: string): LoadedCheckpoint | null | Promise<LoadedCheckpoint | null>,
 *   list(taskId: string): CheckpointState[] | Promise<CheckpointState[]>,
 *   page(after: string | null): Page | Promise<Page>,
 *   delete(id: string): boolean | Promise<boolean>,
 *   deleteAll(taskId: string): number | Promise<number>,
 *   cleanUp(dryRun: boolean): CleanedUpTasks | Promise<CleanedUpTasks>,
 *   prune(days: number, dryRun: boolean): PrunedTasks | Promise<PrunedTasks>,
 * }} Storage
 */
/** @typedef {{tasks: TaskOverview[], next: string | null}} Page */
/** @typedef {{tasks: string[], checkpoints: number}} PrunedTasks */

/** The options of a manager. */
export const OPTIONS = ['maxPerTask', 'storage', 'onWarning'];

/** The options of its storage: where it is, and how much is kept. */
const LIMITS = ['maxPerTask', 'autoCleanup', 'maxBytes', 'maxTaskBytes', 'maxStoreBytes'];
export const STORAGE_OPTIONS = [...PLACES, ...LIMITS];

/** @implements {CheckpointManagerType} */
export class Manager {
  #storage;
  /** @type {Warning[]} */
  #warnings = [];
  #onWarning;

  /**
   * @param {Config} config
   * @param {(storage: Record<string, unknown>, limits: string, onWarning: (warning: Warning) => void) => Storage} open
   */
  constructor(config, open) {
    const { maxPerTask, storage, onWarning } = check.options('config', config, OPTIONS);
    const described = check.options('storage', storage, STORAGE_OPTIONS);
    if (onWarning !== undefined && typeof onWarning !== 'function') {
      throw unexpected('onWarning', 'a function', onWarning);
    }
    this.#onWarning = onWarning;
    const limits = limitsOf(maxPerTask, described);
    this.#storage = open(described, limits, (warning) => this.#notice(warning));
  }

  get warnings() {
    return this.#warnings;
  }

  /** @param {Warning} warning */
  #notice(warning) {
    this.#warnings.push(warning);
    this.#onWarning?.(warning);
  }

  /**
   * @param {CheckpointState} state
   * @param {import('../../../types/tasks.js').SaveOptions} [options]
   * @returns {Promise<any>}
   */
  async save(state, options) {
    this.#warnings = [];
    const { expectedRevision } = check.options('options', options, ['expectedRevision']);
    const expected = check.optionalWhole('expectedRevision', expectedRevision);
    const text = carried(state) ?? 'null';
    const more = expected === null ? '' : membersOf({ expected_revision: expected });
    const saved = await this.#storage.save(text, state ?? {}, more);
    if (options === undefined) return undefined;
    const { task_id: taskId, ...rest } = saved;
    return { id: saved.id, taskId, ...rest };
  }

  /** @type {CheckpointManagerType['restore']} */
  async restore(taskId) {
    this.#warnings = [];
    const found = await this.#storage.latest(check.text('taskId', taskId));
    return restored(found, `No checkpoint found for task: ${taskId}`);
  }

  /** @type {CheckpointManagerType['restoreById']} */
  async restoreById(checkpointId) {
    this.#warnings = [];
    const found = await this.#storage.byId(check.text('checkpointId', checkpointId));
    return restored(found, `Checkpoint not found: ${checkpointId}`);
  }

  /** @type {CheckpointManagerType['list']} */
  async list(taskId) {
    this.#warnings = [];
    return this.#storage.list(check.text('taskId', taskId));
  }

  /** @type {CheckpointManagerType['delete']} */
  async delete(checkpointId) {
    this.#warnings = [];
    return this.#storage.delete(check.text('checkpointId', checkpointId));
  }

  /** @type {CheckpointManagerType['deleteAll']} */
  async deleteAll(taskId) {
    this.#warnings = [];
    return this.#storage.deleteAll(check.text('taskId', taskId));
  }

  /** @type {CheckpointManagerType['cleanUp']} */
  async cleanUp(options) {
    this.#warnings = [];
    const { dryRun = false } = check.options('options', options, ['dryRun']);
    if (typeof dryRun !== 'boolean') throw unexpected('dryRun', 'true or false', dryRun);
    return this.#storage.cleanUp(dryRun);
  }

  /** @type {CheckpointManagerType['prune']} */
  async prune(options) {
    this.#warnings = [];
    const { days, dryRun = false } = check.options('options', options, ['days', 'dryRun']);
    const isAge = typeof days === 'number' && Number.isSafeInteger(days) && days > 0;
    if (!isAge) throw unexpected('days', 'a whole number from 1 on', days);
    if (typeof dryRun !== 'boolean') throw unexpected('dryRun', 'true or false', dryRun);
    return this.#storage.prune(days, dryRun);
  }

  /** @type {CheckpointManagerType['tasks']} */
  async *tasks() {
    this.#warnings = [];
    let after = null;
    do {
      /** @type {Page} */
      const page = await this.#storage.page(after);
      yield* page.tasks;
      after = page.next;
    } while (after !== null);
  }
}

/**
 * @param {LoadedCheckpoint | null} found
 * @param {string} error
 */
function restored(found, error) {
  if (found === null) return { success: false, error, remainingSteps: [] };
  const { state, remainingSteps, revision } = found;
  return { success: true, checkpoint: state, remainingSteps, revision };
}

/**
 * Returns how much is kept, as members of a request.
 *
 * @param {unknown} maxPerTask
 * @param {Record<string, unknown>} storage
 */
function limitsOf(maxPerTask, storage) {
  const given = {
    max_per_task: limit('maxPerTask', maxPerTask),
    storage_max_per_task: limit('storage.maxPerTask', storage.maxPerTask),
    auto_cleanup: storage.autoCleanup,
    max_bytes: limit('storage.maxBytes', storage.maxBytes),
    max_task_bytes: limit('storage.maxTaskBytes', storage.maxTaskBytes),
    max_store_bytes: limit('storage.maxStoreBytes', storage.maxStoreBytes),
  };
  if (given.auto_cleanup !== undefined && typeof given.auto_cleanup !== 'boolean') {
    throw unexpected('storage.autoCleanup', 'true or false', given.auto_cleanup);
  }
  const inForce = Object.entries(decide('check_task_limits', membersOf(given)));
  return membersOf(Object.fromEntries(inForce.filter(([, value]) => value !== null)));
}

/**
 * Reads a limit. The core says which numbers can be limits; of others JSON would make none.
 *
 * @param {string} name
 * @param {unknown} value
 */
function limit(name, value) {
  if (value === undefined || Number.isFinite(value)) return value;
  throw unexpected(name, 'a whole number from 1 on', value);
}

