// One of several processes that put a checkpoint on one parent: says `put`, or the code of its failure.

import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { MilepostSaver } from 'milepost/langgraph';

const [storagePath, parent, value] = process.argv.slice(2);
const checkpoint = {
  ...emptyCheckpoint(),
  id: uuid6(0),
  channel_values: { value: Number(value) },
  channel_versions: { value: 1 },
};
const metadata = { source: 'loop', step: 1, parents: {} };
try {
  await new MilepostSaver({ storagePath }).put(JSON.parse(parent), checkpoint, metadata, { value: 1 });
  console.log('put');
} catch (error) {
  console.log(error.code);
}
