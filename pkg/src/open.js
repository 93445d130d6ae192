// The store on the files of the host that the entry was built for.

import * as host from 'milepost:host';
import { Store } from './store.js';

/**
 * Opens a store. Nothing is read or made before the first operation.
 *
 * @param {import('../types/index.js').StoreOptions} [options]
 * @returns {import('../types/index.js').Store}
 * @throws {MilepostError} `usage`
 */
export function openStore(options = {}) {
  return new Store(options, host);
}
