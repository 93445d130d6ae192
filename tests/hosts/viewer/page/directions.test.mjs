// Texts that are read from right to left, beside numbers and words of the page that are not.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { createCheckpointManager } from 'milepost/tasks';
import { folder } from '../fixture.mjs';
import { isSettled, show } from '../views.mjs';
import { served } from './fixture.mjs';

const PHASE = 'עיצוב';
const SUMMARY = 'תוקנו 12 באגים ב-3 קבצים';

/** A project whose phases, summaries and tasks are in Hebrew. */
async function hebrew(t) {
  const root = folder((remove) => t.after(remove));
  const store = openStore({ root, durability: 'lazy', onWarning() {} });
  store.updatePhase('implement', PHASE, { status: 'complete', context_summary: SUMMARY }, 'search');
  store.updatePhase('implement', `${PHASE} 2`, { status: 'failed', error: SUMMARY }, 'search');
  const manager = createCheckpointManager({ storage: { storagePath: path.join(root, '.claude/state') } });
  const createdAt = new Date().toISOString();
  await manager.save({
    id: `${PHASE} 1`,
    taskId: PHASE,
    agentId: 'writer',
    stepIndex: 1,
    totalSteps: 2,
    context: {},
    completedSteps: [{ stepId: 's0', name: PHASE, result: null, durationMs: 1, completedAt: createdAt }],
    pendingSteps: ['s1'],
    createdAt,
  });
  return root;
}

/** Texts of the page's own that something else stands in the middle of. Sent to the page. */
const torn = () => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (/[\u0590-\u08ff]/.test(data) || !/\d/.test(data) || parentElement.closest('option, script, style') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const lines = new Map();
    for (const { left, right, bottom, width } of range.getClientRects()) {
      if (width === 0) continue;
      const line = Math.round(bottom);
      const before = lines.get(line) ?? { left, right, width: 0 };
      lines.set(line, {
        left: Math.min(before.left, left),
        right: Math.max(before.right, right),
        width: before.width + width,
      });
    }
    for (const { left, right, width } of lines.values()) {
      if (right - left > width + 1) found.push(`“${data.trim()}” in ${parentElement.closest('p, li, a, div').textContent.trim()}`);
    }
  }
  return found;
};

test('a number beside a text from right to left stays with the words that it belongs to', async (t) => {
  const { visitor } = await served(t, await hebrew(t));
  const of = encodeURIComponent('c/implement-search');
  for (const address of ['#/overview', `#/timeline/${of}`, `#/revision/${of}`, `#/blame/${of}`, '#/tasks']) {
    await show(visitor, { address });
    assert.deepEqual(await visitor.ask(torn), [], address);
  }
  // Fields that may be compared are found in a list under their names.
  await show(visitor, { address: '#/compare' });
  await visitor.ask(() => document.querySelector('.combobox input').click());
  await visitor.until('the list', () => document.querySelectorAll('.combobox li .note').length >= 2);
  await visitor.until('it is settled', isSettled);
  assert.deepEqual(await visitor.ask(torn), [], 'the list');
});
