// Transcripts of sessions in a database, and many processes that add to one.

import { fork } from 'node:child_process';
import test from 'node:test';
import { postgresHost } from 'milepost/postgres';
import { MilepostSession, MilepostSessionStore } from 'milepost/session-store';
import { IS_FULL_RANGE } from '../environment.mjs';
import { expectSession, expectStore, transcriptsOf } from '../node/transcripts.mjs';
import { newProject, serverFor } from './server.mjs';

const server = serverFor(test);

function hostFor(t, project = newProject()) {
  const postgres = postgresHost({ project, connection: server.connection });
  t.after(() => postgres.close());
  return postgres;
}

test('a store in a database keeps the contract of the Claude Agent SDK', async (t) => {
  await expectStore(() => new MilepostSessionStore({ postgres: hostFor(t) }));
});

test("a session in a database keeps the contract of OpenAI's Agents SDK", async (t) => {
  const postgres = hostFor(t);
  await expectSession((more) => new MilepostSession({ postgres, ...more }));
});

test('16 processes add to one transcript of a database, and none of their entries is lost or out of order', async (t) => {
  const appends = IS_FULL_RANGE ? 1_000 : 10;
  const project = newProject();
  const where = JSON.stringify({ database: { project, connection: server.connection } });
  const store = new MilepostSessionStore({ postgres: hostFor(t, project) });
  await transcriptsOf({ writers: 16, appends, where, fork, store });
});
