// A graph of so many steps that do next to nothing, on one of the savers in PostgreSQL: says how long the run took in
// ms, how many bytes the process sent to the server, and in how many statements.
//
//   node steps.mjs milepost|postgres CONNECTION STEPS async|sync trivial|growing
//
// CONNECTION is JSON, as `pg` takes it. A trivial step counts; a growing one adds 1 KB to the state.

import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import pg from 'pg';

const [name, connection, count, durability, kind] = process.argv.slice(2);
const steps = Number(count);

const sent = { bytes: 0, statements: 0 };
const streams = new Set();
const pool = new pg.Pool({ ...JSON.parse(connection), max: 10 });
pool.on('connect', (client) => {
  streams.add(client.connection.stream);
  const query = client.query.bind(client);
  client.query = (...given) => {
    sent.statements += 1;
    return query(...given);
  };
});

const SAVERS = {
  async milepost() {
    const { MilepostSaver } = await import('milepost/langgraph');
    const { postgresHost } = await import('milepost/postgres');
    return new MilepostSaver({ postgres: postgresHost({ project: 'steps', pool }) });
  },
  async postgres() {
    const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres');
    const saver = new PostgresSaver(pool);
    await saver.setup();
    return saver;
  },
};

const State = Annotation.Root({
  count: Annotation({ reducer: (before, more) => before + more, default: () => 0 }),
  messages: Annotation({ reducer: (before, more) => before.concat(more), default: () => [] }),
});
const said = (at) => ({ role: 'assistant', content: `${at} ${'what was said in this step, '.repeat(40)}`.slice(0, 1_000) });
const step = ({ count: at }) => ({ count: 1, ...(kind === 'growing' && { messages: [said(at)] }) });
const graph = new StateGraph(State)
  .addNode('step', step)
  .addEdge(START, 'step')
  .addConditionalEdges('step', ({ count: at }) => (at < steps ? 'step' : END))
  .compile({ checkpointer: await SAVERS[name]() });
const config = { configurable: { thread_id: `${durability}-${kind}-${steps}-${process.pid}` }, recursionLimit: steps + 10, durability };

// The schema is made before.
await graph.getState(config);
const before = bytesSent();
sent.statements = 0;
const cpu = process.cpuUsage();
const begun = performance.now();
await graph.invoke({ count: 0 }, config);
const ms = performance.now() - begun;
const { user, system } = process.cpuUsage(cpu);
const bytes = bytesSent() - before;
const { statements } = sent;

const { values } = await graph.getState(config);
if (values.count !== steps) throw new Error(`${values.count} of ${steps} steps`);
await pool.end();
console.log(JSON.stringify({ ms, bytes, statements, cpuMs: (user + system) / 1000 }));

function bytesSent() {
  return [...streams].reduce((sum, { bytesWritten }) => sum + bytesWritten, 0);
}
