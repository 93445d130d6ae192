// What goes wrong while somebody looks: files that vanish, halves of files, a server that ends, a clock that jumps,
// another tab, too much of everything.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { openStore } from 'milepost';
import { makeLargest, makeMany, makeStrays } from '../data/many.mjs';
import { RICH, makeSample } from '../data/sample.mjs';
import { exported, folder } from '../ground.mjs';
import { VIEWS, isSettled, leave, show } from '../views.mjs';
import { person, served, visit, withChromium } from './ground.mjs';

withChromium();

const made = (t) => folder((remove) => t.after(remove));
const isListed = (feature) => [...document.querySelectorAll('li.row .name')].some(({ innerText }) => innerText.includes(feature));
const rowOf = (feature) => [...document.querySelectorAll('li.row')].find(({ innerText }) => innerText.includes(feature))?.innerText;

async function sample(t, settings) {
  const root = made(t);
  await makeSample(root);
  return { root, ...(await served(t, root, settings)) };
}

test('a checkpoint that vanishes while it is shown is told, and the list goes on without it', async (t) => {
  const { root, visitor } = await sample(t);
  const key = encodeURIComponent('c/implement-search');
  await show(visitor, { address: `#/timeline/${key}` });
  fs.rmSync(path.join(root, '.claude/state/implement-search.json'));
  fs.rmSync(path.join(root, '.claude/state/.milepost/implement-search'), { recursive: true });
  await visitor.until('it is told', () => /vanished|not there|no checkpoint|There is no/i.test(document.querySelector('main').innerText));
  for (const view of ['revision', 'blame']) await show(visitor, { address: `#/${view}/${key}` });
  await show(visitor, { address: '#/overview' });
  await visitor.until('ten are left', () => document.querySelectorAll('li.row').length === 10);
  await visitor.assertQuiet();
});

test('a file that is half written is corrupt until the other half comes', async (t) => {
  const { root, visitor } = await sample(t);
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
  const { server, visitor } = await sample(t);
  await show(visitor, { address: `#/timeline/${encodeURIComponent(RICH)}` });
  assert.equal(await server.stop(), 0);
  await visitor.until('it is told', () => /Connection lost|Server ended/.test(document.querySelector('header').innerText));
  await visitor.sees(/T017/);
  await show(visitor, { address: '#/overview' });
  await visitor.until('all are listed', () => document.querySelectorAll('li.row').length === 11);
  // What is no more than a server that is gone is none of the page's errors.
  await visitor.assertQuiet([/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/]);
});

test('a page without the token says what to do, and shows nothing', async (t) => {
  const { server } = await sample(t);
  const visitor = await visit(await person(t), server.origin);
  await visitor.until('it is told', () => document.body.innerText.includes('milepost view'));
  assert.equal(await visitor.ask(() => document.querySelectorAll('li.row').length), 0);
  await visitor.assertQuiet([/401/]);
});

test('the token is good once, and stands neither in the address nor in the history', async (t) => {
  const { server, visitor, somebody } = await sample(t);
  assert.ok(!(await visitor.address()).includes('token'));
  const again = await visit(await person(t), server.address);
  await again.until('it is told', () => document.body.innerText.includes('milepost view'));
  // The same person's other tab needs none.
  const other = await visit(somebody, server.origin);
  await other.until('the list', () => document.querySelector('li.row') !== null);
});

test('a clock that jumps leaves ages that make sense', async (t) => {
  const { visitor } = await sample(t);
  const { page } = visitor.tab;
  for (const now of ['2026-03-05T16:30:00Z', '2031-01-01T00:00:00Z', '2025-01-01T00:00:00Z', '1970-01-01T00:00:00Z']) {
    await page.clock.setFixedTime(now);
    await visitor.ask(() => void document.dispatchEvent(new Event('visibilitychange')));
    for (const view of VIEWS) {
      await show(visitor, view);
      // Documents may say these words themselves.
      const times = await visitor.ask(() => [...document.querySelectorAll('time')].map(({ innerText }) => innerText));
      assert.doesNotMatch(times.join('\n'), /NaN|Invalid|undefined/, `${view.name} at ${now}`);
      await leave(visitor, view);
    }
  }
  await visitor.assertQuiet();
});

test('two tabs see the same changes, and one goes on when the other is closed', async (t) => {
  const { root, server, somebody, visitor } = await sample(t);
  const other = await visit(somebody, server.origin);
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

test('an exported page shows every view without the network', async (t) => {
  const root = made(t);
  await makeSample(root);
  const file = exported(root, path.join(made(t), 'sample.html'));
  const somebody = await person(t);
  await somebody.context.setOffline(true);
  const visitor = await visit(somebody, file, file);
  await visitor.until('the list', () => document.querySelector('li.row') !== null);
  for (const view of VIEWS) {
    await show(visitor, view);
    assert.equal(await visitor.ask(() => document.querySelector('main [role=alert]')?.innerText ?? null), null, view.name);
    await leave(visitor, view);
  }
  await visitor.assertQuiet();
});

test('a file that an exported page leaves behind is told to be missing', async (t) => {
  const root = made(t);
  await makeSample(root);
  const file = exported(root, path.join(made(t), 'sample.html'));
  const visitor = await visit(await person(t), file, file);
  const key = encodeURIComponent('s/chk-20260305-111700');
  await show(visitor, { address: `#/revision/${key}?tab=files&file=${encodeURIComponent('src/switch.js')}` });
  await visitor.sees(/contents of files are not part of an exported page/);
  assert.doesNotMatch(await visitor.text('main'), /missing/);
  await visitor.assertQuiet();
});

test('a checkpoint whose times are none is drawn in 1970', async (t) => {
  const root = made(t);
  const document = { command: 'implement', feature: 'timeless', version: 1, updated_at: 'yesterday', phases: { plan: { status: 'failed' } } };
  fs.mkdirSync(path.join(root, '.claude/state'), { recursive: true });
  fs.writeFileSync(path.join(root, '.claude/state/implement-timeless.json'), JSON.stringify(document));
  const { visitor } = await served(t, root);
  await show(visitor, { address: `#/timeline/${encodeURIComponent('c/implement-timeless')}` });
  await visitor.sees(/No revision of it tells a time/);
  assert.doesNotMatch(await visitor.text('main'), /1970/);
  await visitor.assertQuiet();
});

test('an examination that failed could not be tried again', async (t) => {
  const { server, visitor } = await sample(t);
  await show(visitor, { address: '#/doctor' });
  await server.stop();
  for (const time of ['first', 'second']) {
    await visitor.sees(/Examine again/, '.head-of button');
    await visitor.ask((time) => {
      document.querySelector('main [role=alert]')?.setAttribute('data-before', time);
      document.querySelector('.head-of button').click();
    }, time);
    await visitor.until(`it fails the ${time} time`, () => document.querySelector('main [role=alert]:not([data-before])') !== null);
  }
});

test('a folder with 100,000 other files shows its checkpoint', async (t) => {
  const root = made(t);
  makeStrays(root, 100_000);
  const { visitor } = await served(t, root);
  await visitor.until('the one', isListed, 'among-strays');
  await show(visitor, { address: `#/timeline/${encodeURIComponent('c/implement-among-strays')}` });
  await visitor.assertQuiet();
});

test('a document of 16 MiB is shown, and a larger one is told to be too large', async (t) => {
  const root = made(t);
  makeLargest(root);
  const { visitor } = await served(t, root);
  await visitor.until('both', () => document.querySelectorAll('li.row').length === 2);
  await visitor.until('one is told', `/too large/i.test((${rowOf})('too-large') ?? '')`);
  for (const name of ['largest', 'too-large']) {
    for (const view of ['timeline', 'revision', 'blame']) {
      await show(visitor, { address: `#/${view}/${encodeURIComponent(`c/implement-${name}`)}` });
    }
  }
  await visitor.assertQuiet();
});

test('a list of 2,000 is never all on the page', async (t) => {
  const root = made(t);
  makeMany(root, 2_000);
  const { visitor } = await served(t, root);
  await visitor.until('all of them', () => /^2,000 /.test(document.querySelector('.count')?.innerText));
  for (const key of ['Home', 'End']) {
    await visitor.press('j', key);
    await visitor.until('it is settled', isSettled);
    const nodes = await visitor.ask(() => document.querySelectorAll('*').length);
    assert.ok(nodes <= 1_500, `${nodes} elements`);
  }
  await visitor.assertQuiet();
});

test('an exported page whose data are many parts lacked those that came after its first rows', async (t) => {
  const root = made(t);
  makeMany(root, 600);
  const file = path.join(root, 'report.html');
  const address = exported(root, file);
  assert.ok(fs.readFileSync(file, 'utf8').split('class="milepost-data"').length > 4);
  const visitor = await visit(await person(t), address, address);
  await visitor.until('all are there', () => /^600 checkpoints/.test(document.querySelector('.count')?.innerText ?? ''));
  await visitor.until('all are read', () => document.querySelector('.loading') === null);
  assert.equal(await visitor.ask(() => document.querySelectorAll('.milepost-data').length), 0);
  await visitor.assertQuiet();
});

test('an exported page whose worker stopped before its app was there waited for it without an end', async (t) => {
  const root = made(t);
  await makeSample(root);
  const file = path.join(made(t), 'sample.html');
  const address = exported(root, file);
  const packed = (id) => new RegExp(`(?<=id="${id}"[^>]*>)[^<]+`);
  const page = fs.readFileSync(file, 'utf8');
  const app = gunzipSync(Buffer.from(packed('milepost-app').exec(page)[0], 'base64')).toString();
  const put = (page, id, code) => page.replace(packed(id), () => gzipSync(code).toString('base64'));
  const stopping = put(page, 'milepost-worker', "throw new Error('broken on purpose')");
  // Half a second stands for a browser that is slow.
  fs.writeFileSync(file, put(stopping, 'milepost-app', `await new Promise((go) => setTimeout(go, 500));\n${app}`));
  const visitor = await visit(await person(t), address, address);
  await visitor.sees(/The viewer's worker stopped: .*broken on purpose/);
});

test('an exported page that was cut off showed the rest as if it were all', async (t) => {
  const root = made(t);
  makeMany(root, 600);
  const file = path.join(root, 'report.html');
  const address = exported(root, file);
  const page = fs.readFileSync(file);
  fs.writeFileSync(file, page.subarray(0, page.length - 200_000));
  const visitor = await visit(await person(t), address, address);
  await visitor.until('it is told', () => document.body.innerText.includes('it was not saved whole'));
  await visitor.assertQuiet();
});
