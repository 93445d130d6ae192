// The words that start this program again, for sentences of hooks to an agent. A hook is started by an agent, and not by
// a package manager: the files beside its package say which one installed it.

import fs from 'node:fs';
import path from 'node:path';
import { EVERYWHERE, programOf, projectOf } from './program.js';
import { word } from './shell.js';

/** Files that package managers leave in a project; of several, the first one counts. npm's needs no other words. */
const LOCKS = /** @type {const} */ ([
  ['package-lock.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['deno.lock', 'deno'],
]);

/**
 * The words that start this program where an agent works.
 *
 * @param {{project?: string, payload: any}} happened
 * @returns {string}
 */
export function programOfHook({ project, payload }) {
  const folders = [project, payload.workspace_roots?.[0], payload.cwd, payload.directory];
  const working = folders.find((it) => typeof it === 'string' && it !== '') ?? process.cwd();
  const files = [path.resolve(working, process.argv[1] ?? ''), __dirname];
  const program = programOf({
    files,
    working,
    agent: managerOf(files),
    isDeno: false,
    isBun: process.versions.bun !== undefined,
    isPnp: process.versions.pnp !== undefined,
    options: process.env.NODE_OPTIONS ?? '',
  });
  // Claude Code has the programs of a plugin on the path of its shell, which hooks do not see.
  if (program !== EVERYWHERE || fs.existsSync(path.join(__dirname, '../bin/milepost')) || isOnPath()) return program;
  return `node ${word(path.join(__dirname, '../bin/milepost.js').replaceAll('\\', '/'))}`;
}

/**
 * The package manager of the project that one of these files is a package of; empty for none.
 *
 * @param {string[]} files
 */
function managerOf(files) {
  for (const file of files) {
    const project = projectOf(file.replaceAll('\\', '/'));
    if (project === null) continue;
    const lock = LOCKS.find(([name]) => fs.existsSync(`${project}/${name}`));
    if (lock !== undefined) return lock[1];
  }
  return '';
}

/** Returns true where a shell finds the program by its name alone. */
function isOnPath() {
  const names = process.platform === 'win32' ? ['milepost.cmd', 'milepost.exe'] : [EVERYWHERE];
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter((it) => it !== '');
  return folders.some((folder) => names.some((name) => fs.existsSync(path.join(folder, name))));
}
