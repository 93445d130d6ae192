// The instance that counts: it has the vocabularies that were needed so far.

import { MilepostError } from '../../base/error.js';
import * as instance from '../../wasm/instance.js';
import { part, through } from '../../wasm/ffi.js';
import { sentence } from '../../base/messages.js';
import { ENCODINGS } from './encodings.js';
import { vocabularyOf } from './vocabulary.js';

/** @typedef {import('milepost:glue').InitOutput} Wasm */

/**
 * Memory of wasm never gets smaller. With both vocabularies an instance has about 16 MB; one that had to grow above
 * this for a huge text is not kept, because loading a vocabulary again takes milliseconds.
 */
const MOST_KEPT = 32 * 1024 * 1024;

/** The answer of the core's `load`. */
const LOADED = 0;
const OTHER_VERSION = 2;

/**
 * The instance that has loaded, and what: a bit for each encoding.
 *
 * @type {{wasm: Wasm | undefined, loaded: number}}
 */
const state = { wasm: undefined, loaded: 0 };

/**
 * Calls into the current instance once it has this vocabulary.
 *
 * @template T
 * @param {number} encoding
 * @param {(wasm: Wasm) => T} call
 * @returns {T}
 */
export function within(encoding, call) {
  return limited(() => {
    if ((state.loaded & (1 << encoding)) === 0) load(encoding);
    return instance.within(instance.noHost, call);
  });
}

/**
 * Calls into an instance that is still referenced: the current one, or one that was replaced.
 *
 * @template T
 * @param {Wasm} wasm
 * @param {(wasm: Wasm) => T} call
 * @returns {T}
 */
export function withinOne(wasm, call) {
  return limited(() =>
    instance.isCurrent(wasm)
      ? instance.within(instance.noHost, call)
      : through(wasm, instance.noHost, () => call(wasm)),
  );
}

/**
 * Writes text into the input buffer and returns its length in bytes. Half a surrogate pair becomes U+FFFD.
 *
 * @type {(wasm: Wasm, text: string) => number}
 */
export const write = instance.write;

/**
 * Writes bytes into the input buffer.
 *
 * @param {Wasm} wasm
 * @param {Uint8Array} bytes
 */
export function writeBytes(wasm, bytes) {
  part(wasm.reserve(bytes.length) >>> 0, bytes.length).set(bytes);
}

/**
 * Calls, and leaves no instance behind that is larger than what is kept.
 *
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
function limited(call) {
  try {
    return call();
  } catch (cause) {
    if (/** @type {any} */ (cause)?.name !== 'RuntimeError') throw cause;
    const message = `The text cannot be counted: ${sentence(cause)}; a large one can come in pieces, to a TokenCounter`;
    throw new MilepostError('too_large', message, { cause });
  } finally {
    if (state.wasm !== undefined && !instance.isCurrent(state.wasm)) forget();
    else if (state.wasm !== undefined && state.wasm.memory.buffer.byteLength > MOST_KEPT) {
      forget();
      instance.renew();
    }
  }
}

function forget() {
  state.wasm = undefined;
  state.loaded = 0;
}

/**
 * Gives the current instance a vocabulary. It throws outside of the instance, which keeps what it has.
 *
 * @param {number} encoding
 */
function load(encoding) {
  const name = ENCODINGS[encoding];
  const file = vocabularyOf(name);
  const { wasm, answer } = instance.within(instance.noHost, (current) => {
    writeBytes(current, file);
    return { wasm: current, answer: current.load(encoding, file.length) };
  });
  if (answer === OTHER_VERSION) {
    const message =
      `The vocabulary of ${name} is of another version of milepost-exact-tokens than what reads it; ` +
      'nothing is counted: install milepost-exact-tokens again, and only once';
    throw new MilepostError('unsupported_version', message);
  }
  if (answer !== LOADED) {
    const message =
      `The file ${name}.vocabulary.mjs of milepost-exact-tokens is damaged: it is not the published vocabulary of ${name}; ` +
      'nothing is counted: install milepost-exact-tokens again';
    throw new MilepostError('corrupt', message);
  }
  state.wasm = wasm;
  state.loaded |= 1 << encoding;
}
