'use strict';

// The manager of `checkpoint-manager.cjs` as a careful author would write it by hand: HEAD from the repository's files,
// and a write that survives a crash (temporary file, fsync, rename). `withFolderSync` also syncs
// the folder, without which the rename itself can be lost with the power; `withoutSync` waits for
// no disk. None has compare-and-swap, history or a schema: two writers still lose each other's
// updates.

const fs = require('fs');
const path = require('path');
const { createManager } = require('./checkpoint-manager.cjs');
const { getGitRoot, writeFile } = require('./utils.cjs');

/** @returns {string|null} */
function headFromFiles() {
  const gitFolder = path.join(getGitRoot() || process.cwd(), '.git');
  const head = readText(path.join(gitFolder, 'HEAD'));
  if (head === null) return null;
  if (!head.startsWith('ref: ')) return head.trim();
  const ref = head.slice('ref: '.length).trim();
  const loose = readText(path.join(gitFolder, ref));
  if (loose !== null) return loose.trim();
  const packed = readText(path.join(gitFolder, 'packed-refs')) ?? '';
  const line = packed.split('\n').find((entry) => entry.endsWith(` ${ref}`));
  return line === undefined ? null : line.slice(0, line.indexOf(' '));
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

let written = 0;

function replaceFile(file, text) {
  const temporary = `${file}.${process.pid}.${written++}.tmp`;
  const descriptor = fs.openSync(temporary, 'wx');
  try {
    fs.writeFileSync(descriptor, text);
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
  fs.renameSync(temporary, file);
}

function replaceFileAndSyncFolder(file, text) {
  replaceFile(file, text);
  const descriptor = fs.openSync(path.dirname(file), 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

module.exports = {
  headFromFiles,
  ...createManager({ currentHead: headFromFiles, writeFile: replaceFile }),
  withFolderSync: createManager({
    currentHead: headFromFiles,
    writeFile: replaceFileAndSyncFolder,
  }),
  withoutSync: createManager({ currentHead: headFromFiles, writeFile }),
};
