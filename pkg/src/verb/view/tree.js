// The files that a viewer shows, each under an id that says nothing, and read with the care of the host adapter: no
// symbolic link is followed, no FIFO waited for, and a file is whole or not there.

import crypto from 'node:crypto';
import fs from 'node:fs';
import { codeOf } from '../../host/node/fault.js';
import { linked, openUnlinked, readUpTo } from '../../host/node/files.js';

/** The greatest size of a document; of a larger file its size alone is shown. */
export const MAX_BYTES = 16 * 1024 * 1024;

const QUIETLY = { throwIfNoEntry: false };

/**
 * A folder that may be looked into. `way` has those that lead to it, with itself.
 *
 * @typedef {{path: string, host: string, way: string[]}} Folder
 */

/** A folder, or a file in one. @typedef {{folder: Folder, name: string | null}} Known */

/** The first line of a frame. @typedef {Record<string, unknown>} Header */

/**
 * The entry at a name. `trace` changes with it.
 *
 * @typedef {{header: Header, trace: string, isFolder: boolean}} Entry
 */

export class Tree {
  /** Of another run every id is another one. */
  #run = crypto.randomBytes(6).toString('base64url');
  /** @type {Map<string, string>} ids by path */
  #ids = new Map();
  /** @type {Map<string, Known>} */
  #known = new Map();

  /**
   * The id of a folder, or of a file in it.
   *
   * @param {Folder} folder
   * @param {string | null} [name]
   */
  id(folder, name = null) {
    // No path ends so, so that a folder and the file that takes its place are two.
    const key = name === null ? `${folder.path}/` : at(folder, name);
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = `${this.#run}-${this.#ids.size.toString(36)}`;
    this.#ids.set(key, id);
    this.#known.set(id, { folder, name });
    return id;
  }

  /** @param {string} id */
  of(id) {
    return this.#known.get(id);
  }

  /**
   * Returns the header of a folder.
   *
   * @param {Folder} folder
   * @returns {Header}
   */
  header(folder) {
    return { folder: folder.path, id: this.id(folder) };
  }
}

/**
 * The path of a name in a folder, as a viewer calls it.
 *
 * @param {Folder} folder
 * @param {string} name
 */
export function at(folder, name) {
  return folder.path === '' ? name : `${folder.path}/${name}`;
}

/**
 * A folder in another one.
 *
 * @param {Folder} folder
 * @param {string} name
 * @returns {Folder}
 */
export function below(folder, name) {
  const host = `${folder.host}/${name}`;
  return { path: at(folder, name), host, way: [...folder.way, host] };
}

/**
 * Returns whether anything stands where a folder in a listed one would: most have none, and are looked for by the
 * thousand.
 *
 * @param {Folder} folder
 */
export function isThere({ host }) {
  try {
    return fs.lstatSync(host, QUIETLY) !== undefined;
  } catch {
    // Its kind is found when it is listed.
    return true;
  }
}

/**
 * Checks that every part of the way to a folder is one; returns the header that stands in its place otherwise.
 *
 * @param {Folder} folder
 * @returns {Header | null}
 */
export function obstacle({ path, way }) {
  for (const [at, host] of way.entries()) {
    const part = above(path, way.length - 1 - at);
    try {
      const found = fs.lstatSync(host, QUIETLY);
      if (found === undefined) return { gone: path };
      if (found.isSymbolicLink()) return { link: part };
      if (!found.isDirectory()) return { file: part, modified: 0, size: 0, fault: 'io' };
    } catch (error) {
      return fault(path, error);
    }
  }
  return null;
}

/**
 * Returns the viewer's name for the folder so many steps above one; of one that is elsewhere, the path there is not
 * shown.
 *
 * @param {string} path
 * @param {number} steps
 */
function above(path, steps) {
  const parts = path.split('/');
  return steps < parts.length ? parts.slice(0, parts.length - steps).join('/') : path;
}

/**
 * The names in a folder; the header in its place where they cannot be read.
 *
 * @param {Folder} folder
 * @returns {fs.Dirent[] | Header}
 */
export function entries(folder) {
  const found = obstacle(folder);
  if (found !== null) return found;
  try {
    return fs.readdirSync(folder.host, { withFileTypes: true });
  } catch (error) {
    return fault(folder.path, error);
  }
}

/**
 * Returns the entry at a name of a folder, without its content.
 *
 * @param {Tree} tree
 * @param {Folder} folder
 * @param {string} name
 * @returns {Entry}
 */
export function look(tree, folder, name) {
  const path = at(folder, name);
  try {
    const found = fs.lstatSync(`${folder.host}/${name}`, QUIETLY);
    if (found === undefined) return entry({ gone: path }, '');
    if (found.isSymbolicLink()) return entry({ link: path }, `link ${found.ino}`);
    if (found.isDirectory()) {
      return entry(tree.header(below(folder, name)), `folder ${found.ino}`, true);
    }
    const { modified, size } = measured(found);
    // Neither a file nor a folder: it is never opened.
    if (!found.isFile()) return entry({ file: path, modified, size: 0, fault: 'io' }, `other ${found.ino}`);
    const trace = `${found.mtimeMs} ${found.ctimeMs} ${size} ${found.ino}`;
    return entry({ file: path, modified, size, id: tree.id(folder, name) }, trace);
  } catch (error) {
    const header = fault(path, error);
    return entry(header, JSON.stringify(header));
  }
}

/**
 * @param {Header} header
 * @param {string} trace
 */
function entry(header, trace, isFolder = false) {
  return { header, trace, isFolder };
}

/**
 * A file with its content, read whole before any of it is sent.
 *
 * @param {Tree} tree
 * @param {Folder} folder
 * @param {string} name
 * @returns {{header: Header, content?: Buffer}}
 */
export function read(tree, folder, name) {
  const path = at(folder, name);
  const file = `${folder.host}/${name}`;
  let opened;
  try {
    opened = openUnlinked(file, fs.constants.O_RDONLY);
    const found = fs.fstatSync(opened);
    const { modified, size } = measured(found);
    if (!found.isFile()) return { header: { file: path, modified, size: 0, fault: 'io' } };
    const id = tree.id(folder, name);
    const content = size > MAX_BYTES ? undefined : readUpTo(opened, size, MAX_BYTES);
    if (content === undefined) {
      return { header: { file: path, modified, size: Math.max(size, MAX_BYTES + 1), id } };
    }
    return { header: { file: path, modified, bytes: content.length, id }, content };
  } catch (error) {
    return { header: fault(path, error) };
  } finally {
    if (opened !== undefined) fs.closeSync(opened);
  }
}

/** @param {fs.Stats} found */
function measured({ mtimeMs, size }) {
  return { modified: Math.floor(mtimeMs), size };
}

/**
 * Returns the header of a path where the host refuses something.
 *
 * @param {string} path
 * @param {unknown} error
 * @returns {Header}
 */
function fault(path, error) {
  switch (codeOf(error)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return { gone: path };
    case linked().code:
    case 'EMLINK':
      return { link: path };
    case 'EACCES':
    case 'EPERM':
      return { file: path, modified: 0, size: 0, fault: 'denied' };
    default:
      return { file: path, modified: 0, size: 0, fault: 'io' };
  }
}
