// A database that words name, beside what this host performs: effects on records go there, and all others stay here.

import { load } from 'milepost:database';
import { EFFECTS } from '../../wasm/ffi.js';
import { failed } from '../../wasm/wire.js';
import { variable } from '../node/permission.js';
import { ofObjects } from '../objects.js';

/** @typedef {{variable: string | null, project: string}} Named a database, by the variable that says where it is */
/** @typedef {{code: string, message: string}} Failed why it cannot be used */

/**
 * @typedef {object} Reached
 * @property {{dir: string, storage: string}} place of its records
 * @property {import('../../wasm/ffi.js').Perform} perform effects on records there, and all others here
 * @property {() => boolean} hasFailed whether it did not answer for an effect
 * @property {() => number} changes how many changes of the project it has announced, where it was asked to
 * @property {() => void} close
 */

/** Effects that a database performs. */
const RECORDS = new Set(['readRecord', 'swapRecord', 'listRecords']);

/**
 * Reaches a database.
 *
 * @param {Named} named
 * @param {import('../../wasm/ffi.js').Perform} perform all other effects
 * @param {import('./blocking-client.js').ConnectOptions} [how]
 * @returns {Reached | {isSet: boolean, failed: Failed}} the latter with whether its variable is set
 */
export function reach({ variable: name, project }, perform, how) {
  if (name !== null && !variable(name)) {
    const message = `The environment variable ${name} is not set: expected the connection string of a database in it`;
    return { isSet: false, failed: { code: 'usage', message } };
  }
  const database = load().open(name, project, how);
  if ('failed' in database) return { isSet: true, failed: database.failed };
  const onRecords = ofObjects(database.perform);
  return {
    place: database.place,
    hasFailed: database.hasFailed,
    changes: database.changes,
    close: database.close,
    perform: (effect, ...rest) =>
      RECORDS.has(EFFECTS[effect]) ? onRecords(effect, ...rest) : perform(effect, ...rest),
  };
}

/** A database for as long as a program runs: where it did not answer, it is reached again for the next operation. */
export class Database {
  #named;
  #perform;
  #how;
  /** @type {Reached | undefined} */
  #reached;

  /**
   * @param {Named} named
   * @param {import('../../wasm/ffi.js').Perform} perform all effects that are not on records
   * @param {import('./blocking-client.js').ConnectOptions} [how]
   */
  constructor(named, perform, how) {
    this.#named = named;
    this.#perform = perform;
    this.#how = how;
  }

  /**
   * The database, reached; or why it cannot be used.
   *
   * @returns {Reached | {failed: Failed}}
   */
  reach() {
    if (this.#reached?.hasFailed()) this.close();
    if (this.#reached !== undefined) return this.#reached;
    const reached = reach(this.#named, this.#perform, this.#how);
    if (!('failed' in reached)) this.#reached = reached;
    return reached;
  }

  /**
   * The reply of an operation there.
   *
   * @param {(perform: import('../../wasm/ffi.js').Perform) => string} run runs it
   * @returns {string} JSON text
   */
  operate(run) {
    const reached = this.reach();
    return 'failed' in reached ? failed(reached.failed) : run(reached.perform);
  }

  close() {
    this.#reached?.close();
    this.#reached = undefined;
  }
}
