// The parts that the hook of coding agents loads where it needs more: the operation that the wasm of hooks leaves out,
// with snapshots, and what makes a message fit for standard error.

import { perform } from 'milepost:host';
import { programOfHook } from './hook-program.js';
import * as instance from '../wasm/instance.js';
import { visible } from '../base/visible.js';
import { withoutSecrets } from '../wasm/without-secrets.js';

/**
 * @param {string} request JSON text
 * @returns {string} JSON text
 */
export const run = (request) => instance.run(withProgram(request), perform);

/**
 * A request of a hook with the words that start the program: here alone a sentence to an agent may need them.
 *
 * @param {string} request JSON text
 */
function withProgram(request) {
  const asked = JSON.parse(request);
  if (asked.operation !== 'hook') return request;
  return JSON.stringify({ ...asked, program: programOfHook(asked) });
}

/**
 * Returns a message without its secrets, and with its hidden characters visible.
 *
 * @param {string} message
 */
export const printable = (message) => visible(withoutSecrets(message));
