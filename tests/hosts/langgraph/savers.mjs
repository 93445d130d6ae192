// The savers that the tests look at: one for each place that threads can be in.

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';

import { MilepostSaver } from 'milepost/langgraph';
import { postgresHost } from 'milepost/postgres';
import { afterAll } from 'vitest';

import { Server, newProject } from '../postgres/server.mjs';

/** A folder that is there for one test. */
export function folder() {
  return fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-langgraph-'));
}

/**
 * Makes and unmakes savers, by the name of their place. Where other processes can open the same, a saver has
 * in `where` what they open it with.
 */
export const PLACES = {
  memory: {
    create: (options) => new MilepostSaver(options),
    destroy: () => {},
  },
  files: {
    create(options) {
      const where = { storagePath: folder() };
      return Object.assign(new MilepostSaver({ ...where, durability: 'lazy', ...options }), { where });
    },
    destroy: ({ where }) => fs.rmSync(where.storagePath, { recursive: true }),
  },
  ...(process.env.MILEPOST_POSTGRES && { PostgreSQL: onPostgres() }),
};

/** One server for all savers of a file of tests, each with a project of its own. */
function onPostgres() {
  const server = new Server();
  afterAll(() => server.stop());
  return {
    create(options) {
      const where = { database: { project: newProject(), connection: server.connection } };
      const postgres = postgresHost(where.database);
      return Object.assign(new MilepostSaver({ postgres, ...options }), { where, postgres });
    },
    destroy: ({ postgres }) => postgres.close(),
  };
}
