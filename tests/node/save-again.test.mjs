// A script keeps one object, changes it and saves it again and again.

import assert from 'node:assert/strict';
import test from 'node:test';
import { lastError, loadCheckpoint, saveCheckpoint, updatePhase } from 'milepost';
import { silentRoot, standardError } from './ground.mjs';

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
