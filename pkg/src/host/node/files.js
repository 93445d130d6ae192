// Effects on files. Synchronous, and never through a symbolic link that the core did not allow.

import fs from 'node:fs';
import path from 'node:path';
import * as ffi from '../../wasm/ffi.js';
import { DONE } from '../../wasm/ffi.js';
import { DENIED, UNSEEN, inspectEach } from '../look.js';
import { codeOf, failed, isDenied } from './fault.js';
import { isDeno, mayRead } from './permission.js';

// Windows has none of the last three.
const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0, O_DIRECTORY = 0 } =
  fs.constants;

/** True if an open heeds O_NOFOLLOW: Windows has none, and Deno resolves the path beforehand. */
const REFUSES_LINKS = O_NOFOLLOW !== 0 && !isDeno;

/** A file that was replaced so often between two looks at it is no ordinary one. */
const REPLACEMENTS = 100;

/** Modes of what is made for the user alone, and for others; the system takes away what the umask says. */
const FOLDER_MODES = [0o700, 0o777];
const FILE_MODES = [0o600, 0o666];

const PERMISSION_BITS = 0o7777;
const OWNER_BITS = 0o700;

/**
 * The search ends where the host shows no more. No permission is asked for on its behalf.
 *
 * @param {string} from
 * @param {string} name
 * @returns {number}
 */
export function ascend(from, name) {
  const start = path.resolve(from);
  for (let folder = start; ; ) {
    if (folder !== start && !mayRead(`${folder}/${name}`)) {
      const detail = `no ${name} in any folder that may be read`;
      return ffi.answerFault('unsupported', detail);
    }
    const { kind } = entry(`${folder}/${name}`);
    if (kind !== 'absent') {
      const below = folder === start ? '' : path.relative(folder, start).split(path.sep).join('/');
      return ffi.answerFound(folder, below, kind);
    }
    const parent = path.dirname(folder);
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
    const found = fs.lstatSync(file, { throwIfNoEntry: false });
    if (found === undefined) return { kind: 'absent', size: 0 };
    if (found.isFile()) return { kind: 'file', size: found.size, ...mode(found) };
    if (found.isDirectory()) return { kind: 'folder', size: 0, ...mode(found) };
    return { kind: found.isSymbolicLink() ? 'symlink' : 'other', size: 0 };
  } catch (error) {
    if (isDenied(error)) throw error;
    return ['EACCES', 'EPERM'].includes(codeOf(error)) ? DENIED : UNSEEN;
  }
}

/**
 * Returns the traces that distinguish each file from any other state of it: its times, its size and its number. A whole
 * millisecond is enough, as what was changed of late is not relied on.
 *
 * @param {string} folder
 * @param {string[]} names
 * @returns {number}
 */
export function survey(folder, names) {
  const quietly = { throwIfNoEntry: false };
  const traces = names.map((name) => {
    const found = fs.lstatSync(`${folder}/${name}`, quietly);
    if (!found?.isFile()) return '';
    const modified = Math.floor(found.mtimeMs);
    const changed = Math.max(Math.floor(found.ctimeMs), modified);
    return `${changed} ${modified} ${found.size} ${found.ino}`;
  });
  return ffi.answerNames(traces, true);
}

/**
 * The permission bits. Windows has none: what Node shows there is made up.
 *
 * @param {fs.Stats} found
 */
export function mode(found) {
  return process.platform === 'win32' ? {} : { mode: found.mode & PERMISSION_BITS };
}

/**
 * @param {string} file
 * @param {number} limit
 * @param {number} refuses whether a symbolic link is not followed
 * @returns {number}
 */
export function read(file, limit, refuses) {
  const opened = refuses ? openUnlinked(file, O_RDONLY) : fs.openSync(file, O_RDONLY | O_NONBLOCK);
  try {
    const status = fs.fstatSync(opened);
    if (!status.isFile()) {
      return ffi.answerFault('wrongKind', 'not a regular file');
    }
    if (status.size > limit) return tooLarge(limit);
    return readWhole(opened, status.size, limit);
  } finally {
    fs.closeSync(opened);
  }
}

/**
 * Straight into wasm memory. One byte more than expected shows in one read that the end was reached.
 *
 * @param {number} opened
 * @param {number} size
 * @param {number} limit
 * @returns {number}
 */
function readWhole(opened, size, limit) {
  const buffer = ffi.replyBuffer(size + 1);
  let length = 0;
  while (length <= size) {
    const read = fs.readSync(opened, buffer, length, size + 1 - length, null);
    if (read === 0) {
      ffi.shorten(length);
      return DONE;
    }
    length += read;
  }
  // It has grown since its size was taken.
  const start = Buffer.from(buffer);
  const more = readUpTo(opened, size, limit - length);
  return more === undefined ? tooLarge(limit) : ffi.answerBytes(Buffer.concat([start, more]));
}

/**
 * @param {string} file
 * @param {number} limit
 * @returns {number}
 */
export function readStart(file, limit) {
  const opened = fs.openSync(file, O_RDONLY | O_NONBLOCK);
  try {
    const status = fs.fstatSync(opened);
    if (!status.isFile()) {
      return ffi.answerFault('wrongKind', 'not a regular file');
    }
    const buffer = Buffer.allocUnsafe(Math.min(status.size, limit));
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = fs.readSync(opened, buffer, length, buffer.length - length, null);
    }
    return ffi.answerBytes(buffer.subarray(0, length));
  } finally {
    fs.closeSync(opened);
  }
}

/**
 * Opens a file, but no symbolic link. Where the host has no flag for that, what was opened must be what
 * stood there just before.
 *
 * @param {string} file
 * @param {number} access
 */
export function openUnlinked(file, access) {
  // Without O_NONBLOCK, opening a FIFO would wait for the other end.
  const flags = access | O_NONBLOCK | O_NOFOLLOW;
  if (REFUSES_LINKS) return fs.openSync(file, flags);
  for (let attempt = 0; attempt < REPLACEMENTS; attempt++) {
    const expected = fs.lstatSync(file);
    if (expected.isSymbolicLink()) break;
    const opened = fs.openSync(file, flags);
    const { ino, dev } = fs.fstatSync(opened);
    if (ino === expected.ino && dev === expected.dev) return opened;
    // Replaced in between, as a commit does.
    fs.closeSync(opened);
  }
  throw linked();
}

/** The fault of an open with O_NOFOLLOW at a link. */
export function linked() {
  return Object.assign(new Error('ELOOP: a symbolic link'), { code: 'ELOOP' });
}

/**
 * The rest of a descriptor, or nothing where that is more than `limit` bytes.
 *
 * @param {number} opened
 * @param {number} expected how many bytes there seem to be
 * @param {number} limit
 * @param {(buffer: Buffer, offset: number) => number} [more] how bytes are read
 */
export function readUpTo(
  opened,
  expected,
  limit,
  more = (buffer, offset) => fs.readSync(opened, buffer, offset, buffer.length - offset, null),
) {
  // One byte more than expected shows in one read that the end was reached.
  let buffer = Buffer.allocUnsafe(Math.min(expected, limit) + 1);
  let length = 0;
  for (;;) {
    const read = more(buffer, length);
    if (read === 0) return buffer.subarray(0, length);
    length += read;
    if (length > limit) return undefined;
    if (length === buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(length * 2, limit) + 1);
      buffer.copy(larger);
      buffer = larger;
    }
  }
}

/**
 * @param {number} limit
 * @returns {number}
 */
export function tooLarge(limit) {
  return ffi.answerFault('tooLarge', `more than ${limit} bytes`);
}

/**
 * @param {string} folder
 * @param {number} shared whether it is for others too
 * @returns {number}
 */
export function makeFolder(folder, shared) {
  fs.mkdirSync(folder, FOLDER_MODES[shared]);
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
  const opened = fs.openSync(file, O_WRONLY | O_CREAT | O_EXCL, FILE_MODES[shared]);
  try {
    for (let written = 0; written < bytes.length; ) {
      written += fs.writeSync(opened, bytes, written, bytes.length - written);
    }
    if (durable) fs.fsyncSync(opened);
  } finally {
    fs.closeSync(opened);
  }
  return DONE;
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {number}
 */
export function rename(from, to) {
  fs.renameSync(from, to);
  return DONE;
}

/**
 * @param {string} from
 * @param {string} to
 * @returns {number}
 */
export function link(from, to) {
  try {
    fs.linkSync(from, to);
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
  // Deno's unlink takes empty folders too.
  if (isDeno && entry(file).kind === 'folder') {
    return ffi.answerFault('wrongKind', 'a folder');
  }
  fs.unlinkSync(file);
  return DONE;
}

/**
 * @param {string} folder
 * @returns {number}
 */
export function removeFolder(folder) {
  fs.rmdirSync(folder);
  return DONE;
}

/**
 * Through a descriptor: a path could lead to a link by the time that its mode is changed.
 *
 * @param {string} path
 * @returns {number}
 */
export function restrict(path) {
  if (process.platform === 'win32') {
    return ffi.answerFault('unsupported', 'there are no modes');
  }
  const opened = openUnlinked(path, O_RDONLY);
  try {
    const found = fs.fstatSync(opened);
    if (!found.isDirectory() && !found.isFile()) {
      return ffi.answerFault('wrongKind', 'not a file or folder');
    }
    // A bit that the owner does not have stays off.
    fs.fchmodSync(opened, found.mode & OWNER_BITS);
    return DONE;
  } finally {
    fs.closeSync(opened);
  }
}

/**
 * @param {string} path
 * @param {number} limit
 * @returns {number}
 */
export function list(path, limit) {
  // The core has looked for a link, and no listing of Node's can refuse one by itself.
  // All names or an error: readdir never leaves some out.
  const names = fs.readdirSync(path);
  const complete = names.length < limit;
  return ffi.answerNames(complete ? names : names.slice(0, limit), complete);
}

/**
 * @param {string} folder
 * @returns {number}
 */
export function syncFolder(folder) {
  if (process.platform === 'win32') {
    return ffi.answerFault('unsupported', 'folders cannot be synced');
  }
  const opened = fs.openSync(folder, O_RDONLY | O_DIRECTORY);
  try {
    fs.fsyncSync(opened);
    return DONE;
  } catch (error) {
    // fsync(2): EINVAL where the file system cannot sync a folder.
    return failed(error, { EINVAL: 'unsupported' });
  } finally {
    fs.closeSync(opened);
  }
}
