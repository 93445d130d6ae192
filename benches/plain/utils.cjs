'use strict';

// The file functions that the source documents presuppose, under the name they give the module.

const fs = require('fs');
const path = require('path');

/** @param {string} file @returns {string} */
function readFile(file) {
  return fs.readFileSync(file, 'utf8');
}

/** @param {string} file @param {string} text */
function writeFile(file, text) {
  fs.writeFileSync(file, text);
}

/** @param {string} folder */
function ensureDir(folder) {
  if (!fs.existsSync(folder)) fs.mkdirSync(folder, { recursive: true });
}

/**
 * The documents leave open how the root is found; walking up is the fastest honest way.
 *
 * @returns {string|null}
 */
function getGitRoot() {
  if (process.env.GIT_ROOT) return process.env.GIT_ROOT;
  let folder = process.cwd();
  while (!fs.existsSync(path.join(folder, '.git'))) {
    const parent = path.dirname(folder);
    if (parent === folder) return null;
    folder = parent;
  }
  return folder;
}

/** @returns {string} */
function getStateDir() {
  return path.join(getGitRoot() || process.cwd(), '.claude', 'state');
}

/** @param {string} message @param {unknown} [error] */
function logError(message, error) {
  console.error(error instanceof Error ? `${message}: ${error.message}` : message);
}

module.exports = { readFile, writeFile, ensureDir, getGitRoot, getStateDir, logError };
