// The parts that the hook of coding agents loads where it needs more: the operation that the wasm of hooks leaves out,
// with session checkpoints, and the escaping that makes a text visible.

import { perform } from 'milepost:host';
import { programOfHook } from './hook-program.js';
import * as instance from './instance.js';

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

export { visible } from './visible.js';
