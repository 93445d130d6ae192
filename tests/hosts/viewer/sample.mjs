// The sample project, made once in a process: for tests that only look at it, and to be copied by those that change it.

import * as fs from 'node:fs';
import * as path from 'node:path';
import { after } from 'node:test';
import { makeSample } from './data/sample.mjs';
import { folder, once, untilTheEnd } from './ground.mjs';

const atTheEnd = untilTheEnd(after);

/** The folder of the project, in which a test changes nothing. */
export const sample = once(async () => {
  const root = path.join(folder(atTheEnd), 'lumen');
  fs.mkdirSync(root);
  await makeSample(root);
  return root;
});

/** A copy of it, for a test that changes it. */
export async function ownSample(t) {
  const root = path.join(folder((remove) => t.after(remove)), 'lumen');
  fs.cpSync(await sample(), root, { recursive: true, preserveTimestamps: true });
  return root;
}
