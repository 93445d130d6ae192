// Requests to the server: no more than needed, and never something else than was meant.

import assert from 'node:assert/strict';
import test from 'node:test';
import { createCheckpointManager } from 'milepost/tasks';
import { openPostgresStore, postgresHost } from 'milepost/postgres';
import { newProject, serverFor } from './server.mjs';

const server = serverFor(test);

/** A pool that notes the statements on records that pass. */
function watched(t, options = {}) {
  const pool = server.pool({ max: 1, ...options });
  const statements = [];
  const query = pool.query.bind(pool);
  pool.query = (config) => {
    if (/\.records|\.swap\(/.test(config.text)) statements.push(config);
    return query(config);
  };
  t.after(() => pool.end());
  return { pool, statements };
}

test('an update of what no other process changes does not read it first', async (t) => {
  const { pool, statements } = watched(t);
  const store = openPostgresStore({ project: newProject(), pool });
  await store.updatePhase('design', 'a', {});
  statements.length = 0;
  for (let n = 0; n < 10; n += 1) await store.updatePhase('design', 'a', { context_summary: `${n}` });
  assert.deepEqual(
    statements.map(({ text }) => text.includes('.swap(')),
    Array(10).fill(true),
  );
});

/** The bytes that the values of a statement travel as: those of a list of bytes are text in hexadecimal. */
function bytesOf({ values }) {
  const lengthOf = (value) => value?.length ?? String(value).length;
  const inList = (value) => (Buffer.isBuffer(value) ? 2 : 1) * lengthOf(value);
  const lengths = values.flatMap((value) => (Array.isArray(value) ? value.map(inList) : [lengthOf(value)]));
  return lengths.reduce((sum, length) => sum + length, 0);
}

test('an update of a large checkpoint sends what it changes', async (t) => {
  const { pool, statements } = watched(t);
  const store = openPostgresStore({ project: newProject(), pool });
  for (let n = 0; n < 60; n += 1) {
    await store.updatePhase('design', `phase ${n}`, { context_summary: `${n} ${'what was done '.repeat(20)}` });
  }
  const whole = (await store.loadText('design')).length;
  statements.length = 0;
  for (let n = 0; n < 5; n += 1) await store.updatePhase('design', 'phase 30', { context_summary: `changed ${n}` });
  const sent = Math.max(...statements.map(bytesOf));
  assert.ok(sent < whole / 10, `${sent} of ${whole} bytes`);
  assert.equal((await store.load('design')).phases['phase 30'].context_summary, 'changed 4');
});

test('where the database cannot make a state of the one before, that is sent as it is', async (t) => {
  const { pool, statements } = watched(t);
  const query = pool.query;
  pool.query = (config) => {
    if (!config.text.includes('$10')) return query(config);
    statements.push(config);
    return Promise.reject(Object.assign(new Error('another content'), { code: 'MP003' }));
  };
  const store = openPostgresStore({ project: newProject(), pool });
  const summary = 'what was done '.repeat(30);
  for (let n = 0; n < 20; n += 1) await store.updatePhase('design', `phase ${n}`, { context_summary: summary });
  assert.ok(statements.some(({ text }) => text.includes('$10')));
  assert.equal(Object.keys((await store.load('design')).phases).length, 20);
});

test('a large value travels as the bytes that it has', async (t) => {
  const { pool, statements } = watched(t);
  const postgres = postgresHost({ project: newProject(), pool });
  t.after(() => postgres.close());
  const manager = createCheckpointManager({ storage: { postgres } });
  const note = 'a large value, '.repeat(600_000);
  const state = (id) => ({
    ...{ id, taskId: 'task', agentId: 'agent', stepIndex: 0, totalSteps: 2, context: { note: `${id}${note}` } },
    ...{ completedSteps: [], pendingSteps: ['s1'], createdAt: '2026-01-29T10:30:00.000Z' },
  });
  for (const id of ['a', 'b']) await manager.save(state(id));
  const sent = statements.reduce((sum, statement) => sum + bytesOf(statement), 0);
  assert.ok(sent < 2.02 * note.length, `${sent} of ${note.length}`);
  assert.equal((await manager.restore('task')).checkpoint.context.note, `b${note}`);
});

/** A value that goes in three chunks. */
const LARGE = 'what was said, '.repeat(1_200_000);

function largeState() {
  return {
    ...{ id: 'a', taskId: 'task', agentId: 'agent', stepIndex: 0, totalSteps: 2, context: { note: LARGE } },
    ...{ completedSteps: [], pendingSteps: ['s1'], createdAt: '2026-01-29T10:30:00.000Z' },
  };
}

function largeManager(postgres) {
  return createCheckpointManager({ storage: { postgres, maxBytes: 32 * 1024 * 1024 } });
}

/** The keys of chunks that no swap has taken. */
async function staged() {
  const found = await server.run("SELECT key FROM milepost.records WHERE key LIKE 'staged/%'");
  return found.map(({ key }) => key);
}

test('no statement has all of a large value, and no chunk of it is left', async (t) => {
  const { pool, statements } = watched(t);
  const project = newProject();
  const hosts = [0, 1].map(() => postgresHost({ project, pool }));
  for (const host of hosts) t.after(() => host.close());
  const [manager, reader] = hosts.map(largeManager);
  await manager.save(largeState());
  assert.ok(Math.max(...statements.map(bytesOf)) < 8.4e6);
  assert.deepEqual(await staged(), []);
  // A process that has not written it.
  const rows = [];
  const query = pool.query;
  pool.query = async (config) => {
    const found = await query(config);
    rows.push(JSON.stringify(found.rows).length);
    return found;
  };
  assert.equal((await reader.restore('task')).checkpoint.context.note, LARGE);
  assert.ok(rows.length > 3 && Math.max(...rows) < 12e6, `${rows}`);
});

test('chunks of a swap that fails are removed, and those of a process that died after an hour', async (t) => {
  const { pool } = watched(t);
  const postgres = postgresHost({ project: newProject(), pool });
  t.after(() => postgres.close());
  const manager = largeManager(postgres);
  await manager.save({ ...largeState(), context: {} });
  const old = `staged/${new Date(Date.now() - 3_700_000).toISOString()}/operation/0/0`;
  const young = `staged/${new Date().toISOString()}/operation/0/0`;
  const leave = (key) => server.run("INSERT INTO milepost.records VALUES ($1, 'a')", [key]);
  for (const key of [old, young]) await leave(key);
  const query = pool.query;
  pool.query = (config) => {
    if (!config.text.includes('.swap(')) return query(config);
    return Promise.reject(Object.assign(new Error('the disk is full'), { code: '53100' }));
  };
  await assert.rejects(manager.save({ ...largeState(), id: 'b' }), /the disk is full/);
  pool.query = query;
  // There is no space.
  assert.deepEqual(await staged(), [young]);
  await leave(old);
  // The first change of a process looks for what may be forgotten.
  const next = postgresHost({ project: newProject(), pool });
  t.after(() => next.close());
  await largeManager(next).save({ ...largeState(), context: {} });
  for (let tries = 0; tries < 100 && (await staged()).length > 1; tries += 1) await server.run('SELECT 1');
  assert.deepEqual(await staged(), [young]);
  await server.run('DELETE FROM milepost.records WHERE key = $1', [young]);
});

test('the age of a chunk goes by the clock of the database', async (t) => {
  const { pool } = watched(t);
  const query = pool.query;
  const keys = [];
  let looked = () => {};
  pool.query = async (config) => {
    if (/^staged\/.*\/0$/.test(config.values?.[0])) keys.push(config.values[0]);
    const found = await query(config);
    if (/^DELETE .* key < /.test(config.text)) looked();
    return found;
  };
  const save = async (hours, context) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + hours * 3_600_000 });
    const postgres = postgresHost({ project: newProject(), pool });
    const done = new Promise((resolve) => (looked = resolve));
    await largeManager(postgres).save({ ...largeState(), context });
    // The first change of a process looks for what may be forgotten.
    await done;
    await postgres.close();
    t.mock.timers.reset();
  };
  const time = async () => (await server.run('SELECT now()'))[0].now.toISOString();
  const before = await time();
  await save(-48, largeState().context);
  const young = `staged/${await time()}/operation/0/0`;
  assert.equal(keys.length, 1);
  assert.ok(`staged/${before}` <= keys[0] && keys[0] <= young, keys[0]);
  await server.run("INSERT INTO milepost.records VALUES ($1, 'a')", [young]);
  await save(48, {});
  assert.deepEqual(await staged(), [young]);
  await server.run('DELETE FROM milepost.records WHERE key = $1', [young]);
});

test('no chunk is left where one cannot be stored, or the value travels as a whole after all', async (t) => {
  const { pool } = watched(t);
  const postgres = postgresHost({ project: newProject(), pool });
  t.after(() => postgres.close());
  const manager = largeManager(postgres);
  await manager.save({ ...largeState(), context: {} });
  const query = pool.query;
  pool.query = async (config) => {
    const found = await query(config);
    if (!/^staged\/.*\/1$/.test(config.values?.[0])) return found;
    throw Object.assign(new Error('the disk is full'), { code: '53100' });
  };
  await assert.rejects(manager.save({ ...largeState(), id: 'b' }), /the disk is full/);
  assert.deepEqual(await staged(), []);
  pool.query = (config) => {
    if (!config.text.includes('$10')) return query(config);
    return Promise.reject(Object.assign(new Error('another content'), { code: 'MP003' }));
  };
  await manager.save({ ...largeState(), id: 'c' });
  assert.deepEqual(await staged(), []);
  pool.query = query;
  assert.equal((await manager.restore('task')).checkpoint.context.note, LARGE);
});

test('a part that becomes shorter while it is read in chunks is read no further', async (t) => {
  const { pool } = watched(t);
  const project = newProject();
  const hosts = [0, 1].map(() => postgresHost({ project, pool }));
  for (const host of hosts) t.after(() => host.close());
  const [manager, reader] = hosts.map(largeManager);
  await manager.save(largeState());
  const query = pool.query;
  let shorter = 0;
  pool.query = async (config) => {
    const found = await query(config);
    if (!config.text.includes('octet_length') || !(config.values[1] > 1)) return found;
    shorter += 1;
    return { ...found, rows: [['', '1']] };
  };
  const restored = await reader.restore('task').catch(() => null);
  pool.query = query;
  assert.ok(shorter > 0);
  assert.notEqual(restored?.checkpoint?.context.note, LARGE);
});

test('a process that assumes its own commit does not overwrite that of another one', async (t) => {
  const project = newProject();
  const [one, other] = [0, 1].map(() => openPostgresStore({ project, pool: watched(t).pool }));
  for (let n = 0; n < 20; n += 1) {
    await one.updatePhase('design', `one-${n}`, {});
    await other.updatePhase('design', `other-${n}`, {});
  }
  const { revision, phases } = await one.load('design');
  assert.deepEqual([revision, Object.keys(phases).length], [40, 40]);
});

test('revisions are pruned where a process knows the newest one alone', async (t) => {
  const history = { revisions: 20 };
  const store = openPostgresStore({ project: newProject(), pool: watched(t).pool, history });
  for (let n = 0; n < 100; n += 1) await store.updatePhase('design', 'a', { context_summary: `${n}` });
  const kept = (await store.log('design')).length;
  // Every 16th commit prunes.
  assert.ok(kept >= 20 && kept <= 20 + 16, `${kept} are kept`);
});

test('a connection that forgets what it has prepared goes on with updates', async (t) => {
  const { pool, statements } = watched(t);
  const store = openPostgresStore({ project: newProject(), pool });
  for (let n = 0; n < 5; n += 1) {
    await store.updatePhase('design', 'a', { context_summary: `${n}` });
    await pool.query({ text: 'DISCARD ALL' });
  }
  assert.equal((await store.load('design')).revision, 5);
  const named = statements.filter(({ name }) => name !== undefined);
  // The first, and the one that was refused.
  assert.equal(named.length, 2);
});

test('a part of a task that this process wrote is not read again', async (t) => {
  const { pool, statements } = watched(t);
  const postgres = postgresHost({ project: newProject(), pool });
  t.after(() => postgres.close());
  const manager = createCheckpointManager({ storage: { postgres } });
  const state = (id) => ({
    ...{ id, taskId: 'task', agentId: 'agent', stepIndex: 0, totalSteps: 2, context: { note: 'x'.repeat(1000) } },
    ...{ completedSteps: [], pendingSteps: ['s1'], createdAt: '2026-01-29T10:30:00.000Z' },
  });
  for (const id of ['a', 'b', 'c']) await manager.save(state(id));
  statements.length = 0;
  assert.equal((await manager.restore('task')).checkpoint.id, 'c');
  const parts = statements.filter(({ values }) => values.some((value) => String(value).includes('/parts/')));
  assert.deepEqual(parts, []);
});
