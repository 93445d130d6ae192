// The surroundings of a bench: the installed package, and throwaway repositories beside it.

import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/**
 * @typedef {object} Fixture
 * @property {string} folder the project that has the packed package installed
 * @property {string} work what this run may fill, below it
 * @property {string} commandLine path of the package's command line, for node
 * @property {boolean} peers whether the packages of the peers are there
 * @property {string} version the package's
 * @property {NodeRequire} require as the project's own code would
 * @property {(name: string) => string} script path of a copy of a script of `process/`
 * @property {(name: string) => string} plain path of a copy of a file of `plain/`, which finds the
 *   packages of the peers beside it
 * @property {(name: string) => string} repository makes a git repository with one commit
 * @property {() => void} clear removes what was made
 */

/** @param {string} folder @returns {Fixture} */
export function openFixture(folder) {
  const require = createRequire(path.join(folder, 'package.json'));
  const { version } = require('milepost/package.json');
  // Below the project, so that scripts find the package the way a user's do, and on the same
  // disk: fsync costs nothing on a memory file system.
  const work = fs.mkdtempSync(path.join(folder, 'bench-'));
  for (const part of ['process', 'plain']) {
    fs.cpSync(path.join(here, part), path.join(work, part), { recursive: true });
  }
  const peers = process.env.MILEPOST_PEERS;
  if (peers) fs.symlinkSync(peers, path.join(work, 'plain/node_modules'));
  return {
    folder,
    work,
    peers: Boolean(peers),
    commandLine: commandLine(require),
    version,
    require,
    script: (name) => path.join(work, 'process', name),
    plain: (name) => path.join(work, 'plain', name),
    repository: (name) => makeRepository(path.join(work, name)),
    clear: () => fs.rmSync(work, { recursive: true, force: true }),
  };
}

function commandLine(require) {
  const file = require.resolve('milepost/package.json');
  return path.join(path.dirname(file), require(file).bin.milepost);
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
