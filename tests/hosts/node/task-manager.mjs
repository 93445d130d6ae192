// The manager of task checkpoints: the tests that its specification lists, on each storage, and what is JavaScript's
// own. The operations themselves are tested in Rust.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { CheckpointManager, createCheckpointManager } from 'milepost/tasks';
import { IS_FULL_RANGE } from '../environment.mjs';
import { ids, managersOn, overviews, refused, state } from './task-fixture.mjs';

/** All that holds on each storage. */
export function testManager(name, storage) {
  const on = managersOn(storage);

  test(`${name}, constructor: without a configuration ten are kept`, async (t) => {
    const manager = on(t);
    assert.ok(manager instanceof CheckpointManager);
    for (let at = 0; at < 11; at += 1) await manager.save(state(`cp-${at}`));
    const list = await manager.list('task-1');
    assert.equal(list.length, 10);
    assert.equal(list[0]?.id, 'cp-1');
  });

  test(`${name}, constructor: the given number is kept`, async (t) => {
    const manager = on(t, { maxPerTask: 2 });
    for (const id of ['a', 'b', 'c']) await manager.save(state(id));
    assert.deepEqual(ids(await manager.list('task-1')), ['b', 'c']);
  });

  test(`${name}, save: what is saved comes back unchanged`, async (t) => {
    const manager = on(t);
    const saved = state('a', { metadata: { 'own key': [{}, [], '"\u2028\u0000'] }, unknown: 1e300 });
    assert.equal(await manager.save(saved), undefined);
    const { checkpoint, success } = await manager.restore('task-1');
    assert.equal(success, true);
    assert.deepEqual(checkpoint, saved);
  });

  test(`${name}, save: the oldest goes when there are too many`, async (t) => {
    const manager = on(t, { maxPerTask: 3 });
    for (let at = 0; at < 5; at += 1) await manager.save(state(`cp-${at}`));
    assert.deepEqual(ids(await manager.list('task-1')), ['cp-2', 'cp-3', 'cp-4']);
    assert.equal((await manager.restoreById('cp-1')).success, false);
  });

  test(`${name}, save: an id that is saved again keeps its place, stands once and has its new step`, async (t) => {
    const manager = on(t);
    await manager.save(state('a'));
    await manager.save(state('b'));
    await manager.save(state('a', { stepIndex: 2 }));
    const list = await manager.list('task-1');
    assert.deepEqual(ids(list), ['a', 'b']);
    assert.equal(list[0]?.stepIndex, 2);
    assert.equal((await manager.restore('task-1')).checkpoint?.id, 'b');
  });

  test(`${name}, save: changing the original does not change what is stored`, async (t) => {
    const manager = on(t);
    const original = state('a');
    const under = manager.save(original);
    original.context.branch = 'other';
    await under;
    original.pendingSteps.push('more');
    original.completedSteps[0].result.ok = false;
    assert.deepEqual((await manager.restore('task-1')).checkpoint, state('a'));
  });

  test(`${name}, restore: the latest comes back`, async (t) => {
    const manager = on(t);
    await manager.save(state('a', { createdAt: '2030-01-01T00:00:00.000Z' }));
    await manager.save(state('b', { createdAt: '2020-01-01T00:00:00.000Z' }));
    assert.equal((await manager.restore('task-1')).checkpoint?.id, 'b');
  });

  test(`${name}, restore: an unknown task is not found`, async (t) => {
    assert.deepEqual(await on(t).restore('unknown'), {
      success: false,
      error: 'No checkpoint found for task: unknown',
      remainingSteps: [],
    });
  });

  test(`${name}, restore: the steps that remain are the pending ones`, async (t) => {
    const manager = on(t);
    await manager.save(state('a'));
    const result = await manager.restore('task-1');
    assert.deepEqual(result.remainingSteps, ['s2', 's3']);
    assert.notEqual(result.remainingSteps, result.checkpoint?.pendingSteps);
  });

  test(`${name}, restoreById: the checkpoint of the id comes back`, async (t) => {
    const manager = on(t);
    for (const id of ['a', 'b', 'c']) await manager.save(state(id));
    const result = await manager.restoreById('b');
    assert.equal(result.checkpoint?.id, 'b');
    assert.deepEqual(result.remainingSteps, ['s2', 's3']);
  });

  test(`${name}, restoreById: an unknown id is not found`, async (t) => {
    for (const id of ['unknown', '', '../../etc/passwd', '\0', 'x'.repeat(5000), '__proto__']) {
      assert.deepEqual(await on(t).restoreById(id), {
        success: false,
        error: `Checkpoint not found: ${id}`,
        remainingSteps: [],
      });
    }
  });

  test(`${name}, restoreById: changing what was restored does not change what is stored`, async (t) => {
    const manager = on(t);
    await manager.save(state('a'));
    const first = await manager.restoreById('a');
    first.checkpoint.context.branch = 'other';
    first.remainingSteps.push('more');
    const second = await manager.restoreById('a');
    assert.notEqual(second.checkpoint, first.checkpoint);
    assert.deepEqual(second.checkpoint, state('a'));
    assert.deepEqual(second.remainingSteps, ['s2', 's3']);
  });

  test(`${name}, list: the order is that of saves`, async (t) => {
    const manager = on(t);
    for (const id of ['c', 'a', 'b']) await manager.save(state(id));
    assert.deepEqual(ids(await manager.list('task-1')), ['c', 'a', 'b']);
  });

  test(`${name}, list: a task has what was saved for it, and keeps it beside another`, async (t) => {
    const manager = on(t, { maxPerTask: 1 });
    await manager.save(state('other', { taskId: 'task-2' }));
    for (const id of ['a', 'b']) await manager.save(state(id));
    await manager.delete('b');
    assert.deepEqual(ids(await manager.list('task-2')), ['other']);
  });

  test(`${name}, list: an unknown task has no checkpoints`, async (t) => {
    for (const task of ['unknown', '', '..']) assert.deepEqual(await on(t).list(task), []);
  });

  test(`${name}, delete: a checkpoint that was deleted is gone, and the others are there`, async (t) => {
    const manager = on(t);
    for (const id of ['a', 'b', 'c']) await manager.save(state(id));
    assert.equal(await manager.delete('b'), true);
    assert.deepEqual(ids(await manager.list('task-1')), ['a', 'c']);
    assert.equal((await manager.restoreById('b')).success, false);
  });

  test(`${name}, delete: an unknown id deletes nothing`, async (t) => {
    for (const id of ['unknown', '', '..']) assert.equal(await on(t).delete(id), false);
  });

  test(`${name}, delete: a task without any checkpoint is unknown`, async (t) => {
    const manager = on(t);
    await manager.save(state('a'));
    await manager.delete('a');
    assert.equal((await manager.restore('task-1')).success, false);
    assert.deepEqual(await manager.list('task-1'), []);
    assert.deepEqual(await overviews(manager), []);
  });

  test(`${name}, deleteAll: none stays, and the count is right`, async (t) => {
    const manager = on(t);
    for (const id of ['a', 'b', 'c']) await manager.save(state(id));
    assert.equal(await manager.deleteAll('task-1'), 3);
    assert.deepEqual(await manager.list('task-1'), []);
    assert.equal((await manager.restoreById('b')).success, false);
  });

  test(`${name}, deleteAll: another task loses nothing, and an unknown one counts 0`, async (t) => {
    const manager = on(t);
    await manager.save(state('a'));
    await manager.save(state('b', { taskId: 'task-2' }));
    assert.equal(await manager.deleteAll('task-1'), 1);
    assert.deepEqual(ids(await manager.list('task-2')), ['b']);
    for (const task of ['unknown', '']) assert.equal(await manager.deleteAll(task), 0);
  });

  test(`${name}, factory: its configuration counts`, async (t) => {
    const manager = on(t, { maxPerTask: 1 });
    await manager.save(state('a'));
    await manager.save(state('b'));
    assert.deepEqual(ids(await manager.list('task-1')), ['b']);
  });

  test(`${name}: the smaller of the number of the storage and the outer one counts`, async (t) => {
    const config = (outer, inner) => ({ maxPerTask: outer, storage: { ...storage(t), maxPerTask: inner } });
    for (const [outer, inner, kept] of [
      [undefined, 2, 2],
      [1, 2, 1],
      [2, undefined, 2],
    ]) {
      const manager = createCheckpointManager(config(outer, inner));
      for (const id of ['a', 'b', 'c']) await manager.save(state(id));
      assert.equal((await manager.list('task-1')).length, kept);
    }
  });

  test(`${name}: an invalid limit is refused`, (t) => {
    for (const wrong of [0, -1, 1.5, NaN, Infinity, null, '5', true, [], 2 ** 60, 5n]) {
      assert.throws(() => on(t, { maxPerTask: wrong }), refused('usage'), String(wrong));
      const inner = { ...storage(t), maxPerTask: wrong };
      assert.throws(() => createCheckpointManager({ storage: inner }), refused('usage'));
      assert.throws(() => on(t, { maxBytes: wrong }), refused('usage'));
    }
    assert.throws(() => on(t, { autoCleanup: 1 }), refused('usage'));
    assert.throws(() => on(t, { maxPertask: 3 }), refused('usage'));
    assert.throws(() => createCheckpointManager({ max: 3 }), refused('usage'));
    assert.throws(() => createCheckpointManager('.claude'), refused('usage'));
  });

  test(`${name}: with autoCleanup, a task that is done keeps its last checkpoint alone`, async (t) => {
    const manager = on(t, { autoCleanup: true });
    for (const id of ['a', 'b']) await manager.save(state(id));
    await manager.save(state('done', { pendingSteps: [] }));
    assert.deepEqual(ids(await manager.list('task-1')), ['done']);
    assert.deepEqual((await manager.restore('task-1')).remainingSteps, []);
  });

  test(`${name}: an id of another task is a conflict`, async (t) => {
    const manager = on(t);
    await manager.save(state('a'));
    const other = state('a', { taskId: 'task-2' });
    await assert.rejects(manager.save(other), refused('conflict'));
    assert.deepEqual((await manager.restoreById('a')).checkpoint, state('a'));
    assert.equal(await manager.delete('a'), true);
    await manager.save(other);
  });

  test(`${name}: of two writers of one revision, exactly one wins`, async (t) => {
    const manager = on(t);
    await manager.save(state('a'), { expectedRevision: 0 });
    const { revision } = await manager.restore('task-1');
    const saves = ['b', 'c'].map((id) => manager.save(state(id), { expectedRevision: revision }));
    const ended = await Promise.allSettled(saves);
    // A database has either of them first.
    const winner = ended.findIndex(({ status }) => status === 'fulfilled');
    assert.ok(refused('conflict')(ended[1 - winner].reason));
    assert.deepEqual(ids(await manager.list('task-1')), ['a', ['b', 'c'][winner]]);
    await assert.rejects(manager.save(state('d'), { expectedRevision: 0 }), refused('conflict'));
    await assert.rejects(manager.save(state('d'), { expectedRevision: -1 }), refused('usage'));
  });

  test(`${name}: a save against the revision of a deleted task is a conflict`, async (t) => {
    const manager = on(t);
    const before = await manager.save(state('a'), {});
    await manager.deleteAll('task-1');
    const second = await manager.save(state('a'), {});
    assert.notEqual(second.revision, before.revision);
    const late = manager.save(state('b'), { expectedRevision: before.revision });
    await assert.rejects(late, refused('conflict'));
  });

  test(`${name}: a save answers with what it came to`, async (t) => {
    const manager = on(t, { maxPerTask: 1 });
    await manager.save(state('a'), {});
    const saved = await manager.save(state('b'), {});
    const { revision, ...rest } = saved;
    const bytes = JSON.stringify(state('b')).length;
    assert.deepEqual(rest, { id: 'b', taskId: 'task-1', bytes, updated: false, evicted: ['a'] });
    assert.equal(revision, (await manager.restore('task-1')).revision);
    assert.equal((await manager.save(state('b'), {})).updated, true);
  });

  test(`${name}: a problem of a checkpoint is named, and nothing of it is stored`, async (t) => {
    const manager = on(t);
    for (const [wrong, at] of [
      [{ id: '' }, '/id'],
      [{ id: 7 }, '/id'],
      [{ taskId: undefined }, '/taskId'],
      [{ agentId: '' }, '/agentId'],
      [{ stepIndex: 4 }, '/stepIndex'],
      [{ stepIndex: -1 }, '/stepIndex'],
      [{ totalSteps: 1.5 }, '/totalSteps'],
      [{ context: null }, '/context'],
      [{ completedSteps: [{}] }, '/completedSteps/0/stepId'],
      [{ pendingSteps: [1] }, '/pendingSteps/0'],
      [{ createdAt: 'yesterday' }, '/createdAt'],
      [{ metadata: [] }, '/metadata'],
    ]) {
      await assert.rejects(manager.save(state('a', wrong)), (error) => {
        assert.equal(error.code, 'invalid_document');
        assert.equal(error.problems[0]?.at, at);
        return true;
      });
    }
    for (const none of [null, undefined, 7, 'text', [], () => {}]) {
      await assert.rejects(manager.save(none), refused('invalid_document'));
    }
    assert.deepEqual(await overviews(manager), []);
  });

  test(`${name}: a state of 100 MB is refused, and one within a raised limit is stored`, async (t) => {
    const manager = on(t);
    const large = (bytes) => state('a', { context: { text: 'x'.repeat(bytes) } });
    await assert.rejects(manager.save(large(100_000_000)), refused('too_large'));
    await assert.rejects(manager.save(large(16 << 20)), refused('too_large'));
    assert.deepEqual(await overviews(manager), []);
    const raised = on(t, { maxBytes: 40_000_000, maxTaskBytes: 50_000_000 });
    await raised.save(large(30_000_000));
    await assert.rejects(raised.save({ ...large(30_000_000), id: 'b' }), refused('too_large'));
    assert.equal((await raised.restore('task-1')).checkpoint.context.text.length, 30_000_000);
  });

  test(`${name}: all checkpoints together stay within their limit`, async (t) => {
    const bytes = JSON.stringify(state('a')).length;
    const manager = on(t, { maxStoreBytes: 2 * bytes });
    await manager.save(state('a'));
    await manager.save(state('b', { taskId: 'task-2' }));
    await assert.rejects(manager.save(state('c', { taskId: 'task-3' })), refused('too_large'));
    await manager.delete('a');
    await manager.save(state('c', { taskId: 'task-3' }));
  });

  test(`${name}: a repeated step is saved with a warning`, async (t) => {
    const seen = [];
    const manager = on(t, { onWarning: ({ code }) => seen.push(code) });
    await manager.save(state('a', { pendingSteps: ['s1', 's2'] }));
    assert.deepEqual(seen, ['repeated_step']);
    assert.deepEqual(manager.warnings.map(({ code }) => code), ['repeated_step']);
    await manager.restore('task-1');
    assert.deepEqual(manager.warnings, []);
  });

  test(`${name}: a hostile id leads to its own checkpoint, within the folder`, async (t) => {
    const place = storage(t);
    const hostile = ['..', '/etc/passwd', 'a\\b', 'CON', 'constructor', 'ß', 'SS', 'a'.repeat(512), '10', '9', '%2e'];
    const manager = createCheckpointManager({ storage: place });
    for (const id of hostile) await manager.save(state(id, { taskId: `of ${id}`.slice(0, 512) }));
    for (const id of hostile) assert.equal((await manager.restoreById(id)).checkpoint?.id, id);
    assert.equal((await overviews(manager)).length, hostile.length);
    const { storagePath } = place;
    if (storagePath !== undefined) {
      assert.deepEqual(fs.readdirSync(storagePath).sort(), ['.milepost', 'tasks']);
    }
  });

  test(`${name}: a task with many saves does not grow, where one is kept`, { timeout: 120_000 }, async (t) => {
    const place = storage(t);
    const manager = createCheckpointManager({ maxPerTask: 1, storage: place });
    const saves = (name === 'memory' ? 1000 : 100) * (IS_FULL_RANGE ? 10 : 1);
    for (let at = 0; at < saves; at += 1) await manager.save(state(`cp-${at}`));
    assert.deepEqual(ids(await manager.list('task-1')), [`cp-${saves - 1}`]);
    const [only] = await overviews(manager);
    assert.equal(only.checkpoints, 1);
    if (place.storagePath !== undefined) {
      const files = fs.readdirSync(place.storagePath, { recursive: true, withFileTypes: true });
      assert.ok(files.filter((it) => it.isFile()).length < 12);
    }
  });

  test(`${name}: going through all tasks has each of them once`, async (t) => {
    const manager = on(t);
    const expected = [];
    for (let at = 0; at < 205; at += 1) {
      expected.push(`task ${at}`);
      await manager.save(state(`cp-${at}`, { taskId: `task ${at}` }));
    }
    const all = await overviews(manager);
    assert.deepEqual(all.map((it) => it.taskId).sort(), expected.sort());
    const { savedAt, revision, ...rest } = all.find((it) => it.taskId === 'task 7');
    const bytes = JSON.stringify(state('cp-7', { taskId: 'task 7' })).length;
    assert.deepEqual(rest, { taskId: 'task 7', checkpoints: 1, bytes, latest: 'cp-7' });
    assert.match(savedAt, /^20\d\d-\d\d-\d\dT[\d:.]+Z$/);
    assert.equal(revision, (await manager.restore('task 7')).revision);
  });

  test(`${name}: an argument that is no name is wrong usage`, async (t) => {
    const manager = on(t);
    for (const wrong of [undefined, null, 7, {}]) {
      await assert.rejects(manager.restore(wrong), refused('usage'));
      await assert.rejects(manager.restoreById(wrong), refused('usage'));
      await assert.rejects(manager.list(wrong), refused('usage'));
      await assert.rejects(manager.delete(wrong), refused('usage'));
      await assert.rejects(manager.deleteAll(wrong), refused('usage'));
    }
    await assert.rejects(manager.save(state('a'), { expected: 1 }), refused('usage'));
  });
}
