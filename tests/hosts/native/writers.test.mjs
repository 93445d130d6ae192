// Writers on two hosts, one checkpoint: what was acknowledged is there, once.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { IS_FULL_RANGE } from '../environment.mjs';
import { reports, startWriter } from '../node/writers.mjs';
import { native, repository, stored } from './fixture.mjs';

const WRITERS = IS_FULL_RANGE ? 8 : 3;
const UPDATES = IS_FULL_RANGE ? 50 : 15;

/** The message of a refused update: others were in the way, and nothing was written. */
const BUSY = 75;

/** No machine is so slow that an update is refused more often in a row. */
const MOST_TRIES = 20;

/** One update by a process of its own, among others; tried again while it is refused as busy. */
async function acknowledged(root, words) {
  for (let tries = 1; ; tries++) {
    const run = spawn(native, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
    const [code, signal] = await once(run, 'close');
    if (code === 0) return;
    if (code !== BUSY || tries === MOST_TRIES) throw new Error(`${words.join(' ')} ended with ${code ?? signal}`);
  }
}

/** A process of its own for each update, as hooks are. */
async function update(root, writer) {
  for (let number = 0; number < UPDATES; number++) {
    await acknowledged(root, ['phase', 'implement', `native ${writer} ${number}`, 'complete']);
  }
}

test(`${WRITERS} Node and ${WRITERS} native writers × ${UPDATES} updates: every acknowledged one is present`, async (t) => {
  const root = repository(t);
  const writers = Array.from({ length: WRITERS }, (_, number) => startWriter(root, number, UPDATES));
  const [reported] = await Promise.all([reports(writers), ...writers.map((_, number) => update(root, number))]);
  const onNode = reported.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  assert.equal(onNode, WRITERS * UPDATES);

  const { phases, revision } = stored(root, 'implement');
  const present = Object.values(phases).map(({ updates }) => (updates === undefined ? 1 : Object.keys(updates).length));
  const sum = present.reduce((total, count) => total + count);
  assert.equal(sum, 2 * WRITERS * UPDATES, 'violated: an acknowledged update is lost');
  assert.equal(revision, 2 * WRITERS * UPDATES, 'violated: an update was made twice');
  const side = path.join(root, '.claude/state/.milepost/implement-checkpoint');
  assert.deepEqual(fs.readdirSync(path.join(side, 'tokens')), []);
  assert.ok(!fs.existsSync(path.join(side, 'lock')));
});
