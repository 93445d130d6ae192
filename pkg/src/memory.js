// `milepost/memory`: the store on files in memory.

import { MemoryFiles } from './host/memory.js';
import { Store } from './store.js';

/** @typedef {import('../types/memory.js').MemoryStore} MemoryStoreType */

export { MemoryFiles };

/**
 * @param {import('../types/memory.js').MemoryStoreOptions} [options]
 * @returns {MemoryStoreType}
 */
export function openMemoryStore({ files = new MemoryFiles(), ...options } = {}) {
  return new MemoryStore(files, options);
}

/** @implements {MemoryStoreType} */
class MemoryStore extends Store {
  /**
   * @param {import('../types/memory.js').MemoryFiles} files
   * @param {import('../types/index.js').StoreOptions} options
   */
  constructor(files, options) {
    super(options, {
      perform: (effect) => files.perform(effect),
      place: () => ({ git_root: null, working: '/' }),
    });
    this.files = files;
  }
}
