// The values that JSON can carry: all others would be dropped or changed without notice.

import { hasSymbolNames, isMilepostError, isPlain, tagOf } from '../../base/brand.js';
import { MilepostError } from '../../base/error.js';
import { sentence } from '../../base/messages.js';
import { pointer } from '../../base/pointer.js';

/** @typedef {import('../../../types/index.js').Problem} Problem */

/** The greatest depth that is looked at: the core refuses less, and the stack of a host is only so high. */
const MOST_DEPTH = 500;

/** The greatest number of reported problems. */
const MOST_PROBLEMS = 100;

/** Tags of objects whose content is elsewhere than in fields; the same in every realm. */
const NO_FIELDS = new Set([
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Date', 'Error', 'RegExp', 'Promise'],
  ...['Boolean', 'Number', 'String', 'Symbol', 'BigInt', 'ArrayBuffer', 'SharedArrayBuffer'],
]);

/**
 * A value as JSON text that holds all of it.
 *
 * @param {unknown} value
 * @returns {string}
 * @throws {MilepostError} `invalid_document`, with the place of each part that JSON cannot carry
 */
export function carried(value) {
  try {
    if (!isSurelyCarried(value)) {
      /** @type {Problem[]} */
      const problems = [];
      look(value, [], [], problems);
      if (problems.length > 0) throw invalid(problems);
    }
    return JSON.stringify(value);
  } catch (cause) {
    if (isMilepostError(cause)) throw cause;
    // Such as a text that is too long.
    const message = `cannot be written as JSON: ${sentence(cause)}`;
    throw invalid([{ at: '', code: 'type', message }], cause);
  }
}

/** @param {unknown} value */
function isSurelyCarried(value) {
  try {
    return isCarried(value, 0);
  } catch {
    // The slower walk says where.
    return false;
  }
}

/**
 * Returns whether JSON certainly carries a value; the usual case, in one quick walk.
 *
 * @param {unknown} value
 * @param {number} depth
 * @returns {boolean}
 */
function isCarried(value, depth) {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth > MOST_DEPTH) return false;
  if (hasSymbolNames(value)) return false;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) {
      if (!isCarried(value[at], depth + 1)) return false;
    }
    return true;
  }
  if (!isPlain(value)) return false;
  for (const key in value) {
    const member = /** @type {any} */ (value)[key];
    if (member !== undefined && !isCarried(member, depth + 1)) return false;
  }
  return typeof (/** @type {any} */ (value).toJSON) !== 'function';
}

/**
 * Finds the parts that JSON cannot carry.
 *
 * @param {unknown} value
 * @param {(string | number)[]} path
 * @param {object[]} around the objects that it is in
 * @param {Problem[]} problems
 */
function look(value, path, around, problems) {
  if (problems.length >= MOST_PROBLEMS) return;
  const refuse = (/** @type {string} */ found) => {
    problems.push({ at: pointer(path), code: 'type', message: `expected what JSON can carry, found ${found}` });
  };
  /** @type {[string | number, unknown][]} */
  let parts;
  try {
    const found = uncarried(value, around);
    if (found !== null) return refuse(found);
    parts = partsOf(value);
  } catch (cause) {
    // A member that is a function of its own, or a proxy, may throw anything.
    return refuse(`an object that cannot be read: ${sentence(cause)}`);
  }
  const within = [...around, /** @type {object} */ (value)];
  for (const [key, part] of parts) look(part, [...path, key], within, problems);
}

/**
 * The parts of a value that JSON has.
 *
 * @param {unknown} value
 * @returns {[string | number, unknown][]}
 */
function partsOf(value) {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return Array.from(value.entries());
  return Object.entries(value).filter(([, part]) => part !== undefined);
}

/**
 * @param {unknown} value
 * @param {object[]} around
 * @returns {string | null} what it is
 */
function uncarried(value, around) {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null;
    case 'number':
      return Number.isFinite(value) ? null : String(value);
    case 'object':
      return value === null ? null : uncarriedObject(value, around);
    case 'undefined':
      return 'undefined';
    default:
      return `a ${typeof value}`;
  }
}

/**
 * @param {object} value
 * @param {object[]} around
 */
function uncarriedObject(value, around) {
  const above = around.indexOf(value);
  if (above >= 0) return above === 0 ? 'the whole of it again' : 'an object that it is in';
  if (around.length > MOST_DEPTH) return `more than ${MOST_DEPTH} levels`;
  const tag = tagOf(value);
  if (NO_FIELDS.has(tag) || ArrayBuffer.isView(value)) return `an object of the kind ${tag}`;
  if (typeof (/** @type {any} */ (value).toJSON) === 'function') return 'an object that has `toJSON`';
  if (hasSymbolNames(value)) return 'a member with a symbol as its name';
  return null;
}

/**
 * @param {Problem[]} problems
 * @param {unknown} [cause]
 */
function invalid(problems, cause) {
  const [{ at, message }, ...rest] = /** @type {[Problem, ...Problem[]]} */ (problems);
  const more = rest.length === 0 ? '' : ` (and ${rest.length} more)`;
  const said = `Document is invalid: ${at === '' ? message : `${at}: ${message}`}${more}`;
  return new MilepostError('invalid_document', said, { problems, cause });
}
