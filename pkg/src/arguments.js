// Argument checks at the door. What a name may be is the core's to say.

import { MilepostError, unexpected } from './error.js';

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {string}
 */
export function text(name, value) {
  if (typeof value !== 'string') throw unexpected(name, 'a string', value);
  return value;
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {string | null}
 */
export function optionalText(name, value) {
  return value === null || value === undefined ? null : text(name, value);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {number | null}
 */
export function optionalWhole(name, value) {
  return value === null || value === undefined ? null : whole(name, value);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {number}
 */
export function whole(name, value) {
  if (!Number.isSafeInteger(value) || Number(value) < 0) {
    throw unexpected(name, 'a whole number, 0 or more', value);
  }
  return Number(value);
}

/**
 * How much of something is kept.
 *
 * @param {string} name of the argument
 * @param {unknown} value
 * @returns {{revisions: number | null, days: number | null} | null}
 */
export function optionalRetention(name, value) {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object' || Array.isArray(value)) throw unexpected(name, 'an object', value);
  const { revisions, days } = /** @type {Record<string, unknown>} */ (value);
  return {
    revisions: optionalWhole(`${name}.revisions`, revisions),
    days: optionalWhole(`${name}.days`, days),
  };
}

/**
 * A list of texts as JSON text.
 *
 * @param {string} name of the argument
 * @param {unknown} value
 * @returns {string}
 */
export function texts(name, value) {
  if (!Array.isArray(value)) throw unexpected(name, 'a list of texts', value);
  return JSON.stringify(value.map((item) => text(name, item)));
}

/**
 * Options that JSON carries as they are: a number that it does not know would be taken for null.
 *
 * @param {string} name of the argument
 * @param {unknown} options
 * @returns {Record<string, string | number | boolean | null>} without those that are undefined
 */
export function plain(name, options) {
  if (options === null || options === undefined) return {};
  if (typeof options !== 'object') throw unexpected(name, 'an object', options);
  /** @type {Record<string, string | number | boolean | null>} */
  const checked = {};
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined) continue;
    if (typeof value === 'number') whole(key, value);
    if (value !== null && !['string', 'number', 'boolean'].includes(typeof value)) {
      throw unexpected(key, 'a plain value', value);
    }
    checked[key] = value;
  }
  return checked;
}

/**
 * @template {string} T
 * @param {string} name
 * @param {unknown} value
 * @param {readonly T[]} choices
 * @returns {T}
 */
export function choice(name, value, choices) {
  const chosen = choices.find((candidate) => candidate === value);
  if (chosen === undefined) throw unexpected(name, `one of ${choices.join(', ')}`, value);
  return chosen;
}

/**
 * An object as JSON text.
 *
 * @param {string} name
 * @param {unknown} value
 * @returns {string}
 */
export function json(name, value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unexpected(name, 'an object', value);
  }
  try {
    const text = JSON.stringify(value);
    if (text?.startsWith('{')) return text;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MilepostError('usage', `\`${name}\` cannot be written as JSON: ${reason}`, { cause });
  }
  throw new MilepostError('usage', `\`${name}\` is no object any more when it is written as JSON`);
}
