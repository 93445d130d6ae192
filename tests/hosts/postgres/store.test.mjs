// The store in a database: that it is the store, that what others may send does no harm, and following.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MilepostError } from 'milepost';
import { openPostgresStore, postgresHost } from 'milepost/postgres';
import { newProject, serverFor } from './server.mjs';

const server = serverFor(test);

/** The connections of an application that listen. */
const LISTENING = "FROM pg_stat_activity WHERE application_name = $1 AND query LIKE 'LISTEN%' AND state = 'idle'";

function open(t, options = {}) {
  const where = options.pool ? {} : { connection: server.connection };
  const store = openPostgresStore({ project: newProject(), ...where, ...options });
  t.after(() => store.close());
  return store;
}

test('what is saved in a database is what is loaded', async (t) => {
  const store = open(t);
  assert.equal(await store.load('design'), null);
  assert.equal(await store.latest(), null);
  const text = '{"phases":{},"note":"\\u0000 1e400","number":12345678901234567890}';
  await store.saveText('design', text, 'a');
  const loaded = await store.loadText('design', 'a');
  assert.match(loaded, /"note": "\\u0000 1e400"/);
  assert.match(loaded, /"number": 12345678901234567890/);
  await store.updatePhase('design', 'one', { status: 'complete', context_summary: 'did one' }, 'a');
  assert.deepEqual((await store.list()).map(({ command, feature }) => [command, feature]), [['design', 'a']]);
  assert.equal((await store.resumePoint('design', 'a')).summary, 'did one');
  assert.equal((await store.log('design', 'a')).length, 2);
  await store.undo('design', 'a');
  assert.equal((await store.load('design', 'a')).phases.one, undefined);
  await store.rename('design', 'a', { to: 'b' });
  assert.equal(await store.load('design', 'a'), null);
  await store.remove('design', 'b');
  assert.equal(await store.load('design', 'b'), null);
  await store.recover('design', 'b');
  assert.notEqual(await store.load('design', 'b'), null);
});

test('a document of 16 MiB fits, and a larger one is refused', async (t) => {
  const store = open(t);
  const note = 'x'.repeat(16 * 1024 ** 2 - 4096);
  await store.save('design', { note });
  assert.equal((await store.load('design')).note.length, note.length);
  await assert.rejects(store.save('design', { note: note + note }), { code: 'too_large', written: 'no' });
});

test('projects and schemas do not see what others hold', async (t) => {
  const [one, other] = [open(t), open(t)];
  const project = newProject();
  const [here, there] = ['here', 'there "; DROP SCHEMA milepost; --'].map((schema) => open(t, { project, schema }));
  for (const store of [one, here]) await store.updatePhase('design', 'a', {});
  for (const store of [other, there]) assert.equal(await store.load('design'), null);
});

const HOSTILE = [
  ...["'; DROP TABLE milepost.records; --", '..', '.', '/', 'a/b', '%', '_', '$1', '"', '\\', 'ü\u{1F600}'],
  ...['x'.repeat(300), '\n', ' ', 'a\ud800', '__proto__'],
];

test('a project with a hostile name has its own runs', async (t) => {
  const stores = HOSTILE.map((project) => open(t, { project }));
  await Promise.all(stores.map((store, at) => store.updatePhase('design', `phase ${at}`, {})));
  for (const [at, store] of stores.entries()) {
    assert.deepEqual(Object.keys((await store.load('design')).phases), [`phase ${at}`], HOSTILE[at]);
  }
  assert.equal(await open(t).load('design'), null);
});

test('a hostile name of a run is refused as with files', async (t) => {
  const store = open(t);
  for (const name of ["a'b", '../x', 'a/b', 'a\0b', 'CON', '', 'x'.repeat(300), 'a%', "'; --"]) {
    await assert.rejects(store.updatePhase('design', 'a', {}, name), { code: 'invalid_name', written: 'no' }, name);
  }
  assert.deepEqual(await store.list(), []);
});

test('a wrong option is refused immediately', () => {
  const { connection } = server;
  const wrong = [
    [undefined, /`project`/],
    [{ connection }, /`project`/],
    [{ project: '', connection }, /`project`/],
    [{ project: 'a', schema: '' }, /`schema`/],
    [{ project: 'a', schema: 'pg_own' }, /`schema`/],
    [{ project: 'a', schema: 'x'.repeat(64) }, /`schema`/],
    [{ project: 'a', connection: 5 }, /`connection`/],
    [{ project: 'a', connection, pool: server.pool() }, /`connection`/],
    [{ project: 'a', pool: {} }, /`pool`/],
    [{ project: 'a', shcema: 'a' }, /shcema/],
  ];
  for (const [options, message] of wrong) {
    for (const opens of [openPostgresStore, postgresHost]) {
      assert.throws(() => opens(options), { name: 'MilepostError', code: 'usage', message });
    }
  }
});

test('a pool of the user outlives the store', async () => {
  const pool = server.pool({ max: 1 });
  const store = openPostgresStore({ project: newProject(), pool });
  await store.updatePhase('design', 'a', {});
  await store.close();
  assert.equal((await pool.query('SELECT 1 AS one')).rows[0].one, 1);
  await pool.end();
});

test('a setting of a pool does not change what is read', async (t) => {
  const project = newProject();
  await open(t, { project }).updatePhase('design', 'a', { context_summary: 'ü\\' });
  const settings = ['bytea_output=escape', 'synchronous_commit=off', 'standard_conforming_strings=off'];
  for (const setting of settings) {
    const pool = server.pool({ options: `-c ${setting}` });
    const store = open(t, { project, pool });
    assert.equal((await store.load('design')).phases.a.context_summary, 'ü\\', setting);
    await store.updatePhase('design', 'b', { context_summary: setting });
    await pool.end();
  }
});

test('a database that is not there is a MilepostError without waiting', async () => {
  for (const connection of ['postgres://milepost@127.0.0.1:1/postgres', { ...server.connection, database: 'none' }]) {
    const store = openPostgresStore({ project: 'a', connection });
    await assert.rejects(store.load('design'), (error) => {
      assert.ok(error instanceof MilepostError);
      assert.equal(error.code, 'io');
      assert.equal(error.written, 'no');
      assert.match(error.message, /^The database cannot be used: .*(ECONNREFUSED|3D000)/);
      return true;
    });
    await store.close();
  }
});

test('a follower sees each state that stays, once', async (t) => {
  const project = newProject();
  const [store, other] = [open(t, { project }), open(t, { project })];
  const seen = [];
  const states = store.follow('design', null, { interval: 600_000 });
  for await (const state of states) {
    seen.push(state && Object.keys(state.phases).length);
    if (seen.length === 4) break;
    await other.updatePhase('design', `phase ${seen.length}`, {});
    await other.updatePhase('ship', 'a', {});
  }
  assert.deepEqual(seen, [null, 1, 2, 3]);
  assert.deepEqual(await states.next(), { value: undefined, done: true });
});

test('a follower that waits can be ended', async (t) => {
  const store = open(t);
  const states = store.follow('design', null, { interval: 600_000 });
  assert.equal((await states.next()).value, null);
  const waiting = states.next();
  await states.return();
  assert.deepEqual(await waiting, { value: undefined, done: true });

  const ending = new AbortController();
  const others = store.follow('design', null, { interval: 600_000, signal: ending.signal });
  await others.next();
  const next = others.next();
  ending.abort();
  assert.deepEqual(await next, { value: undefined, done: true });
  assert.throws(() => store.follow('design', null, { interval: -1 }), { code: 'usage' });
});

test('a follower that ends immediately leaves those after it their notices', { timeout: 120_000 }, async (t) => {
  const project = newProject();
  const [store, other] = [open(t, { project }), open(t, { project })];
  await store.load('design');
  for (let more = 20; more > 0; more -= 1) {
    for await (const state of store.follow('design', null, { interval: 600_000 })) {
      assert.equal(state, null);
      break;
    }
  }
  const states = store.follow('design', null, { interval: 600_000 });
  await states.next();
  await other.updatePhase('design', 'a', {});
  assert.equal((await states.next()).value.revision, 1);
  await states.return();
});

test('a follower whose notices are lost looks by itself', async (t) => {
  const project = newProject();
  const store = open(t, { project });
  const states = store.follow('design', null, { interval: 20 });
  assert.equal((await states.next()).value, null);
  const next = states.next();
  // A change past the store gives no notice.
  const other = openPostgresStore({ project: `${project}-other`, connection: server.connection });
  await other.updatePhase('design', 'a', {});
  await other.close();
  await server.run('UPDATE milepost.records SET key = replace(key, $1, $2) WHERE key LIKE $3', [
    `${project}-other`,
    project,
    `/${project}-other/%`,
  ]);
  assert.equal((await next).value.revision, 1);
  await states.return();
});

test('a follower whose connection is killed goes on', async (t) => {
  const project = newProject();
  // Those of other tests may not be gone yet.
  const connection = { ...server.connection, application_name: project };
  const [store, other] = [open(t, { project, connection }), open(t, { project })];
  const states = store.follow('design', null, { interval: 600_000 });
  await states.next();
  for (let n = 1; n <= 5; n += 1) {
    await heard(project);
    // With a time given, it returns once the connection is gone: none that dies is taken for a living one.
    const killed = await server.run(`SELECT pg_terminate_backend(pid, 60000) AS gone ${LISTENING}`, [project]);
    assert.ok(killed.length > 0 && killed.every(({ gone }) => gone));
    await other.updatePhase('design', `phase ${n}`, {});
    // A follower that listens again looks as well: notices in between are lost.
    let revision = 0;
    while (revision < n) revision = (await states.next()).value.revision;
  }
  await states.return();
});

/** Until a follower listens: a first state comes before the listening has begun. */
async function heard(application) {
  for (;;) {
    const [{ count }] = await server.run(`SELECT count(*)::int AS count ${LISTENING}`, [application]);
    if (count > 0) return;
  }
}
