// The file system adapter, through the package: few tests, they prove the wiring.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { emptyFolder, stateFile } from './fixture.mjs';

const posix = { skip: process.platform === 'win32' && 'needs modes, links and FIFOs' };

/** A store with one checkpoint, and the file that holds it. */
function started(t) {
  const root = emptyFolder(t);
  const store = openStore({ root });
  store.updatePhase('design', 'research', {});
  return { root, store, file: stateFile(root, 'design-checkpoint.json') };
}

test('folders and files are for their owner alone', posix, (t) => {
  const { root, file } = started(t);
  const mode = (name) => fs.statSync(name).mode & 0o777;
  assert.equal(mode(path.dirname(file)), 0o700);
  assert.equal(mode(file), 0o600);
  assert.equal(mode(path.join(root, '.claude/state/.gitignore')), 0o600);
});

test('.claude and the pages in it have the modes that the umask leaves', posix, (t) => {
  const before = process.umask(0o027);
  t.after(() => process.umask(before));
  const { root, store } = started(t);
  store.init();
  const mode = (name) => fs.statSync(path.join(root, '.claude', name)).mode & 0o777;
  const folders = ['', 'config', 'protocols', 'sub-agents', 'sub-agents/protocols'];
  assert.deepEqual(folders.map(mode), folders.map(() => 0o750));
  const pages = ['config/integrations.json', 'protocols/checkpoint-schema.md'];
  assert.deepEqual(pages.map(mode), pages.map(() => 0o640));
  assert.deepEqual(['state', 'state/.milepost'].map(mode), [0o700, 0o700]);
});

test('a document that is a symbolic link is not followed', posix, (t) => {
  const { root, store, file } = started(t);
  const secret = path.join(root, 'secret');
  fs.writeFileSync(secret, '{"secret":"s3cr3t"}');
  fs.rmSync(file);
  fs.symlinkSync(secret, file);
  for (const call of [() => store.load('design'), () => store.updatePhase('design', 'a', {})]) {
    assert.throws(call, ({ code, message }) => code === 'unsafe_path' && !/s3cr3t/.test(message));
  }
  assert.equal(fs.readFileSync(secret, 'utf8'), '{"secret":"s3cr3t"}');
});

test('a state folder that is a symbolic link is not followed', posix, (t) => {
  const root = emptyFolder(t);
  const elsewhere = emptyFolder(t);
  fs.mkdirSync(path.join(root, '.claude'));
  fs.symlinkSync(elsewhere, path.join(root, '.claude/state'));
  const store = openStore({ root });
  assert.throws(() => store.updatePhase('design', 'a', {}), { code: 'unsafe_path' });
  assert.deepEqual(fs.readdirSync(elsewhere), []);
});

test('a FIFO or a folder in place of the document neither hangs nor is read', posix, (t) => {
  const { store, file } = started(t);
  fs.rmSync(file);
  execFileSync('mkfifo', [file]);
  assert.throws(() => store.load('design'), { code: 'unsafe_path' });
  fs.rmSync(file);
  fs.mkdirSync(file);
  assert.throws(() => store.load('design'), { code: 'unsafe_path' });
});

test('a document of 1 GB is refused by its size', (t) => {
  const { store, file } = started(t);
  fs.truncateSync(file, 1024 ** 3);
  assert.throws(() => store.load('design'), { code: 'too_large' });
});

test('a folder that this user may not enter is an io error that names it, not a special file', posix, (t) => {
  const { root, store } = started(t);
  const state = path.join(root, '.claude/state');
  fs.chmodSync(root, 0o755);
  const isRoot = process.geteuid() === 0;
  for (const [mode, permission, call] of [
    [0o000, 'search', () => store.load('design')],
    [0o600, 'search', () => store.updatePhase('design', 'a', {})],
    [0o300, 'read', () => store.list()],
  ]) {
    fs.chmodSync(state, mode);
    // Root may do everything: another user owns the folder and asks.
    if (isRoot) {
      fs.chownSync(state, 65534, 65534);
      process.seteuid(65534);
    }
    try {
      assert.throws(call, ({ code, message }) => {
        assert.equal(code, 'io', message);
        assert.match(message, new RegExp(`no ${permission} permission on .claude/state$`));
        return true;
      });
    } finally {
      if (isRoot) process.seteuid(0);
      // Or who is not root could not remove it.
      fs.chmodSync(state, 0o700);
    }
  }
});

test('a .claude that is a symbolic link is refused with the two ways out', posix, (t) => {
  const root = emptyFolder(t);
  const elsewhere = emptyFolder(t);
  fs.symlinkSync(elsewhere, path.join(root, '.claude'));
  assert.throws(() => openStore({ root }).updatePhase('design', 'a', {}), {
    code: 'unsafe_path',
    advice: { kind: 'name_dir' },
    message: /a symbolic link.*put a folder in its place.*openStore\(\{ dir \}\)/,
  });
  openStore({ root, dir: elsewhere }).updatePhase('design', 'a', {});
  assert.ok(fs.existsSync(path.join(elsewhere, 'design-checkpoint.json')));
});

test('the root is the nearest folder that holds .git', (t) => {
  const root = emptyFolder(t);
  const below = path.join(root, 'a/b');
  fs.mkdirSync(below, { recursive: true });
  fs.mkdirSync(path.join(root, '.git'));
  const working = process.cwd();
  process.chdir(below);
  try {
    openStore().updatePhase('design', 'research', {});
  } finally {
    // Windows removes no folder that is a working folder.
    process.chdir(working);
  }
  assert.ok(fs.existsSync(stateFile(root, 'design-checkpoint.json')));
});

test('a root that is a file is refused as no folder', (t) => {
  const root = path.join(emptyFolder(t), 'file');
  fs.writeFileSync(root, '');
  const store = openStore({ root });
  for (const call of [() => store.updatePhase('design', 'a', {}), () => store.load('design'), () => store.list()]) {
    assert.throws(call, { code: 'usage', message: /file is no folder; it was named by the option/ });
  }
});
