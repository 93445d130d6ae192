// The command line's connection to a database, in one file: the end that waits, and the thread that asks.

import threads from 'node:worker_threads';

export { open } from '../host/database/blocking-client.js';

// Other threads of the package load this file as well, to wait.
if (threads.workerData?.asksDatabase === true) import('./answering.js');
