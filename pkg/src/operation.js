// One operation, from request to result.

import { MilepostError, fromReply, run } from './core.js';

/**
 * What performs effects, and where it works.
 *
 * @typedef {Pick<typeof import('milepost:host'), 'perform' | 'place'>} Host
 */

/** @typedef {import('../types/index.js').Warning} Warning */
/** @typedef {import('../types/index.js').StoreOptions} StoreOptions */

/**
 * Where to look for checkpoints, at the time of the call.
 *
 * @param {Host} host
 * @param {StoreOptions} options
 */
export function placeOf(host, { root, dir, durability, history }) {
  let here;
  try {
    here = host.place();
  } catch (cause) {
    throw new MilepostError('io', `The working folder cannot be read: ${cause}`, { cause });
  }
  return {
    root: root ?? null,
    git_root: here.git_root,
    working: here.working,
    dir: dir ?? null,
    durability: durability ?? 'durable',
    history: history ?? null,
  };
}

/**
 * Runs one operation and returns its value, and what it noticed on the way.
 *
 * @param {Pick<Host, 'perform'>} host
 * @param {object} request
 * @param {(warning: Warning) => void} [onWarning]
 * @returns {any} the value, as the operation defines it
 * @throws {MilepostError}
 */
export function operate({ perform }, request, onWarning = () => {}) {
  const reply = JSON.parse(run(JSON.stringify(request), perform));
  for (const warning of reply.warnings) onWarning(warning);
  if (reply.ok) return reply.value;
  throw fromReply(reply.error);
}
