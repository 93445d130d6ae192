// The parts of Deno that a program has from the start. `process`, `Buffer` and every `node:` module are loaded when
// they are first named, for 5 to 30 ms: the hot path names none of them.

import { DONE } from '../../wasm/ffi.js';

/**
 * As much of Deno as is used here.
 *
 * @typedef {{ino: number | null, dev: number, size: number, mode: number | null, mtime: Date | null,
 *   ctime?: Date | null, isFile: boolean, isDirectory: boolean, isSymlink: boolean}} FileInfo
 * @typedef {{statSync(): FileInfo, syncSync(): void, close(): void,
 *   readSync(into: Uint8Array): number | null, writeSync(bytes: Uint8Array): number}} FsFile
 * @typedef {object} Deno
 * @property {{os: string}} build
 * @property {{get(name: string): string | undefined}} env
 * @property {{querySync(wanted: object): {state: string}}} permissions
 * @property {() => string} cwd
 * @property {(path: string) => Uint8Array<ArrayBuffer>} readFileSync
 * @property {(path: string) => FileInfo} lstatSync
 * @property {(path: string) => FileInfo} statSync
 * @property {(path: string, options: {read?: boolean, write?: boolean, createNew?: boolean,
 *   mode?: number}) => FsFile} openSync
 * @property {(path: string, options: {mode: number}) => void} mkdirSync
 * @property {(from: string, to: string) => void} renameSync
 * @property {(from: string, to: string) => void} linkSync
 * @property {(path: string) => void} removeSync
 * @property {(path: string) => Iterable<{name: string}>} readDirSync
 */

/** @type {Deno} */
export const deno = Reflect.get(globalThis, 'Deno');

/** @param {string} path */
export function mayRead(path) {
  return granted({ name: 'read', path });
}

/**
 * A variable of the environment; undefined where it may not be read.
 *
 * @param {string} name
 * @returns {string | undefined}
 */
export function variable(name) {
  return granted({ name: 'env', variable: name }) ? deno.env.get(name) : undefined;
}

/** @param {object} wanted */
function granted(wanted) {
  return deno.permissions.querySync(wanted).state === 'granted';
}

/**
 * A file of the package, where the package may be read.
 *
 * @param {string} name
 */
export function fileOf(name) {
  const file = `${import.meta.dirname}/${name}`;
  try {
    return mayRead(file) ? deno.readFileSync(file) : undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} length */
export function cryptoBytes(length) {
  return crypto.getRandomValues(new Uint8Array(length));
}

/**
 * @param {number} ms
 * @returns {number}
 */
export function wait(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return DONE;
}
