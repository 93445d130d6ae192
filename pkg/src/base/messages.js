// Messages for people: one line, in which nothing is hidden, and without secrets.

import { messageOf } from './brand.js';
import { visible } from './visible.js';

/**
 * The function that takes secrets out of messages.
 *
 * @typedef {{withoutSecrets(message: string): string}} SecretFilter
 */

/**
 * Returns what was thrown as a sentence: a caller may throw anything, or nothing.
 *
 * @param {unknown} thrown
 * @returns {string} never empty
 */
export function sentence(thrown) {
  try {
    // The error of a wasm, of any realm; nothing else has this name.
    if (/** @type {any} */ (thrown)?.name === 'RuntimeError') {
      return `WebAssembly stopped (${messageOf(thrown)}): it ran out of memory, or there is a bug in milepost`;
    }
    if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) {
      const { message } = thrown;
      return message ? String(message) : `${thrown} was thrown, without a message`;
    }
    const shown = String(thrown);
    return shown === '' ? 'An empty text was thrown' : `${shown} was thrown, which is no error`;
  } catch {
    return 'Something was thrown that cannot be shown';
  }
}

/**
 * One line to standard error.
 *
 * @param {{message: string}} what
 * @param {SecretFilter['withoutSecrets']} withoutSecrets
 */
export function reportLine({ message }, withoutSecrets) {
  try {
    console.error(`[milepost] ${visible(withoutSecrets(message))}`);
  } catch {
    // The output is closed. The answer and `lastError` still speak.
  }
}
