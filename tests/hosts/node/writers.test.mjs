// Many processes, one checkpoint: what was acknowledged is there, once.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { emptyFolder } from './ground.mjs';
import { reports, startWriter } from './writers.mjs';

const PROCESSES = 16;
const UPDATES = 50;

test(`${PROCESSES} processes × ${UPDATES} updates: every acknowledged one is present`, async (t) => {
  const root = emptyFolder(t);
  const writers = Array.from({ length: PROCESSES }, (_, number) => startWriter(root, number, UPDATES));
  const told = await reports(writers);
  const sum = (what) => told.reduce((total, one) => total + one[what], 0);
  assert.equal(sum('acknowledged'), PROCESSES * UPDATES);
  if (sum('refused') > 0) t.diagnostic(`${sum('refused')} tries were refused as busy`);

  const { phases, revision } = openStore({ root }).load('implement');
  const present = Object.values(phases).flatMap((phase) => Object.keys(phase.updates));
  assert.equal(present.length, PROCESSES * UPDATES);
  assert.equal(revision, PROCESSES * UPDATES);

  const side = path.join(root, '.claude/state/.milepost/implement-checkpoint');
  assert.deepEqual(fs.readdirSync(path.join(side, 'tokens')), []);
  assert.ok(!fs.existsSync(path.join(side, 'lock')));
});

test('a writer that cannot go on fails at once, with its reason', async (t) => {
  const root = emptyFolder(t);
  fs.writeFileSync(path.join(root, '.claude'), 'no folder');
  await assert.rejects(reports([startWriter(root, 0, 1)]), /a writer ended with 1: [^]*unsafe_path|\.claude/);
});
