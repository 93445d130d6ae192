// Snapshots from JavaScript: the operations themselves are tested in Rust.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { MilepostError, openStore } from 'milepost';
import { MemoryFiles } from 'milepost/memory';
import { openSnapshots } from 'milepost/snapshots';
import { emptyFolder, git, needsGit, require } from './fixture.mjs';

/** A project with work in progress. */
function project(test) {
  const root = emptyFolder(test);
  const store = openStore({ root, durability: 'lazy' });
  store.updatePhase('implement', 'parser', { status: 'complete', context_summary: 'Parser done.' });
  store.updatePhase('implement', 'tests', { status: 'in_progress' });
  return { root, store, sessions: openSnapshots({ root, durability: 'lazy' }) };
}

test('a snapshot that was made is listed, loaded, restored and pinned', (t) => {
  const { root, sessions } = project(t);
  const made = sessions.create({ reason: 'handoff', message: '80% tokens', given: { tokens_used: 45000 } });
  assert.match(made.id, /^chk-\d{8}-\d{6}$/);
  assert.equal(made.path, `.claude/checkpoints/${made.id}.yaml`);
  assert.deepEqual(made.removed, []);
  const [listed] = sessions.list();
  assert.equal(listed?.message, '80% tokens');
  assert.equal(listed?.currentPhase, 2);
  const loaded = sessions.load({ latest: true });
  assert.equal(loaded.text, fs.readFileSync(path.join(root, made.path), 'utf8'));
  assert.equal(loaded.document.tokens_used, 45000);
  assert.match(sessions.restore({ id: made.id }).resume, /Continue with phase 2: tests/);
  assert.deepEqual(sessions.pin({ id: made.id }), { id: made.id, pinned: true, changed: true });
  assert.deepEqual(sessions.cleanUp({ dryRun: true }), []);
});

test('files are verified, and brought back by a plan', (t) => {
  const { root, sessions } = project(t);
  const file = path.join(root, 'notes.md');
  fs.writeFileSync(file, 'then\n');
  fs.writeFileSync(path.join(root, '.env'), 'PORT=1\n');
  const made = sessions.create({ reason: 'handoff', allow: ['.env'] });
  assert.deepEqual([made.files, made.leftOut], [2, []]);
  assert.equal(sessions.create({ reason: 'handoff', files: false }).files, null);
  assert.equal(sessions.verify({ id: made.id }).matches, true);
  fs.writeFileSync(file, 'now\n');
  fs.writeFileSync(path.join(root, '.env'), 'PORT=2\n');
  const differs = sessions.verify({ id: made.id }).files.map(({ path, answer }) => [path, answer]);
  assert.deepEqual(differs, [
    ['.env', 'changed'],
    ['notes.md', 'changed'],
  ]);
  const asked = { id: made.id, files: true };
  assert.match(sessions.restore({ ...asked, dryRun: true }).plan?.refusals[0] ?? '', /^The present content of \.env would be lost/);
  const { plan } = sessions.restore({ ...asked, dryRun: true, lose: ['.env'] });
  assert.deepEqual(plan?.refusals, []);
  assert.equal(sessions.restore({ ...asked, plan: plan?.id, lose: ['.env'] }).restored, true);
  assert.equal(fs.readFileSync(file, 'utf8'), 'then\n');
});

test('a checkpoint is made of the command that is named', (t) => {
  const { store, sessions } = project(t);
  store.updatePhase('design', 'plan', { status: 'complete' }, 'dark');
  const of = (/** @type {any} */ options) => {
    const { id } = sessions.create({ reason: 'handoff', ...options });
    return sessions.load({ id }).document.task.id;
  };
  assert.equal(of({ command: 'implement' }), 'implement');
  assert.equal(of({ command: 'design', feature: 'dark' }), 'design-dark');
  assert.throws(() => of({ command: 7 }), MilepostError);
});

test('members of a document stay as they are stored, and those of an answer are in camelCase', (t) => {
  const { sessions } = project(t);
  const { id } = sessions.create({ reason: 'error', given: { my_field: { a_b: 1 } } });
  const { document } = sessions.load({ id });
  assert.deepEqual(document.my_field, { a_b: 1 });
  const other = sessions.create({ reason: 'error', given: { my_field: { a_b: 2 } } });
  const { changes } = sessions.diff({ from: id, to: other.id });
  assert.deepEqual(changes, [{ path: '/my_field/a_b', before: 1, after: 2 }]);
});

test('work that is complete is archived, and the archive is cleaned up by age', (t) => {
  const { store, sessions } = project(t);
  const { id } = sessions.create({ reason: 'phase_complete' });
  store.complete('implement', null, { force: true });
  assert.deepEqual(sessions.archive(), [{ id, path: `.claude/checkpoints/archive/${id}.yaml` }]);
  assert.deepEqual(sessions.list(), []);
  assert.equal(sessions.list({ archived: true })[0]?.archived, true);
  assert.deepEqual(sessions.cleanUp({ archivedDays: 1 }), []);
});

test('files are brought back by a plan, and the undo brings back what was there', needsGit, (t) => {
  const { root, sessions } = project(t);
  const file = (name) => path.join(root, name);
  git(root, 'init', '--quiet');
  fs.writeFileSync(file('.gitignore'), '.claude\n');
  fs.writeFileSync(file('a.txt'), 'one\n');
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--message', 'first');
  fs.writeFileSync(file('a.txt'), 'two\n');
  fs.writeFileSync(file('.env'), 'A=1\n');
  const made = sessions.create({ reason: 'handoff' });
  assert.equal(made.files, 1);
  assert.deepEqual(made.leftOut.map(({ path: left }) => left), ['.env']);
  assert.equal(sessions.verify({ id: made.id }).matches, true);
  fs.writeFileSync(file('a.txt'), 'three\n');
  fs.writeFileSync(file('b.txt'), 'new\n');
  assert.equal(sessions.verify({ id: made.id }).matches, false);
  const { plan } = sessions.restore({ id: made.id, files: true, dryRun: true });
  assert.deepEqual(plan?.changes.map(({ path: changed, act }) => [changed, act]), [
    ['a.txt', 'write'],
    ['b.txt', 'delete'],
  ]);
  assert.throws(() => sessions.restore({ id: made.id, files: true, plan: 'x' }), { code: 'conflict' });
  const restored = sessions.restore({ id: made.id, files: true, plan: plan?.id ?? null });
  assert.equal(fs.readFileSync(file('a.txt'), 'utf8'), 'two\n');
  assert.ok(!fs.existsSync(file('b.txt')));
  sessions.restore({ id: restored.undo, files: true });
  assert.equal(fs.readFileSync(file('a.txt'), 'utf8'), 'three\n');
  assert.equal(fs.readFileSync(file('b.txt'), 'utf8'), 'new\n');
});

test('a mistake is an error with a code', (t) => {
  const { sessions } = project(t);
  const mistakes = /** @type {const} */ ([
    [() => sessions.create(/** @type {any} */ ({ reason: 'whim' })), 'usage'],
    [() => sessions.create(/** @type {any} */ ({ reason: 'error', mesage: 'x' })), 'usage'],
    [() => sessions.create({ reason: 'error', given: new Map() }), 'invalid_document'],
    [() => sessions.restore({}), 'usage'],
    [() => sessions.restore({ latest: true }), 'not_found'],
    [() => sessions.load({ id: '../x' }), 'invalid_name'],
    [() => openSnapshots(/** @type {any} */ ({ history: {} })), 'usage'],
    [() => openSnapshots(/** @type {any} */ ({ files: {} })), 'usage'],
  ]);
  for (const [call, code] of mistakes) {
    assert.throws(call, (error) => error instanceof MilepostError && error.code === code, `${call}`);
  }
});

test('a warning goes to the caller that asked for warnings', (t) => {
  const { root } = project(t);
  /** @type {string[]} */
  const codes = [];
  const sessions = openSnapshots({ root, onWarning: ({ code }) => codes.push(code) });
  fs.writeFileSync(path.join(root, '.claude/state/implement-checkpoint.json'), '{ torn');
  sessions.create({ reason: 'error' });
  assert.deepEqual(codes, ['corrupt']);
  assert.deepEqual(sessions.warnings.map(({ code }) => code), ['corrupt']);
});

test('snapshots are kept in files in memory', () => {
  const files = new MemoryFiles();
  const sessions = openSnapshots({ files });
  const { id } = sessions.create({ reason: 'user_requested' });
  assert.ok(files.paths().includes(`/.claude/checkpoints/${id}.yaml`));
  assert.equal(sessions.list()[0]?.id, id);
});

test('require and import have the same snapshots, and neither loads them for a hook', () => {
  assert.equal(require('milepost/snapshots').openSnapshots, openSnapshots);
  assert.ok(!('openSnapshots' in require('milepost')));
});

test('milepost/sessions has the function of milepost/snapshots under its earlier name', async () => {
  for (const sessions of [require('milepost/sessions'), await import('milepost/sessions')]) {
    // An import of a CommonJS file has all of it as its default, too.
    const names = Object.keys(sessions).filter((name) => name !== 'default');
    assert.deepEqual(names, ['openSessions']);
    assert.equal(sessions.openSessions, openSnapshots);
  }
});

const hasModes = { skip: process.platform === 'win32' && 'Windows has no modes' };

test('files and folders get the permission bits that they had, and the undo gives back those that they have', hasModes, (t) => {
  const { root, sessions } = project(t);
  const file = (name) => path.join(root, name);
  const then = { 'priv/notes': 0o600, group: 0o640, 'run.sh': 0o755, priv: 0o700 };
  const modes = () =>
    Object.fromEntries(
      Object.keys(then).map((name) => [name, fs.statSync(file(name), { throwIfNoEntry: false })?.mode]),
    );
  fs.mkdirSync(file('priv'));
  for (const name of ['priv/notes', 'group', 'run.sh']) fs.writeFileSync(file(name), 'then\n');
  for (const [name, mode] of Object.entries(then)) fs.chmodSync(file(name), mode);
  const before = modes();
  const { id } = sessions.create({ reason: 'handoff' });
  assert.equal(sessions.verify({ id }).matches, true);
  fs.rmSync(file('priv'), { recursive: true });
  fs.chmodSync(file('group'), 0o664);
  fs.writeFileSync(file('run.sh'), 'now\n');
  fs.chmodSync(file('run.sh'), 0o700);
  const now = modes();
  const { undo, plan } = sessions.restore({ id, files: true });
  assert.deepEqual(plan?.changes.find(({ path: changed }) => changed === 'group')?.act, 'set_mode');
  assert.deepEqual(modes(), before);
  assert.equal(sessions.verify({ id }).matches, true);
  sessions.restore({ id: /** @type {string} */ (undo), files: true });
  assert.deepEqual(modes(), now);
});
