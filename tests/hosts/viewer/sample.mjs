// The sample project, made once in a process: for tests that only look at it, and to be copied by those that change it.

import { execFile } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after } from 'node:test';
import { promisify } from 'node:util';
import { folder, once, untilTheEnd } from './fixture.mjs';

const atTheEnd = untilTheEnd(after);

/**
 * The folder of the project, in which a test changes nothing. A process of its own makes it: each look at its clock takes a
 * millisecond, and the driver of a browser, where it is loaded, looks at the clock whenever a file is closed.
 */
export const sample = once(async () => {
  const root = path.join(folder(atTheEnd), 'lumen');
  fs.mkdirSync(root);
  await promisify(execFile)(process.execPath, [path.join(import.meta.dirname, 'data/make-sample.mjs'), root]);
  return root;
});

/** A copy of it, for a test that changes it. */
export async function ownSample(t) {
  const root = path.join(folder((remove) => t.after(remove)), 'lumen');
  fs.cpSync(await sample(), root, { recursive: true, preserveTimestamps: true });
  return root;
}
