// The page says of a project what the command line says of it. The page's core runs on Node; the worker has the same
// wasm, and a browser shows a part of this. All scenarios, and more projects, are in equality.all.test.mjs.

import assert from 'node:assert/strict';
import test from 'node:test';
import { makeRandom } from '../data/random.mjs';
import { folder } from '../fixture.mjs';
import { assertSame, keyOf, named, said } from './equality.mjs';
import { sample } from '../sample.mjs';
import { listed } from './fixture.mjs';

/** Checkpoints of a project by chance. */
const CHECKPOINTS = 10;

test('the page says what the command line says, of the sample project', async (t) => {
  assert.equal(await assertSame(await sample(), folder((remove) => t.after(remove))), 11);
});

test('the page says what the command line says, of a project by chance', async (t) => {
  const root = folder((remove) => t.after(remove));
  makeRandom(root, 1, CHECKPOINTS);
  const count = await assertSame(root, folder((remove) => t.after(remove)));
  assert.ok(count > 3, `${count} checkpoints`);
});

test('a browser shows what the core of the page answers', async (t) => {
  const { visitor } = await listed(t);
  const root = await sample();
  const { value: list } = await said(root, ['status', '--all']);
  const isWhole = (many) => document.querySelectorAll('li.row').length === many;
  await visitor.until(`all ${list.length} rows`, isWhole, list.length);
  for (const checkpoint of list) {
    const resume = await said(root, ['resume', ...named(checkpoint)]);
    if (resume.value === undefined) continue;
    const address = `#/revision/${encodeURIComponent(keyOf(checkpoint))}`;
    await visitor.ask((to) => void (location.hash = to), address);
    const { phase, summary } = resume.value;
    for (const part of [phase, summary?.split('\n')[0]].filter((it) => it)) {
      await visitor.until(`${address} shows ${part}`, (it) => document.querySelector('main').innerText.includes(it), part);
    }
  }
  await visitor.assertQuiet();
});
