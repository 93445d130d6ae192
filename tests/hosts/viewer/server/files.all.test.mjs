// Reads of the local server where there is very much. Files that change while they are read are in files.test.mjs.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';

import { begun, framesOf, get, project, put, shown } from './fixture.mjs';

test('a hundred thousand files do not hold the server up, and none is left out', async (t) => {
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
  assert.ok(answered > 10, `${answered} answers in between`);
  const frames = framesOf((await files).body);
  assert.equal(frames.filter(({ content }) => content === '{}').length, 100_000);
});

test('a client that does not read does not fill the memory of the server', { skip: process.platform !== 'linux' }, async (t) => {
  const { root, state } = await project(t);
  for (let at = 0; at < 80; at++) put(path.join(state, `a${at}-checkpoint.json`), Buffer.alloc(5_000_000, 'x'));
  const { server, own } = await shown(t, root);
  const memory = () => Number(/VmRSS:\s*(\d+)/.exec(fs.readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))[1]) / 1024;
  await own.get('/');
  const before = memory();
  const files = () => begun(server, '/api/files', { cookie: own.cookie });
  const responses = await Promise.all(Array.from({ length: 4 }, files));
  for (const response of responses) response.on('error', () => {}).pause();
  // A page that reads gets all of it, and what four do not read (1.6 GB) stays where it is.
  let bytes = 0;
  for await (const part of await files()) bytes += part.length;
  assert.ok(bytes > 400_000_000);
  assert.ok(memory() - before < 250, `${before} MB, then ${memory()} MB`);
  for (const response of responses) response.destroy();
});
