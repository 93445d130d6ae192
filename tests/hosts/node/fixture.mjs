// Shared parts of the tests of the installed package.

import '../environment.mjs';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as os from 'node:os';
import * as path from 'node:path';

export const require = createRequire(import.meta.url);

/** The options of a test that needs git, which is required except under Windows. */
export const needsGit = {
  skip: process.platform === 'win32' && spawnSync('git', ['--version']).error && 'there is no git',
};

/** A folder of its own, removed after the test. */
export function emptyFolder(test) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-'));
  test.after(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs git in a folder. Returns what it printed. */
export function git(cwd, ...words) {
  return execFileSync('git', words, { cwd, encoding: 'utf8' }).trim();
}

/** Makes such a folder as a repository, with these files in its one commit. */
export function repository(test, files = {}) {
  const root = emptyFolder(test);
  git(root, 'init', '--quiet');
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text);
  }
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  return root;
}

/** Makes such a folder as the root of the silent-fail functions. */
export function silentRoot(test) {
  const folder = emptyFolder(test);
  process.env.GIT_ROOT = folder;
  test.after(() => delete process.env.GIT_ROOT);
  return folder;
}

/** The text on standard error, line by line, from now to the end of the test. */
export function standardError(test) {
  const lines = [];
  test.mock.method(console, 'error', (line) => lines.push(line));
  return lines;
}

/** Returns the path of a document of the state folder. */
export function stateFile(root, name) {
  return path.join(root, '.claude/state', name);
}

/** The folder of the installed package. */
export const installed = path.dirname(require.resolve('milepost/package.json'));

/** The file of the command line. */
export const bin = path.join(installed, require('milepost/package.json').bin.milepost);

/** Runs the command line to its end. */
export function milepost(cwd, words, input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], { cwd, input, encoding: 'utf8' });
  return { code: status, out: stdout, error: stderr };
}

/**
 * Runs a program at a terminal, with the keys of `input`, and the end of them behind; undefined where nothing
 * here makes a terminal. `raw` has the carriage returns.
 *
 * @param {string[]} words
 * @param {{input?: string, env?: Record<string, string>, cwd?: string}} how
 */
export function onTerminal(words, { input = '', env = {}, cwd }) {
  if (process.platform !== 'linux') return undefined;
  const command = words.map((word) => `'${word}'`).join(' ');
  const run = spawnSync('script', ['-qec', command, '/dev/null'], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, TERM: 'xterm', ...env },
    input,
  });
  if (run.error !== undefined) return undefined;
  return { code: run.status, raw: run.stdout, out: run.stdout.replaceAll('\r', '') };
}

/** Runs code in a Node process of its own, beside this file; returns its standard output. */
export function node(code, { type = 'commonjs', env = {} } = {}) {
  const run = spawnSync(process.execPath, [`--input-type=${type}`, '-e', code], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  if (run.status !== 0) throw new Error(`node ended with ${run.status}: ${run.stderr}`);
  return run.stdout;
}
