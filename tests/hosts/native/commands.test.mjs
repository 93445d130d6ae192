// Every command on both command lines, and what only one of them does.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { answersAlike, answersAlikeOfRewinds, answersAlikeOfSnapshots } from '../node/twins.mjs';
import { emptyFolder, native, onNative, onNode, onTerminal, repository, stored } from './fixture.mjs';

const UPDATE = ['phase', 'design', 'plan', 'in_progress'];

test('every command answers alike, and leaves the same bytes', (t) => answersAlike(t, onNative));

test('every command of snapshots answers alike', (t) => answersAlikeOfSnapshots(t, onNative));

test('every command of rewinds answers alike, and leaves the same files', (t) => answersAlikeOfRewinds(t, onNative));

test('what one command line saved is where the other one resumes', (t) => {
  const root = repository(t);
  onNode(root, ['phase', 'design', 'plan', 'complete', '--summary', 'planned']);
  assert.match(onNative(root, ['resume', 'design']).out, /planned/);
  onNative(root, ['phase', 'design', 'draw', 'in_progress']);
  assert.equal(JSON.parse(onNode(root, ['resume', 'design', '--json']).out).phase, 'draw');
  const shown = [onNode, onNative].map((on) => on(root, ['show', 'design', '--json']).out);
  assert.equal(shown[0], shown[1]);
});

test('a verb that needs Node, or a database, says so and touches nothing', (t) => {
  const root = repository(t);
  for (const words of [['mcp'], ['view'], ['notify'], ['export', '--html', 'page.html']]) {
    const { code, out, error } = onNative(root, words);
    assert.deepEqual([code, out], [64, '']);
    assert.match(error, new RegExp(`^milepost: \`milepost ${words[0]}\` needs Node: `));
  }
  const { code, error } = onNative(root, [...UPDATE, '--store', 'env:DATABASE_URL', '--project', 'shop']);
  assert.equal(code, 64);
  assert.match(error, /`--store` needs a host that can reach a database/);
  assert.deepEqual(fs.readdirSync(root), ['.git']);
});

test('the repository is found from a folder in it, and by GIT_ROOT', (t) => {
  const root = repository(t, { 'a/b/c': '' });
  assert.equal(onNative(path.join(root, 'a/b'), UPDATE).code, 0);
  const env = { ...process.env, GIT_ROOT: root };
  assert.equal(onNative(emptyFolder(t), UPDATE, { env }).code, 0);
  assert.equal(stored(root, 'design').revision, 2);
});

test('the state folder and what is in it are for the user alone', (t) => {
  const root = repository(t);
  onNative(root, UPDATE);
  const mode = (name) => fs.statSync(path.join(root, name)).mode & 0o777;
  assert.deepEqual([mode('.claude/state'), mode('.claude/state/design-checkpoint.json')], [0o700, 0o600]);
});

test('an argument that is not UTF-8 is refused, and a working folder that is gone is named', (t) => {
  const root = repository(t);
  const script = 'bad=$(printf "\\377"); exec "$0" tokens "$bad"';
  const run = onShell(root, script);
  assert.equal(run.code, 64);
  assert.match(run.error, /An argument is not UTF-8/);
  const gone = onShell(root, 'mkdir gone && cd gone && rmdir ../gone && exec "$0" status');
  assert.equal(gone.code, 74);
  assert.match(gone.error, /^milepost: The working folder is gone, or may not be read: ENOENT: [^\n]*\n$/);
});

test('an answer that cannot be printed exits 74, and a reader who stops early gets no error', (t) => {
  const root = repository(t);
  const full = fs.openSync('/dev/full', 'w');
  t.after(() => fs.closeSync(full));
  const run = onNative(root, ['schema', '--ts'], { stdio: ['ignore', full, 'pipe'] });
  assert.equal(run.code, 74);
  assert.match(run.error, /^milepost: Cannot print the answer: the disk is full, [^\n]*\n$/);
  const early = onShell(root, '("$0" schema --markdown; echo "exit $?" >&2) | true');
  assert.equal(early.error, 'exit 0\n');
});

test('standard input that never ends stops at the limit', (t) => {
  const endless = fs.openSync('/dev/zero', 'r');
  t.after(() => fs.closeSync(endless));
  const { code, error } = onNative(emptyFolder(t), ['tokens', '-'], { stdio: [endless, 'pipe', 'pipe'] });
  assert.equal(code, 65);
  assert.match(error, /^milepost: standard input is larger than the limit of 16 MiB\n$/);
});

test('a question is asked at a terminal alone, and a yes alone is one', (t) => {
  if (onTerminal(['true'], {}) === undefined) return t.skip('there is no `script` here that makes a terminal');
  const root = repository(t, { file: 'then\n' });
  fs.writeFileSync(path.join(root, 'file'), 'changed\n');
  assert.equal(onNative(root, ['create', '--reason', 'handoff']).code, 0);
  const restore = [native, 'restore', '--latest', '--files'];
  for (const [input, content] of [['\n', 'now\n'], ['y\n', 'changed\n']]) {
    fs.writeFileSync(path.join(root, 'file'), 'now\n');
    const { out } = onTerminal(restore, { input, cwd: root });
    assert.match(out, /Do this\? \[y\/N\] /);
    assert.equal(fs.readFileSync(path.join(root, 'file'), 'utf8'), content);
  }
  fs.writeFileSync(path.join(root, 'file'), 'now\n');
  assert.doesNotMatch(onNative(root, ['restore', '--latest', '--files']).error, /\[y\/N\]/);
  assert.equal(fs.readFileSync(path.join(root, 'file'), 'utf8'), 'changed\n');
});

test('colour is for terminals alone', (t) => {
  const root = repository(t);
  onNative(root, UPDATE);
  assert.doesNotMatch(onNative(root, ['gate']).out, /\u001b/);
  const seen = onTerminal([native, 'gate'], { cwd: root, env: { NO_COLOR: '' } });
  if (seen !== undefined) assert.match(seen.raw, /\u001b/);
});

/** Runs a line of a shell, in which `$0` is the program. */
function onShell(cwd, script) {
  const run = spawnSync('sh', ['-c', script, native], { cwd, encoding: 'utf8' });
  return { code: run.status, out: run.stdout, error: run.stderr };
}
