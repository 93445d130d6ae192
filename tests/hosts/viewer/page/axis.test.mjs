// The axis of a timeline: when it begins, and the time since then, from days down to tenths of a second.

import assert from 'node:assert/strict';
import test from 'node:test';
import { VIEWS, show } from '../views.mjs';
import { listed } from './fixture.mjs';

const TIMELINE = VIEWS.find(({ name }) => name === 'timeline');

/** The first tenth of what is shown is zoomed to so often: from days to a third of a second. */
const ZOOMS = 5;

/** Sent to the page. */
const labels = () => [...document.querySelectorAll('.drawing .time text')].map((it) => it.textContent);

/** Drags over the first tenth of the drawing. */
async function zoom(visitor) {
  const { mouse } = visitor.tab.page;
  const { left, width, bottom } = await visitor.ask(() => {
    const plot = document.querySelector('.plot');
    plot.scrollIntoView({ block: 'nearest' });
    const { left, width, bottom } = plot.getBoundingClientRect();
    return { left, width, bottom };
  });
  const before = JSON.stringify(await visitor.ask(labels));
  await mouse.move(left + 8, bottom - 8);
  await mouse.down();
  await mouse.move(left + width / 10, bottom - 8, { steps: 4 });
  await mouse.up();
  const isOther = (before) =>
    JSON.stringify([...document.querySelectorAll('.drawing .time text')].map((it) => it.textContent)) !== before;
  await visitor.until('another part is shown', isOther, before);
}

test('the axis of a timeline names each time once, as a duration since the beginning', async (t) => {
  const { visitor } = await listed(t);
  await show(visitor, TIMELINE);
  for (let zooms = 0; ; zooms++) {
    const [beginning, ...others] = await visitor.ask(labels);
    assert.match(beginning, /3 Mar 2026.*09:00/);
    assert.ok(others.length > 0, `one label after ${zooms} zooms`);
    for (const label of others) assert.match(label, /^\+(\d+ (d|h|min) ?)*([\d.]+ s)?$/);
    assert.equal(new Set(others).size, others.length, others.join(', '));
    if (zooms === ZOOMS) {
      assert.match(others.join(', '), /\+0\.\d s/);
      return;
    }
    await zoom(visitor);
  }
});
