// Argument checks of the public functions. What a name may be is the core's to say.

import { isPlain, tagOf } from '../base/brand.js';
import { MilepostError } from '../base/error.js';
import { sentence } from '../base/messages.js';
import { quote } from '../base/quote.js';
import { unexpected } from './reply.js';

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
  if (!isWhole(value)) throw unexpected(name, 'a whole number, 0 or more', value);
  return value;
}

/**
 * A limit of tokens.
 *
 * @param {string} name
 * @param {unknown} value
 * @returns {number}
 */
export function limit(name, value) {
  if (value === Infinity) return Infinity;
  if (!isWhole(value)) throw unexpected(name, 'a whole number, 0 or more, or Infinity', value);
  return value;
}

/**
 * @param {unknown} value
 * @returns {value is number}
 */
function isWhole(value) {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/**
 * Options by their names: one that is misspelt would silently not count.
 *
 * @param {string} name of what takes them
 * @param {unknown} value
 * @param {readonly string[]} known
 * @returns {Record<string, unknown>}
 */
export function options(name, value, known) {
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw unexpected(name, 'an object', value);
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown === undefined) return /** @type {Record<string, unknown>} */ (value);
  const said = `\`${name}\` has no option ${quote(unknown, 'of that name')}`;
  throw new MilepostError('usage', `${said}; known are ${known.join(', ')}`);
}

/**
 * Reads how many revisions and days are kept.
 *
 * @param {string} name of the argument
 * @param {unknown} value
 * @returns {{revisions: number | null, days: number | null} | null}
 */
export function optionalRetention(name, value) {
  if (value === null || value === undefined) return null;
  const { revisions, days } = options(name, value, ['revisions', 'days']);
  return {
    revisions: optionalWhole(`${name}.revisions`, revisions),
    days: optionalWhole(`${name}.days`, days),
  };
}

/** The members of every request: none of them is an option. */
const RESERVED = ['operation', 'place', 'command', 'feature'];

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

/** @typedef {string | number | boolean | string[] | null} Plain */

/**
 * Options that JSON carries as they are: a number that it does not know would be taken for null.
 *
 * @param {string} name of the argument
 * @param {unknown} options
 * @returns {Record<string, Plain>} without those that are undefined
 */
export function plain(name, options) {
  if (options === null || options === undefined) return {};
  if (typeof options !== 'object') throw unexpected(name, 'an object', options);
  /** @type {Record<string, Plain>} */
  const checked = {};
  for (const [key, value] of Object.entries(options)) {
    if (RESERVED.includes(key)) throw new MilepostError('usage', `\`${name}\` has no option "${key}"`);
    if (value === undefined) continue;
    if (typeof value === 'number') whole(key, value);
    if (Array.isArray(value)) {
      checked[key] = value.map((item) => text(key, item));
      continue;
    }
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
 * A document as JSON text: an object that is one as JSON too. Of any other, such as a Map or a
 * Buffer, JSON would keep nothing, or something else, and that would replace the checkpoint.
 *
 * @param {string} name
 * @param {unknown} value
 * @returns {string}
 */
export function json(name, value) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    throw unexpected(name, 'an object', value);
  }
  let text;
  try {
    text = isDocument(value) ? JSON.stringify(value) : undefined;
  } catch (cause) {
    const message = `\`${name}\` cannot be written as JSON: ${sentence(cause)}`;
    throw new MilepostError('usage', message, { cause });
  }
  if (text?.startsWith('{')) return text;
  const message =
    `Expected \`${name}\` to be a document, an object with its fields; got ${kindOf(value)}, ` +
    'of which JSON would keep something else. Nothing was written';
  const problems = [{ at: '', code: 'type', message }];
  throw new MilepostError('invalid_document', message, { problems });
}

/** Tags of objects whose content is elsewhere than in fields; the same in every realm. */
const NO_FIELDS = new Set([
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'WeakRef', 'Date', 'Error', 'RegExp', 'Promise'],
  ...['Boolean', 'Number', 'String', 'Symbol', 'BigInt', 'ArrayBuffer', 'SharedArrayBuffer'],
]);

/** @param {object} value */
function isDocument(value) {
  if (typeof value === 'function' || Array.isArray(value) || ArrayBuffer.isView(value)) return false;
  // Its text shows whether that is an object.
  if ('toJSON' in value && typeof value.toJSON === 'function') return true;
  if (NO_FIELDS.has(tagOf(value))) return false;
  return Object.keys(value).length > 0 || isPlain(value);
}

/** @param {object} value */
function kindOf(value) {
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  const { constructor } = value;
  const name = typeof constructor === 'function' ? constructor.name : '';
  return `an object of the kind ${name || tagOf(value)}`;
}
