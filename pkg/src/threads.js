// Operations on threads, for whoever shows them: `milepost/langgraph`.

import * as host from 'milepost:host';
import * as check from './arguments.js';
import { MilepostError } from './error.js';
import { MemoryFiles } from './host/memory.js';
import { ofObjects } from './host/objects.js';
import { operate } from './operation.js';
import { fromReply, unexpected } from './reply.js';
import { placeOf } from './request.js';

export { MilepostError, fromReply };

const DURABILITIES = /** @type {const} */ (['durable', 'lazy']);

/**
 * Opens the threads in a folder, or in memory. Nothing is read or made before the first operation.
 *
 * @param {{storagePath?: unknown, durability?: unknown, onWarning?: unknown}} options
 * @returns {import('../types/threads.js').Ask}
 * @throws {MilepostError} `usage`
 */
export function openThreads({ storagePath, durability = 'durable', onWarning }) {
  if (onWarning !== undefined && typeof onWarning !== 'function') {
    throw unexpected('onWarning', 'a function', onWarning);
  }
  const path = check.optionalText('storagePath', storagePath);
  const place = {
    durability: check.choice('durability', durability, DURABILITIES),
    history: null,
    ...(path === null ? { dir: null } : { dir: host.absolute(path) }),
  };
  const used = path === null ? inMemory() : host;
  const storage = path === null ? { storage: 'records' } : {};
  return (operation, { text, ...fields }) => {
    const at = { ...placeOf(used, place), ...storage };
    const request = JSON.stringify({ operation, place: at, ...fields });
    // Behind the request a text is read as it is; between quotes much of it would be escaped.
    const whole = text === undefined ? request : `\0${request}\0${text}`;
    return operate(used, operation, whole, (warning) => onWarning?.(warning));
  };
}

/** @returns {import('./operation.js').Host} */
function inMemory() {
  const files = new MemoryFiles();
  return {
    perform: ofObjects((effect) => files.perform(effect)),
    place: () => ({ git_root: null, working: '/' }),
  };
}
