// Mistakes of a user with `wasmtime run`: one clear line and an exit code, never a trap.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import * as fixture from './fixture.mjs';

const { folder, git, onNode, onWasmtime, repository, stored } = fixture;

const UPDATE = ['phase', 'design', 'plan', 'in_progress'];
const HERE = ['  `--root .` keeps the state here.'];

/** One line of ours that matches, nothing on standard output, and the exit code. */
function refused({ code, out, error }, expected, pattern, advice = []) {
  const [line, ...more] = error.trimEnd().split('\n');
  assert.match(line, /^milepost: /);
  assert.match(line, pattern);
  // Wrong usage is followed by what helps, or else by where the help is.
  const help = expected === 64 && advice.length === 0;
  if (help) assert.match(more.join('\n'), /^ {2}`milepost [a-z]+ --help` shows its usage\.$/);
  else assert.deepEqual(more, advice);
  assert.deepEqual([code, out], [expected, '']);
}

test('without --dir, one sentence names it', (t) => {
  const root = repository(t);
  for (const words of [UPDATE, ['status'], ['status', '--root', root], ['validate', 'a.json']]) {
    refused(onWasmtime(root, words, { options: [] }), 74, /--dir/);
  }
  const { code, out } = onWasmtime(root, ['tokens', '-'], { options: [], input: 'a b' });
  assert.deepEqual([code, out], [0, '2\n']);
});

test('a database that wasmtime cannot reach is refused, and no file is used instead', (t) => {
  const root = repository(t);
  const store = ['--store', 'env:DATABASE_URL', '--project', 'shop'];
  for (const words of [UPDATE, ['status']]) {
    refused(onWasmtime(root, [...words, ...store]), 64, /`--store` needs a host that can reach a database/);
  }
  assert.equal(fs.existsSync(path.join(root, '.claude')), false);
});

test('a path outside of every opened folder is not reached', (t) => {
  const root = repository(t);
  const outside = folder(t);
  fs.writeFileSync(path.join(outside, 'a.json'), '{}');
  fs.symlinkSync(outside, path.join(root, 'link'));
  refused(onWasmtime(root, ['status', '--root', outside]), 74, /outside of the folders that --dir opens/);
  refused(onWasmtime(root, ['tokens', `${outside}/a.json`]), 74, /outside of the folders/);
  refused(onWasmtime(root, ['tokens', '../a.json']), 74, /outside of the folders/);
  refused(onWasmtime(root, ['tokens', 'link/a.json']), 74, /EPERM/);
  const options = ['--dir', '.', '--env', `GIT_ROOT=${outside}`];
  refused(onWasmtime(root, UPDATE, { options }), 74, /outside of the folders/);
  assert.deepEqual(fs.readdirSync(outside), ['a.json']);
});

test('the folder is named as the runtime got it', (t) => {
  const root = repository(t);
  const elsewhere = folder(t);
  assert.equal(onWasmtime(elsewhere, UPDATE, { options: ['--dir', root] }).code, 0);
  assert.equal(onWasmtime(elsewhere, UPDATE, { options: ['--dir', `${root}::/project`] }).code, 0);
  assert.equal(onWasmtime(root, [...UPDATE, '--root', root], { options: ['--dir', root] }).code, 0);
  assert.equal(stored(root, 'design').revision, 3);
  assert.equal(stored(root, 'design').head_commit, git(root, 'rev-parse', 'HEAD'));
});

test('a folder that is no repository asks for --root once', (t) => {
  const root = folder(t);
  const { code, out, error } = onWasmtime(root, ['status']);
  assert.deepEqual([code, error], [0, '']);
  assert.match(out, /^No runs in \.claude\/state of \., and no \.git is in sight: [^\n]*--root\n$/);
  for (const words of [UPDATE, ['init']]) refused(onWasmtime(root, words), 64, /name the root/, HERE);
  assert.deepEqual(fs.readdirSync(root), []);
  assert.equal(onWasmtime(root, [...UPDATE, '--root', '.']).error, '');
  const again = onWasmtime(root, UPDATE);
  assert.deepEqual([again.code, again.error], [0, '']);
  assert.equal(stored(root, 'design').head_commit, null);
  assert.equal(stored(root, 'design').revision, 2);
});

test('an empty answer says where it was looked for', (t) => {
  const root = repository(t);
  const below = path.join(root, 'below');
  fs.mkdirSync(below);
  onNode(root, UPDATE);
  const options = ['--dir', 'below'];
  assert.match(onWasmtime(root, ['status'], { options }).out, /in \.claude\/state of below, and no \.git is in sight/);
  refused(onWasmtime(below, ['resume']), 1, /in \.claude\/state of \., and no \.git is in sight/);
});

test('a --dir that shows a subfolder of a repository asks for --root, so that state is not split', (t) => {
  const root = repository(t);
  const below = path.join(root, 'below');
  fs.mkdirSync(below);
  onNode(root, UPDATE);
  refused(onWasmtime(below, UPDATE), 64, /name the root/, HERE);
  refused(onWasmtime(root, UPDATE, { options: ['--dir', below] }), 64, /name the root/, HERE);
  assert.deepEqual(fs.readdirSync(below), []);
  assert.equal(onWasmtime(below, UPDATE, { options: ['--dir', root] }).code, 0);
  assert.equal(stored(root, 'design').revision, 2);
});

test('a worktree whose git folder is outside keeps head_commit, with one warning that says why', (t) => {
  const main = repository(t);
  const tree = path.join(folder(t), 'tree');
  git(main, 'worktree', 'add', '--quiet', tree);
  // The two hosts keep state where there is some already; the component does not see the main worktree.
  fs.mkdirSync(path.join(tree, '.claude/state'), { recursive: true });
  const update = [...UPDATE, '--feature', 'x'];
  const headOf = () => JSON.parse(fs.readFileSync(path.join(tree, '.claude/state/design-x.json'), 'utf8')).head_commit;
  onNode(tree, update);
  const first = git(tree, 'rev-parse', 'HEAD');
  git(tree, 'commit', '--quiet', '--allow-empty', '--message', 'second');

  const { code, error } = onWasmtime(tree, update);
  assert.equal(code, 0);
  assert.match(error, /^milepost: warning: HEAD of the repository at .git cannot be read: it is outside .*--dir.*\n$/);
  assert.equal(headOf(), first);

  const options = ['--dir', '.', '--dir', path.join(main, '.git')];
  assert.deepEqual(onWasmtime(tree, update, { options }).error, '');
  assert.equal(headOf(), git(tree, 'rev-parse', 'HEAD'));
});

test('standard input that never ends stops at the limit', (t) => {
  const root = repository(t);
  const endless = fs.openSync('/dev/zero', 'r');
  t.after(() => fs.closeSync(endless));
  for (const words of [['tokens', '-'], ['save', 'design', '-'], [...UPDATE, '--summary', '-']]) {
    const run = onWasmtime(root, words, { stdio: [endless, 'pipe', 'pipe'] });
    refused(run, 65, /^milepost: standard input is larger than the limit of 16 MiB$/);
  }
});

test('an argument that is not UTF-8 is refused by the runtime, in one line', (t) => {
  const root = repository(t);
  const script = 'bad=$(printf "\\377"); exec "$@" "$bad"';
  const words = ['-c', script, 'sh', fixture.wasmtime, ...fixture.wasmtimeWords(['tokens'])];
  const run = spawnSync('sh', words, { cwd: root, encoding: 'utf8' });
  assert.deepEqual([run.status, run.stdout], [1, '']);
  assert.match(run.stderr, /^Error: [^\n]*utf-8\n$/);
});

test('an answer that cannot be printed exits 74', (t) => {
  const full = fs.openSync('/dev/full', 'w');
  t.after(() => fs.closeSync(full));
  // The runtime then adds its own stack to what it says of a failure.
  const env = { ...process.env, RUST_BACKTRACE: '1' };
  const run = onWasmtime(folder(t), ['schema', '--ts'], { stdio: ['ignore', full, 'pipe'], env });
  assert.equal(run.code, 74);
  assert.match(run.error, /^milepost: Cannot print the answer: [^\n]*\n$/);
  const root = repository(t);
  const update = onWasmtime(root, UPDATE, { stdio: ['ignore', full, 'pipe'] });
  assert.equal(update.code, 74);
  assert.match(update.error, /but the update is saved: [^\n]*\n$/);
  assert.equal(stored(root, 'design').revision, 1);
});

test('a reader who stops early gets no error of a broken pipe', (t) => {
  const words = fixture.wasmtimeWords(['schema', '--markdown'], []);
  const script = '("$@"; echo "exit $?" >&2) | true';
  const run = spawnSync('sh', ['-c', script, 'sh', fixture.wasmtime, ...words], { encoding: 'utf8' });
  assert.equal(run.stderr, 'exit 0\n');
});

test('a folder that this user may not enter is an io error that names it', (t) => {
  if (process.getuid() === 0) return t.skip('root may enter every folder');
  const root = repository(t);
  onNode(root, UPDATE);
  const state = path.join(root, '.claude/state');
  fs.chmodSync(state, 0o600);
  try {
    refused(onWasmtime(root, ['show', 'design']), 74, /no search permission on \.claude\/state$/);
  } finally {
    fs.chmodSync(state, 0o700);
  }
});

test('colour is for terminals alone', (t) => {
  const root = repository(t);
  onNode(root, UPDATE);
  assert.doesNotMatch(onWasmtime(root, ['status']).out, /\u001b/);
});

test('a read-only folder is read, and a write says why it cannot be made', (t) => {
  const root = repository(t);
  onNode(root, UPDATE);
  const onReadOnly = readOnly(root);
  if (onReadOnly === undefined) return t.skip('root, and not allowed to mount');
  const status = onReadOnly(['status']);
  assert.deepEqual([status.code, status.error], [0, '']);
  assert.match(status.out, /design/);
  refused(onReadOnly(UPDATE), 74, /Cannot (make|write) .*(read-only|EACCES|EPERM)/);
  assert.equal(stored(root, 'design').revision, 1);
});

/** The way to run on a folder that cannot be written; nothing where that cannot be arranged. */
function readOnly(root) {
  if (process.getuid() !== 0) {
    return (words) => {
      const folders = fs.readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => path.join(entry.parentPath, entry.name));
      for (const name of [root, ...folders]) fs.chmodSync(name, 0o555);
      try {
        return onWasmtime(root, words);
      } finally {
        for (const name of [root, ...folders]) fs.chmodSync(name, 0o755);
      }
    };
  }
  // Root writes regardless of modes, so the folder is mounted over itself.
  const script =
    'mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || exit 99; cd "$1" && shift && exec "$@"';
  const mounted = (...words) =>
    spawnSync('unshare', ['--mount', 'sh', '-c', script, 'sh', root, ...words], { encoding: 'utf8' });
  if (mounted('true').status !== 0) return undefined;
  return (words) => {
    const run = mounted(fixture.wasmtime, ...fixture.wasmtimeWords(words));
    return { code: run.status, out: run.stdout, error: run.stderr };
  };
}
