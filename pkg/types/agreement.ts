// The written types are those of the code.

import * as manager from '../src/checkpoint-manager.js';
import * as root from '../src/index.js';
import * as counter from '../src/token-counter.js';

root satisfies typeof import('./index.js');
counter satisfies typeof import('./token-counter.js');
manager satisfies typeof import('./checkpoint-manager.js');
