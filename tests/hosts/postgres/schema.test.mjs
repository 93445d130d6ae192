// Making the schema and bringing it up to date, and databases that do not let one.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { openPostgresStore } from 'milepost/postgres';
import { IS_FULL_RANGE } from '../environment.mjs';
import { newProject, patiently, serverFor } from './server.mjs';

const server = serverFor(test);

/** The arguments of a swap that has whole contents, and of one that has the difference. */
const SWAP = 'uuid, text, bytea, bytea, text, text[], boolean[], bytea[]';
const CHANGE = 'uuid, text, bytea, text, text[], boolean[], bytea[], text[], integer[], bytea';

let schemas = 0;

function newSchema() {
  schemas += 1;
  return `schema_${schemas}`;
}

function open(t, options) {
  const store = openPostgresStore({ project: 'a', connection: server.connection, ...options });
  t.after(() => store.close());
  return store;
}

test('many clients make the schema together, and none fails', async (t) => {
  for (let round = 0; round < (IS_FULL_RANGE ? 10 : 2); round += 1) {
    const schema = newSchema();
    const stores = Array.from({ length: 6 }, () => open(t, { schema }));
    await Promise.all(
      stores.map((store, at) => patiently(() => store.updatePhase('design', `phase ${at}`, {}))),
    );
    assert.equal((await stores[0].load('design')).revision, 6);
    const versions = await server.run(`SELECT version FROM ${schema}.migrations ORDER BY version`);
    assert.deepEqual(versions.map(({ version }) => version), [1, 2, 3]);
    await Promise.all(stores.map((store) => store.close()));
  }
});

test('a schema of an older version is brought up to date, and keeps what it holds', async (t) => {
  const schema = newSchema();
  const store = open(t, { schema });
  await store.updatePhase('design', 'a', {});
  await server.run(`DROP FUNCTION ${schema}.swap(${SWAP}); DROP FUNCTION ${schema}.swap(${CHANGE})`);
  await server.run(`DROP FUNCTION ${schema}.names`);
  await server.run(`DELETE FROM ${schema}.migrations WHERE version > 1`);
  const others = Array.from({ length: 4 }, () => open(t, { schema }));
  await Promise.all(
    others.map((other) => patiently(() => other.updatePhase('design', 'b', { status: 'complete' }))),
  );
  assert.deepEqual(Object.keys((await store.load('design')).phases), ['a', 'b']);
});

test('a schema of a newer version is refused', async (t) => {
  const schema = newSchema();
  await open(t, { schema }).updatePhase('design', 'a', {});
  await server.run(`INSERT INTO ${schema}.migrations (version) VALUES (99)`);
  const store = open(t, { schema });
  for (const refused of [() => store.load('design'), () => store.updatePhase('design', 'b', {})]) {
    await assert.rejects(refused, {
      name: 'MilepostError',
      code: 'unsupported_version',
      written: 'no',
      message: new RegExp(`"${schema}" of the database is of version 99`),
    });
  }
  const [{ count }] = await server.run(`SELECT count(*)::int AS count FROM ${schema}.operations`);
  assert.equal(count, 1);
});

test('a schema that could not be made is made later', async (t) => {
  const schema = newSchema();
  await server.run('CREATE ROLE poor LOGIN');
  const connection = { ...server.connection, user: 'poor' };
  const store = open(t, { schema, connection });
  await assert.rejects(store.load('design'), { code: 'io', written: 'no', message: /permission denied.*42501/ });
  await open(t, { schema }).updatePhase('design', 'a', {});
  await assert.rejects(store.load('design'), { code: 'io', message: /permission denied/ });
  await server.run(`GRANT USAGE ON SCHEMA ${schema} TO poor; GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO poor`);
  assert.equal((await store.load('design')).revision, 1);
  await assert.rejects(store.updatePhase('design', 'b', {}), {
    code: 'io',
    written: 'no',
    message: /permission denied/,
  });
  assert.equal((await store.load('design')).revision, 1);
});

test('a schema that is there is used by a role that may make no schema', async (t) => {
  const schema = newSchema();
  await server.run(`CREATE ROLE app LOGIN; CREATE SCHEMA ${schema} AUTHORIZATION app`);
  const store = open(t, { schema, connection: { ...server.connection, user: 'app' } });
  assert.equal(await store.load('design'), null);
  assert.equal((await store.updatePhase('design', 'a', {})).revision, 1);
  const [{ owner }] = await server.run(`SELECT tableowner AS owner FROM pg_tables WHERE schemaname = '${schema}' LIMIT 1`);
  assert.equal(owner, 'app');
});

test('a role is given the name of the right that it lacks', async (t) => {
  const schema = newSchema();
  await server.run('CREATE ROLE weak LOGIN');
  const refused = async (message) => {
    const store = open(t, { schema, connection: { ...server.connection, user: 'weak' } });
    await assert.rejects(store.updatePhase('design', 'a', {}), { code: 'io', written: 'no', message });
  };
  await refused(new RegExp(`the role needs CREATE on the database, or a schema "${schema}" that is there, .*42501`));
  await server.run(`CREATE SCHEMA ${schema}`);
  await refused(new RegExp(`the role needs USAGE on the schema "${schema}" and SELECT on its tables`));
  await server.run(`GRANT USAGE ON SCHEMA ${schema} TO weak`);
  await refused(new RegExp(`the role needs USAGE and CREATE on the schema "${schema}" to make its tables`));
  await open(t, { schema }).updatePhase('design', 'b', {});
  await refused(/permission denied for table migrations: the role needs .* SELECT on its tables/);
  await server.run(`GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO weak`);
  await refused(/permission denied for table (records|operations): the role needs .* to write INSERT, UPDATE and DELETE/);
  await server.run(`GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO weak`);
  const store = open(t, { schema, connection: { ...server.connection, user: 'weak' } });
  assert.equal((await store.updatePhase('design', 'a', {})).revision, 2);
});

test('a database that is read only can be read, and has nothing half done', async (t) => {
  const schema = newSchema();
  const project = newProject();
  await open(t, { schema, project }).updatePhase('design', 'a', {});
  const pool = server.pool({ options: '-c default_transaction_read_only=on' });
  t.after(() => pool.end());
  const store = openPostgresStore({ project, schema, pool });
  t.after(() => store.close());
  assert.equal((await store.load('design')).revision, 1);
  await assert.rejects(store.updatePhase('design', 'b', {}), {
    code: 'io',
    written: 'no',
    message: /read-only transaction \(25006\)/,
  });
  assert.equal((await store.load('design')).revision, 1);

  const missing = openPostgresStore({ project, schema: newSchema(), pool });
  await assert.rejects(missing.load('design'), { code: 'io', written: 'no', message: /read-only/ });
  await missing.close();
});

test('a pool whose transactions are serializable loses no update', async (t) => {
  const schema = newSchema();
  for (const level of ['repeatable read', 'serializable']) {
    const project = newProject();
    const pools = Array.from({ length: 4 }, () =>
      server.pool({ max: 2, options: `-c default_transaction_isolation=${level.replace(' ', '\\ ')}` }),
    );
    const stores = pools.map((pool) => openPostgresStore({ project, schema, pool }));
    t.after(async () => {
      await Promise.all(stores.map((store) => store.close()));
      await Promise.all(pools.map((pool) => pool.end()));
    });
    await Promise.all(
      stores.map(async (store, at) => {
        for (let n = 0; n < 25; n += 1) {
          await patiently(() => store.updatePhase('design', `w${at}-${n}`, {}));
        }
      }),
    );
    const { phases, revision } = await stores[0].load('design');
    assert.deepEqual([Object.keys(phases).length, revision], [100, 100], level);
  }
});

test('a commit is acknowledged once it is on the disk', async (t) => {
  const schema = newSchema();
  const pool = server.pool({ options: '-c synchronous_commit=off' });
  t.after(() => pool.end());
  const store = openPostgresStore({ project: 'a', schema, pool });
  await store.updatePhase('design', 'a', {});
  // The function says so of its transaction; asked in one, it can be seen.
  const client = await pool.connect();
  await client.query('BEGIN');
  const { rows: [before] } = await client.query('SHOW synchronous_commit');
  await client.query(`SELECT ${schema}.swap(gen_random_uuid(), 'k', NULL, 'x', NULL, '{}', '{}', '{}')`);
  const { rows: [after] } = await client.query('SHOW synchronous_commit');
  await client.query('ROLLBACK');
  client.release();
  assert.deepEqual([before.synchronous_commit, after.synchronous_commit], ['off', 'on']);
  await store.close();
});

test('a difference that is retried is applied once, and one that does not hold is refused', async (t) => {
  const schema = newSchema();
  await open(t, { schema }).load('design');
  const digest = (text) => createHash('sha256').update(text).digest();
  const change = (id, expected, next, pieces, fresh) =>
    server.run(`SELECT ${schema}.swap($1::uuid, 'k', $2, NULL, $3, $4, $5, $6, $7, $8) AS done`, [
      ...[id, digest(expected), ['k/new', 'k/old'], [true, false], [digest(next), digest('cab'), null]],
      ...[['k/old'], pieces, Buffer.from(fresh)],
    ]);
  await server.run(`INSERT INTO ${schema}.records VALUES ('k', 'abc'), ('k/old', 'def')`);
  const rows = () => server.run(`SELECT key, convert_from(bytes, 'UTF8') AS text FROM ${schema}.records ORDER BY key`);
  const [one, two] = ['1', '2'].map((digit) => `00000000-0000-0000-0000-00000000000${digit}`);
  // The source is `abcdef`: its end with `xy`, then its beginning; and `c` with `ab`.
  const pieces = [...[0, 3, 3, 2], ...[0, 0, 1, 0], ...[1, 2, 1, 2]];
  await assert.rejects(change(one, 'abc', 'defxyb', pieces, 'xyab'), { code: 'MP003' });
  assert.deepEqual(await rows(), [
    { key: 'k', text: 'abc' },
    { key: 'k/old', text: 'def' },
  ]);
  for (let tries = 0; tries < 3; tries += 1) {
    assert.deepEqual(await change(one, 'abc', 'defxya', pieces, 'xyab'), [{ done: true }]);
  }
  assert.deepEqual(await change(two, 'abc', 'defxya', pieces, 'xyab'), [{ done: false }]);
  assert.deepEqual(await rows(), [
    { key: 'k', text: 'defxya' },
    { key: 'k/new', text: 'cab' },
  ]);
});

test('a statement that is retried is applied once', async (t) => {
  const schema = newSchema();
  await open(t, { schema }).load('design');
  const swap = (id, expected, bytes) =>
    server.run(`SELECT ${schema}.swap($1, 'k', $2, $3, $4, '{}', '{}', '{}') AS done`, [
      id,
      expected && Buffer.from(expected, 'hex'),
      bytes,
      expected ? 'k/kept' : null,
    ]);
  const [one, two, three] = ['1', '2', '3'].map((digit) => `00000000-0000-0000-0000-00000000000${digit}`);
  const digest = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881';
  for (let tries = 0; tries < 3; tries += 1) assert.deepEqual(await swap(one, null, 'x'), [{ done: true }]);
  assert.deepEqual(await swap(two, null, 'y'), [{ done: false }]);
  for (let tries = 0; tries < 3; tries += 1) assert.deepEqual(await swap(three, digest, 'z'), [{ done: true }]);
  // Even after another one followed.
  assert.deepEqual(await swap(one, null, 'x'), [{ done: true }]);
  assert.deepEqual(await swap(two, digest, 'y'), [{ done: false }]);
  const rows = await server.run(`SELECT key, convert_from(bytes, 'UTF8') AS text FROM ${schema}.records ORDER BY key`);
  assert.deepEqual(rows, [
    { key: 'k', text: 'z' },
    { key: 'k/kept', text: 'x' },
  ]);
});
