// Changes on a page at the worst moment: while it reads, while it is cut off, while it reads again.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openStore } from 'milepost';
import { makeMany } from '../data/many.mjs';
import { Server, folder } from '../fixture.mjs';
import { go } from '../views.mjs';
import { Between } from './between.mjs';
import { ownSample } from '../sample.mjs';
import { person, visit } from './fixture.mjs';
import { isListed, isLive, shows } from './live.mjs';

const FILES = /^\/api\/files$/;
const CONTENT = /^\/api\/content\//;
/** The number of checkpoints whose files come in several parts. */
const MANY = 600;
/** Of a document that every test changes. */
const FILE = '.claude/state/implement-changed.json';
/** Messages in a page's console about connections that a test cut, and about answers that it refused. */
const EXPECTED = [/ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|404/];

/** A project whose page is at an address of which the test says what comes through. */
async function project(t, root) {
  const store = openStore({ root, durability: 'lazy', onWarning() {} });
  const change = (status) => store.updatePhase('implement', 'watch', { status, error: 'so' }, 'changed');
  change('in_progress');
  const server = await Server.of(root, (stop) => t.after(stop));
  const between = await Between.of(t, server);
  return { root, store, change, between };
}

function many(t, count) {
  const root = folder((remove) => t.after(remove));
  makeMany(root, count);
  return root;
}

/** Begins with the page at its list. */
async function opened(t) {
  const all = await project(t, await ownSample(t));
  const visitor = await visit(await person(t), all.between.address);
  await visitor.until('the list', isListed);
  await visitor.until('it is live', isLive);
  return { ...all, visitor };
}

/** The page is cut off, and comes again to read everything again: which waits for half of the answer. */
async function readingAgain(between) {
  const files = between.hold(FILES);
  await between.listening(() => between.cut());
  await files.made;
  return files;
}

test('a change while the page still reads the project is shown', async (t) => {
  const { store, change, between } = await project(t, many(t, 200));
  const files = between.hold(FILES);
  let visitor;
  await between.listening(async () => {
    visitor = await visit(await person(t), between.address);
  });
  await files.made;
  for (let at = 0; at < 20; at++) {
    const patch = { status: 'complete' };
    await between.telling(FILE, () => store.updatePhase('implement', `step-${at}`, patch, 'changed'));
    await visitor.drawn();
  }
  await between.telling(FILE, () => change('failed'));
  files.release();
  await visitor.until('all are listed', () => /^201 /.test(document.querySelector('.count')?.innerText ?? ''));
  await visitor.until('it is live', isLive);
  await visitor.press('/');
  await visitor.type('changed');
  await shows(visitor, 'failed');
  await visitor.assertQuiet();
});

test('what is still on its way is not asked for', async (t) => {
  const { between } = await project(t, many(t, MANY));
  // Its content comes later.
  const files = between.hold(FILES, '{"folder":".claude/state"');
  const visitor = await visit(await person(t), between.address);
  await files.made;
  await visitor.until('it has looked at that', () => document.querySelector('.count') !== null);
  files.release();
  await visitor.until('it is live', isLive);
  await visitor.until('all are listed', (all) => document.querySelector('.count')?.innerText.startsWith(all), `${MANY + 1} `);
  assert.deepEqual(between.asked(CONTENT), []);
});

test('a change whose content cannot be had at first is shown all the same', async (t) => {
  const { visitor, between, change } = await opened(t);
  const refused = between.refuse(CONTENT);
  change('failed');
  await refused;
  await shows(visitor, 'failed');
  await visitor.until('it is live', isLive);
  await visitor.assertQuiet(EXPECTED);
});

test('the page starts although what the list is made of cannot be had once', async (t) => {
  const { between } = await project(t, await ownSample(t));
  const refused = between.refuse(CONTENT);
  const visitor = await visit(await person(t), between.address);
  await refused;
  await visitor.until('all are listed', () => document.querySelectorAll('li.row').length === 12);
  await visitor.until('it is live', isLive);
  await visitor.assertQuiet(EXPECTED);
});

test('a page that is cut off again while it reads again shows what changed then', async (t) => {
  const { visitor, between, change } = await opened(t);
  const files = await readingAgain(between);
  await between.listening(() => {
    between.cut();
    change('failed');
  });
  files.release();
  await shows(visitor, 'failed');
  await visitor.until('it is live', isLive);
  await visitor.assertQuiet(EXPECTED);
});

test('what changes while the page reads again is shown if an earlier change has just come in', async (t) => {
  const { visitor, between, change } = await opened(t);
  const content = between.hold(CONTENT);
  await between.telling(FILE, () => change('complete'));
  await content.made;
  const files = between.hold(FILES);
  await between.listening(() => between.cut());
  content.release();
  await files.made;
  await between.telling(FILE, () => change('failed'));
  files.release();
  await shows(visitor, 'failed');
  await visitor.assertQuiet(EXPECTED);
});

test('what changes while snapshots are looked at for the first time is shown', async (t) => {
  const { visitor, between, change } = await opened(t);
  const files = between.hold(FILES);
  await go(visitor, '#/sessions');
  await files.made;
  await between.telling(FILE, () => change('failed'));
  // Time enough for a page that does not hold it back.
  for (let at = 0; at < 20; at++) await visitor.drawn();
  files.release();
  await visitor.sees(/chk-\d+/);
  await go(visitor, '#/overview');
  await shows(visitor, 'failed');
  await visitor.assertQuiet();
});

test('snapshots that are looked at while the page reads again are there when it has', async (t) => {
  const { visitor, between } = await opened(t);
  const files = await readingAgain(between);
  await go(visitor, '#/sessions');
  // Questions to the first core until then are answered.
  await go(visitor, '#/overview');
  await visitor.until('the list', isListed);
  files.release();
  await go(visitor, '#/sessions');
  await visitor.sees(/print styles|chk-/);
  await go(visitor, '#/tasks');
  await visitor.sees(/T017/);
  await visitor.assertQuiet(EXPECTED);
});

test('a page is asked to reconnect within four seconds, since Firefox would wait for five', async (t) => {
  const { visitor } = await opened(t);
  const first = await visitor.ask(async () => {
    const reader = (await fetch('api/changes')).body.getReader();
    const { value } = await reader.read();
    await reader.cancel();
    return new TextDecoder().decode(value);
  });
  const [, ms] = /^retry: (\d+)$/m.exec(first) ?? [];
  assert.ok(Number(ms) < 4_000, first);
});

test('a page is live once it has counted what it was given', async (t) => {
  const root = many(t, MANY);
  const server = await Server.of(root, (stop) => t.after(stop));
  const user = await person(t);
  await user.context.addInitScript(() => {
    globalThis.heard = [];
    globalThis.Worker = class extends Worker {
      constructor(...words) {
        super(...words);
        this.addEventListener('message', ({ data }) => globalThis.heard.push(data));
      }
    };
  });
  const visitor = await visit(user, server.address);
  const isOver = (many) => {
    const isRead = globalThis.heard.some(({ progress }) => progress?.total === many && progress.pending === 0);
    return isRead && globalThis.heard.some(({ source }) => source?.connection === 'live');
  };
  await visitor.until('it is live, and all are read', isOver, MANY);
  const heard = await visitor.ask(() => globalThis.heard.filter(({ is }) => is !== 'reply'));
  const live = heard.findIndex(({ source }) => source?.connection === 'live');
  const { total, pending } = heard.slice(0, live).findLast(({ is }) => is === 'progress').progress;
  assert.equal(total, MANY, `${pending} to be read`);
});
