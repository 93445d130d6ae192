// The store on the files of the host that the entry was built for.

import * as host from 'milepost:host';
import { load as loadLarge } from 'milepost:large';
import * as check from './core.js';
import { OPTIONS, Store } from './store.js';

/**
 * Opens a store. Nothing is read or made before the first operation.
 *
 * @param {import('../types/index.js').StoreOptions} [options]
 * @returns {import('../types/index.js').Store}
 * @throws {MilepostError} `usage`
 */
export function openStore(options) {
  // The larger wasm is loaded at the first call of what needs it.
  const load = loadLarge;
  const large = load && (() => load().run);
  return new Store(check.options('openStore', options, OPTIONS), { ...host, large });
}
