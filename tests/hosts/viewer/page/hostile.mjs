// A project with texts that a browser acts on in every field, and whether a view of it shows them as text.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { after } from 'node:test';
import { createCheckpointManager } from 'milepost/tasks';
import { openSnapshots } from 'milepost/snapshots';
import { makeHostile } from '../data/hostile.mjs';
import { addressOf, threadsOf } from '../data/threads.mjs';
import { folder, untilTheEnd } from '../fixture.mjs';
import { go, isSettled } from '../views.mjs';

const atTheEnd = untilTheEnd(after);
let made;

/** The project, and the addresses of views of everything that is in it; made once. */
export function hostile() {
  return (made ??= make());
}

async function make() {
  const root = folder(atTheEnd);
  await makeHostile(root);
  return { root, addresses: await addressesOf(root) };
}

async function addressesOf(root) {
  const names = fs.readdirSync(path.join(root, '.claude/state')).filter((name) => name.endsWith('.json'));
  const commands = names.map((name) => `c/${name.slice(0, -'.json'.length)}`);
  const sessions = openSnapshots({ root }).list().map(({ id }) => `s/${id}`);
  const manager = createCheckpointManager({ storage: { storagePath: path.join(root, '.claude/state') } });
  const tasks = [];
  for await (const { taskId } of manager.tasks()) {
    for (const { id } of await manager.list(taskId)) {
      tasks.push(`t/${encodeURIComponent(taskId)}/${encodeURIComponent(id)}`);
    }
  }
  const { threads } = await threadsOf(root)('list_threads', { after: null });
  const of = (view) => (key) => `#/${view}/${encodeURIComponent(key)}`;
  const pair = (list) => list.slice(1).map((key, at) => `#/compare?${new URLSearchParams({ a: list[at], b: key })}`);
  const counts = [commands, sessions, tasks, threads].map(({ length }) => length);
  assert.ok(counts[0] > 40 && Math.min(...counts) > 15, `too few of them: ${counts}`);
  return {
    lists: ['#/overview', '#/sessions', '#/tasks', '#/threads', '#/doctor'],
    timelines: commands.map(of('timeline')),
    revisions: commands.map(of('revision')),
    blames: commands.map(of('blame')),
    sessions: sessions.map(of('revision')),
    tasks: tasks.map(of('revision')),
    threads: threads.map(addressOf),
    pairs: [commands, sessions, tasks].map(pair),
    // The picks for compare, which are above the list.
    picked: [...commands, ...tasks].map((key) => `#/overview?${new URLSearchParams({ a: key })}`),
  };
}

/** Finds the traces that a page which takes texts for markup would have. Sent to the page. */
const madeOfTexts = () => {
  const elements = [...document.querySelectorAll('main :is(script, iframe, object, embed, img, style, link, base, form, animate)')];
  const links = [...document.querySelectorAll('a[href]')].filter((it) => !it.getAttribute('href').startsWith('#'));
  const handlers = [...document.querySelectorAll('*')].filter((it) => [...it.attributes].some(({ name }) => /^on/.test(name)));
  return [...elements, ...links, ...handlers].map((it) => it.outerHTML.slice(0, 200));
};

/** Finds characters that a person cannot see, or that turn the order of text. Sent to the page. */
const hiddenSigns = () => {
  const acts =
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/u;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    if (acts.test(data)) found.push(`${parentElement.outerHTML.slice(0, 80)}: ${encodeURI(data.slice(0, 80))}`);
  }
  for (const it of document.querySelectorAll('[title], [aria-label]')) {
    for (const name of ['title', 'aria-label']) if (acts.test(it.getAttribute(name) ?? '')) found.push(it.outerHTML.slice(0, 80));
  }
  return [...found, ...(acts.test(document.title) ? [document.title] : [])];
};

/** Goes to a view, opens all that is folded in it, and asserts that its texts are text. */
export async function look(visitor, address) {
  await go(visitor, address);
  await visitor.until(`${address} is settled`, isSettled);
  await visitor.ask(() => {
    for (const it of document.querySelectorAll('details')) it.open = true;
  });
  await visitor.until(`${address} with everything open`, isSettled);
  for (const tab of await visitor.ask(() => document.querySelectorAll('[role=tab]').length).then((count) => Array(count).keys())) {
    await visitor.ask((at) => document.querySelectorAll('[role=tab]')[at]?.click(), tab);
    await visitor.until(`${address}, tab ${tab}`, isSettled);
    assert.deepEqual(await visitor.ask(madeOfTexts), [], address);
    assert.deepEqual(await visitor.ask(hiddenSigns), [], address);
  }
  assert.deepEqual(await visitor.ask(madeOfTexts), [], address);
  assert.deepEqual(await visitor.ask(hiddenSigns), [], address);
}
