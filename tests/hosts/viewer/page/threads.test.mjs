// Threads of LangGraph.js in the page: their list, and of one its steps, what each changed, and what is pending.

import assert from 'node:assert/strict';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { require } from '../../node/ground.mjs';
import { repository } from '../data/git.mjs';
import { folder } from '../ground.mjs';
import { show } from '../views.mjs';
import { violationsIn } from './axe.mjs';
import { served } from './ground.mjs';

const STATE = '.claude/state';

/** The requests that `milepost/langgraph` puts threads with, whose class needs a package of the user's. */
const { openThreads } = require(path.join(path.dirname(require.resolve('milepost/package.json')), 'dist/threads-all.cjs'));

const typed = (value) => ['json', JSON.stringify(value)];

/** A checkpoint with its channels, all of which are new. */
function checkpoint(id, parent, step, channels) {
  return {
    ...{ namespace: '', id, parent, checkpoint: typed({ ts: `2026-03-05T09:10:0${step}.000Z` }) },
    metadata: typed({ source: 'loop', step }),
    ...{ channels: Object.keys(channels), changed: Object.keys(channels) },
    values: Object.entries(channels).map(([channel, value]) => [channel, typed(value)]),
  };
}

/** A project with a run, and a thread of two steps with a pending write. */
async function project(t) {
  const root = folder((remove) => t.after(remove));
  repository(root);
  openStore({ root, durability: 'lazy', onWarning() {} }).updatePhase('implement', 'plan', { status: 'in_progress' });
  const ask = openThreads({ storagePath: path.join(root, STATE), durability: 'lazy' });
  const changes = [
    checkpoint('first', null, 0, { messages: ['hello'] }),
    checkpoint('second', 'first', 1, { messages: ['hello', 'x'.repeat(100)], turns: 4 }),
    { namespace: '', id: 'second', task: 'review', values: [['messages', typed('waiting')]] },
  ];
  const { results } = await ask('put_thread', { thread_id: 'chat <1>', changes });
  assert.deepEqual(results.map(({ error }) => error), [null, null, null]);
  return root;
}

test('a thread is found in the list and shows its steps, their changes and pending writes', async (t) => {
  const { visitor } = await served(t, await project(t));
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
  const views = [
    { name: 'threads', address: '#/threads' },
    { name: 'thread', address: `#/threads/${encodeURIComponent(encodeURIComponent('chat <1>'))}` },
  ];
  assert.deepEqual(await violationsIn(visitor, 'light', 390, views), []);
  await visitor.assertQuiet();
});
