// The command line on wasmtime, as a host of the scenarios of `tests/scenarios/hand`.

import { spawnSync } from 'node:child_process';
import { commandLine } from '../node/scenarios/command-line.mjs';
import { wasmtime, wasmtimeWords } from './fixture.mjs';

/** More than the largest document. */
const MAX_OUTPUT = 64 * 1024 ** 2;

export const { asked, ask, line } = commandLine((root, words, input = '') => {
  const options = ['--dir', `${root}::.`];
  const run = spawnSync(wasmtime, wasmtimeWords(['--root', '.', ...words], options), {
    cwd: root,
    encoding: 'utf8',
    input,
    maxBuffer: MAX_OUTPUT,
  });
  if (run.error !== undefined && run.error.code !== 'EPIPE') throw run.error;
  return run;
});
