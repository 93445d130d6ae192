// Runs of one saver on one thread: the message after a cancelled run, runs that wait for each other, and who is at work.

import { setTimeout as sleep } from 'node:timers/promises';

import { Annotation, Command, END, START, StateGraph, interrupt } from '@langchain/langgraph';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { MilepostSaver } from 'milepost/langgraph';
import { describe, expect, it } from 'vitest';

import { IS_FULL_RANGE } from '../environment.mjs';
import { PLACES } from './savers.mjs';

/** The next messages of each kind, each right after a run that was cancelled after another time. */
const MESSAGES = IS_FULL_RANGE ? 20 : 5;
const LONGEST_MS = 20;

const State = Annotation.Root({
  messages: Annotation({ reducer: (before, more) => before.concat(more), default: () => [] }),
});

/** A graph of short steps, each of which says which message it belongs to. */
function steps(checkpointer, { count = 6, ms = 1, options = {} } = {}) {
  const graph = new StateGraph(State);
  const names = Array.from({ length: count }, (_, at) => `step${at}`);
  for (const name of names) {
    graph.addNode(name, async ({ messages }) => {
      await sleep(ms);
      return { messages: [`${name} of ${messages.findLast((it) => !it.includes(' of '))}`] };
    });
  }
  graph.addEdge(START, names[0]);
  names.slice(1).forEach((name, at) => graph.addEdge(names[at], name));
  return graph.addEdge(names.at(-1), END).compile({ checkpointer, ...options });
}

/** A graph of one step, which says when it has started, and ends when it may. */
function gated(checkpointer) {
  let start;
  let end;
  const started = new Promise((resolve) => (start = resolve));
  const ended = new Promise((resolve) => (end = resolve));
  const step = async () => {
    start();
    await ended;
    return { messages: ['done'] };
  };
  const graph = new StateGraph(State).addNode('only', step).addEdge(START, 'only').addEdge('only', END);
  return { graph: graph.compile({ checkpointer }), started, end };
}

/** A checkpoint that follows from another one. */
function put(saver, parent, value) {
  const checkpoint = { ...emptyCheckpoint(), id: uuid6(0), channel_values: { value }, channel_versions: { value: 1 } };
  return saver.put(parent, checkpoint, { source: 'loop', step: 0, parents: {} }, { value: 1 });
}

/** All checkpoints of a thread, in which no two follow from one. */
async function line(saver, thread_id) {
  const all = [];
  for await (const tuple of saver.list({ configurable: { thread_id } })) all.push(tuple);
  const parents = all.map(({ parentConfig }) => parentConfig?.configurable.checkpoint_id);
  expect(new Set(parents).size).toBe(parents.length);
  return all;
}

/** The ways in which a user cancels a run after a time: each ends when the user is answered. */
const CANCELLED = {
  'a signal': (graph, input, config, ms) => aborted(graph, input, config, ms),
  'a signal with durability sync': (graph, input, config, ms) =>
    aborted(graph, input, { ...config, durability: 'sync' }, ms),
  'a signal with durability exit': (graph, input, config, ms) =>
    aborted(graph, input, { ...config, durability: 'exit' }, ms),
  'a timeout': (graph, input, config, ms) => graph.invoke(input, { ...config, timeout: ms }),
  'the end of its stream': async (graph, input, config, ms) => {
    const end = performance.now() + ms;
    for await (const _ of await graph.stream(input, config)) if (performance.now() >= end) break;
  },
};

function aborted(graph, input, config, ms) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return graph.invoke(input, { ...config, signal: controller.signal });
}

for (const [place, { create, destroy }] of Object.entries(PLACES)) {
  describe(place, () => {
    const withSaver = async (options, test) => {
      const saver = create(options);
      try {
        await test(saver);
      } finally {
        await destroy(saver);
      }
    };

    for (const [how, cancelled] of Object.entries(CANCELLED)) {
      it(`the message after a run that was cancelled by ${how} is stored`, () =>
        withSaver({}, async (saver) => {
          const graph = steps(saver);
          const ends = [];
          for (let at = 0; at < MESSAGES; at += 1) {
            const config = { configurable: { thread_id: `thread ${at}` } };
            await graph.invoke({ messages: ['first'] }, config);
            const ms = ((at + 1) * LONGEST_MS) / MESSAGES;
            await cancelled(graph, { messages: ['cancelled'] }, config, ms).catch(() => {});
            const next = await graph.invoke({ messages: ['next'] }, config).catch((error) => error);
            const { checkpoint } = (await saver.getTuple(config)) ?? {};
            expect(next).toMatchObject({ messages: checkpoint.channel_values.messages });
            ends.push(checkpoint.channel_values.messages.slice(-7));
            await line(saver, `thread ${at}`);
          }
          const all = ['next', ...Array.from({ length: 6 }, (_, step) => `step${step} of next`)];
          expect(ends).toEqual(Array.from({ length: MESSAGES }, () => all));
        }), 120_000);
    }

    it('a late put of a cancelled run is refused, and not that of the run that has read the head since', () =>
      withSaver({}, async (saver) => {
        const head = { configurable: { thread_id: 'thread', checkpoint_ns: '' } };
        const parent = await put(saver, head, 'first');
        const [cancelled, next] = [new AbortController(), new AbortController()];
        await saver.getTuple({ ...head, signal: cancelled.signal });
        cancelled.abort();
        await saver.getTuple({ ...head, signal: next.signal });
        await expect(put(saver, { ...parent, signal: cancelled.signal }, 'late')).rejects.toMatchObject({
          ...{ code: 'conflict', written: 'no', fields: ['/parent'] },
          message: expect.stringMatching(/^The run was cancelled, and another one went on with the thread "thread"/),
        });
        await put(saver, { ...parent, signal: next.signal }, 'next');
        const { checkpoint } = await saver.getTuple(head);
        expect(checkpoint.channel_values).toEqual({ value: 'next' });
      }));

    it('a put of a cancelled run is stored as long as no other run has read the head', () =>
      withSaver({}, async (saver) => {
        const head = { configurable: { thread_id: 'thread', checkpoint_ns: '' } };
        const parent = await put(saver, head, 'first');
        const cancelled = new AbortController();
        await saver.getTuple({ ...head, signal: cancelled.signal });
        cancelled.abort();
        // To look is not to run.
        await saver.getTuple(head);
        await put(saver, { ...parent, signal: cancelled.signal }, 'last');
        expect((await saver.getTuple(head)).checkpoint.channel_values).toEqual({ value: 'last' });
      }));

    it('with a queue, runs on one thread go one after the other', () =>
      withSaver({ queue: true }, async (saver) => {
        const graph = steps(saver, { ms: 5 });
        const config = { configurable: { thread_id: 'thread' } };
        const names = ['one', 'two', 'three', 'four'];
        const said = await Promise.all(names.map((name) => graph.invoke({ messages: [name] }, config)));
        const turns = names.map((name) => [name, ...Array.from({ length: 6 }, (_, at) => `step${at} of ${name}`)]);
        expect(said.map(({ messages }) => messages)).toEqual(turns.map((_, at) => turns.slice(0, at + 1).flat()));
        expect(saver.busy('thread')).toBe(false);
        await line(saver, 'thread');
      }), 60_000);

    it('without a queue, one of two runs on one thread is a conflict', () =>
      withSaver({}, async (saver) => {
        const graph = steps(saver, { ms: 5 });
        const config = { configurable: { thread_id: 'thread' } };
        await graph.invoke({ messages: ['before'] }, config);
        const both = await Promise.allSettled(['one', 'two'].map((it) => graph.invoke({ messages: [it] }, config)));
        const refused = both.filter(({ status }) => status === 'rejected');
        expect(refused.map(({ reason }) => reason.code)).toEqual(['conflict']);
        await line(saver, 'thread');
      }), 60_000);
  });
}

/** Runs with a queue that ended without having done everything, and the one after that. */
const STOPPED = {
  'stopped before a step': {
    options: { interruptBefore: ['step1'] },
    run: (graph, config) => graph.invoke({ messages: ['one'] }, config),
    next: null,
  },
  'stopped by an interrupt': {
    node: () => ({ messages: [interrupt('go on?')] }),
    run: (graph, config) => graph.invoke({ messages: ['one'] }, config),
    next: new Command({ resume: 'yes' }),
  },
  failed: {
    node: ({ messages }) => {
      if (messages.length === 1) throw new Error('no');
      return { messages: ['yes'] };
    },
    run: (graph, config) => expect(graph.invoke({ messages: ['one'] }, config)).rejects.toThrow('no'),
    next: { messages: ['two'] },
  },
  'stopped by its number of steps': {
    run: (graph, config) => expect(graph.invoke({ messages: ['one'] }, { ...config, recursionLimit: 1 })).rejects.toThrow(/limit/i),
    next: { messages: ['two'] },
  },
};

for (const [what, { options, node, run, next }] of Object.entries(STOPPED)) {
  it(`a run that waits goes on immediately after one that was ${what}`, async () => {
    const checkpointer = new MilepostSaver({ queue: { limit: 30_000 } });
    const graph = node
      ? new StateGraph(State).addNode('only', node).addEdge(START, 'only').addEdge('only', END).compile({ checkpointer })
      : steps(checkpointer, { count: 2, options });
    const config = { configurable: { thread_id: 'thread' } };
    await run(graph, config);
    expect(checkpointer.busy('thread')).toBe(false);
    // One that did not go on would be busy.
    await graph.invoke(next, config);
  });
}

it('a run that waits for longer than the limit is busy, and nothing of it is stored', async () => {
  const checkpointer = new MilepostSaver({ queue: { limit: 30 } });
  const { graph, started, end } = gated(checkpointer);
  const config = { configurable: { thread_id: 'thread' } };
  const first = graph.invoke({ messages: ['one'] }, config);
  await started;
  await expect(graph.invoke({ messages: ['two'] }, config)).rejects.toMatchObject({ code: 'busy', written: 'no' });
  end();
  await first;
  const { checkpoint } = await checkpointer.getTuple(config);
  expect(checkpoint.channel_values.messages).toEqual(['one', 'done']);
});

it('a run that is cancelled while it waits lets the next one go', async () => {
  const checkpointer = new MilepostSaver({ queue: true });
  const graph = steps(checkpointer, { count: 1, ms: 200 });
  const config = { configurable: { thread_id: 'thread' } };
  const controller = new AbortController();
  const first = graph.invoke({ messages: ['one'] }, config);
  const second = graph.invoke({ messages: ['two'] }, { ...config, signal: controller.signal });
  const third = graph.invoke({ messages: ['three'] }, config);
  setTimeout(() => controller.abort(), 50);
  await expect(second).rejects.toThrow(/abort/i);
  await first;
  expect((await third).messages).toEqual(['one', 'step0 of one', 'three', 'step0 of three']);
});

it('a saver says which thread a run is at work on', async () => {
  const checkpointer = new MilepostSaver();
  const { graph, started, end } = gated(checkpointer);
  const run = graph.invoke({ messages: ['one'] }, { configurable: { thread_id: 'thread' } });
  await started;
  expect([checkpointer.busy('thread'), checkpointer.busy('other')]).toEqual([true, false]);
  // To look is not to be at work.
  await graph.getState({ configurable: { thread_id: 'other' } });
  expect(checkpointer.busy('other')).toBe(false);
  end();
  await run;
  expect(checkpointer.busy('thread')).toBe(false);
});

it('a queue of another form is refused', () => {
  for (const queue of [1, 'true', null, {}, { limit: 0 }, { limit: 1.5 }, { limit: '5' }, { limit: 5, more: 1 }]) {
    expect(() => new MilepostSaver({ queue }), JSON.stringify(queue)).toThrow(/`queue` to be a boolean, or `limit`/);
  }
  expect(() => new MilepostSaver({ queue: false })).not.toThrow();
});
