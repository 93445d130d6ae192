// Hosts whose effects are numbers and places in memory, as ones of objects: for callers that perform some
// effects themselves and leave the others to the files of the host.

import * as ffi from '../wasm/ffi.js';

/** @typedef {import('../../types/operation.js').Effect} Effect */
/** @typedef {import('../../types/operation.js').Outcome} Outcome */

/** A stand-in for an instance: memory that holds one effect, then its answer. */
class Memory {
  memory = { buffer: new ArrayBuffer(0) };
  #length = 0;

  /** @param {Uint8Array} content */
  hold(content) {
    this.memory.buffer = new ArrayBuffer(content.length);
    new Uint8Array(this.memory.buffer).set(content);
  }

  /** @param {number} length */
  reserve_outcome(length) {
    this.memory.buffer = new ArrayBuffer(length);
    this.#length = length;
    return 0;
  }

  /** @param {number} length */
  shorten(length) {
    this.#length = length;
  }

  answer() {
    return new Uint8Array(this.memory.buffer, 0, this.#length);
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * The effects that operations over records ask of files: where the repository is, and what HEAD says.
 *
 * @param {ffi.Perform} perform
 * @returns {(effect: Effect) => Outcome}
 */
export function ofNumbers(perform) {
  return (effect) => {
    const call = callOf(effect);
    if (call === null) {
      return { outcome: 'failed', fault: 'unsupported', detail: `this host cannot perform \`${effect.effect}\`` };
    }
    const { text = '', more = '', number = 0, flag = 0 } = call;
    const memory = new Memory();
    const [first, second] = [encoder.encode(text), encoder.encode(more)];
    const both = new Uint8Array(first.length + second.length);
    both.set(first);
    both.set(second, first.length);
    memory.hold(both);
    const at = ffi.EFFECTS.indexOf(effect.effect);
    const instance = /** @type {any} */ (memory);
    const code = ffi.through(instance, perform, () =>
      perform(at, 0, first.length, first.length, second.length, number, flag),
    );
    return outcomeOf(effect.effect, code, memory.answer());
  };
}

/**
 * @param {Effect} effect
 * @returns {{text?: string, more?: string, number?: number, flag?: number} | null}
 */
function callOf(effect) {
  switch (effect.effect) {
    case 'clock':
      return {};
    case 'random':
      return { number: effect.length };
    case 'ascend':
      return { text: effect.from, more: effect.name };
    case 'inspect':
      return { text: list(effect.paths) };
    case 'read':
      return { text: effect.path, number: effect.limit, flag: Number(effect.links === 'refuse') };
    case 'readStart':
      return { text: effect.path, number: effect.limit };
    case 'list':
      return { text: effect.path, number: effect.limit };
    case 'git':
      return { text: effect.folder, more: list(effect.arguments) };
    case 'countTokens':
      return { text: effect.text, more: effect.encoding, number: effect.limit };
    default:
      return null;
  }
}

/** @param {string[]} texts */
function list(texts) {
  return texts.map((text) => `${text}\0`).join('');
}

/**
 * @param {string} effect
 * @param {number} code
 * @param {Uint8Array<ArrayBuffer>} answer
 * @returns {Outcome}
 */
function outcomeOf(effect, code, answer) {
  if (code !== ffi.DONE) {
    return { outcome: 'failed', fault: ffi.FAULTS[code - 1], detail: decoder.decode(answer) };
  }
  const view = new DataView(answer.buffer, answer.byteOffset, answer.length);
  switch (effect) {
    case 'clock':
      return { outcome: 'clock', wallMs: view.getFloat64(0, true), monotonicMs: view.getFloat64(8, true) };
    case 'countTokens':
      return { outcome: 'counted', tokens: view.getFloat64(0, true), kept: view.getFloat64(8, true) };
    case 'inspect':
      return { outcome: 'entries', entries: ffi.entriesOf(view) };
    case 'ascend': {
      const [folder, below, kind] = decoder.decode(answer).split('\0');
      const number = kind === '' ? 0 : kind.charCodeAt(0);
      return { outcome: 'found', folder, below, kind: ffi.KINDS[number] };
    }
    case 'list': {
      const names = decoder.decode(answer.subarray(0, -1)).split('\0').slice(0, -1);
      return { outcome: 'names', names, complete: answer.at(-1) === 1 };
    }
    default:
      return { outcome: 'bytes', bytes: answer };
  }
}
