// Keys that go through a list: from its first row to its last, over rows that have no link, and where there are none.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test, { after } from 'node:test';
import { openStore } from 'milepost';
import { openSnapshots } from 'milepost/snapshots';
import { createCheckpointManager } from 'milepost/tasks';
import { repository } from '../data/git.mjs';
import { LIMIT_MS } from '../drive/watch.mjs';
import { folder, untilTheEnd } from '../fixture.mjs';
import { show } from '../views.mjs';
import { shared } from './fixture.mjs';

const atTheEnd = untilTheEnd(after);

/** More than are asked for at first. */
const TASKS = 150;

/** A page that draws without end answers nothing any more. */
const ENDS = { timeout: LIMIT_MS };

const STATE = '.claude/state';
const OLD = encodeURIComponent('c/implement-old');
const EMPTY = encodeURIComponent('c/ship-checkpoint');
const TASK = 'task-001';

const listed = shared(async () => {
  const root = folder(atTheEnd);
  fs.writeFileSync(path.join(root, 'kept.txt'), 'one\n');
  repository(root);
  withoutFirst(root);
  fs.writeFileSync(path.join(root, STATE, 'ship-checkpoint.json'), '{}\n');
  const sessions = openSnapshots({ root, durability: 'lazy', onWarning() {} });
  for (const message of ['first', 'second', 'third']) sessions.create({ reason: 'handoff', message });
  await tasks(root);
  return root;
});

/** A run whose first revision is not kept: which one set what the second one had already is not known. */
function withoutFirst(root) {
  const store = openStore({ root, durability: 'lazy', onWarning() {} });
  for (const phase of ['plan', 'build', 'check']) store.updatePhase('implement', phase, { status: 'in_progress' }, 'old');
  const kept = path.join(root, STATE, '.milepost/implement-old/history');
  for (const name of fs.readdirSync(kept)) if (name.startsWith('1-')) fs.rmSync(path.join(kept, name));
}

/** Tasks with a checkpoint each, of which one cannot be read. */
async function tasks(root) {
  const manager = createCheckpointManager({ storage: { storagePath: path.join(root, STATE), durability: 'lazy' } });
  for (let at = 0; at < TASKS; at++) {
    const taskId = `task-${String(at).padStart(3, '0')}`;
    await manager.save({
      ...{ id: `${taskId} at 1`, taskId, agentId: 'a', stepIndex: 1, totalSteps: 2, context: {} },
      ...{ completedSteps: [], pendingSteps: [], createdAt: '2026-03-05T09:10:00.000Z' },
    });
  }
  const all = path.join(root, STATE, 'tasks');
  const [own] = fs.readdirSync(all).filter((name) => name.startsWith(TASK));
  const files = fs.readdirSync(path.join(all, own)).filter((name) => name !== 'index.json' && !name.startsWith('.'));
  assert.equal(files.length, 1, `${files}`);
  fs.writeFileSync(path.join(all, own, files[0]), '{');
}

/** The row that has the focus, if it is this one: a number, or the last. Sent to the page. */
const focused = (wanted) => {
  const row = document.activeElement?.closest('[data-at]');
  if (row == null) return null;
  const many = row.getAttribute('aria-setsize') ?? row.closest('table').getAttribute('aria-rowcount') - 1;
  const [at, last] = [Number(row.dataset.at), Number(many) - 1];
  return at === (wanted === 'last' ? last : wanted) && { last, hasLink: row !== document.activeElement };
};

/** Goes to a view, which listens to its keys once it is drawn. */
async function arrive(visitor, address) {
  await show(visitor, { address });
  await visitor.drawn();
}

/** Presses a key, and waits for the row that it leads to. */
async function moves(visitor, key, to) {
  await visitor.press(key);
  return visitor.until(`${key} leads to row ${to}`, focused, to);
}

for (const [name, address, without] of [
  ['timeline', `#/timeline/${OLD}`, 0],
  ['blame', `#/blame/${OLD}`, 3],
  ['sessions', '#/sessions', 0],
  ['tasks', '#/tasks', 1],
]) {
  test(`j, k, Home and End reach every row of the ${name}`, async (t) => {
    const { visitor } = await listed(t);
    await arrive(visitor, address);
    const { last } = await moves(visitor, 'End', 'last');
    assert.ok(last > 0);
    await moves(visitor, 'j', 'last');
    await moves(visitor, 'Home', 0);
    await moves(visitor, 'k', 0);
    let withoutLink = 0;
    const most = Math.min(last, 12);
    for (let at = 1; at <= most; at++) {
      const { hasLink } = await moves(visitor, 'j', at);
      if (!hasLink) withoutLink++;
      const { outline, isInWindow } = await visitor.focus();
      assert.ok(outline !== 'none' && isInWindow, `the focus on row ${at} is not seen`);
    }
    assert.ok(withoutLink >= without, `${withoutLink} rows had no link`);
    for (let at = most - 1; at >= 0; at--) await moves(visitor, 'k', at);
    await visitor.assertQuiet();
  });
}

for (const [name, address, says] of [
  ['a search for sessions that finds none', '#/sessions?q=nothing-says-this', /Nothing matches/],
  ['a search for tasks that finds none', '#/tasks?q=nothing-says-this', /Nothing matches/],
  ['the blame of a checkpoint without fields', `#/blame/${EMPTY}`, /ship/],
]) {
  test(`a key that moves leaves the page as it is at ${name}`, ENDS, async (t) => {
    const { visitor } = await listed(t);
    await arrive(visitor, address);
    for (const key of ['j', 'k', 'Home', 'End', 'ArrowDown', 'ArrowUp']) {
      await visitor.press(key);
      await visitor.drawn();
      assert.equal(await visitor.ask(() => document.activeElement.closest('[data-at]')), null, key);
    }
    await visitor.sees(says);
    await visitor.assertQuiet();
  });
}

test('a list that becomes shorter than where a key was to lead goes on', ENDS, async (t) => {
  const { visitor } = await listed(t);
  await arrive(visitor, '#/tasks');
  await moves(visitor, 'j', 0);
  // In one go, so that the last row has not come by then.
  await visitor.ask(() => {
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    location.hash = '#/tasks?q=task-007';
  });
  await visitor.sees(/1 of 150 tasks/);
  await moves(visitor, 'j', 0);
  await visitor.assertQuiet();
});
