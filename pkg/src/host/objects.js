// Hosts that take effects as objects and answer with objects: a caller's own, and files in memory.

import { bytesOf } from '../base/brand.js';
import { ANSWERS, effectOf } from '../wasm/effect-objects.js';
import * as ffi from '../wasm/ffi.js';

/** @typedef {import('../../types/operation.js').Effect} Effect */
/** @typedef {import('../../types/operation.js').Outcome} Outcome */

/**
 * A host of objects as one of numbers.
 *
 * @param {(effect: Effect) => Outcome} perform
 * @returns {ffi.Perform}
 */
export function ofObjects(perform) {
  return (number, ...rest) => {
    const effect = effectOf(number, ...rest);
    return answer(perform(effect), effect.effect);
  };
}

/**
 * Hands an outcome over.
 *
 * @param {any} outcome as a caller's host gave it
 * @param {string} effect
 * @returns {number}
 * @throws {TypeError} for anything that is not an outcome
 */
export function answer(outcome, effect) {
  const name = outcome?.outcome;
  if (name === 'failed') {
    const { fault, detail } = outcome;
    usable(ffi.FAULTS.includes(fault), 'fault');
    usable(typeof detail === 'string', 'detail');
    return ffi.answerFault(fault, detail);
  }
  usable(OUTCOMES.has(name), 'outcome');
  if (name !== ANSWERS[effect]) {
    return ffi.answerFault('other', `the host gave an unfitting answer: ${name}`);
  }
  switch (name) {
    case 'bytes':
      usable(bytesOf(outcome.bytes) !== null, 'bytes');
      return ffi.answerBytes(outcome.bytes);
    case 'clock':
      usable(typeof outcome.wallMs === 'number', 'wallMs');
      usable(typeof outcome.monotonicMs === 'number', 'monotonicMs');
      return ffi.answerClock(outcome.wallMs, outcome.monotonicMs);
    case 'entries':
      usable(Array.isArray(outcome.entries), 'entries');
      outcome.entries.forEach(checkEntry);
      return ffi.answerEntries(outcome.entries);
    case 'found':
      usable(typeof outcome.folder === 'string', 'folder');
      usable(typeof outcome.below === 'string', 'below');
      usable(ffi.KINDS.includes(outcome.kind), 'kind');
      return ffi.answerFound(outcome.folder, outcome.below, outcome.kind);
    case 'names': {
      const { names, complete } = outcome;
      usable(Array.isArray(names) && names.every((it) => typeof it === 'string'), 'names');
      return ffi.answerNames(names, complete === true);
    }
    case 'scanned':
      usable(Array.isArray(outcome.entries), 'entries');
      return scanned(outcome.entries, outcome.complete === true);
    case 'counted':
      usable(isCount(outcome.tokens), 'tokens');
      usable(isCount(outcome.kept), 'kept');
      return ffi.answerCounted(outcome.tokens, outcome.kept);
    default:
      return ffi.DONE;
  }
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** @param {any} entry */
function checkEntry({ kind, size }) {
  usable(ffi.KINDS.includes(kind), 'kind');
  usable(typeof size === 'number', 'size');
}

/**
 * @param {import('../../types/operation.js').ScannedEntry[]} entries
 * @param {boolean} complete
 * @returns {number}
 */
function scanned(entries, complete) {
  const numbers = entries.flatMap((entry) => {
    checkEntry(entry);
    const { name, kind, size, mode = ffi.NO_MODE, modifiedMs, changedMs = NaN, number = 0 } = entry;
    usable(typeof name === 'string', 'name');
    usable(typeof modifiedMs === 'number', 'modifiedMs');
    return [ffi.KINDS.indexOf(kind), size, mode, modifiedMs, changedMs, number];
  });
  return ffi.answerScan(entries.map(({ name }) => name), numbers, complete);
}

const OUTCOMES = new Set(Object.values(ANSWERS));

/**
 * A host that gives no outcome is a mistake in the host.
 *
 * @param {boolean} isUsable
 * @param {string} member
 */
function usable(isUsable, member) {
  if (!isUsable) throw new TypeError(`the host's outcome has no usable \`${member}\``);
}
