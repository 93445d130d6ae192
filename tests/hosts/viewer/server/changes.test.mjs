// Messages to pages about changes: each change, all pages, not too often, and no page waits for a slow one.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';

import { emptyFolder } from '../../node/fixture.mjs';
import { changeOf as of, frameOf, project, put, until, watched } from './fixture.mjs';

const FILE = '.claude/state/design-checkpoint.json';

test('a change, a new run, and one that went are reported', async (t) => {
  const { root, store, state } = await project(t);
  const { own, heard, frames } = await watched(t, root);
  const { id, bytes } = frameOf(frames, FILE).header;
  assert.ok(bytes > 0);

  store.updatePhase('design', 'plan', { status: 'in_progress' });
  // Files as old as the server are reported again, changed or not.
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

test('of two pages each one gets a change', async (t) => {
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

test('a page that comes after all others have gone gets changes', async (t) => {
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

test('a state folder that is made later, or again, is seen', async (t) => {
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

test('a state folder in whose place another one came is watched', async (t) => {
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

test('what becomes of a folder that a page looked into is reported', async (t) => {
  const { root, store } = await project(t);
  const { own, heard, frames } = await watched(t, root);
  const { id } = frameOf(frames, '.claude/state/.milepost/design-checkpoint').header;
  const inside = await own.frames(`/api/content/${id}`);
  const history = frameOf(inside, '.claude/state/.milepost/design-checkpoint/history').header;
  await own.frames(`/api/content/${history.id}`);
  store.updatePhase('design', 'plan', { status: 'in_progress' });
  await until(() => heard.headers.some(({ file }) => file?.startsWith(`${history.folder}/3-`)));
});

test('a task or a snapshot that is saved is reported', async (t) => {
  const { root } = await project(t);
  const { heard } = await watched(t, root);
  put(path.join(root, '.claude/checkpoints/chk-20260101-000000.yaml'), 'id: x\n');
  await until(() => of(heard, '.claude/checkpoints/chk-20260101-000000.yaml'));
  put(path.join(root, '.claude/state/tasks/a/index.json'), '{}');
  await until(() => of(heard, '.claude/state/tasks/a'));
  put(path.join(root, '.claude/state/tasks/a/index.json'), '{ }');
  await until(() => of(heard, '.claude/state/tasks/a/index.json')?.size === 3);
});

test('a move of HEAD is reported', async (t) => {
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

test('a page gets how far HEAD has gone since a run was recorded, immediately and with each commit', async (t) => {
  const { root, store } = await project(t);
  const git = (...words) => execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words]);
  const commit = (text) => git('commit', '-q', '--allow-empty', '-m', text);
  git('init', '-q');
  commit('one');
  store.updatePhase('implement', 'a', { status: 'in_progress' });
  commit('two');
  const { heard, frames } = await watched(t, root);
  const distances = (headers) => headers.flatMap(({ meta }) => meta?.since_recorded ?? []);
  const [{ document, text }] = distances(frames.map(({ header }) => header));
  assert.equal(document, '.claude/state/implement-checkpoint.json');
  assert.equal(text, '1 commit since this was recorded');
  commit('three');
  await until(() => distances(heard.headers).some((distance) => distance.text === '2 commits since this was recorded'));
});

test('settings that are changed have an effect', async (t) => {
  const { root } = await project(t);
  const { heard } = await watched(t, root);
  put(path.join(root, '.claude/config/other.json'), '{}');
  put(path.join(root, '.claude/config/integrations.json'), '{"commands": ["audit"]}');
  await until(() => of(heard, '.claude/config/integrations.json'));
  await until(() => heard.headers.some(({ meta }) => meta?.commands.includes('audit')));
  assert.equal(of(heard, '.claude/config/other.json'), undefined);
});
