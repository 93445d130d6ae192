// `milepost/exact-tokens` where there are files: all of the package `milepost-exact-tokens`, if it is installed. If it is
// not, estimates go on, and each function that counts says what is to be installed.

import { load as loadInstalled } from 'milepost:installed';
import { MilepostError } from '../../base/error.js';
import { sentence } from '../../base/messages.js';
import { ENCODINGS as NAMES } from './encodings.js';
import { estimate as estimateHere } from './estimate.js';

/** @typedef {typeof import('../../../types/exact-tokens.js')} Types */

/** @returns {Types} */
function installed() {
  try {
    return loadInstalled();
  } catch (cause) {
    return without(cause);
  }
}

/**
 * The entry without the package.
 *
 * @param {unknown} cause
 * @returns {Types}
 */
function without(cause) {
  /** @returns {never} */
  const missing = () => {
    const message =
      'Exact tokens are counted by the npm package milepost-exact-tokens, which cannot be loaded ' +
      `(${sentence(cause).split('\n')[0]}), and nothing is counted: install it beside milepost, in the same version`;
    throw new MilepostError('not_found', message, { cause });
  };
  return {
    ENCODINGS: NAMES,
    TokenCounter: /** @type {any} */ (
      class TokenCounter {
        constructor() {
          missing();
        }
      }
    ),
    countTokens: missing,
    decode: missing,
    encode: missing,
    estimate: estimateHere,
    fits: missing,
    load: async () => missing(),
    truncate: missing,
  };
}

export const { ENCODINGS, TokenCounter, countTokens, decode, encode, estimate, fits, load, truncate } = installed();
