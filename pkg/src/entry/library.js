// The library: everything that the functions of hooks can do without. On a disk it is a file of its own, loaded when
// something of it is asked for, with a wasm of its own, loaded when an operation of it is run.

export { limit } from '../client/arguments.js';
export { validateExactly } from '../client/exact-summary.js';
export { saveAndBringUpToDate } from '../client/sync-object.js';
export { openStore, run } from '../client/open.js';
export { MemoryFiles } from '../host/memory.js';
export { openMemoryStore } from '../client/memory-store.js';
export { runOn, runOperation } from '../client/custom-host.js';
export { failureOf } from '../client/operation.js';
export { fromReply, fromWarning } from '../client/reply.js';
export { checkHandoffRequest, checkHandoffResponse, validateCheckpoint } from '../client/rules.js';
export { report, reportThrown } from '../client/report.js';
