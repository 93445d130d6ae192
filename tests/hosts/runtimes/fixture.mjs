// Shared parts of the tests of the package on Node, Deno and Bun. They run in Node, and start each
// runtime as its user does.

import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { emptyFolder, git } from '../node/fixture.mjs';

export { emptyFolder };

/** In the project that has the package installed. */
const HERE = import.meta.dirname;

/** Each runtime, and the words before a script. Deno asks for nothing and is given what is named. */
export const RUNTIMES = [
  { name: 'Node', command: () => [process.execPath] },
  { name: 'Deno', command: (permissions) => [given('MILEPOST_DENO'), 'run', '--no-prompt', ...permissions] },
  { name: 'Bun', command: () => [given('MILEPOST_BUN')] },
];

export const [, DENO, BUN] = RUNTIMES;

/** The permissions that the store needs of Deno in a project. */
export const readAndWrite = (project) => [`--allow-read=${project}`, `--allow-write=${project}`];

function given(variable) {
  const program = process.env[variable];
  if (!program) throw new Error(`${variable} names no program: \`cargo xtask test\` sets it`);
  return program;
}

/** A folder of its own, as a repository without a commit. */
export function project(test) {
  const folder = emptyFolder(test);
  git(folder, 'init', '--quiet');
  return folder;
}

/** The script of this name beside this file. */
export const script = (name) => path.join(HERE, name);

/**
 * Starts a script in a runtime.
 *
 * @param {typeof RUNTIMES[number]} runtime
 * @param {string[]} words the script and what follows it
 * @param {{cwd: string, permissions?: string[], env?: Record<string, string>}} options
 */
export function start(runtime, words, { cwd, permissions = [], env = {} }) {
  const [program, ...options] = runtime.command(permissions);
  const child = spawn(program, [...options, ...words], { cwd, env: { ...process.env, NO_COLOR: '1', ...env } });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...output }));
  });
  return { child, ended };
}

/** Runs it to its end, with this on its standard input. */
export function run(runtime, words, { input = '', ...options }) {
  const { child, ended } = start(runtime, words, options);
  // A script that has seen enough closes its end.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return ended;
}

/** The adapter's source, where every runtime takes it for modules. */
export function adapter(t) {
  const folder = emptyFolder(t);
  fs.cpSync(process.env.MILEPOST_ADAPTER, folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  const whole = "module.exports = require('../node-host.js');\n";
  fs.writeFileSync(path.join(folder, 'host/deno/node-host.cjs'), whole);
  return folder;
}
