// Writes what the installed version keeps in a database, as a fixture for later ones: `VERSION.sql` in a folder that is
// named. Run it once for each release, in the project with the package, and add the file beside this one:
//
//   MILEPOST_POSTGRES=/usr/lib/postgresql/15/bin \
//     node target/milepost/project/tests/hosts/postgres/upgrade/make.mjs tests/hosts/postgres/upgrade

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { openPostgresStore, postgresHost } from 'milepost/postgres';
import { createCheckpointManager } from 'milepost/tasks';
import { require } from '../../node/fixture.mjs';
import { openThreads } from '../../node/upgrade/state.mjs';
import { Server } from '../server.mjs';

const { version } = require('milepost/package.json');
const server = new Server();
const place = { project: 'shop', connection: server.connection };

const store = openPostgresStore(place);
await store.updatePhase('implement', 'parser', { status: 'complete', context_summary: 'Parser done, 41 tests.' });
await store.updatePhase('implement', 'printer', { status: 'in_progress', files_created: ['printer.js'] });
await store.updatePhase('implement', 'docs', {});
await store.close();

const postgres = postgresHost(place);
const manager = createCheckpointManager({ storage: { postgres } });
for (const stepIndex of [1, 2]) {
  await manager.save({
    ...{ id: `cp-${stepIndex}`, taskId: 'Fix: the login', agentId: 'worker-2', stepIndex, totalSteps: 3 },
    ...{ context: { branch: 'fix-login' }, completedSteps: [], pendingSteps: ['s2', 's3'] },
    createdAt: '2026-11-23T10:31:00.000Z',
  });
}
const { put } = openThreads({ postgres });
for (const number of [1, 2, 3]) await put('chat 1', `c${number}`);
await postgres.close();

const { host, user, database } = server.connection;
const words = ['--host', host, '--username', user, '--inserts', '--no-owner', '--no-privileges', '--schema=milepost', database];
const dump = execFileSync(path.join(process.env.MILEPOST_POSTGRES, 'pg_dump'), words, { encoding: 'utf8' });
// Without remarks and commands of psql, and without settings, of which a later server may lack some.
const lines = dump.split('\n').filter((line) => !/^(--|\\|SET |SELECT pg_catalog\.set_config|$)/.test(line));
fs.writeFileSync(path.join(process.argv[2], `${version}.sql`), `${lines.join('\n')}\n`);
server.stop();
