// Nodes of another kind where a file of ours belongs: the component answers as Node does.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { folder, git, onNode, onWasmtime, repository, stored } from './fixture.mjs';

const UPDATE = ['phase', 'design', 'plan', 'in_progress'];
const DOCUMENT = '.claude/state/design-checkpoint.json';

function replaceByLink(root, name, target) {
  fs.renameSync(path.join(root, name), path.join(root, target));
  fs.symlinkSync(path.join(root, target), path.join(root, name));
}

function replaceByPipe(root, name) {
  fs.rmSync(path.join(root, name));
  execFileSync('mkfifo', [path.join(root, name)]);
}

const SPOILED = {
  'the folder of documents is a link': (root) => replaceByLink(root, '.claude/state', 'elsewhere'),
  'a folder above it is a link': (root) => replaceByLink(root, '.claude', 'elsewhere'),
  'the document is a link': (root) => replaceByLink(root, DOCUMENT, 'elsewhere'),
  'the document is a FIFO': (root) => replaceByPipe(root, DOCUMENT),
  'the document is a folder': (root) => {
    fs.rmSync(path.join(root, DOCUMENT));
    fs.mkdirSync(path.join(root, DOCUMENT));
  },
  'the document is not JSON': (root) => fs.writeFileSync(path.join(root, DOCUMENT), '{'),
  'the document is too large': (root) => fs.truncateSync(path.join(root, DOCUMENT), 17 << 20),
  'a token is a link': (root) => {
    const token = `.claude/state/.milepost/design-checkpoint/tokens/${'0'.repeat(32)}`;
    fs.symlinkSync('/dev/null', path.join(root, token));
  },
};

for (const [what, spoil] of Object.entries(SPOILED)) {
  test(`${what}: both hosts refuse alike`, (t) => {
    const root = repository(t);
    onNode(root, UPDATE);
    spoil(root);
    for (const words of [['show', 'design'], ['status'], UPDATE]) {
      const [expected, actual] = [onNode(root, words), onWasmtime(root, words)];
      assert.deepEqual(actual, expected, words.join(' '));
    }
  });
}

test('a FIFO that the user names is not waited for', (t) => {
  const root = repository(t);
  execFileSync('mkfifo', [path.join(root, 'pipe')]);
  for (const name of ['pipe', '.', 'missing']) {
    assert.deepEqual(onWasmtime(root, ['tokens', name]), onNode(root, ['tokens', name]), name);
  }
});

test('a link that the user names is followed within the opened folder', (t) => {
  const root = repository(t);
  fs.writeFileSync(path.join(root, 'a.txt'), 'one two');
  fs.symlinkSync('a.txt', path.join(root, 'link'));
  assert.equal(onWasmtime(root, ['tokens', 'link']).out, '2\n');
});

test('a root that is a link is written through it', (t) => {
  const outer = folder(t);
  fs.mkdirSync(path.join(outer, 'real'));
  git(path.join(outer, 'real'), 'init', '--quiet');
  fs.symlinkSync('real', path.join(outer, 'link'));
  const { code, error } = onWasmtime(outer, [...UPDATE, '--root', 'link']);
  assert.deepEqual([code, error], [0, '']);
  assert.equal(stored(path.join(outer, 'real'), 'design').revision, 1);
});

test('names that are not UTF-8 beside the documents harm nothing', (t) => {
  const root = repository(t);
  onNode(root, UPDATE);
  const state = Buffer.from(path.join(root, '.claude/state/'));
  fs.writeFileSync(Buffer.concat([state, Buffer.from([0xff, 0xfe])]), '');
  const status = onWasmtime(root, ['status']);
  assert.deepEqual(status, onNode(root, ['status']));
  assert.match(status.out, /design/);
});

test('refs that only git can read leave head_commit as stored, with a warning', (t) => {
  const root = folder(t);
  try {
    git(root, 'init', '--quiet', '--ref-format=reftable');
  } catch {
    return t.skip('this git has no reftable');
  }
  const { code, error } = onWasmtime(root, UPDATE);
  assert.equal(code, 0);
  assert.match(error, /^milepost: warning: reftable of the repository at .git cannot be read: this host cannot run git\n$/);
});
