// Texts of every kind that a browser acts on, in every field: all of it is text. Here each text is looked at in one or
// more kinds of view; hostile.all.test.mjs has each text in each view.

import test from 'node:test';
import { hostile, look } from './hostile.mjs';
import { served } from './fixture.mjs';

/** One of so many. A text has two checkpoints, in an order of their names that has nothing to do with this number. */
const ONE_IN = 5;

test('hostile texts are text in views of each kind', async (t) => {
  const { root, addresses } = await hostile();
  const { lists, timelines, revisions, blames, sessions, tasks, threads, pairs, picked } = addresses;
  const { visitor } = await served(t, root);
  const turns = [timelines, revisions, blames, sessions, tasks, threads, pairs.flat(), picked];
  const some = turns.flatMap((list, turn) => list.filter((_, at) => at % ONE_IN === turn % ONE_IN));
  for (const address of [...lists, ...some]) await look(visitor, address);
  await visitor.assertQuiet();
});
