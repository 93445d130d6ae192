// Threads of LangGraph.js in a project, put by the requests of `milepost/langgraph`, whose class needs a package of the
// user's.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import { installed, require } from '../../node/fixture.mjs';

const { openThreads } = require(path.join(installed, 'dist/library.cjs'));

const typed = (value) => ['json', JSON.stringify(value)];

/** The operations on the threads of a project. */
export function threadsOf(root) {
  return openThreads({ storagePath: path.join(root, '.claude/state'), durability: 'lazy' });
}

/** Puts a thread of so many changes. */
export async function putThread(root, id, changes) {
  const { results } = await threadsOf(root)('put_thread', { thread_id: id, changes });
  assert.deepEqual(results.map(({ error }) => error), changes.map(() => null));
}

/** A checkpoint with its channels, all of which are new. */
export function checkpoint({ namespace = '', id, parent = null, step, at, source = 'loop' }, channels) {
  return {
    ...{ namespace, id, parent },
    ...{ checkpoint: typed({ ts: at }), metadata: typed({ source, step }) },
    ...{ channels: Object.keys(channels), changed: Object.keys(channels) },
    values: Object.entries(channels).map(([channel, value]) => [channel, typed(value)]),
  };
}

/** A write of a task to a checkpoint. */
export function write({ namespace = '', id, task }, channel, value) {
  return { namespace, id, task, values: [[channel, typed(value)]] };
}

/** The address of the view of a thread. */
export function addressOf(id) {
  // The key is encoded too.
  return `#/threads/${encodeURIComponent(encodeURIComponent(id))}`;
}
