// Troubles while a page is open: files that vanish, a clock that jumps, too much of everything, exported pages that
// are broken.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test, { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { makeLargest, makeMany, makeStrays } from '../data/many.mjs';
import { exported, folder, once, untilTheEnd } from '../fixture.mjs';
import { VIEWS, isSettled, leave, show } from '../views.mjs';
import { ownSample, sample } from '../sample.mjs';
import { listed, person, served, visit } from './fixture.mjs';

const atTheEnd = untilTheEnd(after);

const made = (t) => folder((remove) => t.after(remove));
const isListed = (feature) => [...document.querySelectorAll('li.row .name')].some(({ innerText }) => innerText.includes(feature));
const rowOf = (feature) => [...document.querySelectorAll('li.row')].find(({ innerText }) => innerText.includes(feature))?.innerText;

/** The file that the sample project is exported to. */
const exportedSample = once(async () => exported(await sample(), path.join(folder(atTheEnd), 'sample.html')));
/** Exports a project whose data are many parts. */
const exportedMany = once(() => {
  const root = folder(atTheEnd);
  makeMany(root, 600);
  return exported(root, path.join(root, 'report.html'));
});

test('a checkpoint that vanishes while it is shown is said to be gone, and the list goes on without it', async (t) => {
  const root = await ownSample(t);
  const { visitor } = await served(t, root);
  const key = encodeURIComponent('c/implement-search');
  await show(visitor, { address: `#/timeline/${key}` });
  fs.rmSync(path.join(root, '.claude/state/implement-search.json'));
  fs.rmSync(path.join(root, '.claude/state/.milepost/implement-search'), { recursive: true });
  await visitor.until('it says so', () => /vanished|not there|no checkpoint|There is no/i.test(document.querySelector('main').innerText));
  for (const view of ['revision', 'blame']) await show(visitor, { address: `#/${view}/${key}` });
  await show(visitor, { address: '#/overview' });
  await visitor.until('ten are left', () => document.querySelectorAll('li.row').length === 10);
  await visitor.assertQuiet();
});

test('a clock that jumps leaves ages that make sense', async (t) => {
  const { visitor } = await listed(t);
  const { page } = visitor.tab;
  for (const now of ['2031-01-01T00:00:00Z', '1970-01-01T00:00:00Z']) {
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

test('an exported page shows every view without the network', async (t) => {
  const file = await exportedSample();
  const user = await person(t);
  await user.context.setOffline(true);
  const visitor = await visit(user, file, file);
  await visitor.until('the list', () => document.querySelector('li.row') !== null);
  for (const view of VIEWS) {
    await show(visitor, view);
    assert.equal(await visitor.ask(() => document.querySelector('main [role=alert]')?.innerText ?? null), null, view.name);
    await leave(visitor, view);
  }
  await visitor.assertQuiet();
});

test('an exported page says of a file that it is not part of it', async (t) => {
  const file = await exportedSample();
  const visitor = await visit(await person(t), file, file);
  const key = encodeURIComponent('s/chk-20260305-111700');
  await show(visitor, { address: `#/revision/${key}?tab=files&file=${encodeURIComponent('src/switch.js')}` });
  await visitor.sees(/contents of files are not part of an exported page/);
  assert.doesNotMatch(await visitor.text('main'), /missing/);
  await visitor.assertQuiet();
});

test('a checkpoint without a valid time is not drawn in 1970', async (t) => {
  const root = made(t);
  const document = { command: 'implement', feature: 'timeless', version: 1, updated_at: 'yesterday', phases: { plan: { status: 'failed' } } };
  fs.mkdirSync(path.join(root, '.claude/state'), { recursive: true });
  fs.writeFileSync(path.join(root, '.claude/state/implement-timeless.json'), JSON.stringify(document));
  const { visitor } = await served(t, root);
  await show(visitor, { address: `#/timeline/${encodeURIComponent('c/implement-timeless')}` });
  await visitor.sees(/No revision of it has a time/);
  assert.doesNotMatch(await visitor.text('main'), /1970/);
  await visitor.assertQuiet();
});

test('an examination that failed can be tried again', async (t) => {
  const { server, visitor } = await served(t, await sample());
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

test('a document of 16 MiB is shown, and a larger one is said to be too large', async (t) => {
  const root = made(t);
  makeLargest(root);
  const { visitor } = await served(t, root);
  await visitor.until('both', () => document.querySelectorAll('li.row').length === 2);
  await visitor.until('one says so', `/too large/i.test((${rowOf})('too-large') ?? '')`);
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

test('an exported page whose data are many parts shows those that come after its first rows', async (t) => {
  const address = exportedMany();
  assert.ok(fs.readFileSync(new URL(address), 'utf8').split('class="milepost-data"').length > 4);
  const visitor = await visit(await person(t), address, address);
  await visitor.until('all are there', () => /^600 runs/.test(document.querySelector('.count')?.innerText ?? ''));
  await visitor.until('all are read', () => document.querySelector('.loading') === null);
  assert.equal(await visitor.ask(() => document.querySelectorAll('.milepost-data').length), 0);
  await visitor.assertQuiet();
});

test('an exported page whose worker stops before its app is there says so', async (t) => {
  const packed = (id) => new RegExp(`(?<=id="${id}"[^>]*>)[^<]+`);
  const page = fs.readFileSync(new URL(await exportedSample()), 'utf8');
  const app = gunzipSync(Buffer.from(packed('milepost-app').exec(page)[0], 'base64')).toString();
  const put = (page, id, code) => page.replace(packed(id), () => gzipSync(code).toString('base64'));
  const stopping = put(page, 'milepost-worker', "throw new Error('broken on purpose')");
  // Half a second stands for a browser that is slow.
  const file = path.join(made(t), 'stopping.html');
  fs.writeFileSync(file, put(stopping, 'milepost-app', `await new Promise((go) => setTimeout(go, 500));\n${app}`));
  const address = pathToFileURL(file).href;
  const visitor = await visit(await person(t), address, address);
  await visitor.sees(/The viewer's worker stopped: .*broken on purpose/);
});

test('an exported page that was cut off says so', async (t) => {
  const page = fs.readFileSync(new URL(exportedMany()));
  const file = path.join(made(t), 'cut.html');
  fs.writeFileSync(file, page.subarray(0, page.length - 200_000));
  const address = pathToFileURL(file).href;
  const visitor = await visit(await person(t), address, address);
  await visitor.until('it says so', () => document.body.innerText.includes('it was not saved whole'));
  await visitor.assertQuiet();
});
