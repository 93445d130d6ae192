// Checkpoints as resources, and the clients that are notified of a change.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { emptyFolder, stateFile } from '../node/fixture.mjs';
import { Client, VERSIONS, connected } from './client.mjs';

const LIST = 'notifications/resources/list_changed';
const UPDATED = 'notifications/resources/updated';
const DESIGN = 'milepost://checkpoint/design';
const DARK = 'milepost://checkpoint/implement/dark-mode';

const isOf = (method, uri) => (notice) => notice.method === method && (uri === undefined || notice.params.uri === uri);

for (const version of VERSIONS) {
  test(`a run is listed and read by a client of ${version}`, async (t) => {
    const root = emptyFolder(t);
    const store = openStore({ root });
    store.updatePhase('design', 'a', {});
    store.updatePhase('implement', 'a', { context_summary: 'é "x"' }, 'dark-mode');
    const client = await connected(t, root, version);
    const { resources } = await client.ask('resources/list');
    assert.deepEqual(resources.map(({ uri, name }) => [uri, name]), [
      [DESIGN, 'design'],
      [DARK, 'implement/dark-mode'],
    ]);
    for (const { uri, mimeType, annotations } of resources) {
      assert.equal(mimeType, 'application/json');
      assert.ok(!Number.isNaN(Date.parse(annotations.lastModified)));
      const [content] = (await client.ask('resources/read', { uri })).contents;
      assert.deepEqual([content.uri, content.mimeType], [uri, mimeType]);
      const [command, feature] = uri.replace('milepost://checkpoint/', '').split('/');
      assert.equal(content.text, store.loadText(command, feature));
    }
    const { resourceTemplates } = await client.ask('resources/templates/list');
    assert.deepEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ['milepost://checkpoint/{command}', 'milepost://checkpoint/{command}/{feature}'],
    );
  });
}

test('an address of no run is refused with its reason', async (t) => {
  const root = emptyFolder(t);
  openStore({ root }).updatePhase('design', 'a', {});
  fs.writeFileSync(stateFile(root, 'ship-checkpoint.json'), '{ torn');
  const client = await connected(t, root);
  const nothing = [
    'milepost://checkpoint/review',
    'milepost://checkpoint/design/x',
    'milepost://checkpoint/design/x/y',
    'milepost://checkpoint/',
    'milepost://checkpoint/design/',
    'milepost://checkpoint/%zz',
    'milepost://session/design',
    'file:///etc/passwd',
  ];
  for (const uri of nothing) {
    await assert.rejects(client.ask('resources/read', { uri }), ({ code, data }) => code === -32602 && data.uri === uri, uri);
  }
  for (const uri of ['milepost://checkpoint/design/..%2f..', 'milepost://checkpoint/none']) {
    const error = { code: -32602, data: { uri, code: 'invalid_name', written: 'no' } };
    await assert.rejects(client.ask('resources/read', { uri }), ({ code, data: { uri, code: why, written } }) => {
      assert.deepEqual({ code, data: { uri, code: why, written } }, error);
      return true;
    });
  }
  const torn = client.ask('resources/read', { uri: 'milepost://checkpoint/ship' });
  await assert.rejects(torn, ({ message, data }) => /corrupt/.test(message) && data.code === 'corrupt');
  const { resources } = await client.ask('resources/list');
  assert.match(resources.find(({ name }) => name === 'ship').description, /corrupt/);
});

for (const version of VERSIONS) {
  test(`a client of ${version} that subscribes is notified of another process’s change`, async (t) => {
    const root = emptyFolder(t);
    const store = openStore({ root });
    store.updatePhase('design', 'a', {});
    const client = await connected(t, root, version);
    if (client.isModern) {
      const wanted = { resourcesListChanged: true, resourceSubscriptions: [DESIGN] };
      const listen = client.frame('subscriptions/listen', { notifications: wanted });
      client.send(listen);
      const begun = await client.notice(isOf('notifications/subscriptions/acknowledged'));
      assert.deepEqual(begun.params.notifications, wanted);
    } else {
      await client.ask('resources/list');
      await client.ask('resources/subscribe', { uri: DESIGN });
    }
    store.updatePhase('design', 'b', {});
    await client.notice(isOf(UPDATED, DESIGN));
    store.updatePhase('implement', 'a', {}, 'dark-mode');
    await client.notice(isOf(LIST));
    store.updatePhase('implement', 'b', {}, 'dark-mode');
    store.remove('design');
    await client.notice(isOf(UPDATED, DESIGN));
    await client.notice(isOf(LIST));
    assert.ok(client.notices.every(({ method, params }) => method !== UPDATED || params.uri === DESIGN));
    assert.equal(await client.close(), 0);
  });
}

test('a folder that was not there at the first request is watched once it is made', async (t) => {
  const root = emptyFolder(t);
  const client = await connected(t, root);
  await client.ask('resources/list');
  openStore({ root }).updatePhase('design', 'a', {});
  await client.notice(isOf(LIST));
});

test('a folder that took the place of another one is watched', async (t) => {
  const root = emptyFolder(t);
  const store = openStore({ root });
  store.updatePhase('design', 'a', {});
  const client = await connected(t, root);
  await client.ask('resources/subscribe', { uri: DESIGN });
  fs.rmSync(path.join(root, '.claude'), { recursive: true });
  await client.notice(isOf(LIST));
  await client.notice(isOf(UPDATED, DESIGN));
  store.updatePhase('design', 'a', {});
  await client.notice(isOf(LIST));
  store.updatePhase('design', 'b', {});
  await client.notice(isOf(UPDATED, DESIGN));
});

test('a client is notified of its own change, and of none that it does not follow any more', async (t) => {
  const root = emptyFolder(t);
  const client = await connected(t, root);
  await client.ask('resources/subscribe', { uri: DESIGN });
  await client.ask('resources/subscribe', { uri: DARK });
  await client.value('milepost_phase', { command: 'design', phase: 'a' });
  await client.notice(isOf(LIST));
  await client.value('milepost_phase', { command: 'design', phase: 'b' });
  await client.notice(isOf(UPDATED, DESIGN));
  await client.ask('resources/unsubscribe', { uri: DESIGN });
  await client.value('milepost_phase', { command: 'implement', feature: 'dark-mode', phase: 'a' });
  await client.value('milepost_phase', { command: 'design', phase: 'c' });
  await client.notice(isOf(LIST));
  await client.value('milepost_phase', { command: 'implement', feature: 'dark-mode', phase: 'b' });
  // By then a notice of the other one would be there.
  await client.notice(isOf(UPDATED, DARK));
  assert.deepEqual(client.notices.filter(isOf(UPDATED, DESIGN)), []);
});

test('the folder is watched only while a client subscribes', { skip: process.platform !== 'linux' }, async (t) => {
  const root = emptyFolder(t);
  openStore({ root }).updatePhase('design', 'a', {});
  const client = new Client(t, root);
  await client.open();
  await client.value('milepost_status');
  /** Returns whether the kernel watches a folder for that process. */
  const watched = () => {
    const folder = `/proc/${client.pid}/fdinfo`;
    const facts = fs.readdirSync(folder).map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));
    return facts.some((text) => text.includes('inotify wd:'));
  };
  assert.equal(watched(), false);
  await client.ask('resources/subscribe', { uri: DESIGN });
  assert.equal(watched(), true);
  await client.ask('resources/unsubscribe', { uri: DESIGN });
  assert.equal(watched(), false);
});
