// Reports of the library on standard error.

import { isError } from '../base/brand.js';
import { reportLine, sentence } from '../base/messages.js';
import { withoutSecrets } from '../wasm/without-secrets.js';

/**
 * One line to standard error.
 *
 * @param {{message: string}} what
 */
export function report(what) {
  reportLine(what, withoutSecrets);
}

/**
 * Reports what was thrown, and returns it as an error with a sentence.
 *
 * @param {unknown} thrown
 * @returns {Error}
 */
export function reportThrown(thrown) {
  const message = sentence(thrown);
  const hasSentence = isError(thrown) && thrown.message === message;
  const error = hasSentence ? thrown : new Error(message, { cause: thrown });
  report(error);
  return error;
}
