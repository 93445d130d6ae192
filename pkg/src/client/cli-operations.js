// The operations that only the wasm of the command line has, in a module of its own.

import { perform } from 'milepost:host';
import * as instance from '../wasm/instance.js';

/** @param {string} request JSON text */
export function run(request) {
  return instance.run(request, perform);
}
