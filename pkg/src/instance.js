// The wasm instance, and text on its way into it. Nothing happens before the first call.

import * as glue from 'milepost:glue';
import { bytes } from 'milepost:wasm';
import { sentence } from './silent.js';

/** Up to this many UTF-16 units, room for the worst case is asked for at once. */
const SHORT = 4096;
/** A UTF-16 unit needs at most this many bytes of UTF-8. */
const WORST = 3;

/** @type {TextEncoder | undefined} */
let encoder;
/** @type {import('milepost:glue').InitOutput | undefined} */
let instance;
let dropped = false;

function ready() {
  if (instance === undefined) {
    if (typeof WebAssembly === 'undefined') {
      throw unable('there is none in this process (`--jitless` turns it off)');
    }
    if (dropped) glue.__wbg_reset_state();
    const module = dropped ? undefined : { module: bytes() };
    try {
      instance = glue.initSync(module);
    } catch (cause) {
      throw unable(sentence(cause), cause);
    }
  }
  return instance;
}

/** The name of the error where the host cannot run the wasm. */
export const UNABLE = 'WebAssemblyError';

/**
 * @param {string} reason
 * @param {unknown} [cause]
 */
function unable(reason, cause) {
  const error = new Error(`WebAssembly, which milepost needs, cannot be started: ${reason}`, { cause });
  error.name = UNABLE;
  return error;
}

/**
 * Calls into the instance. One that trapped, or ran out of stack, is in no known state: it is
 * dropped, and the next call makes a new one.
 *
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
function guarded(call) {
  try {
    return call();
  } catch (error) {
    const isTrap = typeof WebAssembly !== 'undefined' && error instanceof WebAssembly.RuntimeError;
    if (isTrap || error instanceof RangeError) {
      dropped ||= instance !== undefined;
      instance = undefined;
    }
    throw error;
  }
}

/**
 * Writes text into the input buffer and returns its length in bytes.
 *
 * @param {string} text
 * @returns {number}
 */
function write(text) {
  const { memory } = ready();
  encoder ??= new TextEncoder();
  // Long text is mostly ASCII: the worst case is asked for only where it turns out otherwise.
  const room = text.length <= SHORT ? text.length * WORST : text.length;
  const start = glue.reserve(room);
  const { read, written } = encoder.encodeInto(text, new Uint8Array(memory.buffer, start, room));
  if (read === text.length) return written;

  const more = (text.length - read) * WORST;
  const moved = glue.reserve(written + more);
  const rest = new Uint8Array(memory.buffer, moved + written, more);
  return written + encoder.encodeInto(text.slice(read), rest).written;
}

/**
 * @param {string} text
 * @returns {number}
 */
export function countTokens(text) {
  return guarded(() => glue.count_tokens(write(text)));
}

/**
 * @param {string} text
 * @param {number} limit whole, 0 or more
 * @returns {import('../types/token-counter.js').SummaryVerdict}
 */
export function validateSummary(text, limit) {
  const { error, ...verdict } = JSON.parse(
    guarded(() => glue.validate_summary(write(text), limit)),
  );
  return error === null ? verdict : { ...verdict, error };
}

/**
 * @param {string} text
 * @param {number} limit whole, 0 or more
 * @returns {string}
 */
export function truncate(text, limit) {
  return text.slice(0, guarded(() => glue.truncate(write(text), limit)));
}

/**
 * Writes an outcome into the input buffer, its bytes beside it, and returns the length of its text.
 *
 * @param {import('milepost:glue').Outcome} outcome
 * @returns {number}
 */
function writeOutcome(outcome) {
  switch (outcome.outcome) {
    case 'bytes':
      writePayload(outcome.bytes);
      return write('{"outcome":"bytes"}');
    case 'clock': {
      const clocks = Float64Array.of(outcome.wallMs, outcome.monotonicMs);
      writePayload(new Uint8Array(clocks.buffer));
      return write('{"outcome":"clock"}');
    }
    default:
      return write(JSON.stringify(outcome));
  }
}

/** @param {Uint8Array} payload */
function writePayload(payload) {
  const start = glue.payload(payload.length);
  new Uint8Array(ready().memory.buffer, start, payload.length).set(payload);
}

const EFFECT = '{"effect":';
/** Members of effects that say where their bytes lie. */
const BYTES = ['bytes', 'expected'];

/**
 * @param {string} line begins with {@link EFFECT}
 * @returns {import('milepost:glue').Effect}
 */
function parseEffect(line) {
  const effect = JSON.parse(line);
  for (const member of BYTES) {
    const place = effect[member];
    // A copy: the host may keep it for longer than the memory stands still.
    if (place) effect[member] = new Uint8Array(ready().memory.buffer, ...place).slice();
  }
  return effect;
}

/**
 * Runs one operation: the host performs each effect, until the reply.
 *
 * @param {string} request JSON text
 * @param {(effect: import('milepost:glue').Effect) => import('milepost:glue').Outcome} perform
 * @param {(length: number) => number} [start] which kind of operation
 * @returns {string} JSON text
 */
export function run(request, perform, start = glue.start) {
  const handle = guarded(() => start(write(request)));
  try {
    let line = guarded(() => glue.step(handle));
    while (line.startsWith(EFFECT)) {
      const outcome = perform(parseEffect(line));
      line = guarded(() => glue.resume(handle, writeOutcome(outcome)));
    }
    return line;
  } catch (error) {
    // A dropped instance has forgotten its operations, and another may have the handle.
    if (instance !== undefined) glue.abandon(handle);
    throw error;
  }
}
