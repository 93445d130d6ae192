// Parts of the fixtures of stored state, and of the test that opens them.

import * as path from 'node:path';
import { installed, require } from '../fixture.mjs';

/** The agents whose settings are in a fixture. */
export const AGENTS = ['claude-code', 'codex', 'gemini', 'cursor', 'copilot', 'opencode', 'qwen-code'];

/** Threads in a folder or a database, as `milepost/langgraph` keeps them, without LangGraph.js and its values. */
export function openThreads(storage) {
  const { fromReply, openThreads } = require(path.join(installed, 'dist/library.cjs'));
  const ask = openThreads(storage);
  return {
    async put(thread, id) {
      const { results } = await ask('put_thread', { thread_id: thread, changes: [checkpoint(id)] });
      for (const { error } of results) if (error !== null) throw fromReply(error);
    },
    async load(thread) {
      const { found } = await ask('load_thread', { thread_id: thread, namespace: '' });
      return found;
    },
  };
}

function checkpoint(id) {
  const empty = ['json', '{}'];
  return { namespace: '', id, checkpoint: empty, metadata: empty, channels: [], changed: [], values: [] };
}
