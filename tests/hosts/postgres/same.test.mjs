// Equal operations, with one clock, one chance and the same faults, over records in memory and in
// a database: replies and records are the same bytes.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MemoryFiles } from 'milepost/memory';
import { runOperation } from 'milepost/operation';
import { openPostgresStore, postgresHost } from 'milepost/postgres';
import { IS_FULL_RANGE } from '../environment.mjs';
import { newProject, patiently, serverFor } from './server.mjs';

const server = serverFor(test);

/** A generator of numbers below a limit, from a seed: mulberry32. */
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const COMMANDS = ['design', 'ship'];
const FEATURES = [null, 'a', 'b-1', 'A', '../x'];
const STATUSES = ['pending', 'in_progress', 'complete', 'failed', 'skipped'];

/** The members of one request, at random. */
function request(random) {
  const one = (list) => list[random(list.length)];
  const target = { command: one(COMMANDS), feature: one(FEATURES) };
  const patch = { status: one(STATUSES), context_summary: `note ${random(1000)} ü`, own: random(5) };
  const made = [
    () => ({ operation: 'update_phase', ...target, phase: one(['a', 'b', '__proto__']), patch }),
    () => ({ operation: 'update_phase', ...target, phase: one(['a', 'b', '7']), patch }),
    () => ({ operation: 'begin', ...target, phases: ['a', one(['b', 'c', '7'])] }),
    () => ({ operation: 'save', ...target, document: { phases: {}, note: 'x'.repeat(random(9000)) } }),
    () => ({ operation: 'load', ...target }),
    () => ({ operation: 'list' }),
    () => ({ operation: 'latest' }),
    () => ({ operation: 'resume_point', ...target }),
    () => ({ operation: 'log', ...target }),
    () => ({ operation: 'undo', ...target }),
    () => ({ operation: 'redo', ...target }),
    () => ({ operation: 'complete', ...target }),
    () => ({ operation: 'remove', ...target }),
    () => ({ operation: 'recover', ...target }),
    () => ({ operation: 'rename', ...target, to: one(['a', 'c']) }),
    () => ({ operation: 'save_task_checkpoint', state: taskState(random) }),
    () => ({ operation: 'list_task_checkpoints', task: `task ${random(3)}` }),
    () => ({ operation: 'delete_task_checkpoint', id: `id ${random(6)}` }),
  ];
  return one(made)();
}

function taskState(random) {
  return {
    ...{ id: `id ${random(6)}`, taskId: `task ${random(3)}`, agentId: 'agent', stepIndex: 0, totalSteps: 3 },
    ...{ context: { note: 'y'.repeat(random(3000)) }, completedSteps: [], pendingSteps: ['a'] },
    createdAt: '2026-01-29T10:30:00.000Z',
  };
}

/** A host with a clock and chance of its own, on records of another one. */
function hostOf(seed, records, faultAt) {
  const random = chance(seed);
  const files = new MemoryFiles();
  let now = Date.parse('2026-01-29T10:30:00.000Z');
  let count = 0;
  return (effect) => {
    count += 1;
    if (count === faultAt) return { outcome: 'failed', fault: 'other', detail: 'a planted fault' };
    if (effect.effect === 'clock') {
      now += 1000;
      return { outcome: 'clock', wallMs: now, monotonicMs: now };
    }
    if (effect.effect === 'random') {
      return { outcome: 'bytes', bytes: Uint8Array.from({ length: effect.length }, () => random(256)) };
    }
    if (effect.effect === 'wait') return { outcome: 'done' };
    return /Record/.test(effect.effect) ? records(effect) : files.perform(effect);
  };
}

for (const seed of IS_FULL_RANGE ? [1, 2, 3, 4, 5, 6] : [1, 2]) {
  test(`operations over a database answer as over memory (seed ${seed})`, async (t) => {
    const host = postgresHost({ project: newProject(), connection: server.connection });
    t.after(() => host.close());
    const memory = new MemoryFiles();
    const { dir, storage } = host.place();
    const place = { working: '/', root: '/', git_root: null, dir, storage };
    const random = chance(seed);
    for (let step = 0; step < 120; step += 1) {
      const asked = JSON.stringify({ place, ...request(random) });
      const faultAt = random(4) === 0 ? 1 + random(12) : Infinity;
      const own = random(2 ** 30);
      const inMemory = hostOf(own, (effect) => memory.perform(effect), faultAt);
      const expected = await runOperation(asked, async (effect) => inMemory(effect));
      const overDatabase = hostOf(own, host.perform, faultAt);
      const found = await runOperation(asked, async (effect) => overDatabase(effect));
      assert.equal(found, expected, asked);
    }
    assert.deepEqual(await recordsOf(host.perform, dir), await recordsOf((it) => memory.perform(it), dir));
  });
}

/** Everything under a name, with its text. */
async function recordsOf(perform, under) {
  const all = {};
  const { names, complete } = await perform({ effect: 'listRecords', under, limit: 100_000 });
  assert.ok(complete);
  for (const name of names) {
    const record = `${under}/${name}`;
    const { bytes } = await perform({ effect: 'readRecord', record });
    all[record] = Buffer.from(bytes).toString();
  }
  return all;
}

test('names below each other are those that memory lists', async (t) => {
  const host = postgresHost({ project: newProject(), connection: server.connection });
  t.after(() => host.close());
  const memory = new MemoryFiles();
  const { dir } = host.place();
  const names = ['n\nl', 'a', 'a/1', 'a/2', 'a-b', 'a-b/1', 'a0', 'b/1/2', 'c', 'a/1/x', 'ü', 'Z', 'a.', 'c/d'];
  for (const name of names) {
    const swap = {
      effect: 'swapRecord',
      ...{ record: `${dir}/${name}`, expected: null, bytes: Buffer.from(name), keep: null, beside: [] },
    };
    for (const perform of [host.perform, (it) => memory.perform(it)]) {
      assert.deepEqual(await perform(swap), { outcome: 'done' });
    }
  }
  for (const under of [dir, ...names.map((name) => `${dir}/${name}`), `${dir}/none`]) {
    for (const limit of [1, 2, 3, 100]) {
      const list = { effect: 'listRecords', under, limit };
      const [found, expected] = [await host.perform(list), memory.perform(list)];
      assert.equal(found.complete, expected.complete, `${under} ${limit}`);
      if (expected.complete) assert.deepEqual(found.names.sort(), expected.names.sort(), under);
      else assert.equal(found.names.length, limit);
    }
  }
});

test('nothing beside a record is written when the swap is refused', async (t) => {
  const host = postgresHost({ project: newProject(), connection: server.connection });
  t.after(() => host.close());
  const { dir } = host.place();
  const [bytes, other] = [Buffer.from([0, 255, 10]), Buffer.from('other')];
  const swap = { effect: 'swapRecord', record: `${dir}/a`, expected: null, bytes, keep: null };
  const beside = (record, mustBeNew, content) => ({ record: `${dir}/${record}`, mustBeNew, bytes: content });
  const read = (record) => host.perform({ effect: 'readRecord', record: `${dir}/${record}` });
  const all = [beside('new', true, other), beside('any', false, other), beside('gone', false, null)];
  assert.equal((await host.perform({ ...swap, beside: all })).outcome, 'done');
  assert.deepEqual(new Uint8Array((await read('a')).bytes), new Uint8Array(bytes));

  for (const refused of [
    { ...swap, expected: other, bytes: other, keep: 'kept', beside: [beside('x', true, other)] },
    { ...swap, expected: bytes, bytes: other, keep: 'kept', beside: [beside('x', false, other), beside('new', true, bytes)] },
    { ...swap, beside: [beside('x', false, other)] },
  ]) {
    assert.equal((await host.perform(refused)).fault, 'changed');
    for (const record of ['x', 'a/kept']) assert.equal((await read(record)).fault, 'notFound');
    assert.deepEqual(new Uint8Array((await read('a')).bytes), new Uint8Array(bytes));
  }
  const last = { ...swap, expected: bytes, bytes: null, keep: 'kept', beside: [beside('any', false, null)] };
  assert.equal((await host.perform(last)).outcome, 'done');
  for (const record of ['a', 'any']) assert.equal((await read(record)).fault, 'notFound');
  assert.deepEqual(new Uint8Array((await read('a/kept')).bytes), new Uint8Array(bytes));
});

test('concurrent operations in one process do not see each other, and lose no update', async (t) => {
  const store = openPostgresStore({ project: newProject(), connection: { ...server.connection, max: 4 } });
  t.after(() => store.close());
  const update = (n) => patiently(() => store.updatePhase('design', `phase ${n}`, {}));
  await Promise.all(Array.from({ length: 40 }, (_, n) => update(n)));
  const { phases, revision } = await store.load('design');
  assert.deepEqual([Object.keys(phases).length, revision], [40, 40]);
});
