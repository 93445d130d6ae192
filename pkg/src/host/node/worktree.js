// Effects on files of a work tree, and on large ones of git and of Milepost: what hooks do without.

import fs from 'node:fs';
import * as ffi from '../../wasm/ffi.js';
import { DONE, KINDS, NO_MODE } from '../../wasm/ffi.js';
import { codeOf, failed, isDenied } from './fault.js';
import { linked, mode, openUnlinked } from './files.js';
import { isDeno } from './permission.js';

const { O_RDONLY, O_WRONLY, O_APPEND, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = fs.constants;

/** Of Linux: a descriptor that names a file or folder and opens nothing. */
const O_PATH = 0o10000000;

const READ_BITS = 0o444;
const EXECUTE_BITS = 0o111;
const NINE_BITS = 0o777;

const [, FILE, FOLDER, SYMLINK, OTHER, DENIED] = KINDS.keys();

/** Node puts this in place of what is no Unicode in a name; half a pair is what Windows allows. */
const STRANGE = /[\uFFFD\uD800-\uDFFF]/u;

/**
 * @param {string} file
 * @param {number} offset
 * @param {number} length
 * @param {number} refuses whether a symbolic link is not followed
 * @returns {number}
 */
export function part(file, offset, length, refuses) {
  const opened = refuses ? openUnlinked(file, O_RDONLY) : fs.openSync(file, O_RDONLY | O_NONBLOCK);
  try {
    const status = fs.fstatSync(opened);
    if (!status.isFile()) return irregular();
    // Straight into wasm memory.
    const buffer = ffi.replyBuffer(Math.max(0, Math.min(status.size - offset, length)));
    let got = 0;
    for (let read = -1; read !== 0 && got < buffer.length; got += read) {
      read = fs.readSync(opened, buffer, got, buffer.length - got, offset + got);
    }
    ffi.shorten(got);
    return DONE;
  } finally {
    fs.closeSync(opened);
  }
}

/**
 * @param {string} file
 * @returns {number}
 */
export function readLink(file) {
  try {
    // Deno has no bytes of it, and fails where it is no text.
    if (isDeno) return ffi.answerText(fs.readlinkSync(file));
    const target = fs.readlinkSync(file, 'buffer');
    if (process.platform !== 'win32') return ffi.answerBytes(target);
    // Node and git put a `\` in place of each `/` there.
    return ffi.answerText(target.toString().replaceAll('\\', '/'));
  } catch (error) {
    // readlink(2): EINVAL where no link stands.
    return failed(error, { EINVAL: 'wrongKind' });
  }
}

/**
 * @param {string} file
 * @param {Uint8Array} bytes
 * @param {number} durable whether it waits for stable storage
 * @returns {number}
 */
export function append(file, bytes, durable) {
  const opened = openUnlinked(file, O_WRONLY | O_APPEND);
  try {
    if (!fs.fstatSync(opened).isFile()) return irregular();
    for (let written = 0; written < bytes.length; ) {
      written += fs.writeSync(opened, bytes, written, bytes.length - written);
    }
    if (durable) fs.fsyncSync(opened);
    return DONE;
  } finally {
    fs.closeSync(opened);
  }
}

/**
 * @param {string} file
 * @param {Uint8Array} target
 * @returns {number}
 */
export function symlink(file, target) {
  const bytes = Buffer.from(target);
  const text = bytes.toString();
  const isText = Buffer.from(text).equals(bytes);
  if (isDeno && !isText) return ffi.answerFault('unsupported', 'Deno makes links of text alone');
  try {
    fs.symlinkSync(isText ? text : bytes, file);
    return DONE;
  } catch (error) {
    // symlink(2): EPERM where the file system has none; on Windows for want of the right to make one.
    return failed(error, { EPERM: 'unsupported' });
  }
}

/**
 * Through a descriptor: a path could lead to a link by the time that its mode is changed. The bits beyond the nine stay
 * as they are.
 *
 * @param {string} file a folder as well, where it gets bits
 * @param {number} isExecutable whether the execute bits are added, or taken
 * @param {number} bits those that it gets; more than nine for none
 * @returns {number}
 */
export function setMode(file, isExecutable, bits) {
  if (process.platform === 'win32') {
    return ffi.answerFault('unsupported', 'there are no modes');
  }
  const isSet = bits <= NINE_BITS;
  let opened;
  try {
    opened = openUnlinked(file, O_RDONLY);
  } catch (error) {
    const isClosed = isSet && codeOf(error) === 'EACCES';
    if (!isClosed || isDeno || process.platform !== 'linux') throw error;
    return setUnreadable(file, bits);
  }
  try {
    const found = fs.fstatSync(opened);
    if (!found.isFile() && !(isSet && found.isDirectory())) return irregular();
    const now = mode(found).mode ?? 0;
    const added = now | ((now & READ_BITS) >> 2);
    const turned = isExecutable ? added : now & ~EXECUTE_BITS;
    fs.fchmodSync(opened, isSet ? (now & ~NINE_BITS) | bits : turned);
    return DONE;
  } finally {
    fs.closeSync(opened);
  }
}

/**
 * Gives the nine bits to what its owner may not read.
 *
 * @param {string} file
 * @param {number} bits
 * @returns {number}
 */
function setUnreadable(file, bits) {
  const opened = fs.openSync(file, O_PATH | O_NOFOLLOW);
  try {
    const found = fs.fstatSync(opened);
    if (!found.isFile() && !found.isDirectory()) return irregular();
    // Such a descriptor takes no mode itself, and its name leads to what it is of.
    fs.chmodSync(`/proc/self/fd/${opened}`, ((mode(found).mode ?? 0) & ~NINE_BITS) | bits);
    return DONE;
  } finally {
    fs.closeSync(opened);
  }
}

/** @returns {number} */
function irregular() {
  return ffi.answerFault('wrongKind', 'not a regular file');
}

/**
 * One listing, and one look at each name.
 *
 * @param {string} folder
 * @param {number} limit
 * @returns {number}
 */
export function scan(folder, limit) {
  // Deno takes a `/.` away, which means what a link leads to.
  if (!folder.endsWith('/.') && fs.lstatSync(folder).isSymbolicLink()) throw linked();
  const { names, strange, complete } = namesIn(folder);
  /** @type {string[]} */
  const found = [];
  /** @type {number[]} */
  const numbers = [];
  for (const name of names) {
    if (found.length === limit) return ffi.answerScan(found, numbers, false);
    if (look(`${folder}/${name}`, numbers)) found.push(name);
  }
  for (const name of strange) {
    if (found.length === limit) return ffi.answerScan(found, numbers, false);
    const file = Buffer.concat([Buffer.from(`${folder}/`), name]);
    if (look(file, numbers)) found.push(`/${name.toString('hex')}`);
  }
  return ffi.answerScan(found, numbers, complete);
}

/**
 * @param {string} folder
 * @returns {{names: string[], strange: Buffer[], complete: boolean}} the names that are Unicode, the bytes of those
 *   that are not, and whether that is all
 */
function namesIn(folder) {
  const names = fs.readdirSync(folder);
  const usual = names.filter((name) => !STRANGE.test(name));
  if (usual.length === names.length) return { names, strange: [], complete: true };
  // Deno does not give the bytes of a name.
  if (isDeno) return { names: usual, strange: [], complete: false };
  const all = fs.readdirSync(folder, 'buffer');
  /** @param {Buffer} name */
  const isText = (name) => Buffer.from(name.toString()).equals(name);
  const strange = all.filter((name) => !isText(name));
  return { names: all.filter(isText).map(String), strange, complete: true };
}

const QUIETLY = { throwIfNoEntry: false };

/**
 * Adds the facts of what stands at a path, as numbers.
 *
 * @param {string | Buffer} file
 * @param {number[]} numbers
 * @returns {boolean} whether it is still there
 */
function look(file, numbers) {
  try {
    const found = fs.lstatSync(file, QUIETLY);
    if (found === undefined) return false;
    const kind = kindOf(found);
    const size = kind === FILE ? found.size : 0;
    const bits = kind === FILE || kind === FOLDER ? mode(found).mode : undefined;
    const { mtimeMs, ctimeMs, ino } = found;
    numbers.push(kind, size, bits ?? NO_MODE, mtimeMs ?? NaN, ctimeMs ?? NaN, ino ?? 0);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (isDenied(error)) throw error;
    // The folder has made way for something else.
    if (code === 'ENOTDIR') return false;
    const kind = code === 'EACCES' || code === 'EPERM' ? DENIED : OTHER;
    numbers.push(kind, 0, NO_MODE, NaN, NaN, 0);
    return true;
  }
}

/** @param {fs.Stats} found */
function kindOf(found) {
  if (found.isFile()) return FILE;
  if (found.isDirectory()) return FOLDER;
  return found.isSymbolicLink() ? SYMLINK : OTHER;
}
