// Task checkpoints in a folder: where it is, what dead writers left in it, and what cannot be read of it.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { createCheckpointManager } from 'milepost/tasks';
import { emptyFolder } from './fixture.mjs';
import { ids, overviews, refused, state } from './task-fixture.mjs';

const posix = { skip: process.platform === 'win32' && 'needs links' };

test('an invalid folder, or an option without its folder, is refused', () => {
  for (const storagePath of ['', null, 7]) {
    assert.throws(() => createCheckpointManager({ storage: { storagePath } }), refused('usage'));
  }
  assert.throws(() => createCheckpointManager({ storage: { durability: 'lazy' } }), refused('usage'));
  const storage = { storagePath: 'x', durability: 'often' };
  assert.throws(() => createCheckpointManager({ storage }), refused('usage'));
});

test('what another manager of the same folder saved is there', async (t) => {
  const storagePath = path.join(emptyFolder(t), 'deep', 'state');
  const [one, other] = [0, 1].map(() => createCheckpointManager({ storage: { storagePath } }));
  assert.equal((await other.restore('task-1')).success, false);
  assert.equal(fs.existsSync(storagePath), false);
  await one.save(state('a'));
  await other.save(state('b'));
  assert.deepEqual(ids(await one.list('task-1')), ['a', 'b']);
});

test('leftovers of a writer that died are removed, and no checkpoint with them', async (t) => {
  const storagePath = emptyFolder(t);
  const manager = createCheckpointManager({ storage: { storagePath } });
  assert.deepEqual(await createCheckpointManager().cleanUp(), { parts: [], marks: [], folders: [] });
  await manager.save(state('a'));
  const tasks = path.join(storagePath, 'tasks');
  const [task] = fs.readdirSync(tasks).filter((name) => name.startsWith('task-1-'));
  const left = path.join(tasks, task, `${'a'.repeat(32)}-${'b'.repeat(32)}.json`);
  fs.writeFileSync(left, '{}');
  assert.deepEqual((await manager.cleanUp()).parts, []);
  // Nothing can set back when a file was changed.
  const now = Date.now();
  t.mock.method(Date, 'now', () => now + 3_600_000);
  const [only, ...others] = (await manager.cleanUp({ dryRun: true })).parts;
  assert.deepEqual([path.basename(only), others], [path.basename(left), []]);
  assert.ok(fs.existsSync(left));
  assert.equal((await manager.cleanUp()).parts.length, 1);
  assert.equal(fs.existsSync(left), false);
  assert.deepEqual(ids(await manager.list('task-1')), ['a']);
  await assert.rejects(manager.cleanUp({ dryRun: 1 }), refused('usage'));
});

test('a task that was deleted does not stay in the trash', async (t) => {
  const storagePath = emptyFolder(t);
  const manager = createCheckpointManager({ storage: { storagePath } });
  await manager.save(state('a'));
  assert.equal(await manager.deleteAll('task-1'), 1);
  assert.deepEqual(await manager.cleanUp(), { parts: [], marks: [], folders: [] });
  assert.deepEqual(fs.readdirSync(path.join(storagePath, 'tasks/.milepost/trash')), []);
});

test('a checkpoint that cannot be read is corrupt, and not missing', async (t) => {
  const storagePath = emptyFolder(t);
  const seen = [];
  const onWarning = ({ code }) => seen.push(code);
  const manager = createCheckpointManager({ storage: { storagePath }, onWarning });
  await manager.save(state('a'));
  await manager.save(state('b'));
  const files = fs.readdirSync(path.join(storagePath, 'tasks'), { recursive: true, withFileTypes: true });
  const parts = files.filter((it) => it.isFile() && /^[0-9a-f]{32}-[0-9a-f]{32}\.json$/.test(it.name));
  assert.equal(parts.length, 2);
  for (const part of parts) fs.truncateSync(path.join(part.parentPath ?? part.path, part.name), 10);
  await assert.rejects(manager.restore('task-1'), refused('corrupt'));
  await assert.rejects(manager.restoreById('a'), refused('corrupt'));
  assert.deepEqual(await manager.list('task-1'), []);
  assert.deepEqual(seen, ['corrupt', 'corrupt']);
  await manager.save(state('c'));
  assert.equal((await manager.restore('task-1')).checkpoint?.id, 'c');
});

/** The index of the only task in a folder. */
function indexIn(storagePath) {
  const tasks = path.join(storagePath, 'tasks');
  const [task] = fs.readdirSync(tasks).filter((name) => name.startsWith('task-1-'));
  return path.join(tasks, task, 'index.json');
}

test('a torn index comes with what fixes it', async (t) => {
  const storagePath = emptyFolder(t);
  const warnings = [];
  const onWarning = ({ message }) => warnings.push(message);
  const manager = createCheckpointManager({ storage: { storagePath }, onWarning });
  await manager.save(state('a'));
  fs.truncateSync(indexIn(storagePath), 10);
  const doctor = `; \`milepost doctor --dir ${JSON.stringify(storagePath)}\` shows what cannot be read`;
  const known = '; put it back from a backup, or remove what is left with `deleteAll("task-1")`' + doctor;
  const unknown = '; put it back from a backup, or remove what is left with `deleteAll()` with its id' + doctor;
  const says = (words) => (error) => error.code === 'corrupt' && error.message.endsWith(words);
  await assert.rejects(manager.restore('task-1'), says(known));
  await assert.rejects(manager.list('task-1'), says(known));
  await assert.rejects(manager.save(state('b')), says(known));
  await assert.rejects(manager.restoreById('a'), says(unknown));
  assert.deepEqual(await overviews(manager), []);
  assert.equal(warnings.length, 1);
  assert.ok(warnings[0].endsWith(unknown), warnings[0]);
  assert.equal(warnings[0].split('/index.json').length, 2, warnings[0]);
  assert.equal(await manager.deleteAll('task-1'), 0);
  await manager.save(state('b'));
  assert.deepEqual(ids(await manager.list('task-1')), ['b']);
});

test('a link in place of the folder is refused by the name of the option', posix, async (t) => {
  const elsewhere = emptyFolder(t);
  const storagePath = path.join(emptyFolder(t), 'link');
  fs.symlinkSync(elsewhere, storagePath);
  await assert.rejects(createCheckpointManager({ storage: { storagePath } }).save(state('a')), {
    code: 'unsafe_path',
    advice: { kind: 'name_dir' },
    message: /a symbolic link.*put a folder in its place, or name the one.*with `storage\.storagePath`$/,
  });
  await createCheckpointManager({ storage: { storagePath: elsewhere } }).save(state('a'));
  assert.deepEqual(fs.readdirSync(elsewhere).sort(), ['.milepost', 'tasks']);
});

test('a file in place of the folder is kept, and refused as a file', async (t) => {
  const storagePath = path.join(emptyFolder(t), 'file');
  fs.writeFileSync(storagePath, 'mine');
  await assert.rejects(createCheckpointManager({ storage: { storagePath } }).save(state('a')), (error) => {
    assert.equal(error.code, 'unsafe_path');
    return error.message.endsWith('/file is a file; expected a folder, and nothing is followed');
  });
  assert.equal(fs.readFileSync(storagePath, 'utf8'), 'mine');
});
