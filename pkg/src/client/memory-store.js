// The store on files in memory.

import * as check from './arguments.js';
import { MemoryFiles } from '../host/memory.js';
import { inMemory } from './memory-host.js';
import { OPTIONS, Store } from './store.js';
import { Workspace } from './workspace.js';

/** @typedef {import('../../types/memory.js').MemoryStore} MemoryStoreType */

/**
 * @param {import('../../types/memory.js').MemoryStoreOptions} [options]
 * @returns {MemoryStoreType}
 */
export function openMemoryStore(options) {
  const known = [...OPTIONS, 'files'];
  const { files, ...rest } = check.options('openMemoryStore', options, known);
  return new MemoryStore(files === undefined ? new MemoryFiles() : files, rest);
}

/** @implements {MemoryStoreType} */
class MemoryStore extends Store {
  /**
   * @param {any} files
   * @param {Record<string, unknown>} options
   */
  constructor(files, options) {
    const { history, ...rest } = options;
    super(new Workspace(rest, inMemory(files), check.optionalRetention('history', history)));
    this.files = files;
  }
}
