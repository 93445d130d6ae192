// The tasks in Firefox.

import { after } from 'node:test';
import { Person, launch } from '../drive/firefox.mjs';
import { once, untilTheEnd } from '../fixture.mjs';
import { walk } from '../walk.mjs';

const atTheEnd = untilTheEnd(after);
const browser = once(async () => {
  const launched = await launch();
  atTheEnd(() => launched.close());
  return launched;
});

walk(async (t) => {
  const made = await Person.of(await browser());
  t.after(() => made.close());
  return made;
});
