// Operations on threads, for code that shows them: `milepost/langgraph`.

import * as host from 'milepost:host';
import { MemoryFiles } from '../host/memory.js';
import { inMemory } from './memory-host.js';
import { PLACES, openStorage } from './storage.js';
import { askAt } from './thread-operations.js';
import { Workspace } from './workspace.js';

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
    memory: () => askAt(new Workspace({ onWarning }, records())),
    files: (place, named) => askAt(new Workspace({ ...place, onWarning }, host, null, named)),
    postgres: (database) => database.threads(onWarning),
  });
}

/**
 * Records in memory.
 *
 * @returns {import('./operation.js').Host}
 */
function records() {
  const { perform, place } = inMemory(new MemoryFiles());
  return { perform, place: () => ({ ...place(), storage: /** @type {const} */ ('records') }) };
}
