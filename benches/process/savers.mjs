// One situation on one of the savers: what its users get.
//
//   node savers.mjs memory|sqlite|postgres|redis|milepost-memory|milepost-files|milepost-postgres SITUATION CONNECTION FOLDER
//
// Situations: `cancelled`, `deleted`, `replaced`, `text`, `methods`; of `redis`, which has no server here, the last alone.

import * as fs from 'node:fs';
import * as path from 'node:path';

import { MemorySaver, emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import pg from 'pg';

const [name, situation, connection, folder] = process.argv.slice(2);
const ROUNDS = 20;
const MB = 1e6;

const pool = () => new pg.Pool({ ...JSON.parse(connection), allowExitOnIdle: true });

const SAVERS = {
  memory: () => new MemorySaver(),
  async sqlite() {
    const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
    return SqliteSaver.fromConnString(path.join(folder, 'threads.sqlite'));
  },
  async postgres() {
    const { PostgresSaver } = await import('@langchain/langgraph-checkpoint-postgres');
    const saver = new PostgresSaver(pool());
    await saver.setup();
    return saver;
  },
  async redis() {
    const { RedisSaver } = await import('@langchain/langgraph-checkpoint-redis');
    return RedisSaver.prototype;
  },
  'milepost-memory': () => milepost({}),
  'milepost-files': () => milepost({ storagePath: folder }),
  async 'milepost-postgres'() {
    const { postgresHost } = await import('milepost/postgres');
    return milepost({ postgres: postgresHost({ project: `savers-${process.pid}`, pool: pool() }) });
  },
};

async function milepost(options) {
  const { MilepostSaver } = await import('milepost/langgraph');
  return new MilepostSaver(options);
}

const SITUATIONS = {
  /** A run is cancelled, and the next message comes immediately: how many of those are stored. */
  async cancelled(saver) {
    const graph = graphOf(saver, 40);
    let stored = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const config = { configurable: { thread_id: `cancelled-${process.pid}-${round}` }, recursionLimit: 100 };
      const abort = new AbortController();
      const first = graph.invoke({ said: ['first'] }, { ...config, signal: abort.signal });
      await new Promise((resolve) => setTimeout(resolve, 15));
      abort.abort();
      await first.catch(() => {});
      try {
        await graph.invoke({ said: ['second'] }, config);
        const { values } = await graph.getState(config);
        if (values.said?.includes('second')) stored += 1;
      } catch {
        // It is not stored.
      }
    }
    return { stored, of: ROUNDS };
  },

  /** A thread is deleted while a run goes on: how many are there in the end. */
  async deleted(saver) {
    let left = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const thread_id = `deleted-${process.pid}-${round}`;
      const config = { configurable: { thread_id }, recursionLimit: 100, durability: 'sync' };
      const running = graphOf(saver, 20, () => saver.deleteThread(thread_id)).invoke({ said: ['first'] }, config);
      await running.catch(() => {});
      if (await saver.getTuple({ configurable: { thread_id } })) left += 1;
    }
    return { left, of: ROUNDS };
  },

  /** Values that JSON does not have: whether `put` refuses each, and what comes back otherwise. */
  async replaced(saver) {
    const circle = {};
    circle.self = circle;
    const values = { bigint: 12n, symbol: Symbol('a'), function: () => 1, circle };
    const found = {};
    for (const [kind, value] of Object.entries(values)) {
      let doing = 'put';
      try {
        const config = await put(saver, `replaced-${kind}`, { value, other: 'x' });
        doing = 'getTuple';
        const tuple = await saver.getTuple(config);
        const back = tuple.checkpoint.channel_values.value;
        found[kind] = `comes back as ${String(JSON.stringify(back)).slice(0, 60)}`;
      } catch {
        found[kind] = `${doing} fails`;
      }
    }
    return found;
  },

  /** The methods that keep, copy and remove threads: those that a class has. */
  methods: (saver) => ['deleteThread', 'prune', 'copyThread', 'deleteForRuns', 'pruneThreads'].filter((it) => it in saver),

  /** A large value is put and read. */
  text: (saver) => large(saver, 'what was said '.repeat((50 * MB) / 14), 50 * MB),
};

/** The time of a put and a read, and the peak of memory above that before them, in sizes of the value. */
async function large(saver, value, size) {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const begun = performance.now();
  const config = await put(saver, 'large', { value });
  const stored = performance.now();
  const { checkpoint } = await saver.getTuple(config);
  const read = performance.now();
  const peak = process.resourceUsage().maxRSS * 1024;
  if (checkpoint.channel_values.value.length !== value.length) throw new Error('another value came back');
  return { putMs: stored - begun, getMs: read - stored, peakTimes: (peak - before + size) / size };
}

async function put(saver, thread, values) {
  const versions = Object.fromEntries(Object.keys(values).map((channel) => [channel, 1]));
  const checkpoint = { ...emptyCheckpoint(), id: uuid6(0), channel_values: values, channel_versions: versions };
  const config = { configurable: { thread_id: `${thread}-${process.pid}`, checkpoint_ns: '' } };
  return saver.put(config, checkpoint, { source: 'input', step: -1, parents: {} }, versions);
}

function graphOf(saver, steps, inTheMiddle) {
  const State = Annotation.Root({
    said: Annotation({ reducer: (before, more) => before.concat(more), default: () => [] }),
    count: Annotation({ reducer: (before, more) => before + more, default: () => 0 }),
  });
  return new StateGraph(State)
    .addNode('step', async ({ count }) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (count % steps === steps / 2) await inTheMiddle?.();
      return { count: 1 };
    })
    .addEdge(START, 'step')
    .addConditionalEdges('step', ({ count }) => (count % steps === 0 ? END : 'step'))
    .compile({ checkpointer: saver });
}

fs.mkdirSync(folder, { recursive: true });
console.log(JSON.stringify(await SITUATIONS[situation](await SAVERS[name]())));
process.exit();
