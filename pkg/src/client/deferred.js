// Operations on hosts that answer later, in a wasm of their own: the core is a step machine there, and any
// number of operations are in flight in one instance. Nothing of wasm is entered while a host is asked.

import * as local from 'milepost:host';
import * as ffi from '../wasm/ffi.js';
import { MilepostError } from '../base/error.js';
import { answer } from '../host/objects.js';
import { effectOf } from '../wasm/effect-objects.js';
import { isCurrent, letGo, noHost, reply, within, write } from '../wasm/instance.js';
import { failureOf, valueOf } from './operation.js';
import { sentence } from '../base/messages.js';

/** @typedef {import('../../types/operation.js').Effect} Effect */
/** @typedef {import('../../types/operation.js').Outcome} Outcome */
/** @typedef {import('milepost:glue').InitOutput} Instance */

/** The numbers of an effect in memory: 32 bits each. */
const NUMBERS = 7;

/** Effects that no machine answers immediately: on records, and waiting. */
const LATER = new Set(
  ['wait', 'readRecord', 'swapRecord', 'listRecords'].map((name) => ffi.EFFECTS.findIndex((it) => it === name)),
);

/** Effects that may change what is stored: after a lost connection it is unknown whether they did. */
const CHANGING = new Set(['swapRecord', 'create', 'rename', 'link', 'append', 'symlink', 'remove']);

/** Operations in flight. */
let running = 0;

/**
 * Runs one operation; the host performs one effect of it at a time. What a host throws or rejects with is
 * a failure of that effect.
 *
 * @param {string} request JSON text
 * @param {(effect: Effect) => Outcome | PromiseLike<Outcome>} perform
 * @param {'here' | 'elsewhere'} [place] where files and clocks are: the ones of this machine answer
 *   immediately, and `perform` is asked for the rest
 * @param {Uint8Array[]} [behind] bytes of text that come behind the request
 * @returns {Promise<string>} JSON text
 */
export async function run(request, perform, place = 'elsewhere', behind) {
  running += 1;
  try {
    return await driven(request, perform, place, behind);
  } finally {
    running -= 1;
    if (running === 0) letGo();
  }
}

/** @type {(...call: Parameters<typeof run>) => Promise<string>} */
async function driven(request, perform, place, behind) {
  const blocking = place === 'here' ? local.perform : null;
  const begun = within(blocking ?? noHost, (wasm) => {
    const number = wasm.begin(write(wasm, request, behind));
    return { wasm, number, next: taken(wasm, number, wasm.step(number), blocking) };
  });
  let mayBeWritten = false;
  let { next } = begun;
  while (typeof next !== 'string') {
    const { effect } = next;
    mayBeWritten ||= CHANGING.has(effect);
    const answered = performed(perform, next);
    // A value that is there already needs no turn of its own.
    const outcome = isLater(answered) ? await settled(answered) : answered;
    if (!isCurrent(begun.wasm)) throw cutOff(mayBeWritten);
    next = within(blocking ?? noHost, (wasm) => {
      const code = handedOver(outcome, effect);
      return taken(wasm, begun.number, wasm.resume(begun.number, code), blocking);
    });
  }
  return next;
}

/**
 * Runs one operation and answers with its value.
 *
 * @param {string} request JSON text
 * @param {(effect: Effect) => Outcome | PromiseLike<Outcome>} perform
 * @param {(warning: import('../../types/index.js').Warning) => void} onWarning
 * @param {'here' | 'elsewhere'} [place] as of {@link run}
 * @param {Uint8Array[]} [behind] as of {@link run}
 * @returns {Promise<any>} the value, as the operation defines it
 * @throws {MilepostError}
 */
export async function operate(request, perform, onWarning, place, behind) {
  let text;
  try {
    text = await run(request, perform, place, behind);
  } catch (cause) {
    throw failureOf(cause);
  }
  return valueOf(text, onWarning);
}

/**
 * Returns the next step of an operation: an effect, or its reply.
 *
 * @param {Instance} wasm
 * @param {number} operation
 * @param {number} at where the numbers of its effect are
 * @param {ffi.Perform | null} blocking performs all but what is of a database
 * @returns {Effect | string}
 */
function taken(wasm, operation, at, blocking) {
  while (at !== 0) {
    const { buffer, byteOffset } = ffi.part(at >>> 0, 4 * NUMBERS);
    const numbers = new Uint32Array(buffer, byteOffset, NUMBERS);
    const [effect, text, textLength, more, moreLength, number, flag] = numbers;
    if (blocking === null || LATER.has(effect)) {
      return effectOf(effect, text, textLength, more, moreLength, number, flag);
    }
    at = wasm.resume(operation, blocking(effect, text, textLength, more, moreLength, number, flag));
  }
  const text = reply(wasm, wasm.reply_place());
  if (text === '') throw new Error('an operation was driven out of turn: there is a bug in milepost');
  return text;
}

/**
 * @param {(effect: Effect) => Outcome | PromiseLike<Outcome>} perform
 * @param {Effect} effect
 */
function performed(perform, effect) {
  try {
    return perform(effect);
  } catch (error) {
    return thrown(error);
  }
}

/**
 * @param {any} outcome
 * @returns {outcome is PromiseLike<Outcome>}
 */
function isLater(outcome) {
  return typeof outcome?.then === 'function';
}

/**
 * @param {PromiseLike<Outcome>} outcome
 * @returns {Promise<Outcome>}
 */
async function settled(outcome) {
  try {
    return await outcome;
  } catch (error) {
    return thrown(error);
  }
}

/**
 * @param {unknown} error of a host
 * @returns {Outcome}
 */
function thrown(error) {
  return { outcome: 'failed', fault: 'other', detail: sentence(error) };
}

/**
 * @param {Outcome} outcome
 * @param {string} effect
 * @returns {number}
 */
function handedOver(outcome, effect) {
  try {
    return answer(outcome, effect);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return ffi.answerFault('other', error.message);
  }
}

/** @param {boolean} mayBeWritten */
function cutOff(mayBeWritten) {
  const written = mayBeWritten ? 'unknown' : 'no';
  const what = 'Another operation left the WebAssembly instance by an exception, and this one with it';
  return new MilepostError('io', `${what}: run it again`, { written });
}
