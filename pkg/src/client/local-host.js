// The host that the package was built for, with what runs the operations that only the wasm of the command line has.

import * as host from 'milepost:host';
import { load as loadCli } from 'milepost:cli';

const load = loadCli;

/**
 * That wasm is loaded at the first call of what needs it.
 *
 * @type {import('./operation.js').Host}
 */
export const local = { ...host, cli: load && (() => load().run) };
