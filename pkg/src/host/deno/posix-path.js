// Paths as Linux and macOS have them: `node:path` takes Deno 8 ms to load.

import { deno } from './system.js';

/**
 * A path from the root on, without `.` and `..`.
 *
 * @param {string} path as it is opened from the working folder
 */
export function resolved(path) {
  const whole = path.startsWith('/') ? path : `${deno.cwd()}/${path}`;
  /** @type {string[]} */
  const parts = [];
  for (const part of whole.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/**
 * The folder that has this one; the root has itself.
 *
 * @param {string} folder resolved
 */
export function parentOf(folder) {
  return folder.slice(0, folder.lastIndexOf('/')) || '/';
}

/**
 * The way from a folder down to one below it.
 *
 * @param {string} folder resolved
 * @param {string} below resolved; the folder itself, or one in it
 */
export function wayDown(folder, below) {
  return folder === '/' ? below.slice(1) : below.slice(folder.length + 1);
}
