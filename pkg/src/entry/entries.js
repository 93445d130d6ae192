// Every entry of the library, in one file with it: what they load is the same wasm.

export * from './library.js';
export { MilepostError } from '../base/error.js';
export { openSessions, openSnapshots } from '../client/snapshots.js';
export { CheckpointManager, createCheckpointManager } from '../client/tasks.js';
export { THREAD_OPTIONS, openThreads } from '../client/threads.js';
