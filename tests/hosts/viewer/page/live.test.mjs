// Changes on a page, and a server that ends or does not let it in. Changes at the worst moment are
// in live.all.test.mjs.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { RICH } from '../data/sample.mjs';
import { Server } from '../fixture.mjs';
import { show } from '../views.mjs';
import { ownSample, sample } from '../sample.mjs';
import { person, served, visit } from './fixture.mjs';

const isListed = (feature) => [...document.querySelectorAll('li.row .name')].some(({ innerText }) => innerText.includes(feature));

test('a file that is half written is corrupt until the other half comes', async (t) => {
  const root = await ownSample(t);
  const { visitor } = await served(t, root);
  const file = path.join(root, '.claude/state/review-feeds.json');
  const text = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, text.slice(0, 100));
  const status = () => [...document.querySelectorAll('li.row')].find((it) => it.innerText.includes('feeds') && it.innerText.includes('review'))?.querySelector('.status').dataset.status;
  await visitor.until('it is corrupt', `(${status})() === 'corrupt'`);
  fs.writeFileSync(file, text);
  await visitor.until('it has failed, as before', `(${status})() === 'failed'`);
  await visitor.assertQuiet();
});

test('when the server ends the page says so, and what was read stays', async (t) => {
  const { server, visitor } = await served(t, await sample());
  await show(visitor, { address: `#/timeline/${encodeURIComponent(RICH)}` });
  // The number of further rows that are drawn depends on the window and the fonts.
  const firstRevision = () => document.querySelector('.revision .number')?.innerText;
  const before = await visitor.until('the first revision', firstRevision);
  assert.equal(await server.stop(), 0);
  await visitor.until('it says so', () => /Connection lost|Server ended/.test(document.querySelector('header').innerText));
  assert.equal(await visitor.ask(firstRevision), before);
  await show(visitor, { address: '#/overview' });
  await visitor.until('all are listed', () => document.querySelectorAll('li.row').length === 11);
  // A failure that comes of a server that is gone is no error of the page.
  await visitor.assertQuiet([/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/]);
});

test('a page without the token says what to do, and shows nothing', async (t) => {
  const server = await Server.of(await sample(), (stop) => t.after(stop));
  const visitor = await visit(await person(t), server.origin);
  await visitor.until('it says so', () => document.body.innerText.includes('milepost view'));
  assert.equal(await visitor.ask(() => document.querySelectorAll('li.row').length), 0);
  await visitor.assertQuiet([/401/]);
});

test('the token is good once, and stands neither in the address nor in the history', async (t) => {
  const { server, visitor, user } = await served(t, await sample());
  assert.ok(!(await visitor.address()).includes('token'));
  const again = await visit(await person(t), server.address);
  await again.until('it says so', () => document.body.innerText.includes('milepost view'));
  // Another tab of the first person needs none.
  const other = await visit(user, server.origin);
  await other.until('the list', () => document.querySelector('li.row') !== null);
  await visitor.tab.page.goBack();
  assert.ok(!visitor.tab.page.url().includes('token'), visitor.tab.page.url());
});

test('two tabs see the same changes, and one goes on when the other is closed', async (t) => {
  const root = await ownSample(t);
  const { server, user, visitor } = await served(t, root);
  const other = await visit(user, server.origin);
  await other.until('the list', () => document.querySelector('li.row') !== null);
  const store = openStore({ root, durability: 'lazy', onWarning() {} });
  store.updatePhase('implement', 'watch', { status: 'in_progress' }, 'for-both');
  for (const one of [visitor, other]) await one.until('it is shown', isListed, 'for-both');
  await other.tab.close();
  store.updatePhase('implement', 'watch', { status: 'failed', error: 'seen by one' }, 'for-both');
  await visitor.until('the other one sees it', (feature) => {
    const row = [...document.querySelectorAll('li.row')].find(({ innerText }) => innerText.includes(feature));
    return row?.querySelector('.status').dataset.status === 'failed';
  }, 'for-both');
  await visitor.assertQuiet();
});
