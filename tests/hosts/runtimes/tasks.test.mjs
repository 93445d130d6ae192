// Task checkpoints: each runtime saves what another one restores.

import assert from 'node:assert/strict';
import test from 'node:test';
import { RUNTIMES, project, readAndWrite, run, script } from './fixture.mjs';

const state = (id) => ({
  id,
  taskId: 'Fix: the login',
  agentId: 'agent-1',
  stepIndex: 0,
  totalSteps: 2,
  context: { text: '漢😀' },
  completedSteps: [],
  pendingSteps: ['read', 'write'],
  createdAt: '2026-01-29T10:30:00.000Z',
});

async function asked(runtime, cwd, place, calls) {
  const options = { cwd, permissions: readAndWrite(cwd) };
  const words = [script('tasks.mjs'), place, JSON.stringify(calls)];
  const { code, stdout, stderr } = await run(runtime, words, options);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return JSON.parse(stdout);
}

RUNTIMES.forEach((saver, at) => {
  const restorer = RUNTIMES[(at + 1) % RUNTIMES.length];
  test(`a task that ${saver.name} saved is restored by ${restorer.name}`, async (t) => {
    const cwd = project(t);
    const saves = ['a', 'b'].map((id) => ['save', state(id)]);
    assert.deepEqual(await asked(saver, cwd, 'files', saves), [null, null]);
    const calls = [['restore', 'Fix: the login'], ['restoreById', 'a'], ['list', 'unknown'], ['delete', 'b']];
    const [latest, first, none, isDeleted] = await asked(restorer, cwd, 'files', calls);
    assert.deepEqual(latest.checkpoint, state('b'));
    assert.deepEqual(first.remainingSteps, ['read', 'write']);
    assert.deepEqual([none, isDeleted], [[], true]);
    const [list] = await asked(saver, cwd, 'files', [['list', 'Fix: the login']]);
    assert.deepEqual(list, [state('a')]);
  });
});

for (const runtime of RUNTIMES) {
  test(`a task in memory is kept and found by its own id on ${runtime.name}`, async (t) => {
    const calls = [['save', state('a')], ['save', { ...state('a'), taskId: 'other' }], ['list', 'Fix: the login']];
    const answers = await asked(runtime, project(t), 'memory', calls);
    assert.deepEqual(answers, [null, 'conflict', [state('a')]]);
  });
}
