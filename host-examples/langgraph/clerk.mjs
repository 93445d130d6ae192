// Clerks at several machines who decide on one list of requests, which is a thread in PostgreSQL. The second clerk
// at a request gets a conflict, and goes on with the next one: a request is decided once.
//
//   node clerk.mjs open THREAD REQUEST…
//   node clerk.mjs work THREAD NAME
//
// The database is that of `DATABASE_URL`, or of `PGHOST` and its like. An answer is a line of standard input.

import * as readline from 'node:readline';

import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { MilepostSaver } from 'milepost/langgraph';
import { postgresHost } from 'milepost/postgres';

const State = Annotation.Root({
  requests: Annotation(),
  decisions: Annotation({ reducer: (before, more) => before.concat(more), default: () => [] }),
});

const [verb, thread_id, ...rest] = process.argv.slice(2);
const lines = readline.createInterface({ input: process.stdin });
const answers = lines[Symbol.asyncIterator]();

/** Asks the clerk of this process. */
async function decide({ requests, decisions }) {
  const request = requests[decisions.length];
  console.log(`${request}?`);
  const { value: answer, done } = await answers.next();
  if (done) throw new Error(`${request}: there is no answer`);
  return { decisions: [{ request, answer, by: rest[0] }] };
}

function isDone({ requests, decisions }) {
  return decisions.length === requests.length ? END : 'decide';
}

const postgres = postgresHost({ project: 'clerks', connection: process.env.DATABASE_URL });
const graph = new StateGraph(State)
  .addNode('decide', decide)
  .addEdge(START, 'decide')
  .addConditionalEdges('decide', isDone)
  .compile({ checkpointer: new MilepostSaver({ postgres }) });

// `sync`: a decision is stored before the next request is shown.
const config = { configurable: { thread_id }, durability: 'sync', recursionLimit: 1_000 };

/** The list begins with the first checkpoint, which nothing can come before: so one process makes it, once. */
async function open() {
  await graph.invoke({ requests: rest }, { ...config, interruptBefore: ['decide'] });
}

async function work() {
  for (;;) {
    const { next, values } = await graph.getState(config);
    if (next.length === 0) return values.decisions;
    try {
      await graph.invoke(null, config);
    } catch (error) {
      if (error.code !== 'conflict') throw error;
      // Another clerk went on from the same checkpoint: the stored thread is theirs, and this clerk goes on from there.
      console.log('another clerk was faster');
    }
  }
}

if (verb === 'open') {
  await open();
} else {
  for (const { request, answer, by } of await work()) console.log(`${request}: ${answer} (${by})`);
}
lines.close();
await postgres.close();
