// Runs test files in this one process: they share one browser and what they only look at, and a browser's start, the
// driver's code and the sample project are paid for once.
//
//   node --test-reporter=tap together.mjs FILE…

import * as path from 'node:path';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) await import(pathToFileURL(path.resolve(file)).href);
