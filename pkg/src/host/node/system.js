// Effects on everything but files: clocks, chance, git, and the streams of the command line.

import fs from 'node:fs';
import path from 'node:path';
import * as ffi from '../../wasm/ffi.js';
import { codeOf, failed, isDenied } from './fault.js';
import { readUpTo, tooLarge } from './files.js';
import { isDeno } from './permission.js';

/** The time that git may take, in ms. */
const GIT_TIME = 5000;
/** The number of bytes that git may print. The core asks for single lines. */
const GIT_OUTPUT = 1024 * 1024;
/** Between two tries on a stream that is not ready, in ms. */
const STREAM_PAUSE = 5;
/** The byte that ends a line. */
const NEWLINE = 10;

/**
 * The options that every host runs git with: see `src/effect/git_process.rs`, to which a test holds these. No program
 * of a repository is run for it; of filters and of external programs of `diff` the arguments see to that.
 */
const GIT_OPTIONS = ['--no-pager', '-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];
/** Nothing is locked, asked or fetched. */
const GIT_VARIABLES = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  LC_ALL: 'C',
};
/** These lead git to another repository than that of the folder, or to another configuration. */
const GIT_ELSEWHERE = [
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_COMMON_DIR',
  'GIT_INDEX_FILE',
  'GIT_OBJECT_DIRECTORY',
  'GIT_NAMESPACE',
  'GIT_CONFIG',
];

/** @returns {number} */
export function clock() {
  const [seconds, nanoseconds] = process.hrtime();
  return ffi.answerClock(Date.now(), seconds * 1000 + nanoseconds / 1e6);
}

/** The number of random bytes that are fetched together: an update takes 16. */
const POOL = 256;
/** @type {Buffer} bytes that were not handed out yet */
let pool = Buffer.alloc(0);

/**
 * @param {number} length
 * @returns {number}
 */
export function random(length) {
  if (pool.length < length) {
    const wanted = Math.max(length, POOL);
    pool = deviceBytes(wanted) ?? cryptoBytes(wanted);
  }
  const bytes = pool.subarray(0, length);
  pool = pool.subarray(length);
  return ffi.answerBytes(bytes);
}

/**
 * From the kernel's file where there is one: in Node, `crypto` takes longer to load than the rest of
 * an update.
 *
 * @param {number} length
 */
function deviceBytes(length) {
  // Deno would ask for it, and has its generator loaded.
  if (process.platform === 'win32' || isDeno) return undefined;
  let device;
  try {
    device = fs.openSync('/dev/urandom', 'r');
    const bytes = Buffer.alloc(length);
    const real = fs.fstatSync(device).isCharacterDevice();
    return real && fs.readSync(device, bytes, 0, length, null) === length ? bytes : undefined;
  } catch {
    return undefined;
  } finally {
    if (device !== undefined) fs.closeSync(device);
  }
}

/** @param {number} length */
function cryptoBytes(length) {
  // The global one: Deno and Bun have it at hand, where `node:crypto` takes them long to load.
  return crypto.getRandomValues(Buffer.alloc(length));
}

/**
 * @param {number} ms
 * @returns {number}
 */
export function wait(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return ffi.DONE;
}

/**
 * @param {string} folder
 * @param {string[]} words what follows `git`
 * @returns {number}
 */
export function git(folder, words) {
  try {
    return runGit(folder, words);
  } catch (error) {
    if (isDenied(error)) return ffi.answerFault('unsupported', 'not allowed');
    throw error;
  }
}

/**
 * @param {string} folder
 * @param {string[]} words
 * @returns {number}
 */
function runGit(folder, words) {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  /** @type {NodeJS.ProcessEnv} */
  const env = { ...process.env, ...GIT_VARIABLES };
  for (const name of GIT_ELSEWHERE) delete env[name];

  // By -C, not by the working folder: Windows looks for programs there first, be it the one of this process.
  const isWindows = process.platform === 'win32';
  const run = spawnSync('git', ['-C', isWindows ? path.resolve(folder) : folder, ...GIT_OPTIONS, ...words], {
    cwd: isWindows ? path.dirname(process.execPath) : undefined,
    env,
    maxBuffer: GIT_OUTPUT,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: GIT_TIME,
    windowsHide: true,
  });
  if (run.error !== undefined) return failed(run.error, { ENOENT: 'unsupported' });
  if (run.status !== 0) {
    const end = run.status === null ? `signal ${run.signal}` : `status ${run.status}`;
    return ffi.answerFault('other', `git ended with ${end}`);
  }
  return ffi.answerBytes(run.stdout);
}

/**
 * @param {number} descriptor
 * @param {Uint8Array} bytes
 * @returns {number}
 */
export function print(descriptor, bytes) {
  for (let written = 0; written < bytes.length; ) {
    written += patiently(() => fs.writeSync(descriptor, bytes, written));
  }
  return ffi.DONE;
}

/**
 * @param {number} limit
 * @returns {number}
 */
export function input(limit) {
  const bytes = readUpTo(0, 4096, limit, (buffer, offset) => {
    return standardInput(buffer, offset, buffer.length - offset);
  });
  return bytes === undefined ? tooLarge(limit) : ffi.answerBytes(bytes);
}

/**
 * One line of standard input, byte by byte: what is behind it is left to the next reader.
 *
 * @param {number} limit
 * @returns {number}
 */
export function line(limit) {
  const bytes = Buffer.alloc(limit);
  for (let length = 0; length < limit; length += 1) {
    if (standardInput(bytes, length, 1) === 0) return ffi.answerBytes(bytes.subarray(0, length));
    if (bytes[length] === NEWLINE) return ffi.answerBytes(bytes.subarray(0, length + 1));
  }
  return tooLarge(limit);
}

/**
 * @param {Buffer} buffer
 * @param {number} offset
 * @param {number} length
 * @returns {number} how many bytes were read, 0 at its end
 */
function standardInput(buffer, offset, length) {
  try {
    return patiently(() => fs.readSync(0, buffer, offset, length, null));
  } catch (error) {
    // Windows reports the end of a pipe or console in this way.
    if (codeOf(error) === 'EOF') return 0;
    throw error;
  }
}

/**
 * Tries until the stream is ready: the other side may have made it non-blocking.
 *
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
function patiently(call) {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if (codeOf(error) !== 'EAGAIN') throw error;
      wait(STREAM_PAUSE);
    }
  }
}
