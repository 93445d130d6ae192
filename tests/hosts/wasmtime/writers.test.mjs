// Writers on two hosts, one checkpoint: what was acknowledged is there, once.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { IS_FULL_RANGE } from '../environment.mjs';
import { reports, startWriter } from '../node/writers.mjs';
import { acknowledgedByWasmtime, repository, stored } from './fixture.mjs';

const WRITERS = IS_FULL_RANGE ? 8 : 3;
const UPDATES = IS_FULL_RANGE ? 50 : 15;

/** A process of its own for each update, as hooks are; how many were acknowledged. */
async function updateOnWasmtime(root, writer) {
  let acknowledged = 0;
  for (let update = 0; update < UPDATES; update++) {
    const words = ['phase', 'implement', `wasmtime ${writer} ${update}`, 'complete'];
    await acknowledgedByWasmtime(root, words);
    acknowledged++;
  }
  return acknowledged;
}

test(`${WRITERS} Node and ${WRITERS} wasmtime writers × ${UPDATES} updates: every acknowledged one is present`, async (t) => {
  const root = repository(t);
  const writers = Array.from({ length: WRITERS }, (_, number) => startWriter(root, number, UPDATES));
  const counts = await Promise.all([
    reports(writers).then((reported) => reported.reduce((sum, { acknowledged }) => sum + acknowledged, 0)),
    ...writers.map((_, number) => updateOnWasmtime(root, number)),
  ]);
  const acknowledged = counts.reduce((sum, count) => sum + count);
  assert.equal(acknowledged, 2 * WRITERS * UPDATES);

  const { phases, revision } = stored(root, 'implement');
  const present = Object.values(phases).map(({ updates }) =>
    updates === undefined ? 1 : Object.keys(updates).length,
  );
  const sum = present.reduce((total, count) => total + count);
  assert.equal(sum, acknowledged, 'violated: an acknowledged update is lost');
  assert.equal(revision, acknowledged, 'violated: an update was made twice');
  const side = path.join(root, '.claude/state/.milepost/implement-checkpoint');
  assert.deepEqual(fs.readdirSync(path.join(side, 'tokens')), []);
  assert.ok(!fs.existsSync(path.join(side, 'lock')));
});
