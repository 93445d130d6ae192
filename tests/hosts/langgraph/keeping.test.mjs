// Threads of which some checkpoints go, by number, run or age, and copies of threads: what is kept reads as before.

import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';

import { PLACES } from './savers.mjs';

const configOf = (thread_id, more = {}) => ({ configurable: { thread_id, checkpoint_ns: '', ...more } });

function graph(checkpointer) {
  const State = Annotation.Root({ done: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }) });
  return new StateGraph(State)
    .addNode('first', () => ({ done: ['first'] }))
    .addNode('second', () => ({ done: ['second'] }))
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .addEdge('second', END)
    .compile({ checkpointer });
}

async function tuplesOf(saver, thread) {
  const tuples = [];
  for await (const tuple of saver.list(configOf(thread))) tuples.push(tuple);
  return tuples;
}

/** Puts checkpoints whose channel `log` has a value in the first alone, and is written to by each. */
async function putDeltas(saver, thread, count) {
  let config = configOf(thread);
  for (let number = 0; number < count; number += 1) {
    const checkpoint = {
      ...emptyCheckpoint(),
      id: uuid6(number),
      channel_values: { state: number, ...(number === 0 ? { log: ['seed'] } : {}) },
      channel_versions: { state: number + 1, log: number + 1 },
    };
    const versions = { state: number + 1, log: number + 1 };
    config = await saver.put(config, checkpoint, { source: 'loop', step: number, parents: {} }, versions);
    await saver.putWrites(config, [['log', `write ${number}`]], `task ${number}`);
  }
  return config;
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

    it('the newest checkpoints of a pruned thread read as before, and a run goes on from them', () =>
      withSaver(async (saver) => {
        for (const thread of ['one', 'two']) {
          await graph(saver).invoke({ done: [] }, configOf(thread));
          await graph(saver).invoke({ done: [] }, configOf(thread));
        }
        const before = await tuplesOf(saver, 'one');
        expect(before.length).toBe(8);
        await saver.prune(['one', 'two'], { keep: 3 });
        expect(await tuplesOf(saver, 'one')).toEqual(before.slice(0, 3));
        await saver.prune('two');
        expect((await tuplesOf(saver, 'two')).length).toBe(1);
        const { done } = await graph(saver).invoke({ done: ['third run'] }, configOf('two'));
        expect(done).toEqual(['first', 'second', 'first', 'second', 'third run', 'first', 'second']);
        await saver.prune('one', { strategy: 'delete' });
        expect(await tuplesOf(saver, 'one')).toEqual([]);
        await expect(saver.prune('two', { keep: 0 })).rejects.toMatchObject({ code: 'usage' });
        await expect(saver.prune('two', { strategy: 'all' })).rejects.toMatchObject({ code: 'usage' });
      }));

    it('the history of a delta channel stays', () =>
      withSaver(async (saver) => {
        const config = await putDeltas(saver, 'thread', 30);
        const before = await saver.getDeltaChannelHistory({ config, channels: ['log'] });
        expect(before.log.writes.length).toBe(29);
        await saver.prune('thread');
        expect(await saver.getDeltaChannelHistory({ config, channels: ['log'] })).toEqual(before);
        expect((await tuplesOf(saver, 'thread')).length).toBe(1);
      }));

    it('the checkpoints of a run go, and those of others read as before', () =>
      withSaver(async (saver) => {
        for (const run_id of ['a', 'b', 'c']) await graph(saver).invoke({ done: [run_id] }, configOf('thread', { run_id }));
        const before = await tuplesOf(saver, 'thread');
        await saver.deleteForRuns(['b', 'unknown']);
        const left = await tuplesOf(saver, 'thread');
        expect(left.length).toBe(8);
        expect(left).toEqual(before.filter(({ checkpoint }) => left.some((it) => it.checkpoint.id === checkpoint.id)));
        await saver.deleteForRuns(['a', 'c']);
        expect(await tuplesOf(saver, 'thread')).toEqual([]);
      }));

    it('old threads go', () =>
      withSaver(async (saver) => {
        const old = { ...emptyCheckpoint(), ts: new Date(Date.now() - 10 * 86_400_000).toISOString() };
        await saver.put(configOf('old'), old, { source: 'input', step: -1, parents: {} }, {});
        await graph(saver).invoke({ done: [] }, configOf('new'));
        expect(await saver.pruneThreads({ days: 11 })).toEqual([]);
        expect(await saver.pruneThreads({ days: 9, dryRun: true })).toEqual(['old']);
        expect((await tuplesOf(saver, 'old')).length).toBe(1);
        expect(await saver.pruneThreads({ days: 9 })).toEqual(['old']);
        expect(await tuplesOf(saver, 'old')).toEqual([]);
        expect((await tuplesOf(saver, 'new')).length).toBe(4);
      }));

    it('a copy reads as its thread, and both go on by themselves', () =>
      withSaver(async (saver) => {
        await graph(saver).invoke({ done: [] }, configOf('thread'));
        await saver.copyThread('thread', 'copy');
        const state = async (thread) => (await graph(saver).getState(configOf(thread))).values;
        expect(await state('copy')).toEqual(await state('thread'));
        await graph(saver).invoke({ done: ['more'] }, configOf('copy'));
        expect((await state('copy')).done.length).toBe(5);
        expect((await state('thread')).done.length).toBe(2);
        await expect(saver.copyThread('thread', 'copy')).rejects.toMatchObject({ code: 'conflict' });
        await expect(saver.copyThread('unknown', 'other')).rejects.toMatchObject({ code: 'not_found' });
      }));
  });
}
