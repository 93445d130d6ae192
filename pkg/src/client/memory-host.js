// The host that files in memory are.

import { ofObjects } from '../host/objects.js';
import { unexpected } from './reply.js';

/**
 * @param {any} files
 * @returns {import('./operation.js').Host}
 * @throws {MilepostError} `usage`
 */
export function inMemory(files) {
  if (typeof files?.perform !== 'function') {
    throw unexpected('files', 'files in memory, as `new MemoryFiles()`', files);
  }
  return {
    perform: ofObjects((effect) => files.perform(effect)),
    place: () => ({ git_root: null, working: '/' }),
  };
}
