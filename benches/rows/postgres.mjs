// Eight connections with one checkpoint each, against what an application would write itself: the row
// updated and the replaced one kept, in one transaction.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { summarize } from '../measure.mjs';
import { classify, rounded } from '../report.mjs';

export const name = 'postgres';
const CONNECTIONS = 8;
const UPDATES = 100;
const PLAN = { rounds: 15, warmups: 6 };
const AT_LEAST = 0.8;

/** A server syncs what it commits. */
const SETTINGS = ["listen_addresses = ''", 'max_connections = 60'];

/** @param {import('../fixture.mjs').Fixture} fixture */
export async function measure(fixture) {
  if (!process.env.MILEPOST_POSTGRES) throw new Error('no PostgreSQL here: `cargo xtask bench` says why');
  const file = path.join(fixture.folder, 'tests/hosts/postgres/server.mjs');
  const { Server } = await import(pathToFileURL(file).href);
  const server = new Server({ settings: SETTINGS });
  try {
    return [await compared(fixture, server)];
  } finally {
    server.stop();
  }
}

async function compared(fixture, server) {
  const ours = await openOurs(fixture, server);
  const peer = await openBare(fixture, server, await ours.text());
  const seconds = { ours: [], peer: [] };
  for (let round = -PLAN.warmups; round < PLAN.rounds; round += 1) {
    const both = Object.entries({ ours, peer });
    for (const [who, { update }] of round % 2 === 0 ? both : both.reverse()) {
      const begun = performance.now();
      await Promise.all(range(CONNECTIONS).map((at) => repeated(update, at, round)));
      if (round >= 0) seconds[who].push((performance.now() - begun) / 1000);
    }
  }
  const made = (PLAN.rounds + PLAN.warmups) * UPDATES;
  await ours.end(made);
  await peer.end(made);
  return row(summarize(seconds.ours), summarize(seconds.peer));
}

async function repeated(update, at, round) {
  for (let n = 0; n < UPDATES; n += 1) await update(at, `${round}.${n}`);
}

/** Each store has one connection. */
async function openOurs(fixture, server) {
  const root = fixture.repository('postgres');
  const { openPostgresStore } = fixture.require('milepost/postgres');
  const stores = range(CONNECTIONS).map((at) =>
    openPostgresStore({ project: `bench-${at}`, connection: { ...server.connection, max: 1 }, root }),
  );
  const update = (at, note) =>
    stores[at].updatePhase('implement', 'a', { status: 'complete', context_summary: note });
  await Promise.all(range(CONNECTIONS).map((at) => update(at, 'first')));
  return {
    update,
    text: () => stores[0].loadText('implement'),
    async end(made) {
      for (const store of stores) {
        const { revision } = await store.load('implement');
        if (revision !== made + 1) throw new Error(`revision ${revision} after ${made + 1} updates`);
        await store.close();
      }
    },
  };
}

/** A peer that writes one text again and again, so that it does not even make it. */
async function openBare(fixture, server, text) {
  const { Client } = fixture.require('pg');
  await server.run(
    `CREATE TABLE bare (key text PRIMARY KEY, doc text, revision integer, op_id text);
     CREATE TABLE bare_history (key text, revision integer, doc text, PRIMARY KEY (key, revision))`,
  );
  const clients = await Promise.all(
    range(CONNECTIONS).map(async (at) => {
      const client = new Client(server.connection);
      await client.connect();
      await client.query('INSERT INTO bare VALUES ($1, $2, 0, NULL)', [`k${at}`, text]);
      return client;
    }),
  );
  const revisions = clients.map(() => 0);
  return {
    async update(at, note) {
      const client = clients[at];
      await client.query('BEGIN');
      await client.query(
        'INSERT INTO bare_history (key, revision, doc) SELECT key, revision, doc FROM bare WHERE key = $1',
        [`k${at}`],
      );
      const { rowCount } = await client.query(
        'UPDATE bare SET doc = $1, revision = revision + 1, op_id = $2 WHERE key = $3 AND revision = $4',
        [text, note, `k${at}`, revisions[at]],
      );
      await client.query('COMMIT');
      revisions[at] += rowCount;
    },
    async end(made) {
      for (const client of clients) await client.end();
      if (revisions.some((revision) => revision !== made)) throw new Error(`${revisions} instead of ${made}`);
    },
  };
}

function row(ours, peer) {
  const [rate, bare] = [ours, peer].map(({ median }) => (CONNECTIONS * UPDATES) / median);
  const ratio = rate / bare;
  return {
    what: `PostgreSQL: ${CONNECTIONS} connections, one checkpoint each, \`updatePhase\``,
    ours: `${rounded(rate)} a second`,
    peer: `the bare \`UPDATE\` and history \`INSERT\` in one transaction: ${rounded(bare)} a second`,
    ratio: `${rounded(ratio)} times its rate`,
    target: `at least ${AT_LEAST} times its rate`,
    verdict: classify(AT_LEAST, ratio >= AT_LEAST),
    numbers: { rate, bare, ratio, atLeast: AT_LEAST, ours, peer },
  };
}

function range(count) {
  return Array.from({ length: count }, (_, at) => at);
}
