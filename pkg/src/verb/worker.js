// The thread of a server: it reads for the page, or works for agents. Each begins with code of its own alone.

import threads from 'node:worker_threads';

if (threads.workerData.isReader) import('./view/thread.js');
else import('./mcp/thread.js');
