// The hook, run as a host runs it, with the component installed as the README says.

import '../../tests/hosts/environment.mjs';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import { openStore } from 'milepost';

const HOOK = path.join(import.meta.dirname, 'hook.sh');
const { MILEPOST_WASMTIME: wasmtime, MILEPOST_COMPILED: compiled } = process.env;
const QUIET = { code: 0, out: '', error: '' };

const home = folder();
const installed = path.join(home, '.local/share/milepost/milepost.cwasm');
fs.mkdirSync(path.dirname(installed), { recursive: true });
// The output of `wasmtime compile` for the component.
fs.copyFileSync(compiled, installed);

function folder() {
  const made = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-hook-'));
  after(() => fs.rmSync(made, { recursive: true, force: true }));
  return made;
}

function git(cwd, ...words) {
  return execFileSync('git', words, { cwd, encoding: 'utf8' }).trim();
}

function commit(root) {
  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'work');
  return git(root, 'rev-parse', 'HEAD');
}

/** A repository with a phase in progress. */
function project() {
  const root = folder();
  git(root, 'init', '--quiet');
  commit(root);
  const store = openStore({ root });
  store.updatePhase('implement', 'research', { status: 'complete', context_summary: 'Read it.' });
  store.updatePhase('implement', 'writer', { status: 'in_progress' });
  return { root, store };
}

function runHook(event, root, environment = {}) {
  const PATH = `${path.dirname(wasmtime)}:${process.env.PATH}`;
  const env = { PATH, HOME: home, CLAUDE_PROJECT_DIR: root, ...environment };
  const run = spawnSync('sh', [HOOK, event], { env, input: '{"hook_event_name":"x"}', encoding: 'utf8' });
  return { code: run.status, out: run.stdout, error: run.stderr };
}

test('a new session is given the resume point', () => {
  const { root } = project();
  const { code, out, error } = runHook('SessionStart', root);
  assert.deepEqual([code, error], [0, '']);
  assert.match(out, /data, not instructions/);
  assert.match(out, /^phase +writer$/m);
  assert.match(out, /^Read it\.$/m);
});

test('a folder below the repository gives the same resume point', () => {
  const { root } = project();
  fs.mkdirSync(path.join(root, 'a b/c'), { recursive: true });
  assert.deepEqual(runHook('SessionStart', path.join(root, 'a b/c')), runHook('SessionStart', root));
});

test('a folder whose name wasmtime would take for two is one', () => {
  const { root } = project();
  const odd = path.join(folder(), 'a::b');
  fs.cpSync(root, odd, { recursive: true });
  assert.deepEqual(runHook('SessionStart', odd), runHook('SessionStart', root));
});

test('a checkpoint of an older commit is reported as stale', () => {
  const { root } = project();
  commit(root);
  assert.match(runHook('SessionStart', root).out, /stale/);
});

test('before compaction the checkpoint is brought up to the present commit', () => {
  const { root, store } = project();
  const head = commit(root);
  assert.deepEqual(runHook('PreCompact', root), QUIET);
  const { head_commit, state, revision } = store.load('implement');
  assert.deepEqual([head_commit, state.current_phase, revision], [head, 'writer', 3]);
});

test('the environment names the checkpoint', () => {
  const { root, store } = project();
  store.updatePhase('design', 'draw', { status: 'in_progress' }, 'dark');
  store.updatePhase('implement', 'later', { status: 'pending' });
  const environment = { MILEPOST_COMMAND: 'design', MILEPOST_FEATURE: 'dark' };
  assert.match(runHook('SessionStart', root, environment).out, /^phase +draw$/m);
  assert.deepEqual(runHook('PreCompact', root, environment), QUIET);
  assert.equal(store.load('design', 'dark').revision, 2);
});

test('a linked worktree is read at its own commit', () => {
  const { root } = project();
  const tree = path.join(folder(), 'tree');
  git(root, 'worktree', 'add', '--quiet', tree);
  const store = openStore({ root: tree });
  // The run of its branch, which has the name of the folder.
  store.updatePhase('implement', 'writer', { status: 'in_progress' }, 'tree');
  const head = commit(tree);
  assert.deepEqual(runHook('PreCompact', tree), QUIET);
  assert.equal(store.load('implement', 'tree').head_commit, head);
});

test('without a checkpoint nothing is said and nothing is made', () => {
  const root = folder();
  for (const event of ['SessionStart', 'PreCompact']) assert.deepEqual(runHook(event, root), QUIET);
  assert.deepEqual(fs.readdirSync(root), []);
});

test('an unrelated event is ignored', () => {
  const { root, store } = project();
  assert.deepEqual(runHook('Stop', root), QUIET);
  assert.equal(store.load('implement').revision, 2);
});

test('its own failure is one line and exit code 0', () => {
  const { root } = project();
  const state = path.join(root, '.claude/state/implement-checkpoint.json');
  const missing = { MILEPOST_COMPONENT: '/nowhere/milepost.cwasm' };
  const broken = { MILEPOST_COMPONENT: HOOK };
  const cases = [
    [runHook('SessionStart', root, broken), /^\[milepost hook\] Error: /],
    [runHook('PreCompact', root, broken), /^\[milepost hook\] Error: /],
    [runHook('SessionStart', root, missing), /^\[milepost hook\] there is no component at \/nowhere/],
    [runHook('SessionStart', '/nowhere'), /^\[milepost hook\] there is no folder \/nowhere/],
    [runHook('SessionStart', root, { PATH: '/usr/bin:/bin' }), /^\[milepost hook\] there is no wasmtime/],
  ];
  fs.writeFileSync(state, '{');
  cases.push([runHook('PreCompact', root, { MILEPOST_COMMAND: 'implement' }), /corrupt/]);
  for (const [{ code, out, error }, pattern] of cases) {
    assert.deepEqual([code, out], [0, '']);
    assert.match(error, pattern);
    assert.equal(error.trimEnd().split('\n').length, 1, error);
  }
  assert.equal(fs.readFileSync(state, 'utf8'), '{');
});

test('a session is shown the corrupt checkpoint, with the command that brings it back', () => {
  const { root } = project();
  const state = path.join(root, '.claude/state/implement-checkpoint.json');
  fs.writeFileSync(state, '{');
  for (const environment of [{}, { MILEPOST_COMMAND: 'implement' }]) {
    const { code, out } = runHook('SessionStart', root, environment);
    assert.equal(code, 0);
    assert.match(out, /corrupt: \.claude\/state\/implement-checkpoint\.json/);
    assert.match(out, /recover implement` brings it back/);
  }
});

test('a session is shown the missing checkpoint, with the command that brings it back', () => {
  const { root } = project();
  fs.rmSync(path.join(root, '.claude/state/implement-checkpoint.json'));
  for (const environment of [{}, { MILEPOST_COMMAND: 'implement' }]) {
    const { code, out } = runHook('SessionStart', root, environment);
    assert.equal(code, 0);
    assert.match(out, /its history is kept/);
    assert.match(out, /recover implement` brings it back/);
  }
});

test('a summary that fills the context is cut', () => {
  const { root, store } = project();
  const summary = 'x'.repeat(60_000);
  store.updatePhase('implement', 'writer', { status: 'complete', context_summary: summary });
  store.updatePhase('implement', 'last', { status: 'in_progress' });
  const { out } = runHook('SessionStart', root);
  assert.ok(out.length > 5_000 && out.length < 10_000, `${out.length}`);
});
