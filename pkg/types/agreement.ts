// The written types are those of the code.

import * as manager from '../src/checkpoint-manager.js';
import * as memory from '../src/memory.js';
import * as root from '../src/index.js';
import * as operation from '../src/run-operation.js';
import * as counter from '../src/token-counter.js';

root satisfies typeof import('./index.js');
counter satisfies typeof import('./token-counter.js');
manager satisfies typeof import('./checkpoint-manager.js');
memory satisfies typeof import('./memory.js');
operation satisfies typeof import('./operation.js');
