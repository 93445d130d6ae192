// Effects on files over `Deno.*`. Synchronous, and never through a symbolic link that the core did
// not allow.

import * as ffi from '../../wasm/ffi.js';
import { DONE } from '../../wasm/ffi.js';
import { DENIED, UNSEEN, inspectEach } from '../look.js';
import { codeOf, failed } from './fault.js';
import { isDenied } from '../node/fault.js';
import { deno, mayRead } from './system.js';
import { parentOf, resolved, wayDown } from './posix-path.js';

/** @typedef {import('./system.js').FileInfo} FileInfo */
/** @typedef {import('./system.js').FsFile} FsFile */

/** A file that was replaced so often between two looks at it is no ordinary one. */
const REPLACEMENTS = 100;

/** Modes of what is made for the user alone, and for others; the system takes away what the umask says. */
const FOLDER_MODES = [0o700, 0o777];
const FILE_MODES = [0o600, 0o666];

const PERMISSION_BITS = 0o7777;

/**
 * The kind of entry that is opened, and the error text for any other kind.
 *
 * @typedef {{is: 'isFile' | 'isDirectory', otherwise: string}} Wanted
 */

/** @type {Wanted} */
const FILE = { is: 'isFile', otherwise: 'not a regular file' };
/** @type {Wanted} */
const FOLDER = { is: 'isDirectory', otherwise: 'ENOTDIR: not a directory' };

/** @type {import('../look.js').Entry} */
const ABSENT = { kind: 'absent', size: 0 };

/**
 * The search ends where Deno shows no more. No permission is asked for on its behalf.
 *
 * @param {string} from
 * @param {string} name
 * @returns {number}
 */
export function ascend(from, name) {
  const start = resolved(from);
  for (let folder = start; ; ) {
    if (folder !== start && !mayRead(`${folder}/${name}`)) {
      const detail = `no ${name} in any folder that may be read`;
      return ffi.answerFault('unsupported', detail);
    }
    const { kind } = entry(`${folder}/${name}`);
    if (kind !== 'absent') return ffi.answerFound(folder, wayDown(folder, start), kind);
    const parent = parentOf(folder);
    if (parent === folder) {
      return ffi.answerFault('notFound', `no ${name} in any folder above`);
    }
    folder = parent;
  }
}

/** @param {string} paths as of {@link inspectEach} */
export const inspect = (paths) => inspectEach(paths, entry);

/**
 * Returns what stands at a path; `denied` where the user may not look, `other` where no one can.
 *
 * @param {string} file
 * @returns {import('../../../types/operation.js').Entry}
 * @throws where Deno was not allowed to look: its reason says what to allow
 */
function entry(file) {
  try {
    const found = deno.lstatSync(file);
    if (found.isFile) return { kind: 'file', size: found.size, ...mode(found) };
    if (found.isDirectory) return { kind: 'folder', size: 0, ...mode(found) };
    return { kind: found.isSymlink ? 'symlink' : 'other', size: 0 };
  } catch (error) {
    if (isDenied(error)) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT') return ABSENT;
    return ['EACCES', 'EPERM'].includes(code) ? DENIED : UNSEEN;
  }
}

/**
 * Returns the traces that distinguish each file from any other state of it, as Node's adapter has it.
 *
 * @param {string} folder
 * @param {string[]} names
 * @returns {number}
 */
export function survey(folder, names) {
  return ffi.answerNames(names.map((name) => trace(`${folder}/${name}`)), true);
}

/** @param {string} file */
function trace(file) {
  try {
    const { isFile, mtime, ctime, size, ino } = deno.lstatSync(file);
    const modified = Number(mtime);
    return isFile ? `${Math.max(Number(ctime), modified)} ${modified} ${size} ${ino}` : '';
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** @param {FileInfo} found */
function mode(found) {
  return found.mode === null ? {} : { mode: found.mode & PERMISSION_BITS };
}

/**
 * @param {string} file
 * @param {number} limit
 * @param {number} refuses whether a symbolic link is not followed
 * @returns {number}
 */
export function read(file, limit, refuses) {
  return within(file, refuses ? deno.lstatSync : deno.statSync, FILE, (opened, size) =>
    size > limit ? tooLarge(limit) : readWhole(opened, size, limit),
  );
}

/**
 * @param {string} file
 * @param {number} limit
 * @returns {number}
 */
export function readStart(file, limit) {
  return within(file, deno.statSync, FILE, (opened, size) => {
    const buffer = ffi.replyBuffer(Math.min(size, limit));
    ffi.shorten(fill(opened, buffer));
    return DONE;
  });
}

/**
 * Opens what is to be read, or answers why not. Deno has no flags for it: neither `O_NOFOLLOW`, so
 * that what was opened has to be what a look found just before, nor `O_NONBLOCK`, so that a FIFO, whose
 * opening waits for a writer, is refused by the look.
 *
 * @param {string} path
 * @param {(path: string) => FileInfo} look
 * @param {Wanted} wanted
 * @param {(opened: FsFile, size: number) => number} action
 * @returns {number}
 */
function within(path, look, { is, otherwise }, action) {
  for (let attempt = 0; attempt < REPLACEMENTS; attempt++) {
    const expected = look(path);
    if (expected.isSymlink) break;
    if (!expected[is]) return ffi.answerFault('wrongKind', otherwise);
    const opened = deno.openSync(path, { read: true });
    try {
      const { ino, dev, size } = opened.statSync();
      // Otherwise replaced in between, as a commit does.
      if (ino === expected.ino && dev === expected.dev) return action(opened, size);
    } finally {
      opened.close();
    }
  }
  return ffi.answerFault('symlink', 'ELOOP: a symbolic link');
}

/**
 * Straight into wasm memory. One byte more than expected shows that the end was reached.
 *
 * @param {FsFile} opened
 * @param {number} size
 * @param {number} limit
 * @returns {number}
 */
function readWhole(opened, size, limit) {
  const buffer = ffi.replyBuffer(size + 1);
  const length = fill(opened, buffer);
  if (length <= size) {
    ffi.shorten(length);
    return DONE;
  }
  // It has grown since its size was taken.
  let bytes = buffer.slice();
  for (;;) {
    if (bytes.length > limit) return tooLarge(limit);
    const larger = new Uint8Array(Math.min(bytes.length * 2, limit) + 1);
    larger.set(bytes);
    const more = fill(opened, larger.subarray(bytes.length));
    const whole = bytes.length + more;
    if (whole < larger.length) return ffi.answerBytes(larger.subarray(0, whole));
    bytes = larger;
  }
}

/**
 * Reads until the buffer is full or nothing is left.
 *
 * @param {FsFile} opened
 * @param {Uint8Array} buffer
 * @returns {number} how many bytes
 */
function fill(opened, buffer) {
  let length = 0;
  while (length < buffer.length) {
    const read = opened.readSync(buffer.subarray(length));
    if (read === null) break;
    length += read;
  }
  return length;
}

/**
 * @param {number} limit
 * @returns {number}
 */
function tooLarge(limit) {
  return ffi.answerFault('tooLarge', `more than ${limit} bytes`);
}

/**
 * @param {string} folder
 * @param {number} shared whether it is for others too
 * @returns {number}
 */
export function makeFolder(folder, shared) {
  deno.mkdirSync(folder, { mode: FOLDER_MODES[shared] });
  return DONE;
}

/**
 * @param {string} file
 * @param {Uint8Array} bytes
 * @param {number} durable whether it waits for stable storage
 * @param {number} shared whether it is for others too
 * @returns {number}
 */
export function create(file, bytes, durable, shared) {
  const opened = deno.openSync(file, { write: true, createNew: true, mode: FILE_MODES[shared] });
  try {
    for (let written = 0; written < bytes.length; ) {
      written += opened.writeSync(bytes.subarray(written));
    }
    if (durable) opened.syncSync();
  } finally {
    opened.close();
  }
  return DONE;
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {number}
 */
export function rename(from, to) {
  deno.renameSync(from, to);
  return DONE;
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {number}
 */
export function link(from, to) {
  try {
    deno.linkSync(from, to);
    return DONE;
  } catch (error) {
    // link(2): EPERM where the file system has no hard links, EISDIR on Windows, EMLINK where it has no more.
    return failed(error, { EPERM: 'unsupported', EISDIR: 'unsupported', EMLINK: 'unsupported' });
  }
}

/**
 * @param {string} file
 * @returns {number}
 */
export function remove(file) {
  // Deno takes empty folders too.
  if (entry(file).kind === 'folder') return ffi.answerFault('wrongKind', 'a folder');
  deno.removeSync(file);
  return DONE;
}

/**
 * @param {string} path
 * @param {number} limit
 * @returns {number}
 */
export function list(path, limit) {
  // The core has looked for a link, and no listing of Deno's can refuse one by itself.
  const names = Array.from(deno.readDirSync(path), ({ name }) => name);
  const complete = names.length < limit;
  return ffi.answerNames(complete ? names : names.slice(0, limit), complete);
}

/**
 * @param {string} folder
 * @returns {number}
 */
export function syncFolder(folder) {
  return within(folder, deno.statSync, FOLDER, (opened) => {
    try {
      opened.syncSync();
      return DONE;
    } catch (error) {
      // fsync(2): EINVAL where the file system cannot sync a folder.
      return failed(error, { EINVAL: 'unsupported' });
    }
  });
}
