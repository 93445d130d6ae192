// The words that start this program again, for sentences of hooks to an agent. A hook is started by an agent, and not by
// a package manager: the files in the folder that the agent works in say which of them starts the program there.

import fs from 'node:fs';
import path from 'node:path';
import { EVERYWHERE, ON_BUN, ON_NPM, ON_PNPM, ON_YARN, isOfProject, isOnPnp } from './program.js';
import { word } from '../base/shell.js';

/** Files that package managers leave in a project, with their words; of several, the first one counts. */
const LOCKS = /** @type {const} */ ([
  ['package-lock.json', ON_NPM],
  ['pnpm-lock.yaml', ON_PNPM],
  ['yarn.lock', ON_YARN],
  ['bun.lock', ON_BUN],
  ['bun.lockb', ON_BUN],
]);

/** The folder of programs that package managers keep beside packages. */
const PROGRAMS = 'node_modules/.bin';

/**
 * The words that start this program where an agent works.
 *
 * @param {{project?: string, payload: any}} happened
 * @returns {string}
 */
export function programOfHook({ project, payload }) {
  // Claude Code has the programs of a plugin on the path of its shell, which hooks do not see.
  if (fs.existsSync(path.join(__dirname, '../bin/milepost'))) return EVERYWHERE;
  if (isOnPnp()) return ON_YARN;
  const folders = [project, payload.workspace_roots?.[0], payload.cwd, payload.directory];
  const working = path.resolve(folders.find((it) => typeof it === 'string' && it !== '') ?? '');
  return ofProject(working) ?? (isOnPath() ? EVERYWHERE : ofFile());
}

/**
 * The words where the packages of a folder, or of one above it, have this one; undefined elsewhere.
 *
 * @param {string} working
 */
function ofProject(working) {
  const files = [path.resolve(working, process.argv[1] ?? ''), __dirname];
  const folder = files.some((file) => isOfProject(file, working)) ? folderAbove(working) : undefined;
  if (folder === undefined) return undefined;
  if (process.versions.bun !== undefined) return ON_BUN;
  // pnpm and Yarn start programs of this very folder alone; npx looks above it as well.
  const isHere = folder === working;
  const lock = isHere ? LOCKS.find(([name]) => fs.existsSync(path.join(working, name))) : undefined;
  return lock?.[1] ?? ON_NPM;
}

/**
 * The folder itself, or the nearest one above it, that has the program among those of its packages; undefined without
 * one: packages may be in a folder above the one that depends on them, which alone has their programs.
 *
 * @param {string} working
 */
function folderAbove(working) {
  for (let folder = working; ; folder = path.dirname(folder)) {
    if (hasProgram(path.join(folder, PROGRAMS))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** Returns true where a shell finds the program by its name alone. */
function isOnPath() {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => folder !== '' && hasProgram(folder));
}

/** @param {string} folder */
function hasProgram(folder) {
  const names = process.platform === 'win32' ? ['milepost.cmd', 'milepost.exe'] : [EVERYWHERE];
  return names.some((name) => fs.existsSync(path.join(folder, name)));
}

/** The words that start it by its file. */
function ofFile() {
  return `node ${word(path.join(__dirname, '../bin/milepost.js').replaceAll('\\', '/'))}`;
}
