// One operation, from request to result.

import { perform, place } from 'milepost:host';
import { MilepostError, run } from './core.js';

/** @typedef {import('../types/index.js').Warning} Warning */
/** @typedef {import('../types/index.js').StoreOptions} StoreOptions */

/**
 * Where to look for checkpoints, at the time of the call.
 *
 * @param {StoreOptions} [options]
 */
export function placeOf({ root, dir, durability } = {}) {
  let here;
  try {
    here = place();
  } catch (cause) {
    throw new MilepostError('io', `The working folder cannot be read: ${cause}`, { cause });
  }
  return {
    root: root ?? null,
    git_root: here.git_root,
    working: here.working,
    dir: dir ?? null,
    durability: durability ?? 'durable',
  };
}

/**
 * Runs one operation and returns its value, and what it noticed on the way.
 *
 * @param {object} request
 * @param {(warning: Warning) => void} [onWarning]
 * @returns {any} the value, as the operation defines it
 * @throws {MilepostError}
 */
export function operate(request, onWarning = () => {}) {
  const reply = JSON.parse(run(JSON.stringify(request), perform));
  for (const warning of reply.warnings) onWarning(warning);
  if (reply.ok) return reply.value;
  const { code, message, ...more } = reply.error;
  throw new MilepostError(code, message, more);
}
