// The library: everything that the functions of hooks can do without. On a disk it is a file of its own, loaded when
// something of it is asked for, with a wasm of its own, loaded when an operation of it is run.

export { limit } from './arguments.js';
export { validateExactly } from './exact-summary.js';
export { saveAndBringUpToDate } from './sync-object.js';
export { openStore, run } from './open.js';
export { MemoryFiles } from './host/memory.js';
export { openMemoryStore } from './memory-store.js';
export { runOn, runOperation } from './custom-host.js';
export { failureOf } from './operation.js';
export { fromReply, fromWarning } from './reply.js';
export { checkHandoffRequest, checkHandoffResponse, validateCheckpoint } from './rules.js';
export { report, reportThrown } from './report.js';
