// Databases as each released version left them, opened by this one: read, changed, and brought back. `upgrade/VERSION.sql`
// has the schema with what it holds; `upgrade/make.mjs` writes it.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openPostgresStore, postgresHost } from 'milepost/postgres';
import { createCheckpointManager } from 'milepost/tasks';
import { openThreads } from '../node/upgrade/state.mjs';
import { pg, serverFor } from './server.mjs';

const server = serverFor(test);
const folder = path.join(import.meta.dirname, 'upgrade');
const versions = fs.readdirSync(folder).filter((name) => name.endsWith('.sql'));
let databases = 0;

/** A database as a version left it. Returns the options to connect. */
async function database(name) {
  databases += 1;
  const connection = { ...server.connection, database: `upgrade_${databases}` };
  await server.run(`CREATE DATABASE ${connection.database}`);
  await run(connection, fs.readFileSync(path.join(folder, name), 'utf8'));
  return connection;
}

/** Runs statements in it. */
async function run(connection, text) {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function hostFor(t, connection) {
  const postgres = postgresHost({ project: 'shop', connection });
  t.after(() => postgres.close());
  return postgres;
}

test('there is a fixture', () => assert.ok(versions.length > 0));

for (const version of versions) {
  test(`${version}: runs are read, changed, and go back`, async (t) => {
    const connection = await database(version);
    const store = openPostgresStore({ project: 'shop', connection });
    t.after(() => store.close());
    const { phases, revision } = await store.load('implement');
    assert.deepEqual([revision, phases.parser.context_summary], [3, 'Parser done, 41 tests.']);
    await store.updatePhase('implement', 'printer', { status: 'complete', context_summary: 'Printer done.' });
    assert.equal((await store.load('implement')).phases.printer.status, 'complete');
    await store.undo('implement');
    const after = await store.load('implement');
    assert.deepEqual([after.phases.printer.status, after.phases.printer.files_created], ['in_progress', ['printer.js']]);
    assert.equal(after.revision, 5);
  });

  test(`${version}: tasks are restored, saved and deleted`, async (t) => {
    const manager = createCheckpointManager({ storage: { postgres: hostFor(t, await database(version)) } });
    const { checkpoint } = await manager.restore('Fix: the login');
    assert.deepEqual([checkpoint.id, checkpoint.context], ['cp-2', { branch: 'fix-login' }]);
    await manager.save({ ...checkpoint, id: 'cp-3', stepIndex: 3 });
    assert.deepEqual((await manager.list('Fix: the login')).map(({ id }) => id), ['cp-1', 'cp-2', 'cp-3']);
    assert.equal(await manager.delete('cp-3'), true);
    assert.equal((await manager.restore('Fix: the login')).checkpoint.id, 'cp-2');
  });

  test(`${version}: threads are read and carried on`, async (t) => {
    const { put, load } = openThreads({ postgres: hostFor(t, await database(version)) });
    assert.equal((await load('chat 1')).id, 'c3');
    await put('chat 1', 'c4');
    assert.equal((await load('chat 1')).id, 'c4');
  });

  test(`${version}: a database of a later form is refused, and stays as it is`, async (t) => {
    const connection = await database(version);
    await run(connection, 'INSERT INTO milepost.migrations (version) VALUES (99)');
    const all = 'SELECT key, bytes FROM milepost.records ORDER BY key';
    const before = await run(connection, all);
    const store = openPostgresStore({ project: 'shop', connection });
    t.after(() => store.close());
    const later = { code: 'unsupported_version' };
    await assert.rejects(store.load('implement'), later);
    await assert.rejects(store.updatePhase('implement', 'docs', { status: 'complete' }), later);
    const manager = createCheckpointManager({ storage: { postgres: hostFor(t, connection) } });
    await assert.rejects(manager.restore('Fix: the login'), later);
    const { put } = openThreads({ postgres: hostFor(t, connection) });
    await assert.rejects(put('chat 1', 'c4'), later);
    assert.deepEqual(await run(connection, all), before);
  });
}
