// Texts of a screen reader for the list, the timeline, a comparison, the blame and threads, as golden files beside the
// tests; `MILEPOST_BLESS=1` writes them again.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { NOW, RICH } from '../data/sample.mjs';
import { VIEWS, show } from '../views.mjs';
import { listed } from './fixture.mjs';

const GOLDEN = path.join(import.meta.dirname, '../golden');
/** Their folder in the clone: these tests run on a copy. */
const IN_CLONE = process.env.MILEPOST_GOLDEN;

const READ = [
  { view: 'overview', of: 'ul[aria-label="Runs"]' },
  { view: 'timeline', of: 'main' },
  { view: 'compare', of: 'main' },
  { view: 'blame', of: 'main' },
  { view: 'threads', of: 'main' },
  { view: 'thread', of: 'main' },
];

/**
 * Higher than each of these views with any font. How high a row is, and so how many of them a lower window shows,
 * depends on the fonts of the machine.
 */
const WINDOW = { viewport: { width: 1280, height: 6_000 } };

/** The root that commands name, since the server was given one: a folder of each run. */
const ROOT = / --root [^\s"]+/g;

/** Returns whether each list is drawn to its end: rows that are not drawn have a spacer. Sent to the page. */
const isAllDrawn = () =>
  document.querySelector('main [style*="overflow-anchor"]') === null &&
  [...document.querySelectorAll('.virtual')].every((it) => it.scrollHeight <= it.clientHeight);

/** Returns whether the commits since the run that is stale are counted, which comes late. Sent to the page. */
const areCommitsCounted = () => document.querySelector('main').textContent.includes('since this was recorded');

for (const { view, of } of READ) {
  test(`a screen reader reads of the ${view} what its golden file has`, async (t) => {
    const { visitor } = await listed(t, WINDOW);
    const { page } = visitor.tab;
    await page.clock.setFixedTime(NOW);
    await visitor.ask(() => void document.dispatchEvent(new Event('visibilitychange')));
    await show(visitor, VIEWS.find(({ name }) => name === view));
    await visitor.until('all of it is drawn', isAllDrawn);
    if (view === 'overview') await visitor.until('the commits since are counted', areCommitsCounted);
    const shown = await page.locator(of).first().ariaSnapshot();
    const read = `${shown.replaceAll(ROOT, '')}\n`;
    const file = `${view}.yaml`;
    if (process.env.MILEPOST_BLESS && IN_CLONE) {
      fs.mkdirSync(IN_CLONE, { recursive: true });
      fs.writeFileSync(path.join(IN_CLONE, file), read);
      return;
    }
    assert.equal(read, fs.readFileSync(path.join(GOLDEN, file), 'utf8'));
  });
}

test('a change of a phase is read as a sentence', async (t) => {
  const { visitor } = await listed(t);
  await show(visitor, VIEWS.find(({ name }) => name === 'compare'));
  const sentences = await visitor.ask(() =>
    [...document.querySelectorAll('[role=treeitem]')].map((it) => it.getAttribute('aria-label') ?? ''),
  );
  assert.ok(
    sentences.some((it) => /switch.*(pending|in_progress|in progress).*complete/.test(it)),
    sentences.join('\n'),
  );
});

test('of two other versions, what differed between the ones before is said', async (t) => {
  const { visitor } = await listed(t);
  const says = (pattern) =>
    visitor.until(`it says ${pattern}`, (pattern) => new RegExp(pattern).test(document.querySelector('p[role=status]')?.innerText), pattern);
  const pair = (a, b) => `#/compare?${new URLSearchParams({ a: `${RICH}@${a}`, b: `${RICH}@${b}` })}`;
  for (const [a, b, what] of [[8, 18, /^\d+ changes$/], [8, 8, /^No difference$/], [8, 18, /^\d+ changes$/]]) {
    await show(visitor, { address: pair(a, b) });
    await says(what.source);
  }
});

test('what changes is said: how many are left, what is picked, what is copied', async (t) => {
  const { visitor } = await listed(t);
  const says = async (pattern) =>
    visitor.until(`it says ${pattern}`, (pattern) => new RegExp(pattern).test(document.querySelector('p[role=status]')?.innerText), pattern);
  await visitor.press('/');
  await visitor.type('prefix');
  await says('^1 of 11 runs');
  await visitor.press('Enter', 'x');
  await says('is picked as A');
  await visitor.press('c');
  await says('copied');
  await visitor.press('t');
  await says('^Theme: ');
});
