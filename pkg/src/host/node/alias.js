// The other name of the folder that is worked in, where symbolic links lead to it.

import fs from 'node:fs';
import path from 'node:path';

/** @typedef {{name: string, folder: string}} Alias another name of a folder */

/**
 * The other name of a folder, or of the highest one above it that the links of the name lead to; null where there is no
 * other.
 *
 * @param {string} name absolute, by links
 * @param {string} folder absolute, without links
 * @returns {Alias | null}
 */
export function aliasOf(name, folder) {
  let [from, to] = [path.resolve(name), folder];
  if (from === to || !path.isAbsolute(name) || real(from) !== to) return null;
  // Up to the link itself: all that is in its folder has both names.
  while (path.basename(from) === path.basename(to) && real(path.dirname(from)) === path.dirname(to)) {
    [from, to] = [path.dirname(from), path.dirname(to)];
  }
  return { name: from, folder: to };
}

/**
 * A working folder as the core knows it: without links, and with the name that it was given.
 *
 * @param {string} name absolute
 */
export function workingIn(name) {
  const working = real(name) ?? name;
  return { working, alias: aliasOf(name, working) };
}

/** @param {string} file */
function real(file) {
  try {
    return fs.realpathSync(file);
  } catch {
    return undefined;
  }
}
