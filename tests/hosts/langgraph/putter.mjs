// One of several processes that put a checkpoint on one parent: says `put`, or the code of its failure.

import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { MilepostSaver } from 'milepost/langgraph';
import { postgresHost } from 'milepost/postgres';

const [where, parent, value] = process.argv.slice(2);
const { database, ...inFiles } = JSON.parse(where);
const postgres = database && postgresHost(database);
const checkpoint = {
  ...emptyCheckpoint(),
  id: uuid6(0),
  channel_values: { value: Number(value) },
  channel_versions: { value: 1 },
};
const metadata = { source: 'loop', step: 1, parents: {} };

async function put() {
  try {
    const saver = new MilepostSaver(postgres ? { postgres } : inFiles);
    await saver.put(JSON.parse(parent), checkpoint, metadata, { value: 1 });
    return 'put';
  } catch (error) {
    return error.code;
  }
}

let said = await put();
// The owner of the lock may be slow: that is no answer.
for (let more = 20; said === 'busy' && more > 0; more -= 1) said = await put();
console.log(said);
await postgres?.close();
