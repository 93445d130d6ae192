// Shared parts of the tests of the command line as a program of this machine.

import { spawnSync } from 'node:child_process';
import { finish } from '../node/alike.mjs';

export { onNode, stored } from '../node/alike.mjs';
export { emptyFolder, git, onTerminal, repository } from '../node/fixture.mjs';

/** The program. */
export const native = given('MILEPOST_NATIVE');

function given(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} names no file: \`cargo xtask test\` sets it`);
  return value;
}

/**
 * Runs it to its end, under its usual name: commands that it shows begin with that.
 *
 * @param {{input?: string, stdio?: any[], env?: NodeJS.ProcessEnv, maxBuffer?: number}} [how]
 */
export function onNative(cwd, words, how = {}) {
  return finish(spawnSync(native, words, { cwd, argv0: 'milepost', encoding: 'utf8', ...how }));
}
