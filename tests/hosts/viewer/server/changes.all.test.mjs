// Messages to pages about very many changes, and about none.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as path from 'node:path';
import test from 'node:test';

import { changeOf as of, project, put, request, until, watched } from './fixture.mjs';

test('a thousand changes come in few messages, and none is left out', async (t) => {
  const { root, state } = await project(t);
  const { heard } = await watched(t, root);
  const begun = performance.now();
  for (let at = 0; at < 1000; at++) {
    put(path.join(state, `a${at % 20}-checkpoint.json`), JSON.stringify({ at }));
    if (at % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const isReported = (at) => of(heard, `.claude/state/a${at % 20}-checkpoint.json`)?.file !== undefined;
  await until(() => Array.from({ length: 20 }, (_, at) => at).every(isReported));
  put(path.join(state, 'last.json'), '{}');
  await until(() => of(heard, '.claude/state/last.json'));
  // A rate, which only a clock can tell. It does not judge how fast the machine is: on a slow one more are allowed.
  const most = Math.ceil((performance.now() - begun) / 50) + 1;
  assert.ok(heard.messages <= most, `${heard.messages} messages, at most ${most}`);
  for (let at = 0; at < 20; at++) {
    const path = `.claude/state/a${at}-checkpoint.json`;
    assert.equal(of(heard, path).size, JSON.stringify({ at: 980 + at }).length);
  }
});

test('a page that does not read is not waited for', async (t) => {
  const { root, state } = await project(t);
  const { server, own, heard } = await watched(t, root);
  const socket = net.connect({ host: '127.0.0.1', port: server.port });
  t.after(() => socket.destroy());
  let isDropped = false;
  socket.on('error', () => (isDropped = true)).on('close', () => (isDropped = true));
  socket.write(request('/api/changes', { host: `127.0.0.1:${server.port}`, more: [`Cookie: ${own.cookie}`] }));
  await new Promise((resolve) => socket.once('data', resolve));
  socket.pause();
  const files = Array.from({ length: 1000 }, (_, at) => path.join(state, `${'x'.repeat(200)}${at}.json`));
  // The messages about them are more than the system keeps for a socket that is not read and the server for a page.
  for (let round = 1; round <= 30; round++) {
    for (const [at, file] of files.entries()) {
      fs.writeFileSync(file, 'x'.repeat(round));
      // The other page goes on reading.
      if (at % 50 === 0) await new Promise(setImmediate);
    }
    await until(() => heard.headers.some(({ file, size }) => file?.endsWith('x999.json') && size >= round));
    heard.headers.length = 0;
  }
  // It learns of its end when it reads on.
  socket.resume();
  await until(() => isDropped);
  assert.equal((await own.get('/')).status, 200);
  assert.equal(heard.isClosed, false);
});

test('a page that cannot follow all changes is disconnected, and reads everything again', async (t) => {
  const { root, state } = await project(t);
  const { own, heard } = await watched(t, root);
  const other = path.join(root, '.claude/other');
  for (let at = 0; at < 12_000; at++) put(path.join(other, `f${at}.json`), '{}');
  fs.renameSync(state, `${state}.old`);
  fs.renameSync(other, state);
  // It is let go, comes again, and reads everything.
  await until(() => heard.isClosed);
  const frames = await own.frames('/api/files');
  assert.equal(frames.filter(({ content }) => content === '{}').length, 12_000);
});

test('what was there before is not reported as a change', async (t) => {
  const { root, state } = await project(t);
  for (let at = 0; at < 100; at++) put(path.join(state, `f${at}.json`), '{}');
  const old = new Date(Date.now() - 60_000);
  for (const name of fs.readdirSync(state)) fs.utimesSync(path.join(state, name), old, old);
  // The only one that is new to the first look at the whole folder, in whose message all others would come as well.
  const later = new Date(Date.now() + 24 * 3_600_000);
  fs.writeFileSync(path.join(state, 'new.json'), '{}');
  fs.utimesSync(path.join(state, 'new.json'), later, later);
  const { heard } = await watched(t, root);
  await until(() => of(heard, '.claude/state/new.json'));
  // From then on, a change of one is a change of that one. Files that did not come before it do not come.
  put(path.join(state, 'f1.json'), '{ }');
  await until(() => of(heard, '.claude/state/f1.json'));
  const received = heard.headers.filter(({ file }) => file?.endsWith('.json')).map(({ file }) => path.basename(file));
  assert.deepEqual([...new Set(received)].sort(), ['f1.json', 'new.json']);
});
