// A database that crashes and comes back while graphs run on it.

import { setTimeout } from 'node:timers/promises';

import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { MilepostSaver } from 'milepost/langgraph';
import { postgresHost } from 'milepost/postgres';
import { afterAll, expect, it } from 'vitest';

import { Server } from '../postgres/server.mjs';

const server = new Server();
afterAll(() => server.stop());

const STEPS = 40;

/** A graph that counts, and notes each number. */
function counting(checkpointer) {
  const State = Annotation.Root({
    noted: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
  });
  return new StateGraph(State)
    .addNode('note', async ({ noted }) => {
      await setTimeout(20);
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
    const graph = counting(new MilepostSaver({ postgres }));
    const config = { configurable: { thread_id: 'a' }, durability, recursionLimit: 100 };
    const all = Array.from({ length: STEPS }, (_, at) => at);
    try {
      const [{ noted }] = await Promise.all([
        graph.invoke({ noted: [] }, config),
        setTimeout(300).then(() => server.restart()),
      ]);
      expect(noted).toEqual(all);
      const states = [];
      for await (const { values } of graph.getStateHistory(config)) states.push(values.noted ?? []);
      // The newest first; the first one of all has only what the graph was given.
      const expected = [[], ...all.map((it) => all.slice(0, it)), all].reverse();
      expect(states).toEqual(expected);
    } finally {
      await postgres.close();
    }
  },
  60_000,
);
