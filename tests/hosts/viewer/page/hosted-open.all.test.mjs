// The hosted page and what is opened in it: it says what it shows of that, and that it is not live where it cannot be.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { makeMany, makeStrays } from '../data/many.mjs';
import { folder } from '../fixture.mjs';
import { sample } from '../sample.mjs';
import { STATE, choose, drop, press, project, welcomed } from './hosted.mjs';
import { isListed, shows } from './live.mjs';

/** A browser that hands over what is dropped as files and folders that it lists, and not for longer. */
const WITHOUT_HANDLES = () => delete DataTransferItem.prototype.getAsFileSystemHandle;

test('a folder that cannot be followed says so, and is read again', async (t) => {
  const { root, change } = project(t);
  const visitor = await welcomed(t, { page: WITHOUT_HANDLES });
  await drop(visitor, root);
  await visitor.until('the list', isListed);
  await visitor.sees(/Not live: shown as of its opening/, 'header');
  change('failed');
  await press(visitor, 'Read again');
  await shows(visitor, 'failed');
  await visitor.assertQuiet();
});

test('a folder of which the browser gives the files alone says that it is not live', async (t) => {
  const { root, change } = project(t);
  const visitor = await welcomed(t);
  await choose(visitor, root);
  await visitor.sees(/Not live: shown as of its opening/, 'header');
  assert.doesNotMatch(await visitor.text('header'), /Read again/);
  change('failed');
  await press(visitor, 'Open again');
  await choose(visitor, root);
  await shows(visitor, 'failed');
  await visitor.assertQuiet();
});

test('a dropped folder that is gone when it is read again says so', async (t) => {
  const { root } = project(t);
  const visitor = await welcomed(t, { page: WITHOUT_HANDLES });
  await drop(visitor, root);
  await visitor.until('the list', isListed);
  fs.rmSync(root, { recursive: true });
  await press(visitor, 'Read again');
  await visitor.sees(/could not be read/);
  await visitor.assertQuiet();
});

test('of two things that are dropped one after the other the second one is shown', async (t) => {
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

test('the state folder alone can be chosen as well', async (t) => {
  for (const below of ['.claude', '.claude/state']) {
    const visitor = await welcomed(t);
    await choose(visitor, path.join(await sample(), below));
    await visitor.until(`all rows of ${below}`, () => document.querySelectorAll('li.row').length === 11);
    await visitor.assertQuiet();
  }
});

test('a folder without runs says so, and another one can be chosen', async (t) => {
  const empty = folder((remove) => t.after(remove));
  fs.writeFileSync(path.join(empty, 'package.json'), '{}');
  const visitor = await welcomed(t);
  await visitor.tab.page.locator('input[type=file]').first().setInputFiles(empty);
  await visitor.until('it says so', () => /No runs|\.claude/.test(document.querySelector('main').innerText));
  const root = folder((remove) => t.after(remove));
  makeStrays(root, 500);
  await choose(visitor, root);
  await visitor.assertQuiet();
});
