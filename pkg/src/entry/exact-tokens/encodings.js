// The encodings, by their names and by the numbers that the core has for them.

import { unexpected } from '../../client/reply.js';

/** @typedef {import('../../../types/exact-tokens.js').Encoding} Encoding */

/**
 * Their short names; the place of each is its number.
 *
 * @type {readonly Encoding[]}
 */
export const ENCODINGS = Object.freeze(/** @type {const} */ (['o200k', 'cl100k']));

/** The suffix that tiktoken puts behind the short names. */
const BASE = '_base';

/**
 * The number of the encoding of this name, which may be tiktoken's.
 *
 * @param {unknown} name
 * @returns {number}
 */
export function numberOf(name) {
  const number = ENCODINGS.findIndex((known) => name === known || name === known + BASE);
  if (number !== -1) return number;
  const known = ENCODINGS.map((one) => `"${one}" (or "${one}${BASE}")`).join(' or ');
  throw unexpected('encoding', known, name);
}
