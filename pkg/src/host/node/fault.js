// From the errors of Node and its like to the faults that the core acts on.

import { messageOf } from '../../base/brand.js';
import { answerFault } from '../../wasm/ffi.js';

/** @typedef {import('../../../types/operation.js').Fault} Fault */

/** @type {Record<string, Fault | undefined>} what a code means to every system call */
export const FAULTS = {
  ENOENT: 'notFound',
  EEXIST: 'exists',
  ELOOP: 'symlink',
  EISDIR: 'wrongKind',
  ENOTDIR: 'wrongKind',
  // A socket, or a FIFO without a reader.
  ENXIO: 'wrongKind',
  ENOSPC: 'noSpace',
  EDQUOT: 'noSpace',
  ENOTSUP: 'unsupported',
  EOPNOTSUPP: 'unsupported',
  ENOSYS: 'unsupported',
  EACCES: 'denied',
  EPERM: 'denied',
  EPIPE: 'closed',
};

/** Errors of Windows for a file that another process has open. */
const SHARING = new Set(['EPERM', 'EACCES', 'EBUSY']);

/**
 * Answers with an error. `faults` names what a code means to this one system call.
 *
 * @param {unknown} error
 * @param {Record<string, Fault | undefined>} [faults]
 * @returns {number}
 */
export function failed(error, faults = {}) {
  const code = codeOf(error);
  const sharing = process.platform === 'win32' && SHARING.has(code) ? 'sharing' : undefined;
  return answerFault(faults[code] ?? sharing ?? FAULTS[code] ?? 'other', detail(error));
}

/**
 * The code of an error, which in a test runner is one of another realm than this code.
 *
 * @param {unknown} error
 * @returns {string} such as `ENOENT`, or empty
 */
export function codeOf(error) {
  return String(/** @type {any} */ (error)?.code ?? '');
}

/**
 * Returns whether Deno has no permission for it.
 *
 * @param {unknown} error
 */
export function isDenied(error) {
  return /** @type {any} */ (error)?.name === 'NotCapable';
}

/**
 * Node's sentence up to the system call and the path: `EACCES: permission denied`. Deno's without
 * the path: `Requires read access, run again with the --allow-read flag`.
 *
 * @param {unknown} error
 */
function detail(error) {
  const message = messageOf(error);
  if (isDenied(error)) return withoutPath(message);
  return codeOf(error) === '' ? message : message.split(', ', 1)[0];
}

/** @param {string} message of Deno, about a permission */
export function withoutPath(message) {
  return message.replace(/ to ".*"/s, '');
}
