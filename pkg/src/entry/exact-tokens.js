// `milepost/exact-tokens`: the tokens that OpenAI's models count, exactly.

import * as check from '../client/arguments.js';
import { tagOf } from '../base/brand.js';
import { part, text as textAt } from '../wasm/ffi.js';
import { MilepostError } from '../base/error.js';
import { ENCODINGS, numberOf } from './exact-tokens/encodings.js';
import { within, write, writeBytes } from './exact-tokens/tokenizer.js';
import { provideVocabulary } from './exact-tokens/vocabulary.js';
import { unexpected } from '../client/reply.js';

export { TokenCounter } from './exact-tokens/counter.js';
export { estimate } from './exact-tokens/estimate.js';
export { ENCODINGS };

/** @typedef {typeof import('../../types/exact-tokens.js')} Types */

/** An id is a 32-bit number for the core. */
const ID_BYTES = 4;
const HIGHEST_ID = 0xffff_ffff;

/** @type {Types['countTokens']} */
export function countTokens(text, encoding = 'o200k') {
  check.text('text', text);
  const number = numberOf(encoding);
  return within(number, (wasm) => wasm.count(number, write(wasm, text)));
}

/** @type {Types['fits']} */
export function fits(text, limit, encoding = 'o200k') {
  check.text('text', text);
  const most = check.limit('limit', limit);
  const number = numberOf(encoding);
  return within(number, (wasm) => wasm.count_within(number, write(wasm, text), most)) <= most;
}

/** @type {Types['truncate']} */
export function truncate(text, limit, encoding = 'o200k') {
  check.text('text', text);
  const most = check.limit('limit', limit);
  const number = numberOf(encoding);
  return text.slice(
    0,
    within(number, (wasm) => wasm.truncate(number, write(wasm, text), most)),
  );
}

/** @type {Types['encode']} */
export function encode(text, encoding = 'o200k') {
  check.text('text', text);
  const number = numberOf(encoding);
  return within(number, (wasm) => {
    const count = wasm.encode(number, write(wasm, text)) >>> 0;
    // A copy, on a boundary of words regardless of the ids' place.
    return new Uint32Array(Uint8Array.from(part(wasm.ids() >>> 0, count * ID_BYTES)).buffer);
  });
}

/** @type {Types['decode']} */
export function decode(ids, encoding = 'o200k') {
  const number = numberOf(encoding);
  const list = idsOf(ids);
  const decoded = within(number, (wasm) => {
    writeBytes(wasm, new Uint8Array(list.buffer, list.byteOffset, list.byteLength));
    const length = wasm.decode(number, list.length);
    return length < 0 ? { unknown: -1 - length } : { text: textAt(wasm.decoded() >>> 0, length) };
  });
  if (decoded.unknown === undefined) return decoded.text;
  const { unknown: at } = decoded;
  throw new MilepostError('usage', `\`ids[${at}]\` is ${list[at]}, which is no token of ${ENCODINGS[number]}`);
}

/** @type {Types['load']} */
export async function load(encoding = 'o200k') {
  const number = numberOf(encoding);
  await provideVocabulary(ENCODINGS[number]);
  within(number, () => undefined);
}

/**
 * @param {unknown} ids
 * @returns {Uint32Array}
 */
function idsOf(ids) {
  if (ArrayBuffer.isView(ids) && tagOf(ids) === 'Uint32Array') return /** @type {Uint32Array} */ (ids);
  if (!Array.isArray(ids)) throw unexpected('ids', 'an array of token ids or a Uint32Array', ids);
  for (const [at, id] of ids.entries()) {
    const isId = Number.isInteger(id) && id >= 0 && id <= HIGHEST_ID;
    if (!isId) throw unexpected(`ids[${at}]`, 'a token id, a whole number of 32 bits', id);
  }
  return Uint32Array.from(ids);
}

/**
 * The counter for the package's stores where a budget names an encoding: they do not load this entry, only its
 * users do.
 */
Reflect.set(globalThis, Symbol.for('milepost.exact-tokens'), {
  /**
   * @param {unknown} encoding
   * @param {unknown} text
   * @param {number} limit in tokens
   * @returns {{tokens: number, kept: number}} the tokens of the text, and how many bytes of UTF-8 are within the limit
   */
  count(encoding, text, limit) {
    const all = check.text('text', text);
    const most = check.limit('limit', limit);
    const number = numberOf(encoding);
    return within(number, (wasm) => {
      const length = write(wasm, all);
      const tokens = wasm.count(number, length);
      if (tokens <= most) return { tokens, kept: length };
      wasm.truncate(number, length, most);
      return { tokens, kept: wasm.truncated_bytes() };
    });
  },
});
