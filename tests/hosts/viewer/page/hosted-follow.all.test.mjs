// The hosted page and a folder that it may read as long as it is open: what becomes of that is shown as it comes.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { go } from '../views.mjs';
import { NAME, drop, press, project, welcomed } from './hosted.mjs';
import { isListed, isLive, shows } from './live.mjs';

/** A browser that tells of no changes in a folder. */
const UNTOLD = 'delete globalThis.FileSystemObserver;\n';
/** One whose user has taken back that the page may read, as often as the test says so. */
const TAKEN_BACK = `
  let isDenied = false;
  const channel = new BroadcastChannel('permission');
  channel.onmessage = ({ data }) => {
    isDenied = data;
    channel.postMessage('done');
  };
  for (const name of ['entries', 'getFileHandle', 'getDirectoryHandle']) {
    const method = FileSystemDirectoryHandle.prototype[name];
    FileSystemDirectoryHandle.prototype[name] = function (...given) {
      if (isDenied) throw new DOMException('The request is not allowed', 'NotAllowedError');
      return method.apply(this, given);
    };
  }
`;
/** One that has a folder of its own in place of those of the machine, and asks for it with its own picker. */
const OWN_FOLDER = () => {
  globalThis.showDirectoryPicker = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('project');
};

/** A project that was dropped on the page, and is followed. */
async function dropped(t, as) {
  const made = project(t);
  const visitor = await welcomed(t, as);
  await drop(visitor, made.root);
  await visitor.until('the list', isListed);
  await visitor.until('it is live', isLive);
  return { ...made, visitor };
}

for (const [browser, as] of [
  ['tells of changes', {}],
  ['does not tell of changes', { worker: UNTOLD }],
]) {
  test(`a folder that was dropped is followed by a browser that ${browser}`, async (t) => {
    const { visitor, change } = await dropped(t, as);
    change('failed');
    await shows(visitor, 'failed');
    change('in_progress', 'another');
    await shows(visitor, 'in_progress', 'another');
    await visitor.assertQuiet();
  });

  test(`a new revision comes into the timeline of a browser that ${browser}`, async (t) => {
    const { visitor, change } = await dropped(t, as);
    await go(visitor, `#/timeline/${encodeURIComponent(`c/${NAME}`)}`);
    await visitor.until('two revisions', () => document.querySelector('[data-revision="2"]') !== null);
    change('complete');
    await visitor.until('the third', () => document.querySelector('[data-revision="3"]') !== null);
    change('failed');
    await visitor.until('the fourth', () => document.querySelector('[data-revision="4"]') !== null);
    // Of this one the history alone knows by now.
    await visitor.until('the third', () => document.querySelector('[data-revision="3"]') !== null);
    await visitor.assertQuiet();
  });

  test(`a corrupt state that is put aside is shown by a browser that ${browser}`, async (t) => {
    const { visitor, side } = await dropped(t, as);
    const isQuarantined = () => document.querySelector('li.row')?.innerText.includes('quarantined') ?? false;
    assert.equal(await visitor.ask(isQuarantined), false);
    fs.mkdirSync(path.join(side, 'quarantine'));
    fs.writeFileSync(path.join(side, 'quarantine/1.json'), '{');
    await visitor.until('it says so', isQuarantined);
    await visitor.assertQuiet();
  });

  test(`a state folder that is removed and made again is followed by a browser that ${browser}`, async (t) => {
    const { root, visitor, change } = await dropped(t, as);
    fs.rmSync(path.join(root, '.claude'), { recursive: true });
    await visitor.sees(/No runs yet/);
    change('failed');
    await shows(visitor, 'failed');
    change('in_progress');
    await shows(visitor, 'in_progress');
    await visitor.assertQuiet();
  });
}

test('a folder that was chosen with the browser’s own picker is followed', async (t) => {
  const { root, change } = project(t);
  const visitor = await welcomed(t, { page: OWN_FOLDER });
  await copy(visitor, root);
  await press(visitor, 'Choose a folder');
  await visitor.until('the list', isListed);
  await visitor.until('it is live', isLive);
  change('failed');
  await copy(visitor, root);
  await shows(visitor, 'failed');
  await visitor.assertQuiet();
});

test('a folder that may not be read any more leaves what was read', async (t) => {
  const { visitor, change } = await dropped(t, { worker: TAKEN_BACK });
  await permission(visitor, 'taken back');
  await press(visitor, 'Read again');
  await visitor.sees(/cannot be read any more/, 'header');
  await shows(visitor, 'in_progress');
  change('failed');
  await permission(visitor, 'given');
  await shows(visitor, 'failed');
  await visitor.until('nothing is wrong', () => document.querySelector('header [role=alert]') === null);
  await visitor.assertQuiet();
});

/** Puts the folder of a project into the page's own one, each file whole. */
async function copy(visitor, root) {
  const names = fs.readdirSync(path.join(root, '.claude'), { recursive: true });
  const files = names
    .map((name) => `.claude/${name}`)
    .filter((name) => fs.statSync(path.join(root, name)).isFile())
    .map((name) => [name.split('/'), fs.readFileSync(path.join(root, name), 'utf8')]);
  await visitor.ask(async (files) => {
    const own = await navigator.storage.getDirectory();
    for (const [way, text] of files) {
      let at = await own.getDirectoryHandle('project', { create: true });
      for (const name of way.slice(0, -1)) at = await at.getDirectoryHandle(name, { create: true });
      const file = await at.getFileHandle(way.at(-1), { create: true });
      if ((await (await file.getFile()).text()) === text) continue;
      const writer = await file.createWritable();
      await writer.write(text);
      await writer.close();
    }
  }, files);
}

/** Waits until the worker has heard whether the user lets the page read. */
async function permission(visitor, become) {
  await visitor.ask(
    (isDenied) =>
      new Promise((resolve) => {
        const channel = new BroadcastChannel('permission');
        channel.onmessage = () => {
          channel.close();
          resolve();
        };
        channel.postMessage(isDenied);
      }),
    become === 'taken back',
  );
}
