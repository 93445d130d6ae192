// Runs the tests, and says of each that passed that it did.

import { spawnSync } from 'node:child_process';

const env = { ...process.env, NO_COLOR: '1' };
delete env.NODE_TEST_CONTEXT;
const words = ['--test', '--test-reporter=tap', 'session.test.mjs'];
const { status, stdout, stderr } = spawnSync(process.execPath, words, { env, encoding: 'utf8', timeout: 300_000 });
for (const [, name] of stdout.matchAll(/^ok \d+ - (.*)$/gm)) console.log(`${name}: passed`);
if (status !== 0) {
  console.error(`${stdout}${stderr}`);
  process.exitCode = 1;
}
