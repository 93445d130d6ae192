// The snippets of the pages that keep runs in a database.

import assert from 'node:assert/strict';
import test from 'node:test';
import { imports, run, snippets } from '../pages/snippets.mjs';
import { serverFor } from './server.mjs';

const server = serverFor(test);

for (const snippet of snippets().filter((it) => imports(it, 'postgres'))) {
  test(`${snippet.name} prints what it says`, () => {
    const { host, user, database } = server.connection;
    const DATABASE_URL = `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}`;
    assert.deepEqual(run(snippet, { DATABASE_URL }), snippet.prints);
  });
}
