// A database that crashes and comes back while graphs run on it.

import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { MilepostSaver } from 'milepost/langgraph';
import { postgresHost } from 'milepost/postgres';
import { afterAll, expect, it, vi } from 'vitest';

import { Server } from '../postgres/server.mjs';

const server = new Server();
afterAll(() => server.stop());

const STEPS = 40;

/** At this step the database has been used: before, its loss is an error. */
const CRASH_AT = 5;

/** Not where it is used: vitest shows those lines for any failure near them. */
const LOST = 'violated: a step is lost or stored twice';

/** A graph that counts, and notes each number. */
function counting(checkpointer, crash) {
  const State = Annotation.Root({
    noted: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  });
  return new StateGraph(State)
    .addNode('note', async ({ noted }) => {
      if (noted.length === CRASH_AT) await crash();
      return { noted: [noted.length] };
    })
    .addEdge(START, 'note')
    .addConditionalEdges('note', ({ noted }) => (noted.length === STEPS ? END : 'note'))
    .compile({ checkpointer });
}

it.each(['sync', 'async'])(
  'a crash of the database ends a graph, or a step is lost or stored twice (%s)',
  async (durability) => {
    const postgres = postgresHost({ project: durability, connection: server.connection });
    let restarted;
    const crash = async () => {
      if (restarted !== undefined) return;
      // A statement is retried for 5 s, in which a busy machine may not get the server back: no time goes by.
      const now = performance.now();
      vi.spyOn(performance, 'now').mockReturnValue(now);
      await server.crash();
      restarted = server.recover();
    };
    const graph = counting(new MilepostSaver({ postgres }), crash);
    const config = { configurable: { thread_id: 'a' }, durability, recursionLimit: 100 };
    const all = Array.from({ length: STEPS }, (_, at) => at);
    try {
      const { noted } = await graph.invoke({ noted: [] }, config);
      await restarted;
      expect(noted, LOST).toEqual(all);
      const states = [];
      for await (const { values } of graph.getStateHistory(config)) states.push(values.noted ?? []);
      // The newest first; the first one of all has only what the graph was given.
      const expected = [[], ...all.map((it) => all.slice(0, it)), all].reverse();
      expect(states, LOST).toEqual(expected);
    } finally {
      vi.restoreAllMocks();
      await postgres.close();
    }
  },
  60_000,
);
