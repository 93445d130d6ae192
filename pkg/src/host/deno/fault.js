// From the errors of `Deno.*` to the faults that the core acts on, in the words of Node's adapter.

import { messageOf } from '../../base/brand.js';
import { answerFault } from '../../wasm/ffi.js';
import { FAULTS, isDenied, withoutPath } from '../node/fault.js';
import { deno } from './system.js';

/** @typedef {import('../../../types/operation.js').Fault} Fault */

/** Errors to which Deno gives no code, by their numbers on Linux, and where they differ on macOS. */
const LINUX = { 6: 'ENXIO', 31: 'EMLINK', 38: 'ENOSYS', 40: 'ELOOP', 95: 'EOPNOTSUPP', 122: 'EDQUOT' };
const DARWIN = { 6: 'ENXIO', 31: 'EMLINK', 45: 'ENOTSUP', 62: 'ELOOP', 69: 'EDQUOT', 78: 'ENOSYS' };
/** @type {Record<string, string | undefined>} */
const BY_NUMBER = deno.build.os === 'darwin' ? DARWIN : LINUX;

/** @type {Record<string, string | undefined>} how Node puts what the system says otherwise */
const WORDS = {
  EEXIST: 'file already exists',
  EISDIR: 'illegal operation on a directory',
  ELOOP: 'too many symbolic links encountered',
  EXDEV: 'cross-device link not permitted',
  EBUSY: 'resource busy or locked',
  EIO: 'i/o error',
  ENAMETOOLONG: 'name too long',
};

/**
 * Answers with an error. `faults` names what a code means to this one system call.
 *
 * @param {unknown} error
 * @param {Record<string, Fault | undefined>} [faults]
 * @returns {number}
 */
export function failed(error, faults = {}) {
  const code = codeOf(error);
  return answerFault(faults[code] ?? FAULTS[code] ?? 'other', detail(error, code));
}

/**
 * @param {unknown} error
 * @returns {string} such as `ENOENT`, or empty
 */
export function codeOf(error) {
  const { code } = /** @type {any} */ (error ?? {});
  if (code) return String(code);
  const [, number = ''] = /\(os error (\d+)\)/.exec(messageOf(error)) ?? [];
  return BY_NUMBER[number] ?? '';
}

/**
 * Deno's sentence without the path, which follows upon the number:
 * `No such file or directory (os error 2): open '/path'`.
 *
 * @param {unknown} error
 * @param {string} code
 */
function detail(error, code) {
  const message = messageOf(error);
  if (isDenied(error)) return withoutPath(message);
  const [words] = message.split(' (os error ', 1);
  if (code === '') return words;
  return `${code}: ${WORDS[code] ?? words.charAt(0).toLowerCase() + words.slice(1)}`;
}
