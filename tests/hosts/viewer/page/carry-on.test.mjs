// The first part of a run that is opened: where to carry on with it, and what stopped.

import assert from 'node:assert/strict';
import test from 'node:test';
import { show } from '../views.mjs';
import { listed } from './fixture.mjs';

const PANEL = 'section[aria-labelledby=carry-on]';
const FAILED = `#/timeline/${encodeURIComponent('c/review-feeds')}`;

/** Returns whether the panel stands before the timeline and its revisions. Sent to the page. */
const isFirst = () => {
  const panel = document.querySelector('#carry-on');
  const later = document.querySelectorAll('.chart, [data-revision]');
  const isBefore = (it) => (panel.compareDocumentPosition(it) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return later.length > 1 && [...later].every(isBefore);
};

test('a run that is opened shows first where to carry on and what stopped', async (t) => {
  const { visitor } = await listed(t);
  await show(visitor, { address: FAILED });
  for (const part of [
    /^Where to carry on\s/,
    /\bverify\b/,
    /\bfailed\b/,
    /npm test ended with 1/,
    /Read the diff of 14 files\./,
    /Other unfinished runs: /,
    /milepost resume review --feature feeds/,
  ]) {
    await visitor.sees(part, PANEL);
  }
  assert.ok(await visitor.ask(isFirst), 'the timeline comes before it');
});

test('the other unfinished runs of the panel are reached by the keyboard', async (t) => {
  const { visitor } = await listed(t);
  await show(visitor, { address: FAILED });
  await visitor.sees(/^Where to carry on/, PANEL);
  const isAtOther = () => document.activeElement?.matches('section[aria-labelledby=carry-on] a') ?? false;
  await visitor.pressUntil('Tab', 60, 'another run has the focus', isAtOther);
  const { name, outline, isInWindow } = await visitor.focus();
  assert.notEqual(outline, 'none');
  assert.ok(isInWindow);
  await visitor.press('Enter');
  await visitor.sees(new RegExp(`^${name.replace(/[()]/g, '\\$&')}`), 'main h1');
  await visitor.sees(/^Where to carry on/, PANEL);
});
