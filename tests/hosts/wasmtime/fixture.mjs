// Shared parts of the tests of the component: the two command lines, and worlds to run them in.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { bin } from '../node/fixture.mjs';

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

/** @returns {{code: number | null, out: string, error: string}} null where it was killed */
function finish(run) {
  // One that ends without reading its input leaves no reader.
  if (run.error !== undefined && run.error.code !== 'EPIPE') throw run.error;
  return { code: run.status, out: run.stdout ?? '', error: run.stderr };
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

/** @param {{input?: string, stdio?: any[]}} [how] */
export function onNode(cwd, words, how = {}) {
  return finish(spawnSync(process.execPath, [bin, ...words], { cwd, encoding: 'utf8', ...how }));
}

/** The stored checkpoint of a command. */
export function stored(root, command) {
  const file = path.join(root, '.claude/state', `${command}-checkpoint.json`);
  return JSON.parse(fs.readFileSync(file, 'utf8'));
}

/** An output without the parts that differ between any two runs: times, and what is hashed of them. */
export function steady(text) {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/[0-9a-f]{32}\.[0-9a-f]{32}/g, 'SEAL');
}

/** Every file below a folder, by its path; names that carry a hash are counted as one. Nothing is opened that may wait for a writer. */
export function files(root) {
  const found = {};
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(root, file);
    if (name.split(path.sep)[0] === '.git' || entry.isDirectory()) continue;
    const shown = name.replaceAll(/[0-9a-f]{8,}/g, 'HASH');
    (found[shown] ??= []).push(text(entry, file));
  }
  for (const texts of Object.values(found)) texts.sort();
  return found;
}

function text(entry, file) {
  if (entry.isSymbolicLink()) return 'a link';
  return entry.isFile() ? steady(fs.readFileSync(file, 'utf8')) : 'a special file';
}
