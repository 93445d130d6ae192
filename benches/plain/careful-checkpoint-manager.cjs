'use strict';

// The manager that a careful author makes of packages: a lock around read, change and write
// (`proper-lockfile`), and a temporary file, fsync and rename (`write-file-atomic`). No two writers
// lose each other's updates, as long as none of them is paused for longer than a lock goes stale.
// The folder is not synced, because the package does not do it, and there is no history.

const lockfile = require('proper-lockfile');
const writeFileAtomic = require('write-file-atomic');
const { createManager } = require('./checkpoint-manager.cjs');
const { headFromFiles } = require('./durable-checkpoint-manager.cjs');

// The package's own waiting is asynchronous, and would make the process longer than the hook.
const PATIENCE_MS = 5_000;
const PAUSE_MS = 5;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** @param {string} file @param {() => boolean} change @returns {boolean} */
function exclusively(file, change) {
  const release = lock(file);
  try {
    return change();
  } finally {
    release();
  }
}

function lock(file) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      // The file may not be there yet, so that its real path cannot be asked for.
      return lockfile.lockSync(file, { realpath: false });
    } catch (error) {
      if (error.code !== 'ELOCKED' || Date.now() > end) throw error;
      Atomics.wait(pause, 0, 0, PAUSE_MS);
    }
  }
}

module.exports = createManager({
  currentHead: headFromFiles,
  writeFile: (file, text) => writeFileAtomic.sync(file, text),
  exclusively,
});
