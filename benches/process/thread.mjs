// A graph of so many steps, whose one value grows by 1 KB a step, on one of the savers: says how long the run took
// in ms, and how many bytes of files it left.
//
//   node thread.mjs milepost|sqlite FOLDER STEPS

import * as fs from 'node:fs';
import * as path from 'node:path';

import { Annotation, END, START, StateGraph } from '@langchain/langgraph';

const [saver, folder, steps] = process.argv.slice(2);

const SAVERS = {
  async milepost() {
    const { MilepostSaver } = await import('milepost/langgraph');
    return new MilepostSaver({ storagePath: folder });
  },
  async sqlite() {
    const { SqliteSaver } = await import('@langchain/langgraph-checkpoint-sqlite');
    const saver = SqliteSaver.fromConnString(path.join(folder, 'threads.sqlite'));
    // It is in write-ahead mode by itself, in which it would lose what it said before a loss of power.
    saver.setup();
    saver.db.pragma('synchronous=FULL');
    return saver;
  },
};

const State = Annotation.Root({
  messages: Annotation({ reducer: (before, more) => before.concat(more), default: () => [] }),
});
const message = ({ messages }) => ({
  role: 'assistant',
  content: `${messages.length} ${'what was said in this step, '.repeat(40)}`.slice(0, 1_000),
});
const graph = new StateGraph(State)
  .addNode('step', (state) => ({ messages: [message(state)] }))
  .addEdge(START, 'step')
  .addConditionalEdges('step', ({ messages }) => (messages.length < Number(steps) ? 'step' : END))
  .compile({ checkpointer: await SAVERS[saver]() });
const config = { configurable: { thread_id: 'thread' }, recursionLimit: Number(steps) + 10 };

const begun = process.hrtime.bigint();
await graph.invoke({ messages: [] }, config);
const ms = Number(process.hrtime.bigint() - begun) / 1e6;

const { values } = await graph.getState(config);
if (values.messages.length !== Number(steps)) throw new Error('steps are lost');
const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
const sizes = files.filter((it) => it.isFile()).map((it) => fs.statSync(path.join(it.parentPath, it.name)).size);
console.log(JSON.stringify({ ms, bytes: sizes.reduce((sum, size) => sum + size, 0) }));
