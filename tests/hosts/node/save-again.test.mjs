// A script keeps one object, changes it and saves it again and again.

import assert from 'node:assert/strict';
import test from 'node:test';
import { lastError, loadCheckpoint, saveCheckpoint, updatePhase } from 'milepost';
import { silentRoot, standardError } from './fixture.mjs';

const fresh = () => ({
  version: 1,
  state: { current_phase: null, completed_phases: [], pending_phases: ['plan', 'build'] },
  phases: { plan: { status: 'pending' } },
});

test('a saved object is what is stored', (t) => {
  silentRoot(t);
  const checkpoint = fresh();
  assert.ok(saveCheckpoint('implement', checkpoint));
  assert.deepEqual(checkpoint, loadCheckpoint('implement'));
  assert.equal(checkpoint.revision, 1);
});

test('the same object is saved again after each change', (t) => {
  silentRoot(t);
  const checkpoint = fresh();
  for (const status of ['pending', 'in_progress', 'complete']) {
    checkpoint.phases.plan.status = status;
    assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  }
  assert.equal(checkpoint.revision, 3);
  assert.equal(loadCheckpoint('implement').phases.plan.status, 'complete');
});

test("another writer's change survives two saves of an older object", (t) => {
  silentRoot(t);
  const checkpoint = fresh();
  const { phases } = checkpoint;
  saveCheckpoint('implement', checkpoint);
  updatePhase('implement', 'build', { status: 'in_progress', context_summary: 'half' });

  checkpoint.phases.plan.context_summary = 'planned';
  assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  // In place: the script may hold on to the parts.
  assert.equal(checkpoint.phases, phases);
  assert.equal(phases.build.context_summary, 'half');

  checkpoint.phases.plan.status = 'complete';
  assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  const stored = loadCheckpoint('implement');
  assert.equal(stored.phases.build.context_summary, 'half');
  assert.equal(stored.phases.plan.context_summary, 'planned');
});

test("another writer's removal reaches the object", (t) => {
  silentRoot(t);
  const checkpoint = fresh();
  checkpoint.phases.plan.context_summary = 'old';
  saveCheckpoint('implement', checkpoint);
  updatePhase('implement', 'plan', { context_summary: null });
  checkpoint.note = 'mine';
  assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  assert.ok(!('context_summary' in checkpoint.phases.plan));
});

test('the same field changed on both sides is a conflict and changes nothing', (t) => {
  silentRoot(t);
  standardError(t);
  const checkpoint = fresh();
  saveCheckpoint('implement', checkpoint);
  updatePhase('implement', 'plan', { context_summary: 'theirs' });
  checkpoint.phases.plan.context_summary = 'ours';
  assert.equal(saveCheckpoint('implement', checkpoint), false);
  assert.equal(lastError().code, 'conflict');
  assert.deepEqual(lastError().fields, ['/phases/plan/context_summary']);
  assert.equal(checkpoint.phases.plan.context_summary, 'ours');
});

test('a frozen object is saved all the same', (t) => {
  silentRoot(t);
  const checkpoint = Object.freeze({ ...fresh(), phases: Object.freeze({}) });
  assert.equal(saveCheckpoint('implement', checkpoint), true);
  assert.equal(lastError(), null);
});

test('what JSON does not carry stays in the object', (t) => {
  silentRoot(t);
  const started = new Date(0);
  const checkpoint = { ...fresh(), started_at: started, later: undefined, log() {} };
  assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  assert.equal(checkpoint.started_at, started);
  assert.ok('later' in checkpoint && 'log' in checkpoint);
});

test('a phase called __proto__ is a phase', (t) => {
  silentRoot(t);
  const checkpoint = fresh();
  saveCheckpoint('implement', checkpoint);
  updatePhase('implement', '__proto__', { status: 'complete' });
  checkpoint.note = 'mine';
  assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  assert.ok(Object.hasOwn(checkpoint.phases, '__proto__'));
  assert.equal(Object.getPrototypeOf(checkpoint.phases), Object.prototype);
  assert.equal({}.status, undefined);
});

const hardened = {
  'frozen phases': (checkpoint) => Object.freeze(checkpoint.phases),
  'frozen parts': (checkpoint) => {
    Object.freeze(checkpoint.phases.plan);
    for (const part of Object.values(checkpoint)) Object.freeze(part);
  },
  'sealed phases': (checkpoint) => Object.seal(checkpoint.phases),
  'a setter that ignores its value': (checkpoint) => {
    Object.defineProperty(checkpoint.phases, 'build', { set() {}, configurable: true });
  },
};
for (const [what, harden] of Object.entries(hardened)) {
  test(`another writer's change survives two saves of an object with ${what}`, (t) => {
    silentRoot(t);
    saveCheckpoint('implement', fresh());
    const checkpoint = { ...loadCheckpoint('implement') };
    harden(checkpoint);
    updatePhase('implement', 'build', { status: 'in_progress', context_summary: 'half' });
    for (const note of ['first', 'second', 'third']) {
      checkpoint[note] = note;
      assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
      assert.equal(loadCheckpoint('implement').phases.build?.context_summary, 'half');
    }
  });
}

test('a field changed again and again in frozen phases is no conflict with oneself', (t) => {
  silentRoot(t);
  const checkpoint = fresh();
  saveCheckpoint('implement', checkpoint);
  Object.freeze(checkpoint.phases);
  updatePhase('implement', 'build', { status: 'in_progress' });
  for (const status of ['in_progress', 'complete', 'failed']) {
    const plan = { ...checkpoint.phases.plan, status };
    checkpoint.phases = Object.freeze({ ...checkpoint.phases, plan });
    assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  }
  assert.equal(loadCheckpoint('implement').phases.build.status, 'in_progress');
});

test('an object gets its first revision though a frozen part lacks what was filled in', (t) => {
  silentRoot(t);
  const checkpoint = { ...fresh(), state: Object.freeze({ current_phase: null }) };
  assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  updatePhase('implement', 'build', { status: 'in_progress' });
  checkpoint.note = 'mine';
  assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  assert.equal(loadCheckpoint('implement').phases.build.status, 'in_progress');
});

test("one object under two names does not take the other name's change", (t) => {
  silentRoot(t);
  const phase = { status: 'pending', files_created: ['a'] };
  const checkpoint = { ...fresh(), phases: { plan: phase, build: phase }, drafts: [phase] };
  saveCheckpoint('implement', checkpoint);
  updatePhase('implement', 'plan', { context_summary: 'planned', files_created: ['a', 'b'] });
  for (const note of ['first', 'second']) {
    checkpoint.note = note;
    assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
    const { phases, drafts } = loadCheckpoint('implement');
    assert.equal(phases.plan.context_summary, 'planned');
    assert.deepEqual(phases.plan.files_created, ['a', 'b']);
    assert.deepEqual(phases.build, { status: 'pending', files_created: ['a'] });
    assert.deepEqual(drafts, [{ status: 'pending', files_created: ['a'] }]);
  }
});

test('one object under two names stays one when no other writer changed it', (t) => {
  silentRoot(t);
  const phase = { status: 'pending' };
  const checkpoint = { ...fresh(), phases: { plan: phase, build: phase } };
  saveCheckpoint('implement', checkpoint);
  updatePhase('implement', 'review', { status: 'pending' });
  saveCheckpoint('implement', checkpoint);
  phase.status = 'complete';
  assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  const { phases } = loadCheckpoint('implement');
  assert.deepEqual([phases.plan.status, phases.build.status], ['complete', 'complete']);
});

test('a list that the script holds on to is the list that is saved', (t) => {
  silentRoot(t);
  const item = { name: 'first' };
  const checkpoint = { ...fresh(), items: [item] };
  checkpoint.phases.plan.files_created = ['a'];
  const { items, phases } = checkpoint;
  const files = phases.plan.files_created;
  saveCheckpoint('implement', checkpoint);
  const other = loadCheckpoint('implement');
  other.items.push({ name: 'theirs' });
  other.phases.plan.files_created.push('theirs');
  saveCheckpoint('implement', other);

  files.push('ours');
  assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  item.name = 'first, renamed';
  items.push({ name: 'ours' });
  files.push('later');
  assert.ok(saveCheckpoint('implement', checkpoint), lastError()?.message);
  const stored = loadCheckpoint('implement');
  const names = stored.items.map(({ name }) => name);
  assert.deepEqual(names, ['first, renamed', 'theirs', 'ours']);
  assert.deepEqual(stored.phases.plan.files_created.toSorted(), ['a', 'later', 'ours', 'theirs']);
});
