// `milepost/session-store` as the two SDKs use it: in memory and in files, and by many processes.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';

import { MilepostSession, MilepostSessionStore } from 'milepost/session-store';

import { IS_FULL_RANGE } from '../environment.mjs';
import { emptyFolder } from './fixture.mjs';
import { expectSession, expectStore, transcriptsOf } from './transcripts.mjs';

/** Makes stores of one place. */
const PLACES = {
  memory: () => ({}),
  files: (t) => ({ storagePath: emptyFolder(t), durability: 'lazy' }),
};

for (const [place, options] of Object.entries(PLACES)) {
  test(`a store in ${place} keeps the contract of the Claude Agent SDK`, async (t) => {
    await expectStore(() => new MilepostSessionStore(options(t)));
  });

  test(`a session in ${place} keeps the contract of OpenAI's Agents SDK`, async (t) => {
    await expectSession((more) => new MilepostSession({ ...options(t), ...more }));
  });
}

test('another process goes on with a transcript, and both SDKs may share a folder', async (t) => {
  const storagePath = emptyFolder(t);
  const key = { projectKey: '-home-me', sessionId: '5c2f' };
  const entries = [{ type: 'user', uuid: 'a', text: 'lone \ud800, "quoted", 1e400: é' }, { type: 'title', n: -0.5 }];
  await new MilepostSessionStore({ storagePath }).append(key, entries);
  await new MilepostSession({ storagePath, sessionId: '5c2f' }).addItems([{ role: 'user', content: 'other' }]);
  const store = new MilepostSessionStore({ storagePath });
  assert.deepEqual(await store.load(key), entries);
  assert.deepEqual((await store.listSessions('-home-me')).map((it) => it.sessionId), ['5c2f']);
  const threads = fs.readdirSync(path.join(storagePath, 'threads'));
  assert.equal(threads.filter((it) => !it.startsWith('.')).length, 2);
});

test('calls of one process take effect in their order, without being awaited', async (t) => {
  const store = new MilepostSessionStore({ storagePath: emptyFolder(t), durability: 'lazy' });
  const key = { projectKey: 'p', sessionId: 's' };
  const entry = { type: 'user', n: 0 };
  const calls = [];
  for (let n = 0; n < 50; n += 1) {
    entry.n = n;
    calls.push(store.append(key, [entry]));
  }
  const loaded = store.load(key);
  await Promise.all(calls);
  assert.deepEqual((await loaded).map(({ n }) => n), Array.from({ length: 50 }, (_, n) => n));
});

test('16 processes add to one transcript, and none of their entries is lost or out of order', async (t) => {
  const appends = IS_FULL_RANGE ? 1_000 : 25;
  const storagePath = emptyFolder(t);
  const where = JSON.stringify({ storagePath, durability: 'lazy' });
  await transcriptsOf({ writers: 16, appends, where, fork, store: new MilepostSessionStore({ storagePath }) });
});

test('what JSON cannot carry is refused with its place, and nothing is stored', async (t) => {
  const storagePath = emptyFolder(t);
  const store = new MilepostSessionStore({ storagePath });
  const key = { projectKey: 'p', sessionId: 's' };
  for (const value of [1n, () => 1, Symbol('a'), NaN, new Map(), Uint8Array.of(1)]) {
    await assert.rejects(store.append(key, [{ type: 'a' }, { type: 'b', at: { value } }]), { code: 'invalid_document' });
  }
  assert.equal(await store.load(key), null);
  await assert.rejects(store.append(key, [[]]), { code: 'usage', message: /entry 0 .* object/ });
  await assert.rejects(store.append({ ...key, subpath: '' }, []), { code: 'usage', message: /subpath/ });
  await assert.rejects(store.append({ projectKey: 'p' }, []), { code: 'usage', message: /sessionId/ });
  assert.throws(() => new MilepostSessionStore({ path: 'a' }), { code: 'usage', message: /path/ });
  await assert.rejects(new MilepostSession().getItems(NaN), { code: 'usage', message: /limit/ });
  assert.deepEqual(fs.readdirSync(storagePath), []);
});

test('a damaged transcript is corrupt and stays as it is', async (t) => {
  const storagePath = emptyFolder(t);
  const store = new MilepostSessionStore({ storagePath });
  const key = { projectKey: 'p', sessionId: 's' };
  await store.append(key, [{ type: 'a' }]);
  const threads = path.join(storagePath, 'threads');
  const [name] = fs.readdirSync(threads).filter((it) => !it.startsWith('.'));
  const file = path.join(threads, name, 'index.json');
  fs.writeFileSync(file, '{"version":');
  for (const call of [store.load(key), store.append(key, [{ type: 'b' }]), store.listSubkeys(key)]) {
    await assert.rejects(call, { code: 'corrupt' });
  }
  assert.equal(fs.readFileSync(file, 'utf8'), '{"version":');
  assert.deepEqual(await store.listSessions('p'), []);
  await store.delete(key);
  assert.equal(await store.load(key), null);
});
