// Going back: earlier revisions, undo, recovery, and how much history is kept.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { MilepostError, openStore } from 'milepost';
import { openMemoryStore } from 'milepost/memory';
import { emptyFolder, stateFile } from './fixture.mjs';

const code = (expected) => (error) => error instanceof MilepostError && error.code === expected;

/** A store whose design checkpoint got the phases a, b and c, one in each revision. */
function busyStore(test) {
  const root = emptyFolder(test);
  const store = openStore({ root, durability: 'lazy' });
  for (const phase of ['a', 'b', 'c']) store.updatePhase('design', phase, {});
  return { root, store, file: stateFile(root, 'design-checkpoint.json') };
}

const phases = (store) => Object.keys(store.load('design').phases).join('');

test('a kept revision loads as it is stored', (t) => {
  const { store } = busyStore(t);
  assert.deepEqual(Object.keys(store.load('design', null, { revision: 2 }).phases), ['a', 'b']);
  assert.equal(store.loadText('design', null, { revision: 3 }), store.loadText('design'));
  assert.throws(() => store.load('design', null, { revision: 9 }), code('not_found'));
});

test('an undo is taken back by a redo, and the next one goes one further back', (t) => {
  const { store } = busyStore(t);
  const { seal, ...undone } = store.undo('design');
  assert.deepEqual(undone, { revision: 4, restored: 2, changed: true });
  assert.equal(store.load('design').seal, seal);
  assert.equal(phases(store), 'ab');
  assert.equal(store.undo('design').restored, 1);
  assert.equal(store.redo('design').restored, 2);
  assert.equal(store.redo('design').restored, 3);
  assert.throws(() => store.redo('design'), code('not_found'));
  assert.equal(phases(store), 'abc');
  assert.equal(store.undo('design', null, { to: 1 }).restored, 1);
  assert.equal(phases(store), 'a');
  assert.deepEqual(store.log('design').map((entry) => entry.sameAs), [1, 3, 2, 1, 2, null, null, null]);
});

test('an undo of what was changed since is a conflict', (t) => {
  const { store } = busyStore(t);
  const { revision, seal } = store.load('design');
  store.updatePhase('design', 'd', {});
  assert.throws(() => store.undo('design', null, { revision, seal }), code('conflict'));
  assert.throws(() => store.undo('design', null, { revision }), code('usage'));
  assert.equal(phases(store), 'abcd');
});

test('without a revision before it nothing is undone', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  assert.throws(() => store.undo('design'), code('not_found'));
  store.updatePhase('design', 'a', {});
  assert.throws(() => store.undo('design'), code('not_found'));
});

test('a corrupt checkpoint comes back and the corrupt file is kept', (t) => {
  const { root, store, file } = busyStore(t);
  fs.writeFileSync(file, '{ torn');
  assert.throws(() => store.load('design'), (error) => {
    return code('corrupt')(error) && error.lastGood === 3 && /openStore\(\)\.recover\("design"\)/.test(error.message);
  });
  assert.equal(store.log('design').length, 3);
  const { quarantined, revision, restored } = store.recover('design');
  assert.deepEqual([revision, restored], [5, 3]);
  assert.equal(fs.readFileSync(path.join(root, quarantined), 'utf8'), '{ torn');
  assert.equal(phases(store), 'abc');
  assert.throws(() => store.recover('design'), code('not_found'));

  fs.rmSync(file);
  assert.equal(store.load('design'), null);
  assert.deepEqual(store.recover('design', null, { to: 1 }).quarantined, null);
  assert.equal(phases(store), 'a');
});

test('a store keeps as much history as its options say', (t) => {
  const root = emptyFolder(t);
  const store = openStore({ root, durability: 'lazy', history: { revisions: 12, days: 30 } });
  for (let round = 0; round < 32; round++) store.updatePhase('design', `p${round}`, {});
  assert.equal(store.log('design').length, 13);
  const { removed, kept } = store.prune('design', null, { revisions: 10 });
  assert.deepEqual([removed, kept], [[20, 21], 11]);
  assert.deepEqual(store.trim('design', null, { revisions: 10 }).removed, []);
  assert.throws(() => store.prune('design', null, { revisions: 9 }), code('usage'));
  const few = openStore({ root, history: { revisions: 9 } });
  assert.throws(() => few.load('design'), code('usage'));
});

test('a store in memory goes back as one on disk does', () => {
  const store = openMemoryStore();
  for (const phase of ['a', 'b', 'c']) store.updatePhase('design', phase, {});
  store.undo('design');
  assert.equal(phases(store), 'ab');
  store.files.write('/.claude/state/design-checkpoint.json', '{ torn');
  assert.equal(store.recover('design').restored, 4);
  assert.equal(phases(store), 'ab');
});

test('a renamed checkpoint has its history under the new name, and the old name is free', () => {
  const store = openMemoryStore();
  for (const phase of ['a', 'b']) store.updatePhase('design', phase, {}, 'old');
  const { revision } = store.rename('design', 'old', { to: 'new' });
  assert.equal(store.load('design', 'new').revision, revision);
  assert.deepEqual(store.log('design', 'new').map((entry) => entry.revision), [3, 2, 1]);
  assert.equal(store.load('design', 'old'), null);
  store.updatePhase('design', 'c', {}, 'old');
  assert.throws(() => store.rename('design', 'old', { to: 'new' }), code('conflict'));
  assert.throws(() => store.rename('design', 'old', {}), code('usage'));
  assert.deepEqual(store.list().map(({ feature }) => feature), ['new', 'old']);
});
