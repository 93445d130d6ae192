// Writes what the installed version stores, as a fixture for later ones: `VERSION.json` in a folder that is named.
// Run it once for each release, in the project with the package, and add the file beside this one:
//
//   node target/milepost/project/tests/hosts/node/upgrade/make.mjs tests/hosts/node/upgrade

import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { createCheckpointManager } from 'milepost/tasks';
import { git, installed, milepost, require } from '../fixture.mjs';
import { AGENTS, openThreads } from './state.mjs';

const { version } = require('milepost/package.json');
const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-')));

/** Runs a command that has to succeed. */
function run(words, input) {
  const { code, error } = milepost(root, words, input);
  if (code !== 0) throw new Error(`milepost ${words.join(' ')} ended with ${code}: ${error}`);
}

/** The files below a folder, from it on. */
function files(folder, below = '') {
  const entries = fs.readdirSync(path.join(folder, below), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const name = path.posix.join(below, entry.name);
    return entry.isDirectory() ? files(folder, name) : [name];
  });
}

git(root, 'init', '--quiet', '--initial-branch', 'main');
fs.writeFileSync(path.join(root, 'parser.js'), 'export const parser = 1;\n');
git(root, 'add', '.');
git(root, '-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'first');

run(['init']);
run(['begin', 'implement', 'parser', 'printer', 'docs', '--feature', 'language']);
run(['phase', 'implement', 'parser', 'complete', '--feature', 'language', '--summary', 'Parser done, 41 tests.']);
run(['phase', 'implement', 'printer', 'in_progress', '--feature', 'language', '--created', 'printer.js']);
run(['phase', 'review', 'read', 'failed', '--error', 'two findings']);
// A member that no version knows, with a number that JavaScript would not write so.
const { out } = milepost(root, ['show', 'review', '--json']);
const review = JSON.stringify({ ...JSON.parse(out), unknown: { deep: [] } });
run(['save', 'review', '-'], review.replace('"deep":[]', '"deep":[1e400]'));

fs.writeFileSync(path.join(root, 'parser.js'), 'export const parser = 2;\n');
fs.writeFileSync(path.join(root, 'printer.js'), 'export const printer = 1;\n');
run(['snapshot', 'create', '--reason', 'user_requested', '--message', 'before the change']);

const manager = createCheckpointManager({ storage: { storagePath: path.join(root, '.claude/state') } });
for (const stepIndex of [1, 2]) {
  await manager.save({
    id: `cp-${stepIndex}`,
    taskId: 'Fix: the login',
    agentId: 'worker-2',
    stepIndex,
    totalSteps: 3,
    context: { branch: 'fix-login' },
    completedSteps: [],
    pendingSteps: ['s2', 's3'],
    createdAt: '2026-11-23T10:31:00.000Z',
  });
}

const { put } = openThreads({ storagePath: path.join(root, '.claude/state') });
for (const number of [1, 2, 3]) await put('chat 1', `c${number}`);

for (const agent of AGENTS) run(['hooks', 'install', agent]);

const kept = files(root).filter((name) => !name.startsWith('.git/'));
const stored = kept.sort().map((name) => {
  const bytes = fs.readFileSync(path.join(root, name));
  const text = bytes.toString('utf8');
  return [name, Buffer.from(text).equals(bytes) ? text : { base64: bytes.toString('base64') }];
});
const text = JSON.stringify({ version, files: Object.fromEntries(stored) }, null, 1);
// The folder and the package are those of one machine.
const plain = text.replaceAll(root, '/project').replaceAll(installed, '/project/node_modules/milepost');
fs.writeFileSync(path.join(process.argv[2], `${version}.json`), `${plain}\n`);
fs.rmSync(root, { recursive: true });
