// What pages are told of changes, and when: each change, all pages, not too often, and nobody waits for a slow one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as net from 'node:net';
import * as path from 'node:path';
import test from 'node:test';

import { emptyFolder } from '../../node/ground.mjs';
import { frameOf, project, put, request, served, until, visitor } from './ground.mjs';

const FILE = '.claude/state/design-checkpoint.json';

async function watched(t, root) {
  const server = await served(t, root);
  const own = await visitor(server);
  const heard = await own.changes(t);
  // The answer to this comes after the one to whether it is watched.
  const frames = await own.frames('/api/files');
  return { server, own, heard, frames };
}

const of = (heard, path) => heard.headers.filter((it) => [it.file, it.folder, it.gone, it.link].includes(path)).at(-1);

test('a change, a new checkpoint, or one that went was not told', async (t) => {
  const { root, store, state } = await project(t);
  const { own, heard, frames } = await watched(t, root);
  const { id, bytes } = frameOf(frames, FILE).header;
  assert.ok(bytes > 0);

  store.updatePhase('design', 'plan', { status: 'in_progress' });
  // What is as old as the server is told again, changed or not.
  await until(() => of(heard, FILE)?.size === fs.statSync(path.join(root, FILE)).size);
  assert.equal(of(heard, FILE).id, id);
  const [{ content }] = await own.frames(`/api/content/${id}`);
  assert.ok(content.includes('plan'));

  store.updatePhase('implement', 'a', { status: 'in_progress' });
  await until(() => of(heard, '.claude/state/implement-checkpoint.json'));
  await until(() => of(heard, '.claude/state/.milepost/implement-checkpoint'));

  fs.rmSync(path.join(state, 'design-checkpoint.json'));
  await until(() => of(heard, FILE).gone);

  fs.symlinkSync('/etc/passwd', path.join(state, 'design-checkpoint.json'));
  await until(() => of(heard, FILE).link);
});

test('of two pages one was not told', async (t) => {
  const { root, store } = await project(t);
  const { own, heard } = await watched(t, root);
  const other = await own.changes(t);
  store.updatePhase('design', 'plan', { status: 'in_progress' });
  await until(() => of(heard, FILE) && of(other, FILE));
  heard.request.destroy();
  other.headers.length = 0;
  store.updatePhase('design', 'plan', { status: 'complete' });
  await until(() => of(other, FILE));
});

test('a page that came after all others had gone was not told', async (t) => {
  const { root, store } = await project(t);
  const { own, heard } = await watched(t, root);
  heard.request.destroy();
  await until(() => heard.isClosed);
  store.updatePhase('design', 'plan', { status: 'in_progress' });
  const again = await own.changes(t);
  await own.frames('/api/files');
  store.updatePhase('implement', 'a', { status: 'in_progress' });
  await until(() => of(again, '.claude/state/implement-checkpoint.json'));
});

test('a state folder that was made later, or anew, was not seen', async (t) => {
  const root = emptyFolder(t);
  const { heard } = await watched(t, root);
  put(path.join(root, FILE), '{}');
  await until(() => of(heard, FILE)?.file);
  fs.rmSync(path.join(root, '.claude'), { recursive: true });
  await until(() => of(heard, FILE)?.gone || of(heard, '.claude/state')?.gone);
  heard.headers.length = 0;
  put(path.join(root, FILE), '{"a": 1}');
  await until(() => of(heard, FILE)?.size === 8);
  heard.headers.length = 0;
  put(path.join(root, FILE), '{"a": 12}');
  await until(() => of(heard, FILE)?.size === 9);
});

test('a state folder in whose place another one came was not looked at anew', async (t) => {
  const { root, state } = await project(t);
  const { heard } = await watched(t, root);
  const other = path.join(root, '.claude/other');
  put(path.join(other, 'review-checkpoint.json'), '{}');
  fs.renameSync(state, `${state}.old`);
  fs.renameSync(other, state);
  await until(() => of(heard, '.claude/state/review-checkpoint.json')?.file);
  // Within the first second it is not known what was in a folder: then that went as a whole, and first.
  const gone = heard.headers.findIndex((it) => [FILE, '.claude/state'].includes(it.gone));
  assert.ok(gone >= 0);
});

test('what becomes of a folder that a page looked into was not told', async (t) => {
  const { root, store } = await project(t);
  const { own, heard, frames } = await watched(t, root);
  const { id } = frameOf(frames, '.claude/state/.milepost/design-checkpoint').header;
  const inside = await own.frames(`/api/content/${id}`);
  const history = frameOf(inside, '.claude/state/.milepost/design-checkpoint/history').header;
  await own.frames(`/api/content/${history.id}`);
  store.updatePhase('design', 'plan', { status: 'in_progress' });
  await until(() => heard.headers.some(({ file }) => file?.startsWith(`${history.folder}/3-`)));
});

test('a task that was saved, or a session, was not told', async (t) => {
  const { root } = await project(t);
  const { heard } = await watched(t, root);
  put(path.join(root, '.claude/checkpoints/chk-20260101-000000.yaml'), 'id: x\n');
  await until(() => of(heard, '.claude/checkpoints/chk-20260101-000000.yaml'));
  put(path.join(root, '.claude/state/tasks/a/index.json'), '{}');
  await until(() => of(heard, '.claude/state/tasks/a'));
  put(path.join(root, '.claude/state/tasks/a/index.json'), '{ }');
  await until(() => of(heard, '.claude/state/tasks/a/index.json')?.size === 3);
});

test('HEAD moved, and nobody was told', async (t) => {
  const { root } = await project(t);
  const git = (...words) => execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words]);
  git('init', '-q');
  git('commit', '-q', '--allow-empty', '-m', 'one');
  const { heard, frames } = await watched(t, root);
  const before = frames[0].header.meta;
  assert.match(before.head, /^[0-9a-f]{40}$/);
  git('commit', '-q', '--allow-empty', '-m', 'two');
  await until(() => heard.headers.some(({ meta }) => meta !== undefined && meta.head !== before.head));
  git('add', '-f', FILE);
  await until(() => heard.headers.some(({ meta }) => meta?.tracked.includes(FILE)));
});

test('settings that were changed had no effect', async (t) => {
  const { root } = await project(t);
  const { heard } = await watched(t, root);
  put(path.join(root, '.claude/config/other.json'), '{}');
  put(path.join(root, '.claude/config/integrations.json'), '{"commands": ["audit"]}');
  await until(() => of(heard, '.claude/config/integrations.json'));
  await until(() => heard.headers.some(({ meta }) => meta?.commands.includes('audit')));
  assert.equal(of(heard, '.claude/config/other.json'), undefined);
});

test('a thousand changes were told in as many messages, or some not at all', async (t) => {
  const { root, state } = await project(t);
  const { heard } = await watched(t, root);
  const begun = performance.now();
  for (let at = 0; at < 1000; at++) {
    put(path.join(state, `a${at % 20}-checkpoint.json`), JSON.stringify({ at }));
    if (at % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const isTold = (at) => of(heard, `.claude/state/a${at % 20}-checkpoint.json`)?.file !== undefined;
  await until(() => Array.from({ length: 20 }, (_, at) => at).every(isTold));
  put(path.join(state, 'last.json'), '{}');
  await until(() => of(heard, '.claude/state/last.json'));
  const most = Math.ceil((performance.now() - begun) / 50) + 1;
  assert.ok(heard.messages <= most, `${heard.messages} messages, at most ${most}`);
  for (let at = 0; at < 20; at++) {
    const path = `.claude/state/a${at}-checkpoint.json`;
    assert.equal(of(heard, path).size, JSON.stringify({ at: 980 + at }).length);
  }
});

test('a page that does not read was waited for', async (t) => {
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
  // What is told of them is more than the system keeps for a socket that nobody reads and the server for a page.
  for (let round = 1; round <= 30; round++) {
    for (const [at, file] of files.entries()) {
      fs.writeFileSync(file, 'x'.repeat(round));
      // The other page reads meanwhile.
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

test('more changes than anybody follows were told one by one', async (t) => {
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

test('what was there before was told as if it had changed', async (t) => {
  const { root, state } = await project(t);
  for (let at = 0; at < 100; at++) put(path.join(state, `f${at}.json`), '{}');
  const old = new Date(Date.now() - 60_000);
  for (const name of fs.readdirSync(state)) fs.utimesSync(path.join(state, name), old, old);
  const { heard } = await watched(t, root);
  // The folder is looked at as a whole within this time; then a change of one is a change of that one.
  const end = Date.now() + 1500;
  await until(() => Date.now() > end);
  put(path.join(state, 'f1.json'), '{ }');
  await until(() => of(heard, '.claude/state/f1.json'));
  const told = heard.headers.filter(({ file }) => file?.endsWith('.json')).map(({ file }) => path.basename(file));
  assert.deepEqual([...new Set(told)].filter((name) => !name.startsWith('f1.json')), []);
});
