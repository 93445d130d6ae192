// Operations on threads, for code that shows them: `milepost/langgraph`.

import * as host from 'milepost:host';
import { MemoryFiles } from '../host/memory.js';
import { ofObjects } from '../host/objects.js';
import { StateLocation } from './state-location.js';
import { PLACES, openStorage } from './storage.js';
import { askAt } from './thread-operations.js';

/** The options of threads. */
export const THREAD_OPTIONS = [...PLACES, 'onWarning'];

/**
 * Opens the threads in a folder, in a database, or in memory. Nothing is read or made before the first operation.
 *
 * @param {Record<string, any>} options of {@link THREAD_OPTIONS}
 * @returns {import('../../types/threads.js').Ask}
 * @throws {MilepostError} `usage`
 */
export function openThreads({ onWarning, ...described }) {
  return openStorage(described, '', {
    memory: () => askAt(new StateLocation({ onWarning }, inMemory())),
    files: (place, named) => askAt(new StateLocation({ ...place, onWarning }, host, null, named)),
    postgres: (database) => database.threads(onWarning),
  });
}

/** @returns {import('./operation.js').Host} */
function inMemory() {
  const files = new MemoryFiles();
  return {
    perform: ofObjects((effect) => files.perform(effect)),
    place: () => ({ git_root: null, working: '/', storage: /** @type {const} */ ('records') }),
  };
}
