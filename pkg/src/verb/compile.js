// Before `milepost hooks install --runtime wasmtime`: compiles the component for this machine and its wasmtime.

import processes from 'node:child_process';
import fs from 'node:fs';
import process from 'node:process';
import { sentence } from '../base/messages.js';

/** No component takes wasmtime so long, on any machine. */
const LIMIT_MS = 300_000;

const MISSING = 'there is no `wasmtime` on the PATH; https://docs.wasmtime.dev/cli-install.html says how it is installed';

/**
 * Compiles, and has the command line go on: it says why nothing is registered, where this did not work.
 *
 * @param {any} options of the verb: the paths `component` and `compiled`
 * @param {import('milepost:hosted').Hosting} host
 * @returns {Promise<number>} the exit code
 */
export async function run({ component, compiled }, host) {
  return host.goOn({ compiled: failureOf(component, compiled) ?? true });
}

/**
 * Returns why a component could not be compiled; null where it was. Hooks that run in parallel find the file of before,
 * or the whole new one.
 *
 * @param {string} component
 * @param {string} compiled
 * @returns {string | null}
 */
function failureOf(component, compiled) {
  const unfinished = `${compiled}.${process.pid}.tmp`;
  try {
    fs.accessSync(component, fs.constants.R_OK);
    const words = ['compile', '-o', unfinished, component];
    const { error, status, signal, stderr } = processes.spawnSync('wasmtime', words, {
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
      timeout: LIMIT_MS,
      windowsHide: true,
    });
    if (error !== undefined) return /** @type {NodeJS.ErrnoException} */ (error).code === 'ENOENT' ? MISSING : error.message;
    if (status !== 0) return `wasmtime ended with ${status ?? signal}: ${stderr.trim().replace(/\s+/g, ' ')}`;
    fs.renameSync(unfinished, compiled);
    return null;
  } catch (error) {
    return sentence(error);
  } finally {
    fs.rmSync(unfinished, { force: true });
  }
}
