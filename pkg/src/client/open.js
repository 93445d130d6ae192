// The store on the files of the host that the package was built for.

import * as host from 'milepost:host';
import { load as loadCli } from 'milepost:cli';
import * as check from './arguments.js';
import * as instance from '../wasm/instance.js';
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
  // The wasm of the command line is loaded at the first call of what needs it.
  const load = loadCli;
  const cli = load && (() => load().run);
  const { history, ...rest } = check.options('openStore', options, OPTIONS);
  return new Store(new Workspace(rest, { ...host, hook, cli }, check.optionalRetention('history', history)));
}
