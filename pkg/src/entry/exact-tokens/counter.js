// A count of text that comes in pieces.

import * as check from '../../client/arguments.js';
import { MilepostError } from '../../base/error.js';
import { numberOf } from './encodings.js';
import { within, withinOne, write } from './tokenizer.js';

/** @typedef {import('milepost:glue').InitOutput} Wasm */
/** @typedef {import('../../../types/exact-tokens.js').TokenCounter} TokenCounterType */
/** @typedef {{wasm: Wasm, counter: number}} Place */

/**
 * Frees the counters that were forgotten.
 *
 * @type {FinalizationRegistry<Place>}
 */
const forgotten = new FinalizationRegistry(forget);

/** @param {Place} place */
function forget({ wasm, counter }) {
  try {
    withinOne(wasm, () => wasm.counter_free(counter));
  } catch {
    // An instance that ran out of memory while it counted frees nothing by itself, and is given back as a whole.
  }
}

/** @implements {TokenCounterType} */
export class TokenCounter {
  /**
   * Its place: an instance that was replaced by now lives as long as this counter.
   *
   * @type {Place | undefined}
   */
  #place;

  #encoding;

  /** Why there is no place any more. */
  #lost = 'was freed';

  /** Half a surrogate pair, whose other half may be at the start of the next text. */
  #half = '';

  /** @param {import('../../../types/exact-tokens.js').EncodingName} [encoding] */
  constructor(encoding = 'o200k') {
    this.#encoding = numberOf(encoding);
    this.#place = within(this.#encoding, (wasm) => ({ wasm, counter: wasm.counter_new() }));
    forgotten.register(this, this.#place, this);
  }

  /**
   * @param {string} text
   * @returns {this}
   */
  add(text) {
    const all = this.#half + check.text('text', text);
    const isHalf = isHighSurrogate(all.charCodeAt(all.length - 1));
    const whole = isHalf ? all.slice(0, -1) : all;
    this.#use((wasm, counter) => wasm.counter_add(counter, this.#encoding, write(wasm, whole)));
    this.#half = isHalf ? all.slice(-1) : '';
    return this;
  }

  get count() {
    return this.#use((wasm, counter) => wasm.counter_count(counter, this.#encoding, write(wasm, this.#half)));
  }

  free() {
    const place = this.#place;
    this.#place = undefined;
    if (place === undefined) return;
    forgotten.unregister(this);
    forget(place);
  }

  // A host without this symbol never calls it.
  [Symbol.dispose]() {
    this.free();
  }

  /**
   * @template T
   * @param {(wasm: Wasm, counter: number) => T} call
   * @returns {T}
   */
  #use(call) {
    const place = this.#place;
    if (place === undefined) throw new MilepostError('usage', `This token counter ${this.#lost}; make a new one`);
    try {
      return withinOne(place.wasm, (wasm) => call(wasm, place.counter));
    } catch (error) {
      // Its instance is in no known state.
      this.#place = undefined;
      this.#lost = 'failed, and what it had counted is gone';
      forgotten.unregister(this);
      throw error;
    }
  }
}

/** @param {number} unit of UTF-16 */
function isHighSurrogate(unit) {
  return unit >= 0xd800 && unit <= 0xdbff;
}
