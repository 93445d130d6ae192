// Graphs whose nodes are quicker than PostgreSQL: what their steps send to the server, counted.

import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { afterAll, describe, expect, it } from 'vitest';

import { MilepostSaver } from 'milepost/langgraph';
import { postgresHost } from 'milepost/postgres';
import { Server, newProject, pg } from '../postgres/server.mjs';

const server = new Server();
afterAll(() => server.stop());

const STEPS = 300;
const CONTENT = 'what was said in this step, '.repeat(40).slice(0, 1_000);

/** A saver, and what its connections have sent. */
function counted(options) {
  const pool = new pg.Pool({ ...server.connection, max: 4 });
  const sent = { statements: 0, streams: new Set() };
  pool.on('connect', (client) => {
    sent.streams.add(client.connection.stream);
    const query = client.query.bind(client);
    client.query = (...given) => {
      sent.statements += 1;
      return query(...given);
    };
  });
  const saver = new MilepostSaver({ postgres: postgresHost({ project: newProject(), pool }), ...options });
  const bytes = () => [...sent.streams].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
  return { saver, end: () => pool.end(), sent: () => ({ statements: sent.statements, bytes: bytes() }) };
}

/** A graph that counts, and with a message adds that to its state in each step. */
function graphOn(saver, message) {
  const State = Annotation.Root({
    count: Annotation({ reducer: (before, more) => before + more, default: () => 0 }),
    messages: Annotation({ reducer: (before, more) => before.concat(more), default: () => [] }),
  });
  const step = ({ count }) => ({ count: 1, ...(message && { messages: [`${count} ${message}`] }) });
  return new StateGraph(State)
    .addNode('step', step)
    .addEdge(START, 'step')
    .addConditionalEdges('step', ({ count }) => (count < STEPS ? 'step' : END))
    .compile({ checkpointer: saver });
}

/** Runs it, and returns what that sent, and the checkpoints, the oldest first. */
async function run(durability, message, options) {
  const { saver, end, sent } = counted(options);
  const config = { configurable: { thread_id: 'thread' }, recursionLimit: STEPS + 10, durability };
  try {
    const graph = graphOn(saver, message);
    await graph.getState(config);
    const before = sent();
    await graph.invoke({ count: 0 }, config);
    const after = sent();
    const checkpoints = [];
    for await (const tuple of saver.list(config)) checkpoints.unshift(tuple);
    return {
      statements: after.statements - before.statements,
      bytes: after.bytes - before.bytes,
      checkpoints,
    };
  } finally {
    await end();
  }
}

/** JSON, written in its own time, as one that encrypts does. */
const serde = {
  async dumpsTyped(value) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return ['json', new TextEncoder().encode(JSON.stringify(value))];
  },
  loadsTyped: async (kind, data) => JSON.parse(typeof data === 'string' ? data : new TextDecoder().decode(data)),
};

it('a step sends as little where the serializer takes its time', async () => {
  const { statements, bytes, checkpoints } = await run('async', undefined, { serde });
  const writes = checkpoints.map(({ pendingWrites }) => pendingWrites.length);
  expect(writes.slice(1, -1).every((count) => count > 0)).toBe(true);
  expect(bytes / STEPS).toBeLessThan(3 * 1024);
  expect(statements / STEPS).toBeLessThan(1.25);
});

describe.each(['async', 'sync'])('%s durability', (durability) => {
  it('a step that does next to nothing sends 3 KB at most, in little more than one statement', async () => {
    const { statements, bytes, checkpoints } = await run(durability);
    expect(checkpoints.map(({ checkpoint }) => checkpoint.channel_values.count ?? 0).slice(2)).toEqual(
      Array.from({ length: STEPS }, (_, at) => at + 1),
    );
    // The writes of a checkpoint's tasks are with it.
    const writes = checkpoints.map(({ pendingWrites }) => pendingWrites.length);
    expect(writes.slice(1, -1).every((count) => count > 0)).toBe(true);
    expect(bytes / STEPS).toBeLessThan(3 * 1024);
    expect(statements / STEPS).toBeLessThan(1.25);
  });

  it('of a state that grows, a fortieth of what a saver of whole states sends', async () => {
    const { statements, bytes, checkpoints } = await run(durability, CONTENT);
    const states = checkpoints.map(({ checkpoint }) => JSON.stringify(checkpoint.channel_values).length);
    const whole = states.reduce((sum, length) => sum + length, 0);
    expect(bytes).toBeLessThan(whole / 40);
    expect(statements / STEPS).toBeLessThan(1.5);
  });
});
