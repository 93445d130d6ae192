// A rename under a lock: a folder that only one process can make. A process that finds it old takes it for
// that of a dead process.

import * as fs from 'node:fs';
import { replace, textOf } from './file.mjs';

/** As long as Milepost's own hint lives, so that the same pauses outlast it. */
const STALE_MS = 2_000;

/** As long as an operation of Milepost waits. */
const DEADLINE_MS = 5_000;

const LONGEST_WAIT_MS = 30;

export function change(file, next) {
  const lock = `${file}.lock`;
  acquire(lock);
  try {
    replace(file, next(textOf(file)));
  } finally {
    fs.rmSync(lock, { recursive: true, force: true });
  }
}

function acquire(lock) {
  const deadline = performance.now() + DEADLINE_MS;
  for (;;) {
    try {
      fs.mkdirSync(lock);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isStale(lock)) {
      fs.rmSync(lock, { recursive: true, force: true });
      continue;
    }
    if (performance.now() > deadline) throw { code: 'busy', message: 'the lock is held' };
    wait(1 + Math.random() * LONGEST_WAIT_MS);
  }
}

function isStale(lock) {
  const made = fs.statSync(lock, { throwIfNoEntry: false });
  return made !== undefined && Date.now() - made.mtimeMs > STALE_MS;
}

function wait(milliseconds) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
