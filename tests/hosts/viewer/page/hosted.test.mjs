// The hosted page: its own files with its own headers, a folder that is chosen, and no network after that.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { makeSample } from '../data/sample.mjs';
import { makeStrays } from '../data/many.mjs';
import { folder } from '../ground.mjs';
import { VIEWS, leave, show } from '../views.mjs';
import { person, visit, withChromium } from './ground.mjs';
import { FOLDER, choose, headers, hosted } from './hosted.mjs';

withChromium();

const made = (t) => folder((remove) => t.after(remove));

test('a chosen folder is shown in every view without the network', async (t) => {
  const root = made(t);
  await makeSample(root);
  const somebody = await person(t);
  const given = {};
  const areGiven = ['viewer-all.wasm', 'pages.js'].map((name) => new Promise((resolve) => (given[name] = resolve)));
  const visitor = await visit(somebody, await hosted(t, '', (name) => given[name]?.()));
  await visitor.until('it says what to do', () => document.querySelector('input[type=file]') !== null);
  // What the views need is fetched when there is nothing else to do.
  await Promise.all(areGiven);
  await visitor.tab.page.waitForLoadState('networkidle');
  await visitor.assertQuiet();
  await somebody.context.setOffline(true);
  await choose(visitor, root);
  await visitor.until('all rows', () => document.querySelectorAll('li.row').length === 11);
  for (const view of VIEWS) {
    await show(visitor, view);
    await leave(visitor, view);
  }
  await visitor.assertQuiet();
});

test('the state folder alone can be chosen as well', async (t) => {
  const root = made(t);
  await makeSample(root);
  for (const below of ['.claude', '.claude/state']) {
    const visitor = await visit(await person(t), await hosted(t));
    await visitor.until('it says what to do', () => document.querySelector('input[type=file]') !== null);
    await choose(visitor, path.join(root, below));
    await visitor.until(`all rows of ${below}`, () => document.querySelectorAll('li.row').length === 11);
    await visitor.assertQuiet();
  }
});

test('a folder without checkpoints says so, and another one can be chosen', async (t) => {
  const empty = made(t);
  fs.writeFileSync(path.join(empty, 'package.json'), '{}');
  const visitor = await visit(await person(t), await hosted(t));
  await visitor.until('it says what to do', () => document.querySelector('input[type=file]') !== null);
  await visitor.tab.page.locator('input[type=file]').first().setInputFiles(empty);
  await visitor.until('it is told', () => /no checkpoints|No checkpoints|\.claude/.test(document.querySelector('main').innerText));
  const root = made(t);
  makeStrays(root, 500);
  await choose(visitor, root);
  await visitor.assertQuiet();
});

test('the policy of the page in its headers and in its document say the same', () => {
  const html = fs.readFileSync(path.join(FOLDER, 'index.html'), 'utf8');
  const [, inPage] = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(html);
  const inHeaders = Object.fromEntries(headers())['Content-Security-Policy'];
  const rules = (text) => text.split(';').map((rule) => rule.trim()).sort();
  // A document cannot say who may frame it.
  assert.deepEqual(rules(inPage), rules(inHeaders).filter((rule) => rule !== "frame-ancestors 'none'"));
  for (const rule of ["default-src 'none'", "require-trusted-types-for 'script'", "base-uri 'none'", "form-action 'none'"]) {
    assert.ok(rules(inHeaders).includes(rule), rule);
  }
});
