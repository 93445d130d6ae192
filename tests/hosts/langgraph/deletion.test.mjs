// Threads that are deleted while a run goes on, and checkpoints whose parent is not there.

import { Annotation, END, MemorySaver, START, StateGraph } from '@langchain/langgraph';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { describe, expect, it } from 'vitest';

import { PLACES } from './savers.mjs';

const config = { configurable: { thread_id: 'thread', checkpoint_ns: '' } };
const metadata = { source: 'loop', step: 0, parents: {} };

/** A graph of three nodes, the second of which has something done to its thread. */
function graph(checkpointer, between) {
  const State = Annotation.Root({ done: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }) });
  return new StateGraph(State)
    .addNode('first', () => ({ done: ['first'] }))
    .addNode('second', async () => {
      await between();
      return { done: ['second'] };
    })
    .addNode('third', () => ({ done: ['third'] }))
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .addEdge('second', 'third')
    .addEdge('third', END)
    .compile({ checkpointer });
}

async function idsOf(saver) {
  const ids = [];
  for await (const { checkpoint } of saver.list({ configurable: {} })) ids.push(checkpoint.id);
  return ids;
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

    for (const durability of ['sync', 'async']) {
      it(`a run (${durability}) whose thread was deleted brings nothing back, and a new one works`, () =>
        withSaver(async (saver) => {
          const interrupted = graph(saver, () => saver.deleteThread('thread'));
          await expect(interrupted.invoke({ done: [] }, { ...config, durability })).rejects.toMatchObject({
            code: 'conflict',
          });
          expect(await saver.getTuple(config)).toBeUndefined();
          expect(await idsOf(saver)).toEqual([]);
          const whole = graph(saver, () => {});
          const expected = await graph(new MemorySaver(), () => {}).invoke({ done: [] }, config);
          expect(await whole.invoke({ done: [] }, config)).toEqual(expected);
          expect((await whole.getState(config)).values).toEqual(expected);
        }));
    }

    it('a checkpoint whose parent is not there has all of its values', () =>
      withSaver(async (saver) => {
        const parent = { configurable: { ...config.configurable, checkpoint_id: uuid6(0) } };
        const checkpoint = {
          ...emptyCheckpoint(),
          id: uuid6(1),
          channel_values: { log: ['a', 'b'], count: 2 },
          channel_versions: { log: 1, count: 2 },
        };
        await saver.put(parent, checkpoint, metadata, { count: 2 });
        const found = await saver.getTuple(config);
        expect(found.checkpoint.channel_values).toEqual({ log: ['a', 'b'], count: 2 });
        // The next one goes on from it.
        const next = { ...checkpoint, id: uuid6(2), channel_versions: { log: 1, count: 3 } };
        next.channel_values = { log: ['a', 'b'], count: 3 };
        await saver.put(found.config, next, { ...metadata, step: 1 }, { count: 3 });
        const last = await saver.getTuple(config);
        expect(last.checkpoint.channel_values).toEqual({ log: ['a', 'b'], count: 3 });
      }));
  });
}
