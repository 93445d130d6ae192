// Runs the stories of all entries in each test runner, and says in which of them they fail.

import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import { STORIES } from './stories.cjs';

const program = (name, file) => path.join('node_modules', name, file);
const jest = (file, ...options) => {
  const config = { testMatch: [`**/${file}`], testTimeout: 60_000, transform: {} };
  return [...options, program('jest', 'bin/jest.js'), '--config', JSON.stringify(config)];
};
const vitest = (pool) => [program('vitest', 'vitest.mjs'), 'run', '--pool', pool, '--dir', '.', '--config', 'vitest.config.mjs'];

/** By the name of each runner the words of Node, and how many stories it tells. */
const RUNNERS = {
  'Jest, CommonJS': jest('jest.cjs'),
  'Jest, modules': jest('jest.mjs', '--experimental-vm-modules'),
  'Vitest, forks': vitest('forks'),
  'Vitest, threads': vitest('threads'),
  'Vitest, vmForks': vitest('vmForks'),
  'Vitest, vmThreads': vitest('vmThreads'),
  'node:test': ['--test', 'node.mjs'],
  Mocha: [program('mocha', 'bin/mocha.js')],
};

/** The greatest number that stands before `passed`, or as the reporters of Mocha and node:test have it. */
const passedIn = (output) =>
  Math.max(0, ...Array.from(output.matchAll(/(\d+) pass(?:ed|ing)|pass (\d+)/g), ([, a, b]) => Number(a ?? b)));

const failed = [];
for (const [name, words] of Object.entries(RUNNERS)) {
  const env = { ...process.env, NO_COLOR: '1', CI: 'true' };
  delete env.NODE_TEST_CONTEXT;
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8', timeout: 300_000 });
  const output = `${stdout}${stderr}`;
  const stories = Object.keys(STORIES).length;
  const isWell = status === 0 && passedIn(output) >= stories;
  console.log(`${name}: ${isWell ? `${passedIn(output)} passed` : 'failed'}`);
  if (!isWell) failed.push(`${name} ended with ${status}\n${output}`);
}
if (failed.length > 0) {
  console.error(failed.join('\n'));
  process.exitCode = 1;
}
