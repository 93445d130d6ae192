// The wasm instance, and text on its way into it. Nothing happens before the first call.

import * as glue from 'milepost:glue';
import { bytes } from 'milepost:wasm';
import { messageOf } from '../base/brand.js';
import * as ffi from './ffi.js';

/** Up to this many UTF-16 units, space for the worst case is reserved immediately. */
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
      throw unable('this process does not have it (`--jitless` turns it off)');
    }
    if (dropped) glue.__wbg_reset_state();
    const module = dropped ? undefined : { module: bytes() };
    try {
      instance = glue.initSync(module);
    } catch (cause) {
      const reason = messageOf(cause);
      if (DISALLOWED.test(reason)) throw unable(`${reason}; ${ADVICE}`, cause, NOT_ALLOWED);
      throw unable(reason, cause);
    }
  }
  return instance;
}

/** The name of the error where the host cannot run the wasm. */
export const UNABLE = 'WebAssemblyError';

/** The code of that error where the host compiles no wasm while a program runs, so that no later call can succeed. */
export const NOT_ALLOWED = 'not_allowed';

/** Such hosts say so in these words: workerd, and a page by its policy. */
const DISALLOWED = /disallowed by embedder|content security policy/i;
const ADVICE = 'bundle with the condition `workerd`, under which the library has it as a module; exact tokens have none';

/**
 * @param {string} reason
 * @param {unknown} [cause]
 * @param {string} [code]
 */
function unable(reason, cause, code) {
  const error = new Error(`WebAssembly, which milepost needs, cannot be started: ${reason}`, { cause });
  error.name = UNABLE;
  return code === undefined ? error : Object.assign(error, { code });
}

/**
 * Calls into an instance whose effects this host performs. One that was left by an exception, be it
 * of the host, is in no known state: it is dropped, and the next call makes a new one.
 *
 * @template T
 * @param {ffi.Perform} perform
 * @param {(wasm: import('milepost:glue').InitOutput) => T} call
 * @returns {T}
 */
export function within(perform, call) {
  const wasm = ready();
  try {
    return ffi.through(wasm, perform, () => call(wasm));
  } catch (error) {
    // Another one may be there by now, where this call began within an effect.
    if (instance === wasm) {
      instance = undefined;
      dropped = true;
    }
    throw error;
  }
}

/**
 * Puts a new instance in place of this one, whose memory never gets smaller: it is given back once nothing holds it.
 * Nothing is thrown, which would take the place of an answer: where none can be made, the next call tries again.
 */
export function renew() {
  instance = undefined;
  dropped = true;
  ffi.forget();
  try {
    ready();
  } catch {
    // The next call says why.
  }
}

/**
 * Returns whether calls go to this instance still.
 *
 * @param {import('milepost:glue').InitOutput} wasm
 */
export function isCurrent(wasm) {
  return instance === wasm;
}

/** @type {ffi.Perform} */
export const noHost = () => {
  throw new Error('a rule asked for an effect');
};

/**
 * Writes text into the input buffer and returns its length in bytes.
 *
 * @param {import('milepost:glue').InitOutput} wasm
 * @param {string} text
 * @param {Uint8Array[]} [behind] bytes of text that come behind it; they are taken out, so that nothing holds them longer
 * @returns {number}
 */
export function write(wasm, text, behind = []) {
  encoder ??= new TextEncoder();
  const more = behind.reduce((sum, { length }) => sum + length, 0);
  // Long text is mostly ASCII: the worst case is asked for only where it turns out otherwise.
  const size = (text.length <= SHORT ? text.length * WORST : text.length) + more;
  const start = wasm.reserve(size) >>> 0;
  const { read, written } = encoder.encodeInto(text, ffi.part(start, size));
  if (read === text.length) return put(start, written, behind);

  const left = (text.length - read) * WORST;
  const moved = wasm.reserve(written + left + more) >>> 0;
  const rest = ffi.part(moved + written, left);
  return put(moved, written + encoder.encodeInto(text.slice(read), rest).written, behind);
}

/**
 * Puts bytes behind those that are there.
 *
 * @param {number} start
 * @param {number} length
 * @param {Uint8Array[]} behind
 * @returns {number} how many there are then
 */
function put(start, length, behind) {
  for (const bytes of behind.splice(0)) {
    ffi.part(start + length, bytes.length).set(bytes);
    length += bytes.length;
  }
  return length;
}

/**
 * The reply that begins here.
 *
 * @param {import('milepost:glue').InitOutput} wasm
 * @param {number} at
 */
export function reply(wasm, at) {
  return ffi.text(at >>> 0, wasm.reply_length());
}

/**
 * @param {string} text
 * @returns {number}
 */
export function countTokens(text) {
  return within(noHost, (wasm) => wasm.count_tokens(write(wasm, text)));
}

/**
 * @param {string} text
 * @param {number} limit whole, 0 or more
 * @returns {import('../../types/token-counter.js').SummaryVerdict}
 */
export function validateSummary(text, limit) {
  const { error, ...verdict } = within(noHost, (wasm) =>
    JSON.parse(reply(wasm, wasm.validate_summary(write(wasm, text), limit))),
  );
  return error === null ? verdict : { ...verdict, error };
}

/**
 * @param {string} text
 * @param {number} limit whole, 0 or more
 * @returns {string}
 */
export function truncate(text, limit) {
  return text.slice(0, within(noHost, (wasm) => wasm.truncate(write(wasm, text), limit)));
}

/**
 * Returns a text without its secrets. The wasm of hooks has no such function.
 *
 * @param {string} text
 * @returns {string}
 */
export function redact(text) {
  return within(noHost, (wasm) => reply(wasm, wasm.without_secrets(write(wasm, text))));
}

/** An instance of more memory is let go after an operation: a large value takes several times its size, once. */
const MOST_KEPT = 64 * 1024 * 1024;

/** Operations that are within each other's effects. */
let running = 0;

/**
 * Runs one operation; the host performs each effect.
 *
 * @param {string} request JSON text
 * @param {ffi.Perform} perform
 * @param {Uint8Array[]} [behind] bytes of text that come behind the request
 * @returns {string} JSON text; empty where this wasm leaves the operation to the library
 */
export function run(request, perform, behind) {
  running += 1;
  try {
    return within(perform, (wasm) => reply(wasm, wasm.operate(write(wasm, request, behind))));
  } finally {
    running -= 1;
    if (running === 0) letGo();
  }
}

/** Lets the memory of an instance go that has no operation in flight, where that is large. */
export function letGo() {
  if (instance !== undefined && instance.memory.buffer.byteLength > MOST_KEPT) renew();
}

/**
 * The database that the words of the command line name, if there is one to reach.
 *
 * @param {string} request JSON text
 * @returns {{variable: string | null, project: string} | null}
 */
export function storeOf(request) {
  return JSON.parse(within(noHost, (wasm) => reply(wasm, wasm.store(write(wasm, request)))));
}

/**
 * Returns the work that the host is to do by itself for the words of the command line, if they ask for that.
 *
 * @param {string} request JSON text
 * @returns {{verb: string, options: Record<string, any>} | null}
 */
export function hostedOf(request) {
  return JSON.parse(within(noHost, (wasm) => reply(wasm, wasm.hosted(write(wasm, request)))));
}

/**
 * Runs the command line.
 *
 * @param {string} request JSON text
 * @param {ffi.Perform} perform
 * @returns {number} the exit code
 */
export function runCommandLine(request, perform) {
  return within(perform, (wasm) => wasm.command_line(write(wasm, request)));
}
