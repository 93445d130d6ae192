// Common parts of the suites: their programs, and a project with some work in it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import * as path from 'node:path';
import { openStore } from 'milepost';
import { repository } from '../node/fixture.mjs';

/** The packages of the suites, and a Node that is new enough for them. */
const { MILEPOST_MCP_SUITES: modules, MILEPOST_MCP_NODE: node } = process.env;
assert.ok(modules && node, 'MILEPOST_MCP_SUITES and MILEPOST_MCP_NODE name what the suites are run by');
export { node };

/** A repository with two checkpoints. */
export function project(test) {
  const root = repository(test);
  const store = openStore({ root });
  store.updatePhase('design', 'sketch', { status: 'complete', context_summary: 'Sketched.' });
  store.updatePhase('implement', 'parser', { status: 'in_progress' }, 'dark-mode');
  return root;
}

/** Runs a script of these packages; its exit code and what it printed. */
export function run(script, words, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [path.join(modules, script), ...words], options);
    const printed = { out: '', errors: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (printed.out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (printed.errors += text));
    child.on('error', reject).on('close', (code) => resolve({ code, ...printed }));
  });
}
