// The hosted page and what is opened in it.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { makeMany } from '../data/many.mjs';
import { folder } from '../ground.mjs';
import { withChromium } from './ground.mjs';
import { STATE, welcomed } from './hosted.mjs';
import { isListed } from './live.mjs';

withChromium();

test('of two things that were dropped one after the other both were shown as one', async (t) => {
  const root = folder((remove) => t.after(remove));
  makeMany(root, 200);
  const many = fs.readdirSync(path.join(root, STATE)).filter((name) => name.endsWith('.json'));
  const files = many.map((name) => [name, fs.readFileSync(path.join(root, STATE, name), 'utf8')]);
  const visitor = await welcomed(t);
  await visitor.ask((files) => {
    const drop = (some) => {
      const dataTransfer = new DataTransfer();
      for (const [name, text] of some) dataTransfer.items.add(new File([text], name));
      document.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    };
    drop(files.slice(1));
    drop(files.slice(0, 1));
  }, files);
  await visitor.until('the list', isListed);
  // The first ones were on their way: they would come within a few frames.
  for (let at = 0; at < 20; at++) {
    await visitor.drawn();
    assert.match(await visitor.text('.count'), /^1 /);
  }
  await visitor.assertQuiet();
});
