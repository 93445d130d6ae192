// Texts of every kind that a browser acts on, in every field, in every view: all of it is text.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import test from 'node:test';
import { HOSTILE } from '../data/hostile.mjs';
import { exported, folder } from '../fixture.mjs';
import { hostile, look } from './hostile.mjs';
import { person, served, visit } from './fixture.mjs';

test('hostile texts are text in every view of the local server', async (t) => {
  const { root, addresses } = await hostile();
  const { visitor } = await served(t, root);
  for (const address of Object.values(addresses).flat(2)) await look(visitor, address);
  await visitor.assertQuiet();
});

// Its views are drawn by the same code: what differs is how the data come into the page, which the lists and the
// documents show.
test('hostile texts are text in the exported file', async (t) => {
  const { root, addresses } = await hostile();
  const file = exported(root, path.join(folder((remove) => t.after(remove)), 'hostile.html'));
  const visitor = await visit(await person(t), file, file);
  await visitor.until('the list', () => document.querySelector('li.row') !== null);
  const { lists, revisions, sessions, tasks } = addresses;
  for (const address of [lists, revisions, sessions, tasks].flat()) await look(visitor, address);
  await visitor.assertQuiet();
});

test('hostile texts are found by searching for them, and stay text in the address', async (t) => {
  const { root } = await hostile();
  const { visitor } = await served(t, root);
  for (const [name, text] of Object.entries(HOSTILE)) {
    const address = `#/overview?${new URLSearchParams({ q: text.slice(0, 300) })}`;
    await look(visitor, address);
    // Two documents have it, one of which no store has written.
    const rows = await visitor.ask(() => document.querySelectorAll('li.row').length);
    assert.equal(rows, 2, `${name} is not found`);
  }
  for (const text of Object.values(HOSTILE)) {
    for (const view of ['timeline', 'nothing', text.slice(0, 50)]) {
      await look(visitor, `#/${encodeURIComponent(view)}/${encodeURIComponent(text.slice(0, 500))}`);
    }
  }
  await visitor.assertQuiet();
});
