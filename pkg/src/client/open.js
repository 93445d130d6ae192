// The store on the files of the host that the package was built for.

import * as host from 'milepost:host';
import * as check from './arguments.js';
import * as instance from '../wasm/instance.js';
import { local } from './local-host.js';
import { OPTIONS, Store } from './store.js';
import { Workspace } from './workspace.js';

/**
 * Runs an operation on the files of the host.
 *
 * @param {string} request JSON text
 * @returns {string} JSON text
 */
export const run = (request) => instance.run(request, host.perform);

/**
 * Opens a store. Nothing is read or made before the first operation.
 *
 * @param {import('../../types/index.js').StoreOptions | undefined} options
 * @param {import('./operation.js').Host['hook']} [hook] what runs the operations of hooks
 * @returns {import('../../types/index.js').Store}
 * @throws {MilepostError} `usage`
 */
export function openStore(options, hook) {
  const { history, ...rest } = check.options('openStore', options, OPTIONS);
  return new Store(new Workspace(rest, { ...local, hook }, check.optionalRetention('history', history)));
}
