// Many processes, one checkpoint: what was acknowledged is there, once.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { emptyFolder } from './ground.mjs';

const PROCESSES = 16;
const UPDATES = 50;

test(`${PROCESSES} processes × ${UPDATES} updates: every acknowledged one is present`, async (t) => {
  const root = emptyFolder(t);
  const writers = Array.from({ length: PROCESSES }, (_, number) =>
    fork(path.join(import.meta.dirname, 'writer.cjs'), [String(number), String(UPDATES)], {
      env: { ...process.env, GIT_ROOT: root },
    }),
  );
  await Promise.all(writers.map((writer) => once(writer, 'message')));
  // Started together, once all of them are up.
  const reports = writers.map((writer) => once(writer, 'message'));
  for (const writer of writers) writer.send('go');
  let acknowledged = 0;
  for (const [report] of await Promise.all(reports)) {
    acknowledged += report.acknowledged;
  }
  assert.equal(acknowledged, PROCESSES * UPDATES);

  const { phases, revision } = openStore({ root }).load('implement');
  const present = Object.values(phases).flatMap((phase) => Object.keys(phase.updates));
  assert.equal(present.length, PROCESSES * UPDATES);
  assert.equal(revision, PROCESSES * UPDATES);

  const side = path.join(root, '.claude/state/.milepost/implement-checkpoint');
  assert.deepEqual(fs.readdirSync(path.join(side, 'tokens')), []);
  assert.ok(!fs.existsSync(path.join(side, 'lock')));
});
