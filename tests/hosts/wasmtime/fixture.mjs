// Shared parts of the tests of the component: the two command lines, and worlds to run them in.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { finish } from '../node/alike.mjs';

export { files, onNode, steady, stored } from '../node/alike.mjs';
export { bin, git, repository, emptyFolder as folder } from '../node/fixture.mjs';

export const wasmtime = given('MILEPOST_WASMTIME');
export const component = given('MILEPOST_COMPONENT');

function given(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} names no file: \`cargo xtask test\` sets it`);
  return value;
}

/** The component compiled for this machine, as an installation would. */
export const compiled = given('MILEPOST_COMPILED');

/** Only what `--dir` and `--env` give reaches the component. It is called `milepost`, as what is shown then says. */
export function wasmtimeWords(words, options = ['--dir', '.']) {
  return ['run', '--argv0', 'milepost', '--allow-precompiled', ...options, compiled, ...words];
}

/** @param {{options?: string[], input?: string, stdio?: any[]}} [how] */
export function onWasmtime(cwd, words, { options, ...how } = {}) {
  const run = spawnSync(wasmtime, wasmtimeWords(words, options), { cwd, encoding: 'utf8', ...how });
  return finish(run);
}

/** The message of a refused update: others were in the way, and nothing was written. */
const BUSY = 75;

/** No machine is so slow that an update is refused more often in a row. */
const MOST_TRIES = 20;

/** One update by a process of its own, among others; tried again while it is refused as busy. */
export async function acknowledgedByWasmtime(root, words) {
  for (let tries = 1; ; tries++) {
    const run = spawn(wasmtime, wasmtimeWords(words), { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
    let error = '';
    run.stderr.setEncoding('utf8').on('data', (text) => (error += text));
    const [code, signal] = await once(run, 'close');
    if (code === 0) return;
    if (code !== BUSY || tries === MOST_TRIES) {
      throw new Error(`${words.join(' ')} ended with ${code ?? signal}: ${error}`);
    }
  }
}
