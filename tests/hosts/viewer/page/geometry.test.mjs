// In a window of a phone, of a tablet and of a laptop nothing stands over anything else, and everything is in reach.

import assert from 'node:assert/strict';
import test from 'node:test';
import { HOSTILE } from '../data/hostile.mjs';
import { RICH } from '../data/sample.mjs';
import { sample } from '../sample.mjs';
import { VIEWS, isSettled, leave, show } from '../views.mjs';
import { served } from './fixture.mjs';
import { SIZES, misplaced } from './geometry.mjs';
import { hostile } from './hostile.mjs';

const PAIR = new URLSearchParams({ a: `${RICH}@8`, b: `${RICH}@18` });
const REVISION = `#/revision/${encodeURIComponent(RICH)}?at=18`;
const SNAPSHOT = `#/revision/${encodeURIComponent('s/chk-20260305-111700')}`;

/** Every view, each tab of a revision, and what is picked for compare above a list and a timeline. */
const WALK = [
  ...VIEWS,
  { name: 'nothing picked', address: '#/compare' },
  { name: 'picked above the list', address: `#/overview?${PAIR}` },
  { name: 'one picked above the list', address: `#/overview?${new URLSearchParams({ a: `${RICH}@8` })}` },
  { name: 'picked above a timeline', address: `#/timeline/${encodeURIComponent(RICH)}?${PAIR}` },
  ...['raw', 'files', 'resume'].map((tab) => ({ name: `tab ${tab}`, address: `${REVISION}&tab=${tab}` })),
  { name: 'files of a snapshot', address: `${SNAPSHOT}?tab=files` },
];

/** The run with the longest word in each of its fields. */
const LONGEST = `hostile-${Object.keys(HOSTILE).indexOf('a very long word')}`;

async function resize(visitor, size) {
  await visitor.tab.page.setViewportSize(size);
  await visitor.drawn();
}

test('at every width no part of the page covers another, and all of it is in reach', async (t) => {
  const { server, visitor } = await served(t, await sample(), { reducedMotion: 'reduce' });
  const found = [];
  const look = async (name, width) => {
    await visitor.until(`${name} is settled`, isSettled);
    await visitor.drawn();
    for (const one of await visitor.ask(misplaced)) found.push(`${name} at ${width}: ${one}`);
  };
  for (const size of SIZES) {
    await resize(visitor, size);
    for (const view of WALK) {
      await show(visitor, view);
      await look(view.name, size.width);
      await leave(visitor, view);
    }
  }
  // Problems are shown above everything.
  await show(visitor, { address: '#/overview' });
  await server.stop();
  await visitor.until('it says that the server has ended', () => document.querySelector('header .trouble') !== null);
  for (const size of SIZES) {
    await resize(visitor, size);
    await look('a server that has ended', size.width);
  }
  assert.deepEqual(found, []);
});

test('no name is so long that a view of it goes on beside a phone', async (t) => {
  const { root, addresses } = await hostile();
  const { visitor } = await served(t, root, { viewport: SIZES[0] });
  const { lists, timelines, revisions, blames, sessions, tasks, threads, pairs, picked } = addresses;
  const views = [...timelines, ...revisions, ...blames, ...tasks, ...threads, ...picked, ...pairs.flat()].filter(isLong);
  assert.deepEqual(await goingOn(visitor, [...lists, ...views, ...sessions]), []);
});

test('no name of a thread is so long that its view goes on beside a window of any width', async (t) => {
  const { root, addresses } = await hostile();
  const { visitor } = await served(t, root);
  const threads = addresses.threads.filter(isLong);
  assert.equal(threads.length, 1);
  for (const size of SIZES) {
    await resize(visitor, size);
    assert.deepEqual(await goingOn(visitor, ['#/threads', ...threads]), [], `at ${size.width}`);
  }
});

/** Finds the views that are wider than their window, a line each. */
async function goingOn(visitor, addresses) {
  const found = [];
  for (const address of addresses) {
    await show(visitor, { address });
    const wide = await visitor.ask(() =>
      ['html', 'header', 'main'].filter((it) => {
        const { scrollWidth, clientWidth } = document.querySelector(it);
        return scrollWidth > clientWidth;
      }),
    );
    if (wide.length > 0) found.push(`${address.slice(0, 200)}: ${wide.join(', ')}`);
  }
  return found;
}

/** Returns whether an address names the run with the longest word, or has it itself. */
function isLong(address) {
  return address.includes(LONGEST) || address.includes('wwww');
}
