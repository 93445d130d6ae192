// A worker that uses every entry which is there without files, and answers with what came of each use.

import { countTokens, loadCheckpoint, openStore, truncateContextSummary, updatePhase, validateCheckpoint, validateContextSummary } from 'milepost';
import { MilepostSaver } from 'milepost/langgraph';
import { MemoryFiles, openMemoryStore } from 'milepost/memory';
import { runOperation } from 'milepost/operation';
import { MilepostSession, MilepostSessionStore } from 'milepost/session-store';
import { openSnapshots } from 'milepost/snapshots';
import { createCheckpointManager } from 'milepost/tasks';
import { countTokens as countWords } from 'milepost/token-counter';

const STATE = {
  ...{ id: 'first', taskId: 'task', agentId: 'agent', stepIndex: 1, totalSteps: 2, context: {} },
  ...{ completedSteps: [], pendingSteps: ['last'], createdAt: '2026-01-29T10:30:00.000Z' },
};
const CONFIG = { configurable: { thread_id: 'thread', checkpoint_ns: '' } };
const CHECKPOINT = {
  ...{ v: 4, id: '1ef4f797-8335-6428-8001-8a1503f9b875', ts: '2026-01-29T10:30:00.000Z', versions_seen: {} },
  ...{ channel_values: { value: [1, 'two'] }, channel_versions: { value: 1 } },
};

const KEY = { projectKey: 'project', sessionId: 'session' };

/** The uses; each gives what it found. */
const USES = {
  counting: () => [countTokens('one two  three'), countWords('four'), truncateContextSummary('one two three', 2)],
  validation: () => [validateContextSummary('one two three', 2).valid, typeof validateCheckpoint('{}')],
  memory: () => {
    openMemoryStore().load('implement');
    const files = new MemoryFiles();
    openMemoryStore({ files }).updatePhase('implement', 'parser', { status: 'complete' });
    return openMemoryStore({ files }).load('implement').phases.parser.status;
  },
  snapshots: async () => {
    const files = new MemoryFiles();
    openMemoryStore({ files }).updatePhase('implement', 'parser', { status: 'complete' });
    const place = { root: '/', git_root: null, working: '/', dir: null, durability: 'durable', history: null };
    const request = { operation: 'list_sessions', place };
    return JSON.parse(runOperation(JSON.stringify(request), (effect) => files.perform(effect))).ok;
  },
  operation: () => runOperation('{"operation":"list"}', async () => ({ outcome: 'done' })),
  tasks: async () => {
    const manager = createCheckpointManager();
    await manager.save(STATE);
    return (await manager.restore('task')).remainingSteps;
  },
  langgraph: async () => {
    const saver = new MilepostSaver();
    await saver.put(CONFIG, CHECKPOINT, { source: 'loop', step: 0, parents: {} }, { value: 1 });
    return (await saver.getTuple(CONFIG)).checkpoint.channel_values.value;
  },
  transcripts: async () => {
    const store = new MilepostSessionStore();
    await store.append(KEY, [{ type: 'user', uuid: 'a' }]);
    return (await store.load(KEY)).length + (await store.listSessions('project')).length;
  },
  session: async () => {
    const session = new MilepostSession();
    await session.addItems([{ role: 'user' }, { role: 'assistant' }]);
    return [await session.popItem(), await session.getItems()];
  },
  store: () => openStore().list(),
  openedSnapshots: () => openSnapshots().list(),
  silent: () => [loadCheckpoint('implement'), updatePhase('implement', 'parser', { status: 'complete' })],
};

export default {
  async fetch() {
    const found = {};
    for (const [name, use] of Object.entries(USES)) {
      try {
        found[name] = await use();
      } catch (error) {
        found[name] = `${error.code ?? error.name}: ${error.message}`;
      }
    }
    return Response.json(found);
  },
};
