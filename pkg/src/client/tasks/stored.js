// Task checkpoints in files, or in another storage of a host: each call is one operation of the core.

import { isMilepostError } from '../../base/brand.js';
import { membersOf } from '../../wasm/wire.js';

/** @typedef {import('./manager.js').Storage} Storage */
/** @typedef {import('../workspace.js').Workspace} Workspace */

/** The number of attempts at a list that has to begin again because its place is gone. */
const TRIES = 20;

/** @implements {Storage} */
export class StoredTasks {
  #place;
  #options;

  /**
   * @param {Pick<Workspace, 'run'>} place which may answer later
   * @param {string} options of a save, as members of JSON text
   */
  constructor(place, options) {
    this.#place = place;
    this.#options = options;
  }

  /** @type {Storage['save']} */
  save(text, _state, expected) {
    return this.#place.run('save_task', `${expected}${this.#options}`, text);
  }

  /** @type {Storage['latest']} */
  latest(taskId) {
    return this.#load('task_id', taskId);
  }

  /** @type {Storage['byId']} */
  byId(id) {
    return this.#load('id', id);
  }

  /**
   * @param {'task_id' | 'id'} name
   * @param {string} value
   */
  async #load(name, value) {
    const found = await orElse(null, () => this.#ask('load_task', { [name]: value }));
    if (found === null) return null;
    const { state, remaining_steps: remainingSteps, revision } = found;
    return { state, remainingSteps, revision };
  }

  /** @type {Storage['list']} */
  async list(taskId) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await orElse([], () => this.#listed(taskId));
      } catch (error) {
        if (tries === TRIES || !isMilepostError(error) || error.code !== 'conflict') throw error;
      }
    }
  }

  /** @param {string} taskId */
  async #listed(taskId) {
    const states = [];
    let after = null;
    do {
      /** @type {any} */
      const page = await this.#ask('list_task', { task_id: taskId, after });
      for (const { state } of page.checkpoints) states.push(state);
      after = page.next;
    } while (after !== null);
    return states;
  }

  /** @type {Storage['page']} */
  async page(after) {
    const { tasks, next } = await this.#ask('list_tasks', { after });
    const overviews = tasks.map((/** @type {any} */ it) => {
      const { task_id: taskId, saved_at: savedAt, ...rest } = it;
      return { taskId, ...rest, savedAt };
    });
    return { tasks: overviews, next };
  }

  /** @type {Storage['delete']} */
  async delete(id) {
    const { deleted } = await orElse({ deleted: false }, () => this.#ask('delete_task_checkpoint', { id }));
    return deleted;
  }

  /** @type {Storage['deleteAll']} */
  async deleteAll(taskId) {
    const { deleted } = await orElse({ deleted: 0 }, () => this.#ask('delete_task', { task_id: taskId }));
    return deleted;
  }

  /** @type {Storage['cleanUp']} */
  cleanUp(dryRun) {
    return this.#ask('clean_up_tasks', { dry_run: dryRun });
  }

  /** @type {Storage['prune']} */
  prune(days, dryRun) {
    return this.#ask('prune_tasks', { days, dry_run: dryRun });
  }

  /**
   * @param {string} operation
   * @param {Record<string, string | number | boolean | null>} members
   * @returns {any}
   */
  #ask(operation, members) {
    return this.#place.run(operation, membersOf(members));
  }
}

/**
 * Answers for a name that nothing can have as for one that nothing has: not there.
 *
 * @template T
 * @param {T} otherwise
 * @param {() => any} ask
 */
async function orElse(otherwise, ask) {
  try {
    return await ask();
  } catch (error) {
    const isNotFound = isMilepostError(error) && ['not_found', 'invalid_name'].includes(error.code);
    if (isNotFound) return otherwise;
    throw error;
  }
}
