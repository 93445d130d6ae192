// Many writers on one checkpoint, and a server that fails them: nothing acknowledged is lost, and nothing
// is applied twice.

import assert from 'node:assert/strict';
import test from 'node:test';
import { openPostgresStore } from 'milepost/postgres';
import { IS_FULL_RANGE } from '../environment.mjs';
import { newProject, patiently, serverFor } from './server.mjs';

const server = serverFor(test);

const WRITERS = 8;

/** The work of each of them, and the number of disturbances. */
const { UPDATES, KILLS, RESTARTS } = IS_FULL_RANGE
  ? { UPDATES: 500, KILLS: 50, RESTARTS: 10 }
  : { UPDATES: 25, KILLS: 5, RESTARTS: 1 };

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

test(`of ${WRITERS} connections with ${UPDATES} updates each, none is lost`, async (t) => {
  const stores = writers(t);
  let acknowledged = 0;
  await Promise.all(
    stores.map(async (store, at) => {
      for (let n = 0; n < UPDATES; n += 1) {
        const update = () => store.updatePhase('design', `w${at}`, { task_id: String(n + 1) });
        assert.ok((await patiently(update)).revision > 0);
        acknowledged += 1;
      }
    }),
  );
  assert.equal(acknowledged, WRITERS * UPDATES);
  const { phases, revision } = await stores[0].load('design');
  assert.equal(revision, WRITERS * UPDATES, 'violated: an update is lost, or made twice');
  for (const at of stores.keys()) assert.equal(phases[`w${at}`].task_id, String(UPDATES));
});

test('a backend that is killed in a commit loses no update, and makes none twice', async (t) => {
  const stores = writers(t, 4);
  await disturbed(stores, KILLS, async () => {
    const killed = await server.run(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'milepost' AND query LIKE '%swap(%' ORDER BY random() LIMIT 1`,
    );
    return killed.length;
  });
});

test('a server that restarts loses no update, and makes none twice', async (t) => {
  const stores = writers(t, 4);
  await disturbed(stores, RESTARTS, async () => {
    await server.crash();
    await server.recover();
    return 1;
  });
});

/**
 * Every writer makes updates, each with a phase of its own, until they have been disturbed so often: how many
 * updates that takes, the machine says.
 *
 * @param {() => Promise<number>} disturb how often it did
 */
async function disturbed(stores, often, disturb) {
  let isOver = false;
  const disturbing = (async () => {
    try {
      for (let count = 0; count < often; count += await disturb());
    } finally {
      isOver = true;
    }
  })();
  const [{ made, unknown }] = await Promise.all([worked(stores, () => isOver), disturbing]);
  await checkNothingIsLost(stores[0], made, unknown);
}

/** Returns how many updates each writer has made, and those of which it is unknown whether they were made. */
async function worked(stores, isOver) {
  const unknown = new Set();
  const made = await Promise.all(
    stores.map(async (store, at) => {
      let n = 0;
      for (; !isOver(); n += 1) {
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
      return n;
    }),
  );
  return { made, unknown };
}

async function checkNothingIsLost(store, made, unknown) {
  const { phases, revision } = await store.load('design');
  const there = new Set(Object.keys(phases));
  for (const [at, each] of made.entries()) {
    for (let n = 0; n < each; n += 1) {
      const phase = `w${at}-${n}`;
      assert.ok(there.has(phase) || unknown.has(phase), `violated: ${phase} is lost`);
    }
  }
  // Each update is one revision, so that a second time would show.
  const most = made.reduce((sum, each) => sum + each, 0);
  const least = most - unknown.size;
  assert.ok(revision >= least && revision <= most, `violated: ${revision} revisions of ${most}, ${unknown.size} unknown`);
  const [{ count }] = await server.run(
    'SELECT count(*)::int AS count FROM milepost.records WHERE bytes IS NULL OR length(bytes) = 0',
  );
  assert.equal(count, 0);
}
