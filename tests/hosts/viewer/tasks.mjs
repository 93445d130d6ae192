// Tasks of a user of the viewer, with the keyboard alone. Each task begins at the list of checkpoints; the
// focus is seen wherever it goes.

import assert from 'node:assert/strict';
import { RICH } from './data/sample.mjs';
import { isSettled } from './views.mjs';

/**
 * @typedef {import('./drive/visitor.mjs').Visitor} Visitor
 *
 * @typedef {object} Here what a task has
 * @property {() => Promise<Visitor>} listed one at the list of the sample project
 * @property {() => Promise<{visitor: Visitor, store: ReturnType<typeof import('milepost').openStore>}>} changing the same
 * of a copy, and its store
 * @property {() => Promise<Visitor>} tall one at a list that is longer than the window
 * @property {() => Promise<Visitor>} exported one at the exported file
 * @property {(address: string) => Promise<Visitor>} another a tab of the same person
 */

// Questions in the page stand in functions of their own: a driver sends them there.

const titles = () => [...document.querySelectorAll('li.row .name')].map(({ innerText }) => innerText);
const focusedRow = () => document.activeElement?.closest('li.row')?.dataset.index ?? null;
const isThere = (selector) => document.querySelector(selector) !== null;

/** Asserts that a user who sees the page knows where they are. */
async function assertFocusIsSeen(visitor) {
  const { outline, isInWindow, name } = await visitor.focus();
  assert.notEqual(outline, 'none', `the focus on ${name} is not drawn`);
  assert.ok(isInWindow, `the focus on ${name} is outside of the window`);
}

/** Moves down the list to a row, which then has the focus. Each row gets it before the next key, or it is passed. */
async function select(visitor, title) {
  const isAt = (wanted) => document.activeElement?.closest('li.row')?.innerText.includes(wanted) ?? false;
  while (!(await visitor.ask(isAt, title))) {
    const before = await visitor.ask(focusedRow);
    await visitor.press('j');
    await visitor.until(
      `a row after ${before} has the focus, on the way to ${title}`,
      (before) => (document.activeElement?.closest('li.row')?.dataset.index ?? before) !== before,
      before,
    );
  }
  await assertFocusIsSeen(visitor);
}

/** Presses two keys that belong together, again where a busy machine let too much time pass between them. */
async function chord(visitor, keys, way) {
  for (let tries = 0; tries < 5; tries += 1) {
    await visitor.press(...keys);
    await visitor.drawn();
    if (await visitor.ask((way) => location.hash.startsWith(way), way)) return;
  }
  assert.fail(`${keys.join(' ')} did not lead to ${way}`);
}

/** To the timeline of the run with the most revisions. */
async function openRich(visitor) {
  await select(visitor, 'dark-mode');
  await visitor.press('Enter');
  const way = `#/timeline/${encodeURIComponent(RICH)}`;
  await visitor.until('its timeline', (way) => location.hash.startsWith(way), way);
  await visitor.until('its revisions', () => document.querySelector('[data-revision]') !== null);
}

/** Picks the revision that has the focus, and the next but one. */
async function pickTwo(visitor) {
  await openRich(visitor);
  const isAtRevision = () => document.activeElement?.closest('.revision') != null;
  await visitor.pressUntil('j', 5, 'a revision has the focus', isAtRevision);
  await assertFocusIsSeen(visitor);
  await visitor.press('x', 'j', 'j', 'x');
  await visitor.until('both are picked', () => {
    const query = new URLSearchParams(location.hash.split('?')[1]);
    return query.has('a') && query.has('b');
  });
}

/** Compares them. */
async function compareTwo(visitor) {
  await pickTwo(visitor);
  await visitor.press('d');
  await visitor.until('the comparison', isThere, '[role=feed] > *');
}

/** @type {Record<string, (here: Here) => Promise<void>>} */
export const TASKS = {
  async open({ listed }) {
    const visitor = await listed();
    await openRich(visitor);
    await visitor.sees(/tokens/);
    await visitor.until('the title says it', () => document.title.startsWith('Timeline'));
  },

  async search({ listed }) {
    const visitor = await listed();
    const before = await visitor.ask(titles);
    await visitor.press('/');
    const isSearch = () => document.activeElement?.getAttribute('aria-label') === 'Search runs';
    await visitor.until('the search has the focus', isSearch);
    await visitor.type('prefix index');
    await visitor.until('one is left', () => document.querySelectorAll('li.row').length === 1);
    assert.match((await visitor.ask(titles))[0], /design.*search/);
    await visitor.sees(/^1 of 11 /, '.count');
    await visitor.press('Escape');
    await visitor.until('all are back', (many) => document.querySelectorAll('li.row').length === many, before.length);
    assert.deepEqual(await visitor.ask(titles), before);
  },

  async filter({ listed }) {
    const visitor = await listed();
    await visitor.press('f');
    await visitor.until('the first filter has the focus', () => document.activeElement?.matches('.facets input'));
    await assertFocusIsSeen(visitor);
    const isFailed = () => document.activeElement?.closest('label')?.innerText.includes('failed');
    await visitor.pressUntil('Tab', 40, 'the focus is on "failed"', isFailed);
    const count = await visitor.ask(() => Number(document.activeElement.closest('label').querySelector('.dim').innerText));
    assert.ok(count > 0);
    await visitor.press(' ');
    await visitor.until('only those', (many) => document.querySelectorAll('li.row').length === many, count);
    const areAllFailed = () => [...document.querySelectorAll('li.row .status')].every(({ dataset }) => dataset.status === 'failed');
    await visitor.until('those that failed', areAllFailed);
    await visitor.until('a link holds it', () => location.hash.includes('status=failed'));
  },

  async move({ listed }) {
    const visitor = await listed();
    await visitor.press('j', 'j');
    await visitor.until('the second row', () => document.activeElement?.closest('li.row')?.dataset.index === '1');
    await visitor.press('ArrowDown', 'k', 'ArrowDown', 'ArrowDown');
    await visitor.until('the fourth row', () => document.activeElement?.closest('li.row')?.dataset.index === '3');
    await assertFocusIsSeen(visitor);
    const last = String((await visitor.ask(titles)).length - 1);
    await visitor.press('End');
    await visitor.until('the last row', (last) => document.activeElement?.closest('li.row')?.dataset.index === last, last);
    await visitor.press('j');
    assert.equal(await visitor.ask(focusedRow), last);
    await visitor.press('Home');
    await visitor.until('the first row', () => document.activeElement?.closest('li.row')?.dataset.index === '0');
    await assertFocusIsSeen(visitor);
  },

  async pick({ listed }) {
    const visitor = await listed();
    await pickTwo(visitor);
    const picks = '[role=group][aria-label="Picked for compare"]';
    await visitor.sees(/A\s+implement-dark-mode @\d+[^]*B\s+implement-dark-mode @\d+/, picks);
    await visitor.press('x');
    await visitor.until('B is cleared', () => !new URLSearchParams(location.hash.split('?')[1]).has('b'));
  },

  async compare({ listed }) {
    const visitor = await listed();
    await compareTwo(visitor);
    const before = await visitor.ask(() => new URLSearchParams(location.hash.split('?')[1]).get('a'));
    await visitor.sees(/\d+ changes?/);
    await visitor.press('s');
    await visitor.until(
      'A and B are swapped',
      (a) => new URLSearchParams(location.hash.split('?')[1]).get('b') === a,
      before,
    );
  },

  async 'next change'({ listed }) {
    const visitor = await listed();
    await compareTwo(visitor);
    const at = () => /(\d+) of \d+/.exec(document.querySelector('.place-of')?.innerText)?.[1];
    await visitor.press('n');
    await visitor.until('the first change', at);
    assert.equal(await visitor.ask(at), '1');
    await visitor.press('n');
    await visitor.until('the second change', () => document.querySelector('.place-of')?.innerText.startsWith('2 of'));
    await assertFocusIsSeen(visitor);
    await visitor.press('p');
    await visitor.until('the first again', () => document.querySelector('.place-of')?.innerText.startsWith('1 of'));
  },

  async blame({ listed }) {
    const visitor = await listed();
    await openRich(visitor);
    await chord(visitor, ['g', 'b'], '#/blame/');
    await visitor.sees(/T017/, 'table.blame');
  },

  async 'copy link'({ listed, another }) {
    const visitor = await listed();
    await compareTwo(visitor);
    await visitor.press('n', 'c');
    await visitor.until('it says so', () => /copied/.test(document.querySelector('p[role=status]')?.innerText));
    const address = await visitor.address();
    const shown = await visitor.text('main');
    // Pasted where text goes, it is the address of this page.
    await chord(visitor, ['g', 'l'], '#/overview');
    await visitor.until('the list', isThere, 'li.row');
    await visitor.press('/', 'Control+v');
    await visitor.until('it is pasted', () => document.querySelector('input[type=search]')?.value.startsWith('http'));
    assert.equal(await visitor.ask(() => document.querySelector('input[type=search]').value), address);
    const other = await another(address);
    await other.until('the same is shown', (shown) => document.querySelector('main').innerText === shown, shown);
  },

  async theme({ listed }) {
    const visitor = await listed();
    const scheme = () => getComputedStyle(document.body).backgroundColor;
    const seen = [];
    for (const wanted of ['light', 'dark']) {
      await visitor.pressUntil('t', 3, wanted, (it) => document.documentElement.dataset.theme === it, wanted);
      seen.push(await visitor.ask(scheme));
    }
    assert.notEqual(seen[0], seen[1]);
    await visitor.tab.reload();
    await visitor.until('the list', () => document.querySelector('li.row') !== null);
    await visitor.until('it is dark again', (it) => getComputedStyle(document.body).backgroundColor === it, seen[1]);
  },

  async help({ listed }) {
    const visitor = await listed();
    await select(visitor, 'dark-mode');
    await visitor.press('?');
    await visitor.until('the dialog', () => document.querySelector('dialog[open]') !== null);
    const keys = await visitor.text('dialog');
    for (const word of ['Search', 'Pick', 'Compare', 'Next change', 'Blame', 'Theme', 'Back']) {
      assert.ok(keys.includes(word), `the help does not say ${word}`);
    }
    for (let count = 0; count < 10; count++) {
      await visitor.press('Tab');
      const isInside = () => document.activeElement === document.body || document.activeElement.closest('dialog') !== null;
      assert.ok(await visitor.ask(isInside), 'the focus left the dialog');
    }
    await visitor.press('Escape');
    await visitor.until('it is closed', () => document.querySelector('dialog[open]') === null);
    await visitor.until('the focus is back', () => document.activeElement?.closest('li.row') !== null);
  },

  async back({ tall }) {
    const visitor = await tall();
    await visitor.press('End');
    await visitor.until('the last row', () => document.activeElement?.closest('li.row')?.getAttribute('aria-posinset') === '120');
    await visitor.until('it has come', isSettled);
    await visitor.drawn();
    for (let count = 0; count < 20; count++) {
      await visitor.press('k');
      await visitor.drawn();
    }
    await visitor.until('a row in the middle', () => document.activeElement?.closest('li.row')?.dataset.index === '99');
    const place = () => {
      const row = document.activeElement?.closest('li.row');
      const { scrollTop } = document.querySelector('.virtual') ?? {};
      return row === null || row === undefined ? null : [row.dataset.index, row.innerText, Math.round(scrollTop)];
    };
    const before = await visitor.ask(place);
    // A list that scrolls keeps its place a moment later.
    await visitor.until('the place is kept', () => history.state !== null);
    await visitor.press('Enter');
    await visitor.until('the timeline', () => location.hash.startsWith('#/timeline/') && document.querySelector('[data-revision]') !== null);
    await visitor.press('Escape');
    await visitor.until('the list', () => location.hash.startsWith('#/overview') && document.querySelector('li.row') !== null);
    await visitor.until(
      `row ${before[0]} is selected`,
      ([index]) => document.querySelector('li.row[data-selected]')?.dataset.index === index,
      before,
    );
    await visitor.until(
      `it is scrolled to ${before[2]}`,
      ([, , top]) => Math.abs(document.querySelector('.virtual').scrollTop - top) < 2,
      before,
    );
    await visitor.until('the focus is there', () => document.activeElement?.closest('li.row')?.dataset.index === '99');
    await visitor.press('j');
    await visitor.until('the next row', () => document.activeElement?.closest('li.row')?.dataset.index === '100');
  },

  async export({ exported, listed }) {
    const before = await listed();
    const visitor = await exported();
    assert.ok((await visitor.address()).startsWith('file:'));
    assert.deepEqual(await visitor.ask(titles), await before.ask(titles));
    await compareTwo(visitor);
    await visitor.press('n');
    await visitor.until('the first change', () => document.querySelector('.place-of')?.innerText.startsWith('1 of'));
    assert.deepEqual(visitor.tab.watch.requests.filter((address) => /^https?:/.test(address)), []);
  },

  async live({ changing }) {
    const { visitor, store } = await changing();
    const change = (feature) => store.updatePhase('implement', 'watch', { status: 'in_progress' }, feature);
    const isShown = (feature) => [...document.querySelectorAll('li.row .name')].some(({ innerText }) => innerText.includes(feature));
    change('made-while-shown');
    await visitor.until('the new one is shown', isShown, 'made-while-shown');
    await visitor.press('l');
    await visitor.until('it says that it is not live', () => document.querySelector('.live')?.innerText === 'Not live');
    change('made-while-still');
    // A list that is asked for again has what was there before.
    await visitor.press('g', 'd', 'g', 'l');
    await visitor.until('the list', isThere, 'li.row');
    assert.equal(await visitor.ask(isShown, 'made-while-still'), false);
    await visitor.press('l');
    await visitor.until('what came until then is shown', isShown, 'made-while-still');
    await visitor.until('it says that it is live', () => document.querySelector('.live')?.innerText === 'Live');
    store.remove('implement', 'made-while-shown');
    await visitor.until('it is gone', () => !document.body.innerText.includes('made-while-shown'));
  },
};
