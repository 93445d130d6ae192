// The declarations, as a TypeScript project of each kind sees them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { IS_FULL_RANGE } from '../environment.mjs';
import { require } from './fixture.mjs';

const USE = `
const count: number = countTokens('a b');
const limit: 500 = MAX_SUMMARY_TOKENS;
const verdict: SummaryVerdict = validateContextSummary('a', 2);
const checkpoint: UnifiedCheckpoint | null = loadCheckpoint('design', 'feature');
const status: 'pending' | 'in_progress' | 'complete' | 'failed' | 'skipped' | undefined =
  checkpoint?.phases.plan?.status;
const saved: boolean = saveCheckpoint('design', { phases: {} });
updatePhase('design', 'plan', { status: 'complete', own: 1 });
const folder: string | null = getStateDir();
const store: Store = openStore({ durability: 'lazy', onWarning: (warning) => warning.code });
const text: string | null = store.loadText('design');
const revision: number = store.saveText('design', '{}').revision;
const earlier: string | null = store.loadText('design', null, { revision });
const { seal } = store.undo('design', null, { to: 1, revision, seal: 'x' });
const copy: string | null = store.recover('design', null, { to: 1 }).quarantined;
const removed: number[] = store.prune('design', null, { revisions: 10, days: null }).removed;
const left: number = store.trim('design').kept;
openStore({ history: { revisions: 20 } });
const error = lastError();
if (error instanceof MilepostError && error.code === 'conflict') error.fields.join();
// @ts-expect-error: no such status
updatePhase('design', 'plan', { status: 'done' });
// @ts-expect-error: no such code
if (error instanceof MilepostError && error.code === 'oops') error.fields.join();
// @ts-expect-error: a command is needed
loadCheckpoint();
// @ts-expect-error: a number is needed
store.undo('design', null, { to: '1' });
export { count, limit, verdict, status, saved, text, revision, earlier, seal, copy, removed, folder };
`;

const NAMES = `
  MAX_SUMMARY_TOKENS, MilepostError, countTokens, getStateDir, lastError, loadCheckpoint, openStore,
  saveCheckpoint, updatePhase, validateContextSummary,
  type Store, type SummaryVerdict, type UnifiedCheckpoint,
`;
const ENTRIES = `
import { countTokens as count_ } from 'milepost/token-counter';
import { loadCheckpoint as load_ } from 'milepost/checkpoint-manager';
import { CheckpointManager, createCheckpointManager } from 'milepost/tasks';
export const same = [count_('a'), load_('design')];

// The interface of task checkpoints of the specification, in its own words.
interface CheckpointState {
  id: string; taskId: string; agentId: string; stepIndex: number; totalSteps: number;
  context: Record<string, unknown>; completedSteps: CompletedStep[]; pendingSteps: string[];
  createdAt: string; metadata?: Record<string, unknown>;
}
interface CompletedStep { stepId: string; name: string; result: unknown; durationMs: number; completedAt: string }
interface CheckpointStorageOptions { storagePath: string; maxPerTask?: number; autoCleanup?: boolean }
interface RestoreResult {
  success: boolean; checkpoint?: CheckpointState; error?: string; remainingSteps: string[];
}
interface ICheckpointManager {
  save(state: CheckpointState): Promise<void>;
  restore(taskId: string): Promise<RestoreResult>;
  restoreById(checkpointId: string): Promise<RestoreResult>;
  list(taskId: string): Promise<CheckpointState[]>;
  delete(checkpointId: string): Promise<boolean>;
  deleteAll(taskId: string): Promise<number>;
}
const storage: CheckpointStorageOptions = { storagePath: 'state', maxPerTask: 3, autoCleanup: true };
const manager: ICheckpointManager = createCheckpointManager({ storage, maxPerTask: 5 });
const own = new CheckpointManager({ onWarning: ({ message }) => message.length });
export async function goOn(state: CheckpointState): Promise<number> {
  const { checkpoint } = await manager.restore('task');
  if (checkpoint !== undefined) await own.save(checkpoint);
  const { revision } = await own.save(state, { expectedRevision: 0 });
  for await (const task of own.tasks()) if (task.taskId === 'task') return task.revision;
  // @ts-expect-error: a number is needed
  await own.save(state, { expectedRevision: '1' });
  return revision;
}
`;

/** The compiler is a program of its own, installed for the system on which the tests were set up. */
const compiler = { skip: process.platform === 'win32' && 'TypeScript is not for Windows here' };

const MODULES = IS_FULL_RANGE ? ['node16', 'nodenext', 'bundler'] : ['nodenext', 'bundler'];

/** The folder of one test, inside the project, so that the package is found as a user's code finds it. */
function projectFolder(t) {
  const folder = fs.mkdtempSync(path.join(import.meta.dirname, '../../types-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  return folder;
}

/** Asserts that the compiler accepts these files. */
function expectTypes(folder, options, files) {
  const tsc = path.join(path.dirname(require.resolve('typescript/package.json')), 'bin/tsc');
  const run = spawnSync(
    process.execPath,
    [tsc, '--noEmit', '--strict', '--skipLibCheck', 'false', '--target', 'es2022', '--types', '']
      .concat(options, files)
      .filter((word) => word !== ''),
    { encoding: 'utf8', cwd: folder },
  );
  assert.equal(run.status, 0, run.stdout + run.stderr);
}

for (const module of MODULES) {
  test(`the declarations hold in CommonJS and in ES modules under ${module}`, compiler, (t) => {
    const folder = projectFolder(t);
    const files = ['cts', 'mts'].map((ending) => path.join(folder, `use.${ending}`));
    for (const file of files) fs.writeFileSync(file, `import {${NAMES}} from 'milepost';\n${ENTRIES}${USE}`);
    const options =
      module === 'bundler'
        ? ['--module', 'preserve', '--moduleResolution', 'bundler']
        : ['--module', module];
    expectTypes(folder, options, files);
  });
}

const PACKAGE = path.dirname(require.resolve('milepost/package.json'));

/** The entries with declarations, as they stand in `exports`. */
const DECLARED = Object.entries(require('milepost/package.json').exports)
  .map(([entry, conditions]) => [entry, conditions.types ?? conditions.node?.types ?? conditions.default?.types])
  .filter(([, types]) => types !== undefined)
  .map(([entry, types]) => ({ entry, file: path.join(PACKAGE, types) }));

/** The examples in a declaration file, without the marks of the comment. */
function examplesOf(file) {
  const blocks = fs.readFileSync(file, 'utf8').matchAll(/@example\n[ *]+```ts\n([^]*?)\n[ *]+```\n/g);
  return [...blocks].map(([, block]) => block.replaceAll(/^ *\* ?/gm, ''));
}

test('every entry with declarations has an example', () => {
  assert.notEqual(DECLARED.length, 0);
  const without = DECLARED.filter(({ file }) => examplesOf(file).length === 0).map(({ entry }) => entry);
  assert.deepEqual(without, []);
});

test('the examples of the declarations type-check', compiler, (t) => {
  const folder = projectFolder(t);
  // LangGraph.js, whose types that entry names, is installed for its own tests alone.
  const examples = DECLARED.filter(({ entry }) => entry !== './langgraph').flatMap(({ file }) => examplesOf(file));
  const files = examples.map((text, at) => {
    const file = path.join(folder, `example-${at}.mts`);
    fs.writeFileSync(file, text);
    return file;
  });
  expectTypes(folder, ['--module', 'nodenext'], files);
});
