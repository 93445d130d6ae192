// The store on files in memory.

import * as check from './arguments.js';
import { MemoryFiles } from '../host/memory.js';
import { ofObjects } from '../host/objects.js';
import { unexpected } from './reply.js';
import { StateLocation } from './state-location.js';
import { OPTIONS, Store } from './store.js';

/** @typedef {import('../../types/memory.js').MemoryStore} MemoryStoreType */

/**
 * @param {import('../../types/memory.js').MemoryStoreOptions} [options]
 * @returns {MemoryStoreType}
 */
export function openMemoryStore(options) {
  const known = [...OPTIONS, 'files'];
  const { files, ...rest } = check.options('openMemoryStore', options, known);
  if (files !== undefined && !isHost(files)) {
    throw unexpected('files', 'files in memory, as `new MemoryFiles()`', files);
  }
  return new MemoryStore(files ?? new MemoryFiles(), rest);
}

/**
 * @param {unknown} files
 * @returns {files is import('../../types/memory.js').MemoryFiles}
 */
function isHost(files) {
  return typeof files === 'object' && files !== null && 'perform' in files;
}

/** @implements {MemoryStoreType} */
class MemoryStore extends Store {
  /**
   * @param {import('../../types/memory.js').MemoryFiles} files
   * @param {Record<string, unknown>} options
   */
  constructor(files, options) {
    const { history, ...rest } = options;
    const host = {
      perform: ofObjects((effect) => files.perform(effect)),
      place: () => ({ git_root: null, working: '/' }),
    };
    super(new StateLocation(rest, host, check.optionalRetention('history', history)));
    this.files = files;
  }
}
