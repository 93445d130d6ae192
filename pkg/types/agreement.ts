// The written types are those of the code.

import * as bundled from '../src/entry/bundled.js';
import * as exactTokens from '../src/entry/exact-tokens.js';
import * as postgres from '../src/entry/postgres.js';
import * as snapshots from '../src/client/snapshots.js';
import * as tasks from '../src/client/tasks.js';

bundled satisfies typeof import('./index.js');
bundled satisfies typeof import('./token-counter.js');
bundled satisfies typeof import('./checkpoint-manager.js');
bundled satisfies typeof import('./memory.js');
bundled satisfies typeof import('./operation.js');
exactTokens satisfies typeof import('./exact-tokens.js');
postgres satisfies typeof import('./postgres.js');
snapshots satisfies typeof import('./snapshots.js');
snapshots satisfies typeof import('./sessions.js');
tasks satisfies typeof import('./tasks.js');
