// Where the bench runs: the installed package, and throwaway repositories beside it.

import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/**
 * @typedef {object} Ground
 * @property {string} folder the project that has the packed package installed
 * @property {string} version the package's
 * @property {NodeRequire} require as the project's own code would
 * @property {(name: string) => string} script path of a copy of a script of `process/`
 * @property {(name: string) => string} repository makes a git repository with one commit
 * @property {() => void} clear removes what was made
 */

/** @param {string} folder @returns {Ground} */
export function openGround(folder) {
  const require = createRequire(path.join(folder, 'package.json'));
  const { version } = require('milepost/package.json');
  // Below the project, so that scripts find the package the way a user's do, and on the same
  // disk: fsync costs nothing on a memory file system.
  const work = fs.mkdtempSync(path.join(folder, 'bench-'));
  fs.cpSync(path.join(here, 'process'), path.join(work, 'process'), { recursive: true });
  return {
    folder,
    version,
    require,
    script: (name) => path.join(work, 'process', name),
    repository: (name) => makeRepository(path.join(work, name)),
    clear: () => fs.rmSync(work, { recursive: true, force: true }),
  };
}

function makeRepository(folder) {
  fs.mkdirSync(folder);
  const git = (...args) => execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  git('init');
  git(
    ...['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'commit.gpgsign=false'],
    ...['commit', '--allow-empty', '--message', 'first'],
  );
  return folder;
}

/** @param {string} name @returns {string} path of a file of the plain implementation */
export function plain(name) {
  return path.join(here, 'plain', name);
}
