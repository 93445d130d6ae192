// Reads of the local server, and what it leaves alone: links, FIFOs, files that vanish or change while they are read. Very
// many files are in files.all.test.mjs.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';

import { openSnapshots } from 'milepost/snapshots';
import { createCheckpointManager } from 'milepost/tasks';

import { emptyFolder } from '../../node/fixture.mjs';
import { state as taskState } from '../../node/task-fixture.mjs';
import { frameOf, framesOf, project, put, shown } from './fixture.mjs';

const MAX_BYTES = 16 * 1024 * 1024;
const isRoot = process.getuid?.() === 0;

/** The files that change while they are read, and how often all of them are. */
const AMOUNT = process.env.MILEPOST_TEST_RANGE === 'all' ? { files: 200, rounds: 10 } : { files: 40, rounds: 2 };

/** Frames of a stream; one that is cut is a proof. */
function untorn(body) {
  try {
    return framesOf(body);
  } catch (error) {
    throw new Error(`violated: a torn frame: ${error.message}`);
  }
}

/** Returns whether a content is one that was put there in one step. */
function isWhole(content) {
  try {
    return JSON.parse(content).round > 0;
  } catch {
    return false;
  }
}

test('the beginning has all there is, in order', async (t) => {
  const { root, state } = await project(t);
  execFileSync('git', ['init', '-q', root]);
  put(path.join(root, '.claude/config/integrations.json'), '{"commands": ["audit"]}');
  openSnapshots({ root }).create({ reason: 'handoff', command: 'design', message: 'over' });
  const { own } = await shown(t, root);
  const frames = await own.frames('/api/files');
  const [{ header: first }] = frames;
  assert.deepEqual(first.meta, {
    ...{ root: path.basename(root), state: '.claude/state', sessions: '.claude/checkpoints' },
    ...{ tasks: '.claude/state/tasks', head: null },
    ...{ shape: 'server', version: first.meta.version, tracked: [], redacted: false, commands: ['audit'] },
    place_words: ` --root ${root}`,
    program: 'npx milepost',
  });
  assert.deepEqual(frames.at(-1).header, { done: true });
  const order = frames.map(({ header }) => header.listed ?? header.file ?? header.folder);
  const places = [
    ...['.claude/state/design-checkpoint.json', '.claude/state', '.claude/config/integrations.json'],
    ...['.claude/checkpoints', '.claude/state/.milepost/design-checkpoint', '.claude/state/.milepost'],
  ].map((one) => order.lastIndexOf(one));
  assert.ok(!places.includes(-1), `${places}`);
  assert.deepEqual(places, places.toSorted((a, b) => a - b));
  for (const { header, content } of frames.filter((it) => it.content !== undefined)) {
    assert.equal(content, fs.readFileSync(path.join(root, header.file), 'utf8'));
    assert.equal(header.modified, Math.floor(fs.statSync(path.join(root, header.file)).mtimeMs));
  }
  const brought = frames.filter((it) => it.content !== undefined).map((it) => it.header.file);
  assert.ok(brought.some((file) => /^\.claude\/checkpoints\/chk-.*\.yaml$/.test(file)), `${brought}`);
  assert.ok(fs.existsSync(path.join(state, 'design-checkpoint.json')));
});

test('a task has its index', async (t) => {
  const { root } = await project(t);
  await createCheckpointManager({ storage: { storagePath: path.join(root, '.claude/state') } }).save(taskState('c1', { taskId: 'the task' }));
  const { own } = await shown(t, root);
  const frames = await own.frames('/api/files');
  const index = frames.find(({ header }) => /^\.claude\/state\/tasks\/[^/]+\/index\.json$/.test(header.file ?? ''));
  assert.equal(JSON.parse(index.content).task, 'the task');
});

test('nothing else of .claude is read', async (t) => {
  const { root } = await project(t);
  for (const file of ['settings.json', 'settings.local.json', 'config/other.json', 'agents/a.md', 'state.json']) {
    put(path.join(root, '.claude', file), '"private"');
  }
  put(path.join(root, 'package.json'), '"private"');
  const { own } = await shown(t, root);
  const { body } = await own.get('/api/files');
  assert.ok(!body.includes('private'));
  for (const name of ['settings', 'other.json', 'agents', 'state.json', 'package.json']) {
    assert.ok(!body.includes(`${name}`), name);
  }
});

test('no link is followed', async (t) => {
  const { root, state } = await project(t);
  const elsewhere = emptyFolder(t);
  fs.writeFileSync(path.join(elsewhere, 'x.json'), '"private"');
  fs.symlinkSync(path.join(elsewhere, 'x.json'), path.join(state, 'link-checkpoint.json'));
  fs.symlinkSync(elsewhere, path.join(state, 'folder-checkpoint.json'));
  fs.symlinkSync('/nowhere', path.join(state, 'dead-checkpoint.json'));
  fs.symlinkSync(elsewhere, path.join(state, 'tasks'));
  fs.symlinkSync(elsewhere, path.join(state, '.milepost/other-checkpoint'));
  const { own } = await shown(t, root);
  const { body } = await own.get('/api/files');
  assert.ok(!body.includes('private'));
  const frames = framesOf(body);
  for (const name of ['link-checkpoint.json', 'folder-checkpoint.json', 'dead-checkpoint.json', 'tasks', '.milepost/other-checkpoint']) {
    assert.deepEqual(frameOf(frames, `.claude/state/${name}`).header, { link: `.claude/state/${name}` });
  }
});

test('no link on the way to the state folder is followed', async (t) => {
  for (const part of ['.claude', '.claude/state']) {
    const { root } = await project(t);
    const elsewhere = path.join(emptyFolder(t), 'it');
    fs.renameSync(path.join(root, part), elsewhere);
    fs.symlinkSync(elsewhere, path.join(root, part));
    const { own } = await shown(t, root);
    const { body } = await own.get('/api/files');
    assert.ok(!body.includes('It is known'), part);
    assert.deepEqual(frameOf(framesOf(body), part).header, { link: part });
  }
});

test('a link that took the place of a listed file or folder is not followed', async (t) => {
  const { root, state } = await project(t);
  const { own } = await shown(t, root);
  const frames = await own.frames('/api/files');
  const file = frameOf(frames, '.claude/state/design-checkpoint.json').header.id;
  const folder = frameOf(frames, '.claude/state/.milepost/design-checkpoint').header.id;
  const [history] = (await own.frames(`/api/content/${folder}`)).filter(({ header }) => header.folder?.endsWith('/history'));
  const entry = (await own.frames(`/api/content/${history.header.id}`)).find(({ header }) => header.file !== undefined);

  const elsewhere = path.join(emptyFolder(t), 'it');
  fs.renameSync(path.join(state, '.milepost/design-checkpoint'), elsewhere);
  fs.symlinkSync(elsewhere, path.join(state, '.milepost/design-checkpoint'));
  fs.rmSync(path.join(state, 'design-checkpoint.json'));
  fs.symlinkSync('/etc/passwd', path.join(state, 'design-checkpoint.json'));

  assert.deepEqual(await own.frames(`/api/content/${file}`), [
    { header: { link: '.claude/state/design-checkpoint.json' }, content: undefined },
  ]);
  for (const id of [folder, history.header.id, entry.header.id]) {
    const [{ header, content }] = await own.frames(`/api/content/${id}`);
    assert.ok(header.link !== undefined, JSON.stringify(header));
    assert.equal(content, undefined);
  }
});

test('a FIFO or a socket does not hold the server up', { skip: process.platform === 'win32' }, async (t) => {
  const { root, state } = await project(t);
  execFileSync('mkfifo', [path.join(state, 'a-checkpoint.json'), path.join(state, 'b.txt')]);
  const { own } = await shown(t, root);
  const frames = await own.frames('/api/files');
  for (const name of ['a-checkpoint.json', 'b.txt']) {
    assert.equal(frameOf(frames, `.claude/state/${name}`).header.fault, 'io');
  }
  const { id } = frameOf(frames, '.claude/state/design-checkpoint.json').header;
  fs.rmSync(path.join(state, 'design-checkpoint.json'));
  execFileSync('mkfifo', [path.join(state, 'design-checkpoint.json')]);
  const [{ header }] = await own.frames(`/api/content/${id}`);
  assert.equal(header.fault, 'io');
});

test('a file that may not be read does not stop the rest', { skip: isRoot && 'root may read everything' }, async (t) => {
  const { root, state } = await project(t);
  put(path.join(state, 'a-checkpoint.json'), '{}');
  fs.chmodSync(path.join(state, 'a-checkpoint.json'), 0);
  const { own } = await shown(t, root);
  const frames = await own.frames('/api/files');
  assert.equal(frameOf(frames, '.claude/state/a-checkpoint.json').header.fault, 'denied');
  assert.ok(frameOf(frames, '.claude/state/design-checkpoint.json').content.includes('It is known'));
});

test('no frame is torn by files that grow, shrink and vanish while they are read', async (t) => {
  const { root, state } = await project(t);
  const content = (round) => JSON.stringify({ round, text: 'x'.repeat((round * 7919) % 200_000) });
  const files = Array.from({ length: AMOUNT.files }, (_, at) => path.join(state, `a${at}-checkpoint.json`));
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
    for (let round = 0; round < AMOUNT.rounds; round++) {
      const frames = untorn((await own.get('/api/files')).body);
      assert.deepEqual(frames.at(-1).header, { done: true });
      for (const [at, file] of files.entries()) {
        const frame = frameOf(frames, path.relative(root, file));
        // The file that took its place in one step is whole.
        if (at % 3 !== 2) continue;
        assert.ok(frame.content !== undefined, `${JSON.stringify(frame.header)} came without its content`);
        assert.ok(isWhole(frame.content), `violated: a torn read of ${frame.header.file}`);
      }
    }
  } finally {
    // Before the folder is removed, which fails while files come into it.
    isDone = true;
    appending.kill('SIGKILL');
    await Promise.all([writer, hasEnded]);
  }
});

test('a run that vanished after it was listed is reported as gone', async (t) => {
  const { root, state } = await project(t);
  const { own } = await shown(t, root);
  const frames = await own.frames('/api/files');
  const file = frameOf(frames, '.claude/state/design-checkpoint.json').header.id;
  const folder = frameOf(frames, '.claude/state/.milepost/design-checkpoint').header.id;
  fs.rmSync(state, { recursive: true });
  assert.deepEqual((await own.frames(`/api/content/${file},${folder}`)).map(({ header }) => header), [
    { gone: '.claude/state/design-checkpoint.json' },
    { gone: '.claude/state/.milepost/design-checkpoint' },
  ]);
});

test('a document above the limit is left out, and one at the limit is not', async (t) => {
  const { root, state } = await project(t);
  put(path.join(state, 'a-checkpoint.json'), Buffer.alloc(MAX_BYTES, 'x'));
  put(path.join(state, 'b-checkpoint.json'), Buffer.alloc(MAX_BYTES + 1, 'x'));
  const { own } = await shown(t, root);
  const frames = await own.frames('/api/files');
  const [a, b] = ['a', 'b'].map((name) => frameOf(frames, `.claude/state/${name}-checkpoint.json`));
  assert.equal(a.header.bytes, MAX_BYTES);
  assert.equal(b.header.size, MAX_BYTES + 1);
  assert.equal(b.header.bytes, undefined);
});

test('a folder that is asked for comes whole', async (t) => {
  const { root, state } = await project(t);
  const { own } = await shown(t, root);
  const side = '.claude/state/.milepost/design-checkpoint';
  const { id } = frameOf(await own.frames('/api/files'), side).header;
  const frames = await own.frames(`/api/content/${id}`);
  assert.deepEqual(frames[0].header, { folder: side, id });
  assert.deepEqual(frames.at(-1).header, { listed: side });
  const history = frameOf(frames, `${side}/history`).header;
  const entries = (await own.frames(`/api/content/${history.id}`)).filter(({ header }) => header.file !== undefined);
  const names = fs.readdirSync(path.join(state, '.milepost/design-checkpoint/history'));
  assert.deepEqual(entries.map(({ header }) => path.basename(header.file)).sort(), names.sort());
  const contents = await own.frames(`/api/content/${entries.map(({ header }) => header.id).join(',')}`);
  for (const { header, content } of contents) {
    assert.equal(content, fs.readFileSync(path.join(root, header.file), 'utf8'));
  }
  assert.equal(contents.length, 2);
});

test('what is in quarantine is listed', async (t) => {
  const { root, state } = await project(t);
  put(path.join(state, '.milepost/design-checkpoint/quarantine/00112233445566778899aabbccddeeff.json'), '{');
  const { own } = await shown(t, root);
  const frames = await own.frames('/api/files');
  const quarantine = '.claude/state/.milepost/design-checkpoint/quarantine';
  assert.equal(frameOf(frames, `${quarantine}/00112233445566778899aabbccddeeff.json`).header.size, 1);
  assert.ok(frames.some(({ header }) => header.listed === quarantine));
});

test('a name that means something elsewhere is not changed on the way', { skip: process.platform === 'win32' }, async (t) => {
  const { root, state } = await project(t);
  const names = [
    ...['<script>alert(1)<', 'a\nb', '"\\', '\u202e\u2066rtl', '\u2028', '\u001b[31m', '🙂', ' ', '%2e%2e', 'a,b'],
    ...['{"gone":".claude"}', 'é', 'e\u0301', 'x'.repeat(250)],
  ].map((name) => `${name}.json`);
  for (const name of names) fs.writeFileSync(path.join(state, name), '{}');
  // No text at all: there is no such name for a page.
  fs.writeFileSync(Buffer.concat([Buffer.from(`${state}/`), Buffer.from([0x66, 0xff]), Buffer.from('.json')]), '{}');
  const { own } = await shown(t, root);
  const frames = await own.frames('/api/files');
  for (const name of names) assert.equal(frameOf(frames, `.claude/state/${name}`).content, '{}', name);
  assert.deepEqual(frames.at(-1).header, { done: true });
});

test('a project without any state is no error', async (t) => {
  const { own } = await shown(t, emptyFolder(t));
  const headers = (await own.frames('/api/files')).map(({ header }) => header);
  assert.deepEqual(headers.slice(1, 2), [{ gone: '.claude/state' }]);
  assert.deepEqual(headers.at(-1), { done: true });
});

test('a state folder elsewhere reveals its path on this machine in the words that the caller gave alone', async (t) => {
  const { state, root } = await project(t);
  const here = emptyFolder(t);
  const { own } = await shown(t, here, '--dir', state);
  const { body } = await own.get('/api/files');
  const [{ header }, ...frames] = framesOf(body);
  const { place_words: words, ...meta } = header.meta;
  assert.equal(words, ` --root ${here} --dir ${state}`);
  assert.ok(!JSON.stringify([meta, frames]).includes(root));
  assert.deepEqual([header.meta.state, header.meta.sessions], ['state', 'state/checkpoints']);
  assert.ok(frameOf(framesOf(body), 'state/design-checkpoint.json').content.includes('It is known'));
});
