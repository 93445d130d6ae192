// Counts exact tokens, for the core and for callers that check a summary: by the vocabularies of the entry
// `milepost/exact-tokens`, which are too large to be loaded before they are asked for.

import { messageOf } from '../base/brand.js';
import * as ffi from '../wasm/ffi.js';

/** @typedef {import('../../types/operation.js').Outcome} Outcome */

/**
 * The name that the entry is known by: its code may be in several files of a program, and the vocabularies are there
 * once.
 *
 * @typedef {{count(encoding: string, text: string, limit: number): {tokens: number, kept: number}}} Counter
 */

/** Under this name the entry puts its counter when it is loaded. */
const NAME = Symbol.for('milepost.exact-tokens');

const HOW =
  'install the npm package milepost-exact-tokens beside milepost; in a bundle and in a page, ' +
  'import `milepost/exact-tokens` before this call, and await its `load`';

/** Loads the entry from beside this code; null where there is no such file. @type {(() => unknown) | null} */
let load = null;

/** Faults of this part alone have words for the caller. */
class Missing extends Error {}

/**
 * The tokens of a text, and how many bytes of it the first ones up to the limit have.
 *
 * @param {string} encoding
 * @param {string} text
 * @param {number} limit
 * @returns {{tokens: number, kept: number}}
 * @throws {Error} where there is no vocabulary, with what is to be done
 */
export function count(encoding, text, limit) {
  return counter().count(encoding, text, limit);
}

/** @returns {Counter} */
function counter() {
  const known = /** @type {any} */ (globalThis);
  if (known[NAME] === undefined && load !== null) {
    try {
      load();
    } catch (error) {
      const why = messageOf(error).split('\n')[0];
      throw new Missing(`the vocabularies cannot be loaded (${why}): ${HOW}`);
    }
  }
  if (known[NAME] === undefined) throw new Missing(`no vocabulary is loaded: ${HOW}`);
  return known[NAME];
}

/**
 * Counts tokens as the outcome of an effect. An error is one, too.
 *
 * @param {string} encoding
 * @param {string} text
 * @param {number} limit
 * @returns {Outcome}
 */
export function counted(encoding, text, limit) {
  try {
    const { tokens, kept } = count(encoding, text, limit);
    return { outcome: 'counted', tokens, kept };
  } catch (error) {
    const fault = error instanceof Missing ? 'unsupported' : 'other';
    const detail = messageOf(error);
    return { outcome: 'failed', fault, detail };
  }
}

/**
 * A host that counts as well: no adapter of a file system has to know of it.
 *
 * @param {ffi.Perform} perform what does the rest
 * @param {(() => unknown) | null} loads the entry
 * @returns {ffi.Perform}
 */
export function counting(perform, loads) {
  load = loads;
  return (effect, text, textLength, more, moreLength, number, flag) => {
    if (effect !== COUNT) return perform(effect, text, textLength, more, moreLength, number, flag);
    const outcome = counted(ffi.text(more, moreLength), ffi.text(text, textLength), number);
    return outcome.outcome === 'counted'
      ? ffi.answerCounted(outcome.tokens, outcome.kept)
      : ffi.answerFault(/** @type {any} */ (outcome).fault, /** @type {any} */ (outcome).detail);
  };
}

const COUNT = ffi.EFFECTS.indexOf('countTokens');
