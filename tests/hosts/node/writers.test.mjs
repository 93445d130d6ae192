// Many processes, one checkpoint: what was acknowledged is there, once.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { IS_FULL_RANGE } from '../environment.mjs';
import { emptyFolder } from './fixture.mjs';
import { messageOf, reports, startReader, startWriter } from './writers.mjs';

/** Each call on files takes ten times as long under wine. */
const PROCESSES = IS_FULL_RANGE && process.platform !== 'win32' ? 16 : 8;
const UPDATES = IS_FULL_RANGE ? 40 : 15;
const READERS = 2;

test(`${PROCESSES} processes × ${UPDATES} updates: every acknowledged one is present, and no read is torn`, async (t) => {
  const root = emptyFolder(t);
  const writers = Array.from({ length: PROCESSES }, (_, number) => startWriter(root, number, UPDATES));
  const readers = Array.from({ length: READERS }, () => startReader(root));
  await Promise.all(readers.map(messageOf));
  const read = Promise.all(readers.map(messageOf));
  // Its failure is heard below.
  read.catch(() => {});
  for (const reader of readers) reader.send('go');
  const counts = await reports(writers);
  for (const reader of readers) if (reader.connected) reader.send('stop');
  for (const { reads, last } of await read) {
    assert.ok(reads > 0 && last <= PROCESSES * UPDATES, `${reads} reads, the last of revision ${last}`);
  }
  const sum = (what) => counts.reduce((total, one) => total + one[what], 0);
  assert.equal(sum('acknowledged'), PROCESSES * UPDATES);
  if (sum('refused') > 0) t.diagnostic(`${sum('refused')} tries were refused as busy`);

  const { phases, revision } = openStore({ root }).load('implement');
  const present = Object.values(phases).flatMap((phase) => Object.keys(phase.updates));
  assert.equal(present.length, PROCESSES * UPDATES, 'violated: an acknowledged update is lost');
  assert.equal(revision, PROCESSES * UPDATES, 'violated: an update was made twice');

  const side = path.join(root, '.claude/state/.milepost/implement-checkpoint');
  assert.deepEqual(fs.readdirSync(path.join(side, 'tokens')), []);
  assert.ok(!fs.existsSync(path.join(side, 'lock')));
});

test('a writer that cannot go on fails immediately, with its reason', async (t) => {
  const root = emptyFolder(t);
  fs.writeFileSync(path.join(root, '.claude'), 'no folder');
  await assert.rejects(reports([startWriter(root, 0, 1)]), /a process ended with 1: [^]*unsafe_path|\.claude/);
});
