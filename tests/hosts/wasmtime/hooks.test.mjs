// Hooks that run a component: compiled by the install on Node, and run as an agent would.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';

import { emptyFolder } from '../node/fixture.mjs';
import { bin, component, onWasmtime, wasmtime } from './fixture.mjs';

const SETTINGS = '.claude/settings.local.json';

/** A project with a component beside it. */
function project(t) {
  const root = emptyFolder(t);
  for (const name of ['.git', 'home', 'tools']) fs.mkdirSync(path.join(root, name));
  fs.copyFileSync(component, path.join(root, 'tools/milepost.wasm'));
  return root;
}

/** The wasmtime that programs of agents find, if any. */
function environment(root, { has = true } = {}) {
  const home = path.join(root, 'home');
  const folders = has ? [path.dirname(wasmtime), process.env.PATH] : [home];
  return { ...process.env, HOME: home, USERPROFILE: home, PATH: folders.join(path.delimiter), CLAUDE_PROJECT_DIR: root };
}

function install(root, file, how) {
  const words = ['hooks', 'install', 'claude-code', '--scope', 'local', '--runtime', 'wasmtime', '--component', file];
  const env = environment(root, how);
  const run = spawnSync(process.execPath, [bin, ...words], { cwd: root, env, encoding: 'utf8' });
  return { code: run.status, out: run.stdout, error: run.stderr };
}

/** Runs the command that is registered for an event. */
function sent(root, hook_event_name, more) {
  const settings = JSON.parse(fs.readFileSync(path.join(root, SETTINGS), 'utf8'));
  const [{ hooks: [{ command }] }] = settings.hooks[hook_event_name];
  return typed(root, command, JSON.stringify({ session_id: 's', cwd: root, hook_event_name, ...more }));
}

/** Runs a line of a shell, as an agent would. */
function typed(root, line, input = '') {
  const run = spawnSync(line, { cwd: root, env: environment(root), input, encoding: 'utf8', shell: true });
  return { code: run.status, out: run.stdout, error: run.stderr };
}

const started = (root, more) => sent(root, 'SessionStart', { source: 'startup', ...more });

/** The output that an agent would get from a command that does nothing. */
const SILENT = { code: 0, out: '', error: '' };

/** Makes a compiled component one of the wasmtime of before: behind a length, it names the first part of its version. */
function age(compiled) {
  const [, major] = /^wasmtime (\d+)\./.exec(execFileSync(wasmtime, ['--version'], { encoding: 'utf8' }));
  const bytes = fs.readFileSync(compiled);
  const at = bytes.indexOf(`\0${String.fromCharCode(major.length)}${major}`);
  assert.ok(at >= 0 && at < 1000, 'a compiled component names its wasmtime');
  bytes.write(String(Number(major) - 1), at + 2);
  fs.writeFileSync(compiled, bytes);
}

test('a component that is not compiled, or was by another wasmtime, is compiled before it is registered', (t) => {
  const root = project(t);
  assert.deepEqual(install(root, 'tools/milepost.wasm').error, '');
  assert.deepEqual(fs.readdirSync(path.join(root, 'tools')), ['milepost.cwasm', 'milepost.wasm']);
  assert.deepEqual(started(root), SILENT);
  spawnSync(process.execPath, [bin, 'phase', 'implement', 'printer', 'in_progress'], { cwd: root });
  const { out } = started(root);
  assert.match(out, /printer/);

  age(path.join(root, 'tools/milepost.cwasm'));
  const aged = started(root);
  assert.deepEqual([aged.code, aged.out], [0, ''], 'the hook disturbs no session');
  assert.match(aged.error, /incompatible|version/, 'and wasmtime says why');
  assert.deepEqual(install(root, 'tools/milepost.wasm').error, '');
  assert.equal(started(root).out, out);
});

test('a command that a hook shows works where it is typed', (t) => {
  const root = project(t);
  assert.equal(install(root, 'tools/milepost.wasm').error, '');
  const tool_input = { file_path: path.join(root, 'written') };
  assert.deepEqual(sent(root, 'PostToolUse', { tool_name: 'Write', tool_input, tool_response: {} }), SILENT);
  const { additionalContext } = JSON.parse(started(root, { session_id: 'another' }).out).hookSpecificOutput;
  const [, line] = /`(wasmtime run [^`]* --take)`/.exec(additionalContext) ?? [];
  assert.ok(line, additionalContext);
  const { code, out, error } = typed(root, line);
  assert.equal(code, 0, `${line}: ${error}`);
  assert.match(out, /written/);
});

test('hooks that nothing can run are not registered, and the answer says why', (t) => {
  const root = project(t);
  const broken = path.join(root, 'tools/broken.wasm');
  fs.writeFileSync(broken, 'no wasm');
  for (const [file, how, said] of [
    ['tools/milepost.wasm', { has: false }, /Cannot compile .+milepost\.wasm: there is no `wasmtime` on the PATH/],
    ['tools/broken.wasm', {}, /Cannot compile .+broken\.wasm: wasmtime ended with 1: /],
    ['tools/absent.wasm', {}, /Cannot compile .+absent\.wasm: ENOENT/],
  ]) {
    const { code, error } = install(root, file, how);
    assert.equal(code, 64, file);
    assert.match(error, said);
    assert.equal(error.trimEnd().split('\n').length, 2, 'and what shows its usage');
  }
  assert.ok(!fs.existsSync(path.join(root, SETTINGS)));
  assert.deepEqual(fs.readdirSync(path.join(root, 'tools')), ['broken.wasm', 'milepost.wasm']);
});

test('a host that starts no programs does not register a component that is not compiled', (t) => {
  const root = project(t);
  const words = ['hooks', 'install', 'codex', '--scope', 'user', '--runtime', 'wasmtime', '--component', 'tools/milepost.wasm'];
  const { code, error } = onWasmtime(root, words, { options: ['--dir', '.', '--env', `HOME=${root}`] });
  assert.equal(code, 64);
  assert.match(error, /`wasmtime compile -o .*milepost\.cwasm .*milepost\.wasm`/);
});
