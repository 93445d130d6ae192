// What the local server reads while it changes, and when it is very much.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';

import { begun, frameOf, framesOf, get, project, put, shown } from './ground.mjs';

test('a frame was torn by files that grow, shrink and vanish while they are read', async (t) => {
  const { root, state } = await project(t);
  const content = (round) => JSON.stringify({ round, text: 'x'.repeat((round * 7919) % 200_000) });
  const files = Array.from({ length: 200 }, (_, at) => path.join(state, `a${at}-checkpoint.json`));
  for (const file of files) put(file, content(1));
  // One that is being appended to whenever it is read.
  const growing = path.join(state, 'growing-checkpoint.json');
  const grow = `const fs = require('node:fs'); const file = ${JSON.stringify(growing)};
    for (let at = 0; ; at++) at % 20000 === 0 ? fs.writeFileSync(file, 'x'.repeat(4e6)) : fs.appendFileSync(file, 'x'.repeat(100));`;
  const { own } = await shown(t, root);
  const appending = spawn(process.execPath, ['-e', grow]);
  const hasEnded = once(appending, 'exit');
  let isDone = false;
  let rounds = 0;
  const writer = (async () => {
    while (!isDone) {
      for (const [at, file] of files.entries()) {
        rounds += 1;
        // In place, as only other programs write: what is read may be cut, and its frame may not.
        if (at % 3 === 0) fs.rmSync(file, { force: true });
        else if (at % 3 === 1) fs.writeFileSync(file, content(rounds));
        else put(file, content(rounds));
        if (at % 10 === 0) await new Promise(setImmediate);
      }
    }
  })();
  try {
    for (let round = 0; round < 10; round++) {
      const frames = await own.frames('/api/files');
      assert.deepEqual(frames.at(-1).header, { done: true });
      for (const [at, file] of files.entries()) {
        const frame = frameOf(frames, path.relative(root, file));
        // What took its place in one step is whole.
        if (at % 3 === 2) assert.ok(JSON.parse(frame.content).round > 0);
      }
    }
  } finally {
    // Before the folder is removed, which nobody can while files come into it.
    isDone = true;
    appending.kill('SIGKILL');
    await Promise.all([writer, hasEnded]);
  }
});

test('a hundred thousand files held the server up, or some of them were left out', async (t) => {
  const { root, state } = await project(t);
  for (let at = 0; at < 100_000; at++) fs.writeFileSync(path.join(state, `f${at}.json`), '{}');
  const { server, own } = await shown(t, root);
  let isDone = false;
  const files = own.get('/api/files').finally(() => (isDone = true));
  let answered = 0;
  while (!isDone) {
    assert.equal((await get(server, '/')).status, 200);
    answered += 1;
  }
  assert.ok(answered > 10, `${answered} answers meanwhile`);
  const frames = framesOf((await files).body);
  assert.equal(frames.filter(({ content }) => content === '{}').length, 100_000);
});

test('who does not read filled the memory of the server', { skip: process.platform !== 'linux' }, async (t) => {
  const { root, state } = await project(t);
  for (let at = 0; at < 80; at++) put(path.join(state, `a${at}-checkpoint.json`), Buffer.alloc(5_000_000, 'x'));
  const { server, own } = await shown(t, root);
  const memory = () => Number(/VmRSS:\s*(\d+)/.exec(fs.readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))[1]) / 1024;
  await own.get('/');
  const before = memory();
  const files = () => begun(server, '/api/files', { cookie: own.cookie });
  const responses = await Promise.all(Array.from({ length: 4 }, files));
  for (const response of responses) response.on('error', () => {}).pause();
  // Whoever reads gets all of it meanwhile, and what four do not read (1.6 GB) stays where it is.
  let bytes = 0;
  for await (const part of await files()) bytes += part.length;
  assert.ok(bytes > 400_000_000);
  assert.ok(memory() - before < 250, `${before} MB, then ${memory()} MB`);
  for (const response of responses) response.destroy();
});
