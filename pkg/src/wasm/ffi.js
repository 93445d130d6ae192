// The foreign function interface: wasm memory, and the one function that the wasm calls. Only numbers cross; in
// memory is text as UTF-8, and bytes. `src/surface/js/host.rs` of the core is the other side.

export { EFFECTS } from './effects.js';

/** @typedef {import('milepost:glue').InitOutput} Instance */
/** @typedef {import('../../types/operation.js').Fault} Fault */
/** @typedef {import('../../types/operation.js').Kind} Kind */

/**
 * Performs an effect by its number; `text` and `more` are places in memory. Returns 0, where the
 * answer is in the reply buffer that was asked for, or the number of a fault.
 *
 * @typedef {(effect: number, text: number, textLength: number, more: number, moreLength: number,
 *   number: number, flag: number) => number} Perform
 */

/**
 * Faults by their numbers, less one.
 *
 * @type {readonly Fault[]}
 */
export const FAULTS = /** @type {const} */ ([
  ...['notFound', 'exists', 'symlink', 'wrongKind', 'tooLarge', 'changed', 'noSpace'],
  ...['unsupported', 'denied', 'closed', 'sharing', 'other'],
]);

/** @type {readonly Kind[]} what stands at a path, by its number */
export const KINDS = ['absent', 'file', 'folder', 'symlink', 'other', 'denied'];

/** The effect is performed. */
export const DONE = 0;

/** Bytes of one entry in an answer: two 32-bit numbers and a 64-bit one. */
const ENTRY = 16;
/** In place of a mode. */
export const NO_MODE = -1;

/** @type {Instance} */
let wasm;
/** @type {Uint8Array<ArrayBuffer>} */
let bytes;

/** @type {Perform} */
let host = () => {
  throw new Error('no operation is in progress');
};

/**
 * The function that the wasm imports.
 *
 * @type {Perform}
 */
export function perform(effect, text, textLength, more, moreLength, number, flag) {
  return host(effect, text, textLength, more, moreLength, number, flag);
}

/**
 * Runs an action in an instance whose effects this host performs.
 *
 * @template T
 * @param {Instance} instance
 * @param {Perform} performs
 * @param {() => T} action
 * @returns {T}
 */
export function through(instance, performs, action) {
  const outer = { wasm, host };
  wasm = instance;
  host = performs;
  try {
    return action();
  } finally {
    // An action may be inside another one's effect.
    ({ wasm, host } = outer);
  }
}

/** The instance whose effects are performed. */
export function instance() {
  return wasm;
}

/** All of wasm memory as it is now: when it grows, older views lose their bytes. */
function memory() {
  const { buffer } = wasm.memory;
  if (bytes?.buffer !== buffer) {
    bytes = typeof Buffer === 'function' ? Buffer.from(buffer) : new Uint8Array(buffer);
  }
  return bytes;
}

/** Lets go of the memory of an instance that is no longer used. */
export function forget() {
  bytes = new Uint8Array();
}

/** @type {TextDecoder | undefined} */
let decoder;
/** @type {TextEncoder | undefined} */
let encoder;

/**
 * @param {number} at
 * @param {number} length in bytes
 * @returns {string}
 */
export function text(at, length) {
  const all = memory();
  if ('utf8Slice' in all) return /** @type {any} */ (all).utf8Slice(at, at + length);
  // A byte order mark is a character like any other.
  decoder ??= new TextDecoder('utf-8', { ignoreBOM: true });
  return decoder.decode(all.subarray(at, at + length));
}

/**
 * @param {number} at
 * @param {number} length
 * @returns {string[]} of a list that has a NUL behind each text
 */
export function texts(at, length) {
  return length === 0 ? [] : text(at, length - 1).split('\0');
}

/**
 * Bytes of wasm memory in place, until the next call into the wasm.
 *
 * @param {number} at
 * @param {number} length
 */
export function part(at, length) {
  return memory().subarray(at, at + length);
}

/**
 * Bytes of wasm memory as they are now: the host may keep bytes for longer than the memory stands still.
 *
 * @param {number} at
 * @param {number} length
 */
export function copied(at, length) {
  return new Uint8Array(part(at, length));
}

/**
 * A place in wasm memory that is stored there.
 *
 * @param {number} at
 */
export function place(at) {
  const { buffer, byteOffset } = part(at, 4);
  return new DataView(buffer, byteOffset).getUint32(0, true);
}

/**
 * A 64-bit number of wasm memory.
 *
 * @param {number} at
 */
export function float(at) {
  const { buffer, byteOffset } = part(at, 8);
  return new DataView(buffer, byteOffset).getFloat64(0, true);
}

/**
 * The members of a swap of records, whose line has the lengths of its bytes.
 *
 * @param {string} line
 * @param {number} at where their places are: of what is expected, then what takes its place, then what is beside it
 * @returns {Omit<Extract<import('../../types/operation.js').Effect, {effect: 'swapRecord'}>, 'effect'>}
 */
export function swap(line, at) {
  /** @param {number | null} length */
  const next = (length) => {
    if (length === null) return null;
    const content = copied(place(at), length);
    at += 4;
    return content;
  };
  const { record, expected, bytes: replacement, keep, beside } = JSON.parse(line);
  return {
    record,
    expected: next(expected),
    bytes: next(replacement),
    keep,
    beside: beside.map((/** @type {any} */ other) => ({ ...other, bytes: next(other.bytes) })),
  };
}

/**
 * Returns the buffer for an answer of so many bytes, to be filled before the next call into the wasm.
 *
 * @param {number} length
 */
export function replyBuffer(length) {
  return part(wasm.reserve_outcome(length) >>> 0, length);
}

/**
 * The answer is only so long.
 *
 * @param {number} length in bytes
 */
export function shorten(length) {
  wasm.shorten(length);
}

/**
 * @param {Uint8Array} content
 * @returns {number} {@link DONE}
 */
export function answerBytes(content) {
  replyBuffer(content.length).set(content);
  return DONE;
}

/**
 * @param {string} content
 * @returns {number} {@link DONE}
 */
export function answerText(content) {
  encoder ??= new TextEncoder();
  return answerBytes(encoder.encode(content));
}

/**
 * @param {number} wallMs since 1970
 * @param {number} monotonicMs since any fixed moment
 * @returns {number} {@link DONE}
 */
export function answerClock(wallMs, monotonicMs) {
  return answerBytes(new Uint8Array(Float64Array.of(wallMs, monotonicMs).buffer));
}

/**
 * @param {import('../../types/operation.js').Entry[]} entries
 * @returns {number} {@link DONE}
 */
export function answerEntries(entries) {
  const at = replyBuffer(ENTRY * entries.length);
  const view = new DataView(at.buffer, at.byteOffset, at.length);
  entries.forEach(({ kind, size, mode = NO_MODE }, index) => {
    view.setInt32(ENTRY * index, KINDS.indexOf(kind), true);
    view.setInt32(ENTRY * index + 4, mode, true);
    view.setFloat64(ENTRY * index + 8, size, true);
  });
  return DONE;
}

/**
 * The entries of an answer, as {@link answerEntries} writes them.
 *
 * @param {DataView} view
 * @returns {import('../../types/operation.js').Entry[]}
 */
export function entriesOf(view) {
  const entries = [];
  for (let at = 0; at + ENTRY <= view.byteLength; at += ENTRY) {
    const mode = view.getInt32(at + 4, true);
    const entry = { kind: KINDS[view.getInt32(at, true)], size: view.getFloat64(at + 8, true) };
    entries.push(mode === NO_MODE ? entry : { ...entry, mode });
  }
  return entries;
}

/**
 * @param {string} folder that holds the name
 * @param {string} below the way from there down to where the search began
 * @param {Kind} kind of the name
 * @returns {number} {@link DONE}
 */
export function answerFound(folder, below, kind) {
  return answerText(`${folder}\0${below}\0${String.fromCharCode(KINDS.indexOf(kind))}`);
}

/**
 * @param {string[]} names
 * @param {boolean} complete
 * @returns {number} {@link DONE}
 */
export function answerNames(names, complete) {
  const list = names.length === 0 ? '' : `${names.join('\0')}\0`;
  return answerText(`${list}${complete ? '\x01' : '\0'}`);
}

/**
 * @param {string[]} names
 * @param {number[]} numbers six of each: its kind, size and mode, or {@link NO_MODE}, when it was
 *   written and when it changed, and its number
 * @param {boolean} complete
 * @returns {number} {@link DONE}
 */
export function answerScan(names, numbers, complete) {
  encoder ??= new TextEncoder();
  const text = encoder.encode(names.join('\0'));
  const head = new Float64Array(2 + numbers.length);
  head.set([names.length, Number(complete)]);
  head.set(numbers, 2);
  const at = replyBuffer(head.byteLength + text.length);
  at.set(new Uint8Array(head.buffer));
  at.set(text, head.byteLength);
  return DONE;
}

/**
 * @param {number} tokens in all of the text
 * @param {number} kept bytes of the prefix within the limit
 * @returns {number} {@link DONE}
 */
export function answerCounted(tokens, kept) {
  return answerBytes(new Uint8Array(Float64Array.of(tokens, kept).buffer));
}

/**
 * @param {Fault} fault
 * @param {string} detail the host's own words, without a path
 * @returns {number} the fault's
 */
export function answerFault(fault, detail) {
  answerText(detail);
  return FAULTS.indexOf(fault) + 1;
}
