// Every entry of the library, in one file with it: what they load is the same wasm.

export * from './library.js';
export { MilepostError } from './error.js';
export { openSessions, openSnapshots } from './snapshots.js';
export { CheckpointManager, createCheckpointManager } from './tasks.js';
export { THREAD_OPTIONS, openThreads } from './threads.js';
