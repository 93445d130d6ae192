// The start of the program where it is installed: the words that every command it shows begins with.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { bin, emptyFolder, installed } from './fixture.mjs';

const links = { skip: process.platform === 'win32' && 'a link is a right of its own there' };

/** The program in the packages of a folder. */
function installedIn(folder) {
  const packages = path.join(folder, 'node_modules');
  fs.mkdirSync(packages, { recursive: true });
  fs.symlinkSync(installed, path.join(packages, 'milepost'));
  return path.join(packages, 'milepost', path.relative(installed, bin));
}

/** Has a folder name the program among those of its packages. */
function nameIn(folder) {
  const programs = path.join(folder, 'node_modules/.bin');
  fs.mkdirSync(programs, { recursive: true });
  fs.writeFileSync(path.join(programs, 'milepost'), '');
}

/** The first command that is shown in a folder without checkpoints, to whom a package manager starts there. */
function next(program, cwd, agent, more = {}) {
  const env = { ...process.env, npm_config_user_agent: agent, ...more };
  return JSON.parse(execFileSync(process.execPath, [program, '--json'], { cwd, env, encoding: 'utf8' })).next[0];
}

test('a program of the project is started by the package manager that started it', links, (t) => {
  const root = emptyFolder(t);
  const program = installedIn(root);
  const within = path.join(root, 'packages/api');
  fs.mkdirSync(within, { recursive: true });
  for (const [agent, expected] of [
    ['npm/10.8.2 node/v20.20.2 linux x64 workspaces/false', 'npx milepost init'],
    ['pnpm/9.15.0 npm/? node/v20.20.2 linux x64', 'pnpm exec milepost init'],
    ['yarn/1.22.22 npm/? node/v20.20.2 linux x64', 'yarn milepost init'],
    ['bun/1.4.0 npm/? node/v22.6.0 linux x64', 'bunx milepost init'],
    ['', 'npx milepost init'],
  ]) {
    assert.equal(next(program, root, agent), expected, agent);
    assert.equal(next(program, within, agent), expected, agent);
  }
});

test('a program that is installed for everything is started by its name alone', links, (t) => {
  const program = installedIn(emptyFolder(t));
  assert.equal(next(program, emptyFolder(t), 'npm/10.8.2 node/v20.20.2 linux x64'), 'milepost init');
});

test('a program that was fetched to be run once is fetched again', links, (t) => {
  for (const [folder, expected] of [
    ['_npx/0a1b2c', 'npx milepost init'],
    ['pnpm/dlx/0a1b2c', 'pnpm dlx milepost init'],
    ['xfs-0a1b2c/dlx-123', 'yarn dlx milepost init'],
    ['bunx-1000-milepost@latest', 'bunx milepost init'],
  ]) {
    const program = installedIn(path.join(emptyFolder(t), folder));
    assert.equal(next(program, emptyFolder(t), ''), expected);
  }
});

/** The options of Node that load a map of packages, as Yarn's shows itself: it has these files or not. */
function mapIn(folder, hasFile) {
  const map = path.join(folder, '.pnp.cjs');
  fs.mkdirSync(folder, { recursive: true });
  const code = `process.versions.pnp = '3'; require('node:module').findPnpApi = () => ${hasFile ? '({})' : 'null'};`;
  fs.writeFileSync(map, code);
  return { NODE_OPTIONS: `--require ${JSON.stringify(map.replaceAll('\\', '/'))}` };
}

test('a program whose packages Yarn maps is one of the project, unless the map is of what is run once', (t) => {
  for (const [folder, expected] of [
    ['project', 'yarn milepost init'],
    ['xfs-0a1b2c/dlx-123', 'yarn dlx milepost init'],
  ]) {
    const root = emptyFolder(t);
    assert.equal(next(bin, root, 'yarn/4.5.0', mapIn(path.join(root, folder), true)), expected);
  }
});

test('a map of packages without the program does not count', links, (t) => {
  const program = installedIn(emptyFolder(t));
  const root = emptyFolder(t);
  assert.equal(next(program, root, 'yarn/4.5.0', mapIn(root, false)), 'milepost init');
});

/** The words that start the program by its file. */
const BY_FILE = /^node '?[^']*\/bin\/milepost\.js'?$/;

/** The words that a session is shown for the program, in the command that takes a run over from another session. */
function shownByHook(hook, root, more = {}) {
  const event = (session_id, hook_event_name, payload) => {
    const input = JSON.stringify({ session_id, cwd: root, hook_event_name, ...payload });
    const env = { ...process.env, npm_config_user_agent: '', ...more };
    const { status, stdout, stderr } = spawnSync(process.execPath, [hook, 'claude-code'], { cwd: root, env, input });
    assert.deepEqual([status, stderr.toString()], [0, '']);
    return stdout.toString();
  };
  fs.mkdirSync(path.join(root, '.git'), { recursive: true });
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  const written = { tool_name: 'Write', tool_input: { file_path: path.join(root, 'a') }, tool_response: {} };
  event('first', 'PostToolUse', written);
  const context = event('second', 'SessionStart', { source: 'startup' });
  const { additionalContext } = JSON.parse(context).hookSpecificOutput;
  const found = /`([^`]+) resume [^`]*--take`/.exec(additionalContext);
  assert.ok(found, additionalContext);
  return found[1];
}

test('a hook of the project names the program by the package manager that installed it', links, (t) => {
  for (const [lock, expected] of [
    [null, 'npx milepost'],
    ['package-lock.json', 'npx milepost'],
    ['pnpm-lock.yaml', 'pnpm exec milepost'],
    ['yarn.lock', 'yarn milepost'],
    ['bun.lock', 'bunx milepost'],
    // The hook runs on Node, and the words of Deno would need the rights that its user gives.
    ['deno.lock', 'npx milepost'],
  ]) {
    const root = emptyFolder(t);
    const hook = path.join(path.dirname(installedIn(root)), 'hook.js');
    nameIn(root);
    if (lock !== null) fs.writeFileSync(path.join(root, lock), '');
    // The agent itself may have been started by another one.
    assert.equal(shownByHook(hook, root, { npm_config_user_agent: 'pnpm/9.15.0 npm/? node/v22.6.0 linux x64' }), expected);
  }
});

test('a hook names the program by what starts it in the folder of a workspace', links, (t) => {
  for (const lock of ['pnpm-lock.yaml', 'yarn.lock']) {
    const root = emptyFolder(t);
    const within = path.join(root, 'packages/api');
    const hook = path.join(path.dirname(installedIn(root)), 'hook.js');
    const more = { PATH: emptyFolder(t) };
    fs.writeFileSync(path.join(root, lock), '');
    nameIn(within);
    assert.equal(shownByHook(hook, within, more), 'npx milepost', 'a dependency of the folder');
    assert.match(shownByHook(hook, root, more), BY_FILE, 'a dependency of a folder below');
    fs.rmSync(path.join(within, 'node_modules'), { recursive: true });
    nameIn(root);
    const other = path.join(root, 'packages/web');
    fs.mkdirSync(other);
    assert.equal(shownByHook(hook, other, more), 'npx milepost', 'a dependency of a folder above');
  }
});

test('a hook whose packages Yarn maps names the program by Yarn', (t) => {
  const hook = path.join(path.dirname(bin), 'hook.js');
  const root = emptyFolder(t);
  assert.equal(shownByHook(hook, root, mapIn(root, true)), 'yarn milepost');
  const other = emptyFolder(t);
  assert.match(shownByHook(hook, other, { ...mapIn(other, false), PATH: emptyFolder(t) }), BY_FILE);
});

test('a hook of another folder names the program by its file, unless a shell finds it by its name', (t) => {
  const hook = path.join(path.dirname(bin), 'hook.js');
  const folder = emptyFolder(t);
  const byFile = shownByHook(hook, emptyFolder(t), { PATH: folder });
  assert.match(byFile, BY_FILE);
  const PATH = [path.dirname(process.execPath), process.env.PATH].join(path.delimiter);
  const env = { ...process.env, PATH };
  const { status, stdout } = spawnSync(`${byFile} --version`, { shell: true, encoding: 'utf8', env });
  assert.deepEqual([status, /\d/.test(stdout)], [0, true]);
  fs.writeFileSync(path.join(folder, process.platform === 'win32' ? 'milepost.cmd' : 'milepost'), '');
  assert.equal(shownByHook(hook, emptyFolder(t), { PATH: folder }), 'milepost');
});
