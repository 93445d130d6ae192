// A look at entries, as every adapter of files gives it.

import { answerEntries } from '../wasm/ffi.js';

/** @typedef {import('../../types/operation.js').Entry} Entry */

/** @type {Entry} what no one can look at */
export const UNSEEN = { kind: 'other', size: 0 };
/** @type {Entry} what the user may not look at */
export const DENIED = { kind: 'denied', size: 0 };

/**
 * Entries below a link of the same list are not looked at: the way there may lead anywhere, to a
 * mount that never answers too.
 *
 * @param {string} paths each with a NUL behind it
 * @param {(file: string) => Entry} entry looks at one
 * @returns {number}
 */
export function inspectEach(paths, entry) {
  /** @type {string[]} */
  const links = [];
  const files = paths === '' ? [] : paths.slice(0, -1).split('\0');
  const entries = files.map((file) => {
    if (links.some((link) => file.startsWith(`${link}/`))) return UNSEEN;
    const found = entry(file);
    if (found.kind === 'symlink') links.push(file);
    return found;
  });
  return answerEntries(entries);
}
