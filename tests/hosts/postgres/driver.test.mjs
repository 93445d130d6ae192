// The package without `pg` beside it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { emptyFolder, installed } from '../node/fixture.mjs';

const SCRIPT = `
  const { openStore } = require('milepost');
  const { openPostgresStore } = require('milepost/postgres');
  openPostgresStore({ project: 'a' }).load('design').catch(({ code, message }) => console.log(code, message));
`;

test('the entry for PostgreSQL is loaded without `pg`, and says what is missing', (t) => {
  const folder = emptyFolder(t);
  fs.cpSync(installed, path.join(folder, 'node_modules/milepost'), { recursive: true });
  const run = spawnSync(process.execPath, ['-e', SCRIPT], { cwd: folder, encoding: 'utf8' });
  assert.match(run.stdout, /^usage The package `pg` is needed for PostgreSQL: npm install pg /);
  assert.deepEqual([run.status, run.stderr], [0, '']);
});
