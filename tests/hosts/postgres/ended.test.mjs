// Connections that end between two statements: the operation goes on with another one, and no `error` event ends the
// process, regardless of the path, the isolation and the owner of the pool.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openPostgresStore, postgresHost } from 'milepost/postgres';
import { createCheckpointManager } from 'milepost/tasks';
import { IS_FULL_RANGE } from '../environment.mjs';
import { newProject, pg, serverFor } from './server.mjs';

const server = serverFor(test);

const LEVELS = ['read committed', 'repeatable read', 'serializable'];
const OWNERS = ['this package', 'the caller'];

/** Every isolation with every pool; what decides a change has every one of both. */
const CASES = LEVELS.flatMap((level, at) =>
  OWNERS.filter((_, owner) => IS_FULL_RANGE || owner === at % 2).map((owner) => ({ level, owner })),
);

/** An event. (`once` of `node:events` would be a listener for errors too.) */
const happened = (emitter, event) => new Promise((resolve) => emitter.once(event, resolve));

/**
 * Connections whose backend is ended behind statements that a plan chooses, before anything else happens.
 *
 * @param {(statement: string) => boolean} isChosen
 */
function endingClient(isChosen) {
  const made = [];
  const Client = class extends pg.Client {
    /** The caller's pools of such connections. */
    static pools = [];

    constructor(options) {
      super(options);
      made.push(this);
    }

    query(config, values, done) {
      const ended = async () => {
        if (!isChosen(config.text)) return;
        const end = happened(this, 'end');
        await server.run('SELECT pg_terminate_backend($1)', [this.processID]);
        await end;
      };
      if (done === undefined) return super.query(config).finally(ended);
      return super.query(config, values, (...answer) => ended().then(() => done(...answer)));
    }
  };
  return { Client, made };
}

/** The options of a store on connections of a class, in a pool of this package or of a caller who does not listen. */
function where(t, { level, owner }, Client) {
  const options = `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`;
  const connection = { ...server.connection, Client, options, max: 2 };
  if (owner === 'this package') return { connection };
  const pool = new pg.Pool(connection);
  Client.pools.push(pool);
  t.after(() => pool.ending || pool.end());
  return { pool };
}

let schemas = 0;

/**
 * Does something again and again, where the backend is ended behind the first statement, the second, and so on, until it
 * is done before that.
 *
 * @param {(Client: object, at: number) => Promise<void>} act with connections of that class
 */
async function endedBehindEach(act) {
  let isReached = true;
  for (let at = 1; isReached; at += 1) {
    let count = 0;
    isReached = false;
    const { Client, made } = endingClient(() => {
      count += 1;
      if (count !== at) return false;
      isReached = true;
      return true;
    });
    await act(Client, at);
    // A store that is closed may still be at work in a pool of the caller, on what no operation waits for, and has a
    // connection opened for it: nothing listens to that until it is open, because `pg` gives its errors to who opens it.
    // A pool that has ended has nothing in between.
    for (const pool of Client.pools) {
      assert.equal(pool.listenerCount('error'), 0);
      await pool.end();
    }
    // That of the pool, which listens to connections that it has back: none is left behind by an operation.
    for (const client of made) assert.equal(client.listenerCount('error'), 1);
    assert.ok(at > 1 || isReached, 'no backend was ended');
  }
}

for (const { level, owner } of CASES) {
  const name = `with a pool of ${owner}, in ${level}`;

  test(`the first operation on a new schema survives the end of its connection behind any statement, ${name}`, async (t) => {
    await endedBehindEach(async (Client, at) => {
      schemas += 1;
      const schema = `ended_${schemas}`;
      const store = openPostgresStore({ project: 'a', schema, ...where(t, { level, owner }, Client) });
      assert.equal((await store.updatePhase('design', 'a', {})).revision, 1, `behind statement ${at}`);
      await store.close();
    });
  });

  test(`an update survives the end of its connection behind any statement, and is made once, ${name}`, async (t) => {
    const schema = `updated_${level.replace(' ', '_')}_${OWNERS.indexOf(owner)}`;
    const project = newProject();
    let updates = 0;
    await endedBehindEach(async (Client) => {
      const store = openPostgresStore({ project, schema, ...where(t, { level, owner }, Client) });
      for (let count = 0; count < 2; count += 1) {
        updates += 1;
        assert.equal((await store.updatePhase('design', `p${updates}`, {})).revision, updates);
      }
      await store.close();
    });
    const store = openPostgresStore({ project, schema, connection: server.connection });
    assert.equal(Object.keys((await store.load('design')).phases).length, updates);
    await store.close();
  });
}

test('a task checkpoint survives the end of its connection behind any statement', async (t) => {
  const project = newProject();
  await endedBehindEach(async (Client, at) => {
    const postgres = postgresHost({ project, ...where(t, { level: 'serializable', owner: 'the caller' }, Client) });
    const manager = createCheckpointManager({ storage: { postgres } });
    const id = `checkpoint-${at}`;
    await manager.save({
      ...{ id, taskId: 'task', agentId: 'agent', stepIndex: 0, totalSteps: 1, context: {}, completedSteps: [] },
      ...{ pendingSteps: ['one'], createdAt: '2026-01-29T10:30:00.000Z' },
    });
    assert.equal((await manager.restore('task')).checkpoint.id, id);
    await postgres.close();
  });
});

test('an error right behind the opening of a connection ends no process', async () => {
  const pool = new pg.Pool(server.connection);
  const { connect } = pool;
  let count = 0;
  pool.connect = (taken) =>
    connect.call(pool, (error, client, release) => {
      taken(error, client, release);
      count += 1;
      // The first is for a statement alone, the second for the transaction that makes the schema.
      if (count === 2) client.emit('error', new Error('Connection terminated unexpectedly'));
    });
  const store = openPostgresStore({ project: 'a', schema: 'behind', pool });
  assert.equal((await store.updatePhase('design', 'a', {})).revision, 1);
  assert.ok(count > 2);
  await store.close();
  await pool.end();
});

test('a pool of the caller that knows promises alone is one', async () => {
  const pool = new pg.Pool({ ...server.connection, options: '-c default_transaction_isolation=serializable' });
  const wrapped = { query: (statement) => pool.query(statement), connect: () => pool.connect() };
  const store = openPostgresStore({ project: 'a', schema: 'promises', pool: wrapped });
  assert.equal((await store.updatePhase('design', 'a', {})).revision, 1);
  await store.close();
  assert.deepEqual([pool.totalCount > 0, pool.idleCount], [true, pool.totalCount]);
  await pool.end();
});

test('an idle connection of a pool of the caller ends, and the next operation opens another one', async (t) => {
  const pool = new pg.Pool({ ...server.connection, application_name: 'theirs', max: 2 });
  const stores = [newProject(), newProject()].map((project) => openPostgresStore({ project, pool }));
  for (let round = 1; round <= 3; round += 1) {
    for (const store of stores) assert.equal((await store.updatePhase('design', 'a', { task_id: `${round}` })).revision, round);
    const removed = happened(pool, 'remove');
    await server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'theirs'");
    await removed;
    // One for all stores on a pool.
    assert.equal(pool.listenerCount('error'), 1);
  }
  await Promise.all(stores.map((store) => store.close()));
  assert.equal(pool.listenerCount('error'), 0);
  await pool.end();
});

test('an operation whose every connection ends is io, in the words of the database', async (t) => {
  const project = newProject();
  let isOn = false;
  const { Client } = endingClient((text) => isOn && text.startsWith('BEGIN'));
  const store = openPostgresStore({ project, ...where(t, { level: 'serializable', owner: 'the caller' }, Client) });
  await store.updatePhase('design', 'a', {});
  isOn = true;
  const message = /terminating connection due to administrator command \(57P01\)/;
  await assert.rejects(store.updatePhase('design', 'b', {}), { name: 'MilepostError', code: 'io', message });
  isOn = false;
  await store.updatePhase('design', 'c', {});
  assert.deepEqual(Object.keys((await store.load('design')).phases), ['a', 'c']);
  await store.close();
});
