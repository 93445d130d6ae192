// Measures the installed package against plain JS and prints a table.
//
//   node benches/run.mjs --project DIR [--only ROW] [--json FILE]
//
// A missed target is said in the table and does not change the exit code; a measurement that
// cannot be made does.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openFixture } from './fixture.mjs';
import { circumstances, render } from './report.mjs';
import * as hookProcess from './rows/hook-process.mjs';
import * as updatePhase from './rows/update-phase.mjs';
import * as countTokens from './rows/count-tokens.mjs';
import * as exactTokens from './rows/exact-tokens.mjs';
import * as validate from './rows/validate.mjs';
import * as start from './rows/start.mjs';
import * as memory from './rows/memory.mjs';
import * as wasmtime from './rows/wasmtime.mjs';
import * as hosts from './rows/hosts.mjs';
import * as instructions from './rows/instructions.mjs';
import * as native from './rows/native.mjs';
import * as many from './rows/many.mjs';
import * as large from './rows/large.mjs';
import * as store from './rows/store.mjs';
import * as fairness from './rows/fairness.mjs';
import * as sessions from './rows/sessions.mjs';
import * as moments from './rows/moments.mjs';
import * as tasks from './rows/tasks.mjs';
import * as thread from './rows/thread.mjs';
import * as steps from './rows/steps.mjs';
import * as savers from './rows/savers.mjs';
import * as postgres from './rows/postgres.mjs';
import * as mcp from './rows/mcp.mjs';
import * as agents from './rows/agents.mjs';
import * as viewer from './rows/viewer.mjs';

const ROWS = [
  ...[hookProcess, instructions, start, updatePhase, countTokens, exactTokens, validate, wasmtime, native, hosts],
  ...[store, fairness, many, large, memory, sessions, moments, tasks, thread, steps],
  ...[savers, postgres, mcp, agents, viewer],
];
const USAGE = 64;

const { project, only, json } = readArguments();
const priority = raisePriority();
const fixture = openFixture(path.resolve(project));
try {
  const chosen = ROWS.filter(({ name }) => only === undefined || name === only);
  const rows = [];
  for (const { name, measure } of chosen) {
    console.error(`measuring ${name}`);
    rows.push(...(await measure(fixture)));
  }
  const header = circumstances(fixture, priority);
  if (json !== undefined) fs.writeFileSync(json, `${JSON.stringify({ header, rows }, null, 2)}\n`);
  console.log(render(header, rows));
} finally {
  fixture.clear();
}

/**
 * So that what else the machine does is measured as little as can be: contestants inherit it.
 *
 * @returns {string} for the header
 */
function raisePriority() {
  try {
    os.setPriority(os.constants.priority.PRIORITY_HIGHEST);
    return 'highest';
  } catch {
    return 'as started (only root may raise it)';
  }
}

function readArguments() {
  const text = { type: 'string' };
  const options = { project: text, only: text, json: text };
  try {
    const { values } = parseArgs({ options });
    if (values.project === undefined) throw new Error('--project DIR is required');
    const names = ROWS.map(({ name }) => name);
    if (values.only !== undefined && !names.includes(values.only)) {
      throw new Error(`--only takes one of ${names.join(', ')}`);
    }
    return values;
  } catch (error) {
    console.error(`${error.message}\nusage: run.mjs --project DIR [--only ROW] [--json FILE]`);
    process.exit(USAGE);
  }
}
