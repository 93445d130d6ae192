// A graph that reviews files, one after the other. Each process carries on where the last one was, even if that was
// killed: what a step has done is in the folder of checkpoints before the next step begins.
//
//   node review.mjs FOLDER THREAD FILE…
//
// Its steps are slow and say what they do on standard output. There is no model in it: put yours into `review`.

import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { MilepostSaver } from 'milepost/langgraph';

const State = Annotation.Root({
  files: Annotation(),
  reviews: Annotation({ reducer: (before, more) => before.concat(more), default: () => [] }),
});

/** Stands in for a call of a model. */
async function review({ files, reviews }) {
  const file = files[reviews.length];
  console.log(`reviewing ${file}`);
  await new Promise((done) => setTimeout(done, 200));
  return { reviews: [{ file, verdict: file.endsWith('.lock') ? 'skipped' : 'fine' }] };
}

function isDone({ files, reviews }) {
  return reviews.length === files.length ? END : 'review';
}

const [storagePath, thread_id, ...files] = process.argv.slice(2);
const graph = new StateGraph(State)
  .addNode('review', review)
  .addEdge(START, 'review')
  .addConditionalEdges('review', isDone)
  .compile({ checkpointer: new MilepostSaver({ storagePath }) });

// `sync`: a step is stored before the next one begins.
const config = { configurable: { thread_id }, durability: 'sync', recursionLimit: 1_000 };
const { next } = await graph.getState(config);
const { reviews } = await graph.invoke(next.length > 0 ? null : { files }, config);
for (const { file, verdict } of reviews) console.log(`${file}: ${verdict}`);
