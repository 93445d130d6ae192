import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import * as milepost from 'milepost';
import { emptyFolder, require, silentRoot, standardError, stateFile } from './fixture.mjs';

const { lastError } = milepost;

/** Every silent-fail function, called with a command that does not exist. */
const FAILING = [
  [() => milepost.loadCheckpoint('deploy'), null],
  [() => milepost.saveCheckpoint('deploy', {}), false],
  [() => milepost.updatePhase('deploy', 'a', {}), false],
  [() => milepost.completeCheckpoint('deploy'), false],
  [() => milepost.getResumePoint('deploy'), { phase: null, summary: null }],
];

for (const [call, expected] of FAILING) {
  test(`${call} says one line, returns a default and leaves the reason`, (t) => {
    silentRoot(t);
    const lines = standardError(t);
    assert.deepEqual(call(), expected);
    assert.equal(lines.length, 1);
    assert.match(lines[0], /^\[milepost\] .*deploy/);
    assert.equal(lastError().code, 'invalid_name');

    milepost.loadCheckpoint('design');
    assert.equal(lastError(), null);
  });
}

test('a missing checkpoint is null without a word', (t) => {
  silentRoot(t);
  const lines = standardError(t);
  assert.equal(milepost.loadCheckpoint('design'), null);
  assert.deepEqual(milepost.getResumePoint('design'), { phase: null, summary: null });
  assert.deepEqual(lines, []);
});

test('a corrupt run is null with a word, and left unchanged', (t) => {
  const root = silentRoot(t);
  const lines = standardError(t);
  milepost.updatePhase('design', 'research', {});
  const file = stateFile(root, 'design-checkpoint.json');
  fs.writeFileSync(file, '{ torn');

  assert.equal(milepost.loadCheckpoint('design'), null);
  assert.equal(lastError().code, 'corrupt');
  assert.match(lines[0], /Checkpoint file exists but is corrupt: .*design-checkpoint\.json/);
  assert.equal(milepost.updatePhase('design', 'research', {}), false);
  assert.equal(fs.readFileSync(file, 'utf8'), '{ torn');
});

test('completeCheckpoint completes a run with open phases, names them, and the next update has them still to do', (t) => {
  silentRoot(t);
  const lines = standardError(t);
  const state = { current_phase: 'build', completed_phases: [], pending_phases: ['docs'] };
  const phases = { build: { status: 'in_progress' } };
  assert.equal(milepost.saveCheckpoint('design', { state, phases }), true);
  assert.deepEqual(lines, []);
  assert.equal(milepost.completeCheckpoint('design'), true);
  assert.equal(lines.length, 1);
  assert.match(lines[0], /^\[milepost\] design is complete with .*"build" \(in progress\), "docs" \(pending\)$/);
  const completed = milepost.loadCheckpoint('design');
  assert.ok(completed.completed_at);
  assert.deepEqual(completed.state, { current_phase: null, completed_phases: [], pending_phases: [] });

  assert.equal(milepost.updatePhase('design', 'more', { status: 'complete' }), true);
  const again = milepost.loadCheckpoint('design');
  assert.equal(again.completed_at, undefined);
  assert.deepEqual(again.state, { current_phase: 'build', completed_phases: ['more'], pending_phases: ['docs'] });
  assert.equal(milepost.getResumePoint('design').phase, 'build');
});

test('what a script passes by mistake is a line, never an exception', (t) => {
  silentRoot(t);
  const lines = standardError(t);
  const circular = {};
  circular.self = circular;
  const calls = [
    [() => milepost.loadCheckpoint(), '`command` to be a string, got undefined'],
    [() => milepost.loadCheckpoint('design', 7), '`feature` to be a string, got 7'],
    [() => milepost.saveCheckpoint('design', null), '`checkpoint` to be an object, got null'],
    [() => milepost.saveCheckpoint('design', circular), '`checkpoint` cannot be written as JSON'],
    [() => milepost.saveCheckpoint('design', { n: 1n }), '`checkpoint` cannot be written as JSON'],
    [() => milepost.updatePhase('design', 'a'), '`patch` to be an object, got undefined'],
    [() => milepost.updatePhase('design', {}, {}), '`phase` to be a string, got an object'],
  ];
  for (const [call, sentence] of calls) {
    assert.ok(!call());
    assert.equal(lastError().code, 'usage');
    assert.ok(lines.at(-1).includes(sentence), lines.at(-1));
  }
});

test('a script that uses getStateDir() of its own finds that function', (t) => {
  const root = silentRoot(t);
  const { getStateDir } = milepost;
  assert.equal(require('milepost/checkpoint-manager').getStateDir(), getStateDir());
  assert.equal(getStateDir(), path.join(root, '.claude', 'state'));
  assert.deepEqual(fs.readdirSync(root), []);

  const working = process.cwd();
  t.after(() => process.chdir(working));
  const repository = emptyFolder(t);
  fs.mkdirSync(path.join(repository, '.git'));
  fs.mkdirSync(path.join(repository, 'a/b'), { recursive: true });
  process.chdir(path.join(repository, 'a'));
  process.env.GIT_ROOT = 'b';
  assert.equal(getStateDir(), path.join(repository, 'a/b/.claude/state'));
  delete process.env.GIT_ROOT;
  assert.equal(getStateDir(), path.join(repository, '.claude/state'));
  assert.equal(milepost.openStore({ dir: 'x/y' }).location().stateFolder, `${repository}/x/y`);
  assert.equal(lastError(), null);
  process.chdir(working);
});

test('control characters in a message are shown, never acted on', (t) => {
  silentRoot(t);
  const lines = standardError(t);
  milepost.loadCheckpoint('de\u001b]52;c;\u0007sign\n\u202e');
  assert.doesNotMatch(lines[0], /[\u0000-\u001f\u202e]/);
  milepost.loadCheckpoint('de\u200bsi\u{e0041}gn\ufeff');
  assert.doesNotMatch(lines[1], /[\u200b\ufeff\u{e0041}]/u, 'a name with invisible characters');
  assert.match(lines[1], /de\\u/);
});

test('the root is that of the call, not of the first one', (t) => {
  const first = silentRoot(t);
  milepost.updatePhase('design', 'research', {});
  const second = silentRoot(t);
  milepost.updatePhase('design', 'research', {});
  for (const root of [first, second]) {
    assert.ok(fs.existsSync(stateFile(root, 'design-checkpoint.json')));
  }
});

test('integrations are the defaults where there is no file', (t) => {
  silentRoot(t);
  assert.equal(milepost.loadIntegrations().vercel.preview_timeout_ms, 300000);
});
