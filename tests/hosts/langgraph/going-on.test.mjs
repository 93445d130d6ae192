// Two writers, forks, replays and updates from an older checkpoint, as graphs make them.

import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { promisify } from 'node:util';

import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { MilepostSaver } from 'milepost/langgraph';
import { openPostgresStore, postgresHost } from 'milepost/postgres';
import { createCheckpointManager } from 'milepost/tasks';
import { describe, expect, it } from 'vitest';

import { PLACES, folder } from './savers.mjs';

const config = { configurable: { thread_id: '../a thread: ?', checkpoint_ns: '' } };
const metadata = { source: 'loop', step: 0, parents: {} };

/** A graph with a subgraph, that collects what it did. */
function graph(checkpointer) {
  const State = Annotation.Root({
    done: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
    last: Annotation(),
  });
  const inner = new StateGraph(State)
    .addNode('inside', ({ last }) => ({ done: [`inside ${last}`], last: 'inside' }))
    .addEdge(START, 'inside')
    .compile();
  return new StateGraph(State)
    .addNode('first', ({ last }) => ({ done: [`first ${last}`], last: 'first' }))
    .addNode('left', () => ({ done: ['left'] }))
    .addNode('right', () => ({ done: ['right'] }))
    .addNode('inner', inner)
    .addEdge(START, 'first')
    .addEdge('first', 'left')
    .addEdge('first', 'right')
    .addEdge(['left', 'right'], 'inner')
    .addEdge('inner', END)
    .compile({ checkpointer });
}

/** The user's view of a thread: every checkpoint in its order, and the one that each follows from. */
async function history(compiled, config) {
  const all = [];
  for await (const state of compiled.getStateHistory(config)) all.push(state);
  const at = (it) => all.findIndex((other) => other.config.configurable.checkpoint_id === it);
  return all.map(({ values, next, metadata: { source, step }, parentConfig }) => ({
    values,
    next,
    source,
    step,
    parent: at(parentConfig?.configurable.checkpoint_id),
  }));
}

/** Runs a graph with any saver: a run, a second one, a replay, an update from long ago and a run from there. */
async function story(saver) {
  const compiled = graph(saver);
  const thread = { configurable: { thread_id: 'story' } };
  const answers = [];
  answers.push(await compiled.invoke({ last: 'one' }, thread));
  answers.push(await compiled.invoke({ last: 'two' }, thread));
  const states = [];
  for await (const state of compiled.getStateHistory(thread)) states.push(state);
  const old = states.find(({ next, metadata }) => next.includes('inner') && metadata.step < 4);
  answers.push(await compiled.invoke(null, old.config));
  answers.push(await compiled.invoke({ last: 'from long ago' }, old.config));
  const updated = await compiled.updateState(old.config, { last: 'updated' }, 'left');
  answers.push(await compiled.invoke(null, updated));
  answers.push((await compiled.getState(thread)).values);
  for (const durability of ['sync', 'exit']) {
    answers.push(await compiled.invoke({ last: durability }, { ...thread, durability }));
  }
  return { answers, history: await history(compiled, thread) };
}

/** A checkpoint that follows from another one, with one value. */
async function put(saver, parent, value, more = {}) {
  const checkpoint = {
    ...emptyCheckpoint(),
    id: uuid6(0),
    channel_values: { value },
    channel_versions: { value: 1 },
  };
  return saver.put(parent, checkpoint, { ...metadata, ...more }, { value: 1 });
}

/** Processes that each put a checkpoint on one parent, and what they say. */
async function putters(where, parent) {
  const script = path.join(import.meta.dirname, 'putter.mjs');
  const run = promisify(execFile);
  const all = Array.from({ length: 4 }, (_, at) =>
    run(process.execPath, [script, JSON.stringify(where), JSON.stringify(parent), String(at)]),
  );
  return (await Promise.all(all)).map(({ stdout }) => stdout.trim());
}

for (const [place, { create, destroy }] of Object.entries(PLACES)) {
  describe(place, () => {
    const withSaver = async (test) => {
      const saver = create();
      try {
        await test(saver);
      } finally {
        await destroy(saver);
      }
    };

    it('replays, runs and updates of an older checkpoint are those of MemorySaver', () =>
      withSaver(async (saver) => {
        expect(await story(saver)).toEqual(await story(new MemorySaver()));
      }), 60_000);

    it('a second writer on one parent is refused', () =>
      withSaver(async (saver) => {
        const first = await put(saver, config, 1);
        const second = await put(saver, first, 2);
        await expect(put(saver, first, 3)).rejects.toMatchObject({ code: 'conflict', written: 'no' });
        expect((await saver.getTuple(config)).config).toEqual(second);
      }));

    it('of two that come together, one wins', () =>
      withSaver(async (saver) => {
        const first = await put(saver, config, 1);
        const ends = await Promise.allSettled([2, 3, 4].map((it) => put(saver, first, it)));
        expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
      }));

    it('a fork that is asked for is accepted', () =>
      withSaver(async (saver) => {
        const first = await put(saver, config, 1);
        await put(saver, first, 2);
        await put(saver, first, 3, { fork: true });
        await put(saver, first, 4, { source: 'fork' });
        await saver.getTuple(first);
        const last = await put(saver, first, 5);
        expect((await saver.getTuple(config)).config).toEqual(last);
        const all = [];
        for await (const { checkpoint } of saver.list(config)) all.push(checkpoint.channel_values.value);
        expect(all).toEqual([5, 4, 3, 2, 1]);
      }));

    it('the same checkpoint can be put again, and with other content is a conflict', () =>
      withSaver(async (saver) => {
        const first = await put(saver, config, 1);
        const checkpoint = { ...emptyCheckpoint(), id: uuid6(0) };
        await saver.put(first, checkpoint, metadata, {});
        await saver.put(first, checkpoint, metadata, {});
        const other = { ...metadata, step: 7 };
        await expect(saver.put(first, checkpoint, other, {})).rejects.toMatchObject({
          code: 'conflict',
        });
      }));

    it('bytes and text come back unchanged', () =>
      withSaver(async (saver) => {
        let at = config;
        for (const value of [Uint8Array.of(0, 255, 128), 'é😀\u0000\ud83d', new Map([['a', 1]])]) {
          at = await put(saver, at, value);
          const { checkpoint } = await saver.getTuple(config);
          const [, expected] = await saver.serde.dumpsTyped(value);
          const [, found] = await saver.serde.dumpsTyped(checkpoint.channel_values.value);
          expect(Buffer.from(found).equals(Buffer.from(expected))).toBe(true);
        }
      }));

    it('a problem of one write is not the fault of the next one', () =>
      withSaver(async (saver) => {
        const first = await put(saver, config, 1);
        const [wrong, right] = await Promise.allSettled([
          saver.putWrites(first, [['value', 1]], ''),
          saver.putWrites(first, [['value', 2]], 'task'),
        ]);
        expect(wrong.reason).toMatchObject({ code: 'invalid_name' });
        expect(right.status).toBe('fulfilled');
        expect((await saver.getTuple(first)).pendingWrites).toEqual([['task', 'value', 2]]);
      }));

    // Memory is that of one process.
    if (place === 'memory') return;
    it('of processes on one parent, exactly one wins', () =>
      withSaver(async (saver) => {
        const parent = await put(saver, config, 1);
        const said = await putters(saver.where, parent);
        expect(said.toSorted()).toEqual(['conflict', 'conflict', 'conflict', 'put']);
        const winner = said.indexOf('put');
        expect((await saver.getTuple(config)).checkpoint.channel_values).toEqual({ value: winner });
      }), 60_000);
  });
}

it('a saver that allows forks accepts one', async () => {
  const saver = new MilepostSaver({ forks: 'allow' });
  const first = await put(saver, config, 1);
  await put(saver, first, 2);
  await put(saver, first, 3);
});

it('a saver that is required extends the class of the module that its user has', async () => {
  const require = createRequire(import.meta.url);
  const required = require('milepost/langgraph');
  const { BaseCheckpointSaver } = require('@langchain/langgraph-checkpoint');
  expect(new required.MilepostSaver()).toBeInstanceOf(BaseCheckpointSaver);
  expect(new MilepostSaver()).toBeInstanceOf((await import('@langchain/langgraph-checkpoint')).BaseCheckpointSaver);
});

it('unknown options, and options that contradict each other, are refused', () => {
  const postgres = postgresHost({ project: 'a' });
  for (const [options, said] of [
    [{ storage: 'x' }, /no option "storage"/],
    [{ ask() {} }, /no option "ask"/],
    [{ forks: 'maybe' }, /"refuse" or "allow"/],
    [{ storagePath: '' }, /`storagePath` to be the path of a folder/],
    [{ durability: 'lazy' }, /`durability` to be left out where there is no `storagePath`/],
    [{ storagePath: 'x', durability: 'often' }, /`durability`/],
    [{ postgres, storagePath: 'x' }, /`postgres` to be the only place/],
    [{ postgres, durability: 'lazy' }, /`postgres` to be the only place/],
    [{ postgres: {} }, /`postgres` to be what `postgresHost\(\)` of milepost\/postgres gives/],
    [{ postgres: openPostgresStore({ project: 'a' }) }, /`postgres` to be what `postgresHost/],
    [{ onWarning: 'x' }, /`onWarning` to be a function/],
  ]) {
    expect(() => new MilepostSaver(options), String(said)).toThrow(said);
  }
});

it('a path is that of a project for task checkpoints and for threads', async () => {
  const before = process.cwd();
  const repository = folder();
  const working = path.join(repository, 'package');
  fs.mkdirSync(path.join(repository, '.git'));
  fs.mkdirSync(working);
  fs.writeFileSync(path.join(working, 'blocked'), '');
  process.chdir(working);
  try {
    const storage = { storagePath: 'blocked' };
    const message = expect.stringMatching(/^blocked is a file/);
    await expect(put(new MilepostSaver(storage), config, 1)).rejects.toMatchObject({ message });
    await expect(createCheckpointManager({ storage }).deleteAll('task')).rejects.toMatchObject({ message });
  } finally {
    process.chdir(before);
    fs.rmSync(repository, { recursive: true });
  }
});
