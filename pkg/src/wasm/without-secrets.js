// Messages that are made here and not by the core, without secrets.

import { redact } from './instance.js';
import { plainWords } from '../base/plain-words.js';

/**
 * Returns a message without its secrets. Where the wasm does not run, only plain words stay.
 *
 * @param {string} message
 * @returns {string}
 */
export function withoutSecrets(message) {
  try {
    return redact(message);
  } catch {
    return plainWords(message);
  }
}
