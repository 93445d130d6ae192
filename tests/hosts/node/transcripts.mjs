// The contracts of the stores of transcripts, and many processes that write into one.

import assert from 'node:assert/strict';
import * as path from 'node:path';

const KEY = { projectKey: 'project', sessionId: 'session' };
const SUB = { ...KEY, subpath: 'subagents/agent-1' };

/** A value without the prototype that a runner's realm may give it. */
const plain = (value) => JSON.parse(JSON.stringify(value));

/** Expects of a store all that the Claude Agent SDK does; `make` gives an empty one each time. */
export async function expectStore(make) {
  const entry = (n, more) => ({ type: 'user', n, nested: { deep: [1, null, 'ü', { a: '' }] }, ...more });

  let store = make();
  assert.equal(await store.load(KEY), null);
  assert.deepEqual(plain(await store.listSessions(KEY.projectKey)), []);
  assert.deepEqual(plain(await store.listSubkeys(KEY)), []);
  await store.delete(KEY);
  await store.append(KEY, []);
  assert.equal(await store.load(KEY), null);

  const all = [];
  for (let n = 0; n < 30; n += 3) {
    const batch = [entry(n), entry(n + 1, { uuid: `u${n}` }), entry(n + 2)];
    await store.append(KEY, batch);
    all.push(...batch);
  }
  assert.deepEqual(plain(await store.load(KEY)), all);
  const again = [{ ...all[1], n: 'changed' }, entry(99)];
  await store.append(KEY, again);
  assert.deepEqual(plain(await store.load(KEY)), [...all, again[1]]);

  await store.append(SUB, [entry('of a subagent')]);
  await store.append({ ...KEY, subpath: 'a/b' }, [entry(1)]);
  assert.deepEqual(plain(await store.load(SUB)), [entry('of a subagent')]);
  assert.equal((await store.load(KEY)).length, 31);
  assert.deepEqual(plain(await store.listSubkeys(KEY)), ['a/b', SUB.subpath]);

  const others = [
    { projectKey: 'project', sessionId: 'other' },
    { projectKey: 'another', sessionId: 'session' },
    { projectKey: 'project', sessionId: 'without its own', subpath: 'x' },
  ];
  const before = Date.now();
  for (const other of others) await store.append(other, [entry(other.sessionId)]);
  const listed = await store.listSessions('project');
  assert.deepEqual(listed.map((it) => it.sessionId).sort(), ['other', 'session']);
  for (const { sessionId, mtime } of listed) {
    assert.ok(Number.isInteger(mtime), String(mtime));
    if (sessionId === 'other') assert.ok(mtime >= before - 60_000 && mtime <= Date.now() + 60_000, String(mtime));
  }

  await store.delete(SUB);
  assert.equal(await store.load(SUB), null);
  assert.deepEqual(plain(await store.listSubkeys(KEY)), ['a/b']);
  assert.equal((await store.load(KEY)).length, 31);
  await store.delete(KEY);
  assert.equal(await store.load(KEY), null);
  assert.equal(await store.load({ ...KEY, subpath: 'a/b' }), null);
  assert.deepEqual(plain(await store.listSubkeys(KEY)), []);
  assert.deepEqual((await store.listSessions('project')).map((it) => it.sessionId), ['other']);
  assert.equal((await store.load(others[1])).length, 1);
  await store.append(KEY, [entry('new')]);
  assert.deepEqual(plain(await store.load(KEY)), [entry('new')]);
}

/** Expects of a session all that OpenAI's Agents SDK does. */
export async function expectSession(make) {
  const session = make({ sessionId: 'support-42' });
  assert.equal(await session.getSessionId(), 'support-42');
  assert.notEqual(await make({}).getSessionId(), await make({}).getSessionId());
  assert.deepEqual(plain(await session.getItems()), []);
  assert.equal(await session.popItem(), undefined);
  await session.addItems([]);
  const items = Array.from({ length: 20 }, (_, n) => ({ role: 'user', content: `${n} ${'x'.repeat(n * 400)}` }));
  await session.addItems(items.slice(0, 5));
  await session.addItems(items.slice(5));
  assert.deepEqual(plain(await session.getItems()), items);
  assert.deepEqual(plain(await session.getItems(3)), items.slice(-3));
  assert.deepEqual(plain(await session.getItems(0)), []);
  assert.deepEqual(plain(await session.getItems(Infinity)), items);
  for (let left = items.length; left > 2; left -= 1) assert.deepEqual(plain(await session.popItem()), items[left - 1]);
  assert.deepEqual(plain(await session.getItems()), items.slice(0, 2));
  await session.clearSession();
  assert.deepEqual(plain(await session.getItems()), []);
  await session.addItems(items.slice(0, 1));
  assert.deepEqual(plain(await session.getItems()), items.slice(0, 1));
}

/** Starts writers together, and expects all of their entries, those of each in their order. */
export async function transcriptsOf({ writers, appends, where, fork, store }) {
  const script = path.join(import.meta.dirname, 'transcript-writer.mjs');
  const ends = Array.from({ length: writers }, (_, writer) => {
    return new Promise((resolve, reject) => {
      const child = fork(script, [where, String(writer), String(appends)]);
      child.on('error', reject);
      child.on('exit', (code, signal) => (code === 0 ? resolve() : reject(new Error(`a writer ended with ${code ?? signal}`))));
    });
  });
  await Promise.all(ends);
  const entries = await store.load(KEY);
  assert.equal(entries.length, writers * appends);
  const next = new Array(writers).fill(0);
  for (const { writer, n } of entries) {
    assert.equal(n, next[writer], `the order of writer ${writer}`);
    next[writer] += 1;
  }
}
