// Threads of LangGraph.js in the page: their list, and of one its steps, what each changed, and what is pending.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import test from 'node:test';
import { THREAD } from '../data/sample.mjs';
import { addressOf } from '../data/threads.mjs';
import { exported, folder } from '../fixture.mjs';
import { sample } from '../sample.mjs';
import { show } from '../views.mjs';
import { listed, person, visit } from './fixture.mjs';

test('a thread is found in the list and shows its steps, their changes and pending writes', async (t) => {
  const { visitor } = await listed(t);
  await show(visitor, { address: '#/threads' });
  await visitor.sees(/1 thread[^]*chat <1>[^]*1 pending write[^]*step 1 · loop · second/i);
  await visitor.ask(() => document.querySelector('main ol a').click());
  await visitor.until('the steps', () => document.querySelectorAll('main ol[aria-label=Steps] > li').length === 2);
  const [second, first] = await visitor.ask(() =>
    [...document.querySelectorAll('main ol[aria-label=Steps] > li')].map(({ innerText }) => innerText),
  );
  assert.match(second, /second[^]*messages[^]*changed[^]*\/1[^]*added[^]*102 bytes[^]*turns[^]*4[^]*pending[^]*"waiting"[^]*by task review/i);
  assert.match(first, /first[^]*messages[^]*added[^]*\["hello"\]/i);
  assert.doesNotMatch(first, /pending/i);
  await visitor.assertQuiet();
});

test('an exported page says that it has no threads, of one as of all', async (t) => {
  const file = exported(await sample(), path.join(folder((remove) => t.after(remove)), 'sample.html'));
  const visitor = await visit(await person(t), file, file);
  for (const address of ['#/threads', addressOf(THREAD)]) {
    await show(visitor, { address });
    await visitor.sees(/An exported page has no threads/, 'main');
  }
  await visitor.assertQuiet();
});
