// One operation, from request to result.

import { MilepostError, UNABLE, fromReply, fromWarning, run, sentence } from './core.js';

/** Operations that only the larger wasm of the command line has. */
const LARGE = new Set(['init', 'doctor']);

/**
 * What performs effects, where it works, and, where there are files, what runs the operations that
 * only the larger wasm has.
 *
 * @typedef {Pick<typeof import('milepost:host'), 'perform' | 'place'> & {large?: () => typeof run}} Host
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
    // Node's sentence up to the system call: `ENOENT: no such file or directory`.
    const [reason] = sentence(cause).split(', ', 1);
    throw new MilepostError('io', `The working folder is gone, or may not be read: ${reason}`, { cause });
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
 * @param {Pick<Host, 'perform' | 'large'>} host
 * @param {string} operation
 * @param {string} request JSON text
 * @param {(warning: Warning) => void} [onWarning]
 * @returns {any} the value, as the operation defines it
 * @throws {MilepostError}
 */
export function operate({ perform, large }, operation, request, onWarning = () => {}) {
  const runs = LARGE.has(operation) ? larger(operation, large) : run;
  const reply = JSON.parse(able(() => runs(request, perform)));
  for (const warning of reply.warnings) onWarning(fromWarning(warning));
  if (reply.ok) return reply.value;
  throw fromReply(reply.error);
}

/**
 * Runs the wasm; a host that cannot is an error as any other of a store.
 *
 * @param {() => string} action
 */
function able(action) {
  try {
    return action();
  } catch (cause) {
    if (!(cause instanceof Error) || cause.name !== UNABLE) throw cause;
    throw new MilepostError('io', cause.message, { cause });
  }
}

/**
 * @param {string} operation
 * @param {Host['large']} large
 */
function larger(operation, large) {
  if (large !== undefined) return large();
  throw new MilepostError('usage', `\`${operation}\` is there for files on a disk, on Node, Deno and Bun`);
}
