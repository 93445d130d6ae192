// The sources of vocabularies: modules of the package, read as files when they are first needed, or imported by `load`.

import { file, modules } from 'milepost:vocabulary';
import { fromBase64 } from '../../base/base64.js';
import { MilepostError } from '../../base/error.js';
import { sentence } from '../../base/messages.js';

/** @typedef {import('../../../types/exact-tokens.js').Encoding} Encoding */

/**
 * Those that were imported: a new instance needs them again.
 *
 * @type {Map<Encoding, Uint8Array>}
 */
const imported = new Map();

/**
 * The vocabulary of an encoding, now.
 *
 * @param {Encoding} encoding
 * @returns {Uint8Array}
 */
export function vocabularyOf(encoding) {
  const there = imported.get(encoding) ?? fromFile(encoding);
  if (there !== undefined) return there;
  const call = `\`await load(${JSON.stringify(encoding)})\``;
  const why =
    file === undefined
      ? 'here it is imported, which takes a promise'
      : 'this process may not read the files of the package';
  throw new MilepostError('usage', `The vocabulary of ${encoding} is not loaded: ${why}; ${call} first`);
}

/**
 * Imports the vocabulary of an encoding, unless there is a file of it.
 *
 * @param {Encoding} encoding
 * @returns {Promise<void>}
 */
export async function provideVocabulary(encoding) {
  if (imported.has(encoding) || isOnDisk(encoding)) return;
  try {
    const { default: text } = await modules[encoding]();
    imported.set(encoding, fromBase64(text));
  } catch (cause) {
    throw missing(encoding, cause);
  }
}

/** @param {Encoding} encoding */
function isOnDisk(encoding) {
  try {
    return fromFile(encoding) !== undefined;
  } catch {
    return false;
  }
}

/** @param {Encoding} encoding */
function fromFile(encoding) {
  try {
    const text = file?.(encoding);
    return text === undefined ? undefined : fromBase64(text.slice(text.indexOf("'") + 1, text.lastIndexOf("'")));
  } catch (cause) {
    throw missing(encoding, cause);
  }
}

/**
 * @param {Encoding} encoding
 * @param {unknown} cause
 */
function missing(encoding, cause) {
  const message =
    `The vocabulary of ${encoding} cannot be read, and without it nothing is counted: ${sentence(cause)}; ` +
    'install milepost-exact-tokens again, or where a bundler left out its files, ' +
    `\`await load(${JSON.stringify(encoding)})\` before the first count`;
  return new MilepostError('not_found', message, { cause });
}
