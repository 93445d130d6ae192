// A call that takes long: what else is answered, and what ends it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { bin, emptyFolder } from '../node/fixture.mjs';
import { Client, VERSIONS, connected } from './client.mjs';

const TARGET = { command: 'implement', feature: 'large' };

/** A plan that takes longer to store than a ping takes to be answered. */
const plan = (count) => Array.from({ length: count }, (_, at) => `phase ${at}`);
const begin = (client, count) =>
  client.frame('tools/call', { name: 'milepost_begin', arguments: { ...TARGET, phases: plan(count) } });

/** A request that is no call; the second era has no ping. */
const other = (client) => (client.isModern ? 'tools/list' : 'ping');

for (const version of VERSIONS) {
  test(`requests of ${version} are answered while a call runs`, async (t) => {
    const client = await connected(t, emptyFolder(t), version);
    const order = [];
    const request = client.frame(other(client));
    const answers = [begin(client, 20_000), request].map((frame) =>
      client.reply(frame).then(({ error }) => order.push(error ?? frame.id)),
    );
    await Promise.all(answers);
    assert.equal(order[0], request.id);
  });

  test(`a call of ${version} that is cancelled writes nothing and has no answer`, async (t) => {
    const client = await connected(t, emptyFolder(t), version);
    // By then calls are ready to run.
    await client.value('milepost_tokens', { text: 'a' });
    const frame = begin(client, 60_000);
    client.send(frame);
    await client.ask(other(client));
    client.send({ method: 'notifications/cancelled', params: { requestId: frame.id } });
    assert.deepEqual((await client.value('milepost_status')).checkpoints, []);
    assert.equal((await client.value('milepost_begin', { ...TARGET, phases: ['a'] })).revision, 1);
    assert.equal(await client.close(), 0);
    assert.deepEqual(client.strays, []);
    assert.equal(client.errors, '');
  });
}

test('calls are carried out in the order in which they were made', async (t) => {
  const client = await connected(t, emptyFolder(t));
  const first = client.reply(begin(client, 5000));
  const second = client.value('milepost_show', TARGET);
  assert.equal((await first).result.structuredContent.revision, 1);
  assert.equal((await second).checkpoint.state.pending_phases.length, 5000);
});

/** Starts the server as its child, whose input another process holds open, and waits. */
const WRAPPER = `
  const { spawn } = require('node:child_process');
  spawn(process.execPath, process.argv.slice(1), { stdio: [3, 1, 2] });
`;

const skip = process.platform === 'win32' && 'a process does not learn that its parent is gone';
test('a server whose parent was killed in the middle of a call ends', { skip }, async (t) => {
  const root = emptyFolder(t);
  const command = [process.execPath, '-e', WRAPPER, bin, 'mcp', '--root', root];
  const client = new Client(t, root, { command, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  await client.open();
  client.send(begin(client, 20_000));
  // The streams are open as long as the server has them.
  assert.equal(await client.kill('SIGKILL'), 'SIGKILL');
  assert.equal(client.errors, '');
});
