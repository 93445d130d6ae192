// The package without `pg` beside it, and with one that cannot be loaded.

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

test('a driver that is there and cannot be loaded is not said to be missing', (t) => {
  const folder = emptyFolder(t);
  fs.cpSync(installed, path.join(folder, 'node_modules/milepost'), { recursive: true });
  fs.mkdirSync(path.join(folder, 'node_modules/pg'));
  const broken = "throw Object.assign(new Error('of another system'), { code: 'ERR_DLOPEN_FAILED' });\n";
  fs.writeFileSync(path.join(folder, 'node_modules/pg/index.js'), broken);
  const run = spawnSync(process.execPath, ['-e', SCRIPT], { cwd: folder, encoding: 'utf8' });
  const said = 'The package `pg`, which is needed for PostgreSQL, cannot be loaded: of another system (ERR_DLOPEN_FAILED)';
  assert.equal(run.stdout, `usage ${said}\n`);
  assert.deepEqual([run.status, run.stderr], [0, '']);
});
