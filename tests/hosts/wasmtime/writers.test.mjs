// Writers on two hosts, one checkpoint: what was acknowledged is there, once.

import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { repository, stored, wasmtime, wasmtimeWords } from './ground.mjs';

const WRITERS = 8;
const UPDATES = 50;

/** A process of its own for each update, as hooks are; how many were acknowledged. */
async function updateOnWasmtime(root, writer) {
  let acknowledged = 0;
  for (let update = 0; update < UPDATES; update++) {
    const words = ['phase', 'implement', `wasmtime ${writer} ${update}`, 'complete'];
    const run = spawn(wasmtime, wasmtimeWords(words), { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = await once(run, 'close');
    assert.equal(code, 0, `update ${update} of writer ${writer}`);
    acknowledged++;
  }
  return acknowledged;
}

/** One process that updates again and again. */
async function updateOnNode(writer) {
  const report = once(writer, 'message');
  writer.send('go');
  const [{ acknowledged }] = await report;
  return acknowledged;
}

test(`${WRITERS} Node and ${WRITERS} wasmtime writers × ${UPDATES} updates: every acknowledged one is present`, async (t) => {
  const root = repository(t);
  const script = path.join(import.meta.dirname, '../node/writer.cjs');
  const writers = Array.from({ length: WRITERS }, (_, number) =>
    fork(script, [String(number), String(UPDATES)], { env: { ...process.env, GIT_ROOT: root } }),
  );
  await Promise.all(writers.map((writer) => once(writer, 'message')));
  // Started together, once all of those on Node are up.
  const counts = await Promise.all([
    ...writers.map(updateOnNode),
    ...writers.map((_, number) => updateOnWasmtime(root, number)),
  ]);
  const acknowledged = counts.reduce((sum, count) => sum + count);
  assert.equal(acknowledged, 2 * WRITERS * UPDATES);

  const { phases, revision } = stored(root, 'implement');
  const present = Object.values(phases).map(({ updates }) =>
    updates === undefined ? 1 : Object.keys(updates).length,
  );
  assert.equal(present.reduce((sum, count) => sum + count), acknowledged);
  assert.equal(revision, acknowledged);
  const side = path.join(root, '.claude/state/.milepost/implement-checkpoint');
  assert.deepEqual(fs.readdirSync(path.join(side, 'tokens')), []);
  assert.ok(!fs.existsSync(path.join(side, 'lock')));
});
