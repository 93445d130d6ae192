// Beginnings and ends of connections, in both eras of the protocol, and input that is no message.

import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyFolder, require } from '../node/fixture.mjs';
import { Client, VERSIONS, connected } from './client.mjs';

const { version: milepost } = require('milepost/package.json');

for (const version of VERSIONS) {
  test(`a client of ${version} is served`, async (t) => {
    const client = new Client(t, emptyFolder(t), { version });
    const opened = await client.open();
    if (client.isModern) assert.ok(opened.supportedVersions.includes(version));
    else assert.equal(opened.protocolVersion, version);
    assert.match(opened.instructions, /`milepost_resume`.*content of runs and snapshots is data/);
    const { tools } = await client.ask('tools/list');
    assert.equal(tools.length, 17);
    assert.equal((await client.value('milepost_status')).left_out, 0);
    assert.equal(await client.close(), 0);
    assert.deepEqual(client.strays, []);
    assert.equal(client.errors, '');
  });
}

test('a client of the first era gets the version that runs', async (t) => {
  const client = new Client(t, emptyFolder(t));
  const { serverInfo } = await client.open();
  assert.deepEqual(serverInfo, { name: 'milepost', title: 'Milepost', version: milepost });
});

test('a client that looks which era there is, and takes the other one, is served', async (t) => {
  const modern = new Client(t, emptyFolder(t), { version: '2026-07-28' });
  await modern.open();
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const { result } = await modern.reply({ jsonrpc: '2.0', id: 'fallback', method: 'initialize', params });
  assert.equal(result.protocolVersion, '2025-11-25');
  const { result: listed } = await modern.reply({ jsonrpc: '2.0', id: 'list', method: 'tools/list' });
  assert.equal(listed.tools.length, 17);
});

test('an unknown version is refused with the known ones, and the connection goes on', async (t) => {
  const client = new Client(t, emptyFolder(t), { version: '2026-07-28' });
  const frame = client.frame('server/discover');
  frame.params._meta['io.modelcontextprotocol/protocolVersion'] = '2031-01-01';
  const { error } = await client.reply(frame);
  assert.equal(error.code, -32022);
  assert.ok(error.data.supported.includes('2026-07-28'));
  await client.open();
});

test('two messages in one write are two', async (t) => {
  const client = await connected(t, emptyFolder(t));
  const frames = [client.frame('tools/list'), client.frame('resources/list'), client.frame('ping')];
  const answers = frames.map(({ id }) => client.expect(id));
  client.write(frames.map((frame) => `${JSON.stringify(frame)}\r\n`).join('\n'));
  const [tools, resources, pong] = await Promise.all(answers);
  assert.equal(tools.result.tools.length, 17);
  assert.deepEqual([resources.result.resources, pong.result], [[], {}]);
});

test('a message in many writes is one', async (t) => {
  const client = await connected(t, emptyFolder(t));
  const frame = client.frame('tools/call', { name: 'milepost_tokens', arguments: { text: 'é 你好 🙂' } });
  const answered = client.expect(frame.id);
  for (const byte of Buffer.from(`${JSON.stringify(frame)}\n`)) client.write(Buffer.of(byte));
  assert.equal((await answered).result.structuredContent.token_count, 3);
});

test('what is asked before the end of the input is answered', async (t) => {
  const client = new Client(t, emptyFolder(t));
  const frames = [
    client.frame('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }),
    client.frame('tools/call', { name: 'milepost_phase', arguments: { command: 'design', phase: 'a' } }),
    client.frame('tools/call', { name: 'milepost_resume', arguments: {} }),
  ];
  const answers = frames.map(({ id }) => client.expect(id));
  client.write(frames.map((frame) => JSON.stringify(frame)).join('\n') + '\n');
  assert.equal(await client.close(), 0);
  const [, , resumed] = await Promise.all(answers);
  assert.equal(resumed.result.structuredContent.phase, 'a');
});

test('half a line at the end is no message', async (t) => {
  const root = emptyFolder(t);
  const client = await connected(t, root);
  const frame = client.frame('tools/call', { name: 'milepost_phase', arguments: { command: 'design', phase: 'a' } });
  client.write(JSON.stringify(frame));
  assert.equal(await client.close(), 0);
  assert.deepEqual([client.strays, client.errors], [[], '']);
  const other = await connected(t, root);
  assert.deepEqual((await other.value('milepost_status')).checkpoints, []);
});

test('a malformed message is an error with its code, and the connection goes on', async (t) => {
  const client = await connected(t, emptyFolder(t));
  const bad = [
    ['hello', -32700],
    ['{"jsonrpc":"2.0",', -32700],
    ['\u0000', -32700],
    [Buffer.from([0x7b, 0xff, 0x7d]), -32700],
    ['[]', -32600],
    ['null', -32600],
    ['{"id":7,"method":"tools/list"}', -32600],
    ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}', -32600],
  ];
  for (const [line] of bad) {
    client.write(line);
    client.write('\n');
  }
  client.write('\n  \r\n');
  await client.ask('ping');
  assert.deepEqual(client.strays.map(({ error }) => error.code), bad.map(([, code]) => code));
  assert.deepEqual(client.strays.map(({ id }) => id), [null, null, null, null, null, null, 7, null]);
  assert.ok(client.strays.every(({ error }) => /[a-z]/.test(error.message)));
});

test('a line of 100 MB is refused, and the process goes on', async (t) => {
  const client = await connected(t, emptyFolder(t));
  const piece = Buffer.alloc(1024 * 1024, 'a');
  client.write('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"text":"');
  for (let written = 0; written < 100; written += 1) {
    if (!client.write(piece)) await new Promise((resolve) => setImmediate(resolve));
  }
  client.write('"}}\n');
  await client.ask('ping');
  const [{ id, error }] = client.strays;
  assert.deepEqual([id, error.code], [null, -32600]);
  assert.match(error.message, /too long/);
  assert.equal(await client.close(), 0);
  assert.equal(client.errors, '');
});

for (const signal of ['SIGTERM', 'SIGINT']) {
  const skip = process.platform === 'win32' && 'there are no signals';
  test(`${signal} is a clean end`, { skip }, async (t) => {
    const client = await connected(t, emptyFolder(t));
    await client.value('milepost_phase', { command: 'design', phase: 'a' });
    assert.equal(await client.kill(signal), 0);
    assert.equal(client.errors, '');
  });
}

test('a client that goes without reading leaves no process and no stack trace', async (t) => {
  const client = await connected(t, emptyFolder(t));
  for (let count = 0; count < 50; count += 1) client.send(client.frame('tools/list'));
  assert.equal(await client.hangUp(), 0);
  assert.equal(client.errors, '');
});

test('wrong words are refused with what is wrong, and start no server', async (t) => {
  for (const [words, code, said] of [
    [['now'], 64, /unexpected argument 'now'/],
    [['--store', 'env:URL', '--project', 'shop'], 64, /environment variable URL is not set/],
    [['--root', 'x', '--help'], 0, /^$/],
  ]) {
    const client = new Client(t, emptyFolder(t), { words, isText: true });
    assert.equal(await client.ended, code, words.join(' '));
    assert.match(client.errors, said);
    assert.equal(client.text.includes('Usage: milepost mcp'), code === 0);
  }
});

test('the root is the one that the words or the variable name', async (t) => {
  const [here, there] = [emptyFolder(t), emptyFolder(t)];
  const record = { command: 'design', phase: 'a' };
  for (const options of [{ words: ['--root', there] }, { words: [], env: { GIT_ROOT: there } }]) {
    const client = new Client(t, here, options);
    await client.open();
    await client.value('milepost_phase', record);
    await client.close();
  }
  const beside = new Client(t, here, { words: ['--root', here, '--dir', 'state'] });
  await beside.open();
  assert.equal((await beside.value('milepost_phase', record)).revision, 1);
  const counts = {};
  for (const [name, root] of Object.entries({ here, there })) {
    const client = await connected(t, root);
    counts[name] = (await client.value('milepost_status')).checkpoints.map(({ revision }) => revision);
  }
  // The second one at the same root only renewed the time, or was the second revision.
  assert.deepEqual([counts.here, counts.there], [[], [2]]);
});
