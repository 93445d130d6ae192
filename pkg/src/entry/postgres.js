// `milepost/postgres`: checkpoints in a PostgreSQL database, with promises.

import * as check from '../client/arguments.js';
import { AsyncWorkspace } from '../client/async-workspace.js';
import { follow } from '../client/postgres/follow.js';
import { HOST_OPTIONS, PostgresHost } from '../client/postgres/host.js';
import { Store } from '../client/store.js';

/** @typedef {import('../../types/postgres.js').PostgresStore} PostgresStoreType */

const OPTIONS = [...HOST_OPTIONS, 'root', 'history', 'onWarning'];

/**
 * Opens a store. Nothing is connected, read or made before the first operation.
 *
 * @param {import('../../types/postgres.js').PostgresStoreOptions} options
 * @returns {PostgresStoreType}
 * @throws {MilepostError} `usage`
 */
export function openPostgresStore(options) {
  const { root, history, onWarning, ...rest } = check.options('openPostgresStore', options, OPTIONS);
  return /** @type {any} */ (new PostgresStore(new PostgresHost(rest), { root, onWarning }, history));
}

/**
 * The host of such a store alone, for what takes a host.
 *
 * @param {import('../../types/postgres.js').PostgresHostOptions} options
 * @returns {import('../../types/postgres.js').PostgresHost}
 * @throws {MilepostError} `usage`
 */
export function postgresHost(options) {
  return new PostgresHost(check.options('postgresHost', options, HOST_OPTIONS));
}

class PostgresStore extends Store {
  #host;

  /**
   * @param {PostgresHost} host
   * @param {Record<string, unknown>} options
   * @param {unknown} history
   */
  constructor(host, options, history) {
    super(new AsyncWorkspace(options, host, check.optionalRetention('history', history)));
    this.#host = host;
  }

  /** @type {any} */
  load = async (/** @type {Parameters<Store['load']>} */ ...which) => {
    const text = await this.loadText(...which);
    return text === null ? null : JSON.parse(text);
  };

  /** @type {any} */
  loadText = async (/** @type {Parameters<Store['loadText']>} */ ...which) => {
    const loaded = await this.loaded(...which);
    return loaded?.text ?? null;
  };

  /** @type {PostgresStoreType['follow']} */
  follow(command, feature, options) {
    return follow(this.#host, () => this.load(command, feature), options);
  }

  /** Ends connections that this store and its followers have made. */
  close() {
    return this.#host.close();
  }
}
