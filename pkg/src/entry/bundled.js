// All that the package has, in one module: for pages and bundlers.

export * from './index.js';
export { MemoryFiles, fromReply, openMemoryStore, runOn, runOperation } from './library.js';
export { openSessions, openSnapshots } from '../client/snapshots.js';
export { CheckpointManager, createCheckpointManager } from '../client/tasks.js';
export { THREAD_OPTIONS, openThreads } from '../client/threads.js';
