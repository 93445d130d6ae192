// The parts that the hook of coding agents loads where it needs more: the operation that the wasm of hooks leaves out,
// with snapshots, and what makes a message fit for standard error. Its file has the events in a database as well.

import { perform } from 'milepost:host';
import { visible } from '../base/visible.js';
import * as instance from '../wasm/instance.js';
import { withMembers } from '../wasm/wire.js';
import { withoutSecrets } from '../wasm/without-secrets.js';
import { programOfHook } from './hook-program.js';

/**
 * @param {string} request JSON text
 * @returns {string} JSON text
 */
export function run(request) {
  // Here alone a sentence to an agent may need the words that start the program.
  const whole = withMembers(request, 'hook', (asked) => ({ program: programOfHook(asked) }));
  return instance.run(whole, perform);
}

/**
 * Returns a message without its secrets, and with its hidden characters visible.
 *
 * @param {string} message
 */
export const printable = (message) => visible(withoutSecrets(message));
