// What a person is told: one line, in which nothing is hidden.

import { visible } from './visible.js';

/**
 * What was thrown as an error with a sentence, which is reported.
 *
 * @param {unknown} thrown
 * @returns {Error}
 */
export function told(thrown) {
  const message = sentence(thrown);
  const isTold = thrown instanceof Error && thrown.message === message;
  const error = isTold ? thrown : new Error(message, { cause: thrown });
  report(error);
  return error;
}

/**
 * What was thrown, as a sentence: whoever throws may throw anything, or nothing.
 *
 * @param {unknown} thrown
 * @returns {string} never empty
 */
export function sentence(thrown) {
  try {
    if (thrown instanceof WebAssembly.RuntimeError) {
      return `WebAssembly stopped (${thrown.message}): it ran out of memory, or there is a bug in milepost`;
    }
  } catch {
    // No WebAssembly here.
  }
  try {
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
 */
export function report({ message }) {
  try {
    console.error(`[milepost] ${visible(message)}`);
  } catch {
    // Nobody listens. The answer and `lastError` still speak.
  }
}
