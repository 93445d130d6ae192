// The plugin beside entries in settings: an event is taken once, by the entry.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';

import { bin, require } from '../node/fixture.mjs';
import { edit, environment, installed, project, readJson } from './claude-code.mjs';

const SETTINGS = '.claude/settings.json';

/** The project with the package as a dependency. */
function dependent(t) {
  const root = project(t);
  fs.mkdirSync(path.join(root, 'node_modules'));
  const dependency = path.dirname(require.resolve('milepost/package.json'));
  fs.cpSync(dependency, path.join(root, 'node_modules/milepost'), { recursive: true });
  return root;
}

function hooks(program, root, ...words) {
  const env = environment(root);
  const run = spawnSync(process.execPath, [program, 'hooks', ...words], { cwd: root, env, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout;
}

/** Returns whether the plugin takes an edit. */
function takes(t, root) {
  const ended = edit(installed(t), root, 'a.rs');
  assert.deepEqual(ended, [{ code: 0, out: '', error: '' }]);
  const state = path.join(root, '.claude/state');
  const has = fs.existsSync(state);
  fs.rmSync(state, { recursive: true, force: true });
  return has;
}

for (const scope of ['project', 'local', 'user']) {
  test(`an event is taken once where settings of scope ${scope} have an entry`, (t) => {
    const root = dependent(t);
    assert.ok(takes(t, root), 'without an entry');
    hooks(bin, root, 'install', 'claude-code', '--scope', scope);
    assert.ok(!takes(t, root), 'with one');
    hooks(bin, root, 'remove', 'claude-code', '--scope', scope);
    assert.ok(takes(t, root), 'after it is gone');
  });
}

test('an event is taken by the plugin in a clone whose packages are not installed', (t) => {
  const root = dependent(t);
  hooks(bin, root, 'install', 'claude-code');
  fs.rmSync(path.join(root, 'node_modules'), { recursive: true });
  assert.ok(takes(t, root));
});

test('an event is taken once where a compiled component has an entry', (t) => {
  const root = project(t);
  const component = path.join(root, 'home/milepost.cwasm');
  const words = ['--scope', 'local', '--runtime', 'wasmtime', '--component', component];
  hooks(bin, root, 'install', 'claude-code', ...words);
  assert.ok(takes(t, root), 'where the component is not there');
  fs.writeFileSync(component, '');
  assert.ok(!takes(t, root));
});

test('settings of another tool, or that are broken, do not keep the plugin from an event', (t) => {
  const root = dependent(t);
  const file = path.join(root, SETTINGS);
  hooks(bin, root, 'install', 'claude-code');
  const { hooks: all } = readJson(file);
  const { PostToolUse: _, ...others } = all;
  const foreign = [{ hooks: [{ type: 'command', command: 'node tools/milepost/hook.js claude-code' }] }];
  for (const text of [
    JSON.stringify({ enabledPlugins: { 'milepost@milepost': true }, permissions: { allow: ['Bash(milepost:*)'] } }),
    JSON.stringify({ hooks: { PostToolUse: foreign } }),
    JSON.stringify({ hooks: others }),
    JSON.stringify({ hooks: { PostToolUse: 'milepost/bin/hook.js' } }),
    JSON.stringify({ note: 'milepost/bin/hook.js' }),
    `${JSON.stringify({ hooks: all })}}`,
    '[]',
    '',
  ]) {
    fs.writeFileSync(file, text);
    assert.ok(takes(t, root), text);
  }
  fs.rmSync(file);
  fs.mkdirSync(file);
  assert.ok(takes(t, root), 'a folder');
});

test('hooks install of the plugin refuses to register the folder of a version, which the next one removes', (t) => {
  const root = project(t);
  const program = path.join(installed(t), 'bin/milepost.js');
  const words = [program, 'hooks', 'install', 'claude-code', '--scope', 'user'];
  const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, env: environment(root), encoding: 'utf8' });
  assert.equal(status, 64);
  assert.match(stderr, /expected one that is installed globally/);
  assert.equal(fs.existsSync(path.join(root, 'home', SETTINGS)), false);
});
