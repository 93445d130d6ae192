// Pages without a server behind them: the hosted one, with its own headers and a folder that is chosen, and an exported one.
// Neither uses the network.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { exported, folder } from '../fixture.mjs';
import { VIEWS, leave, show } from '../views.mjs';
import { sample } from '../sample.mjs';
import { person, visit } from './fixture.mjs';
import { FOLDER, choose, headers, hosted } from './hosted.mjs';

test('a chosen folder is shown in every view without the network', async (t) => {
  const user = await person(t);
  const given = {};
  const areGiven = ['viewer.wasm', 'pages.js'].map((name) => new Promise((resolve) => (given[name] = resolve)));
  const visitor = await visit(user, await hosted(t, '', (name) => given[name]?.()));
  await visitor.until('it says what to do', () => document.querySelector('input[type=file]') !== null);
  // Files that the views need are fetched when there is nothing else to do.
  await Promise.all(areGiven);
  await visitor.tab.page.waitForLoadState('networkidle');
  await visitor.assertQuiet();
  await user.context.setOffline(true);
  await choose(visitor, await sample());
  await visitor.until('all rows', () => document.querySelectorAll('li.row').length === 11);
  for (const view of VIEWS) {
    await show(visitor, view);
    await leave(visitor, view);
  }
  await visitor.assertQuiet();
});

test('an exported page shows its list, a revision and a snapshot without the network', async (t) => {
  const file = exported(await sample(), path.join(folder((remove) => t.after(remove)), 'sample.html'));
  const user = await person(t);
  await user.context.setOffline(true);
  const visitor = await visit(user, file, file);
  await visitor.until('all rows', () => document.querySelectorAll('li.row').length === 11);
  // All views are in trouble.all.test.mjs.
  for (const view of VIEWS.filter(({ name }) => ['revision', 'session'].includes(name))) {
    await show(visitor, view);
    assert.equal(await visitor.ask(() => document.querySelector('main [role=alert]')?.innerText ?? null), null, view.name);
    await leave(visitor, view);
  }
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
