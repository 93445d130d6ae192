// Many writers on one checkpoint, and a server that fails them: nothing acknowledged is lost, and nothing
// is applied twice.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openPostgresStore } from 'milepost/postgres';
import { newProject, serverFor } from './server.mjs';

const server = serverFor(test);

const WRITERS = 8;

/** Stores with one connection each, of one project. */
function writers(t, count = WRITERS) {
  const project = newProject();
  return Array.from({ length: count }, () => {
    const store = openPostgresStore({
      project,
      connection: { ...server.connection, max: 1 },
      history: { revisions: 1000 },
    });
    t.after(() => store.close());
    return store;
  });
}


test('of 8 connections with 500 updates each, one is lost', async (t) => {
  const stores = writers(t);
  const each = 500;
  let acknowledged = 0;
  await Promise.all(
    stores.map(async (store, at) => {
      for (let n = 0; n < each; n += 1) {
        const revision = await counted(store, `w${at}`, n + 1);
        assert.ok(revision > 0);
        acknowledged += 1;
      }
    }),
  );
  assert.equal(acknowledged, WRITERS * each);
  const { phases, revision } = await stores[0].load('design');
  assert.equal(revision, WRITERS * each);
  for (const at of stores.keys()) assert.equal(phases[`w${at}`].task_id, String(each));
});

/** One update, again while others hold it up. */
async function counted(store, phase, n) {
  for (;;) {
    try {
      const { revision } = await store.updatePhase('design', phase, { task_id: String(n) });
      return revision;
    } catch (error) {
      if (error.code !== 'busy') throw error;
    }
  }
}

test('a backend that is killed in a commit loses an update, or makes it twice', async (t) => {
  const stores = writers(t, 4);
  let isOver = false;
  let kills = 0;
  const killer = (async () => {
    while (!isOver) {
      const killed = await server.run(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE application_name = 'milepost' AND query LIKE '%swap(%' ORDER BY random() LIMIT 1`,
      );
      kills += killed.length;
    }
  })();
  const each = 60;
  const unknown = await worked(stores, each);
  isOver = true;
  await killer;
  // How many meet a commit, the machine says: some fifty of 240 on two cores.
  assert.ok(kills > 10, `only ${kills} kills`);
  await checkNothingIsLost(stores[0], stores.length, each, unknown);
});

test('a server that restarts loses an update, or makes it twice', async (t) => {
  const stores = writers(t, 4);
  let isOver = false;
  const restarts = (async () => {
    let count = 0;
    for (; count < 10 && !isOver; count += 1) await server.restart();
    return count;
  })();
  const each = 100;
  const unknown = await worked(stores, each);
  isOver = true;
  assert.ok((await restarts) > 3);
  await checkNothingIsLost(stores[0], stores.length, each, unknown);
});

/** Every writer makes its updates, each with a phase of its own; returns of which nobody knows. */
async function worked(stores, each) {
  const unknown = new Set();
  await Promise.all(
    stores.map(async (store, at) => {
      for (let n = 0; n < each; n += 1) {
        const phase = `w${at}-${n}`;
        let isKnown = false;
        while (!isKnown) {
          try {
            await store.updatePhase('design', phase, {});
            isKnown = true;
          } catch (error) {
            assert.ok(['io', 'busy'].includes(error.code), error.stack);
            if (error.written === 'no') continue;
            unknown.add(phase);
            break;
          }
        }
      }
    }),
  );
  return unknown;
}

async function checkNothingIsLost(store, writers, each, unknown) {
  const { phases, revision } = await store.load('design');
  const there = new Set(Object.keys(phases));
  for (let at = 0; at < writers; at += 1) {
    for (let n = 0; n < each; n += 1) {
      const phase = `w${at}-${n}`;
      assert.ok(there.has(phase) || unknown.has(phase), `${phase} is lost`);
    }
  }
  // Each update is one revision, so that a second time would show.
  const least = writers * each - unknown.size;
  assert.ok(revision >= least && revision <= writers * each, `${revision} revisions, ${unknown.size} unknown`);
  const [{ count }] = await server.run(
    'SELECT count(*)::int AS count FROM milepost.records WHERE bytes IS NULL OR length(bytes) = 0',
  );
  assert.equal(count, 0);
}
