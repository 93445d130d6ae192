// The package of JSR: what its own checks say of it, and how Deno runs it, which downloads nothing for it.

import '../environment.mjs';
import * as assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { after, before, test } from 'node:test';

const { MILEPOST_JSR, MILEPOST_DENO } = process.env;
const MANIFEST = JSON.parse(fs.readFileSync(path.join(/** @type {string} */ (MILEPOST_JSR), 'jsr.json'), 'utf8'));

let home = '';
let folder = '';

before(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-jsr-'));
  folder = path.join(home, 'package');
  fs.cpSync(/** @type {string} */ (MILEPOST_JSR), folder, { recursive: true });
});

after(() => fs.rmSync(home, { recursive: true, force: true }));

/**
 * Runs Deno with a cache of its own, where no host but this machine answers.
 *
 * @param {string} cwd
 * @param {...string} words
 */
function deno(cwd, ...words) {
  const nowhere = 'http://127.0.0.1:9';
  const env = {
    ...process.env,
    DENO_DIR: path.join(home, 'deno'),
    DENO_NO_UPDATE_CHECK: '1',
    NO_COLOR: '1',
    HTTP_PROXY: nowhere,
    HTTPS_PROXY: nowhere,
    NPM_CONFIG_REGISTRY: nowhere,
  };
  const { status, stdout, stderr } = spawnSync(MILEPOST_DENO ?? 'deno', words, { cwd, env, encoding: 'utf8', input: '' });
  return { code: status, out: stdout, error: stderr };
}

/** @param {string} text */
function project(text) {
  const root = fs.mkdtempSync(path.join(home, 'project-'));
  const imports = Object.fromEntries(
    Object.entries(MANIFEST.exports).map(([entry, file]) => [
      `jsr:${MANIFEST.name}${entry.slice(1)}`,
      `file://${path.join(folder, /** @type {string} */ (file))}`,
    ]),
  );
  fs.writeFileSync(path.join(root, 'deno.json'), JSON.stringify({ imports }));
  fs.writeFileSync(path.join(root, 'use.ts'), text.replaceAll('milepost:', `jsr:${MANIFEST.name}`));
  return root;
}

test('JSR would take the package: its types, modules and names have no finding', () => {
  const { code, error } = deno(folder, 'publish', '--dry-run');
  assert.equal(code, 0, error);
  assert.match(error, /Success/);
  assert.doesNotMatch(error.replace('Checking for slow types', ''), /warning|error|slow/i);
});

test('each entry has its types beside it', () => {
  for (const file of /** @type {string[]} */ (Object.values(MANIFEST.exports))) {
    const [first] = fs.readFileSync(path.join(folder, file), 'utf8').split('\n');
    const types = /^\/\* @ts-self-types="(\.\/[\w-]+\.d\.mts)" \*\/$/.exec(first)?.[1] ?? '';
    assert.ok(fs.existsSync(path.join(folder, types)), `${file}: ${first}`);
  }
});

test('functions on text need no permission', () => {
  const root = project(`
    import { countTokens, type ErrorCode, MilepostError, openStore } from 'milepost:';
    import { openMemoryStore } from 'milepost:/memory';
    import { runOperation } from 'milepost:/operation';
    import { countTokens as again } from 'milepost:/token-counter';
    const count: number = countTokens('one two') + again('three');
    let code: ErrorCode | null = null;
    try {
      openStore({ root: 7 as unknown as string });
    } catch (error) {
      if (error instanceof MilepostError) code = error.code;
    }
    const store = openMemoryStore();
    store.updatePhase('implement', 'parser', { status: 'in_progress' });
    console.log(count, code, store.files.paths().length > 0, typeof runOperation);
  `);
  const { code, out, error } = deno(root, 'run', '--no-prompt', '--check', 'use.ts');
  assert.equal(code, 0, error);
  assert.equal(out.trim(), '3 usage true function');
});

test('runs, snapshots and tasks are stored in files, with leave to read and write there', () => {
  const root = project(`
    import { getResumePoint, updatePhase } from 'milepost:/checkpoint-manager';
    import { openSnapshots } from 'milepost:/snapshots';
    import { createCheckpointManager } from 'milepost:/tasks';
    updatePhase('implement', 'parser', { status: 'in_progress' });
    const manager = createCheckpointManager({ storage: { storagePath: '.claude/state' } });
    await manager.save({
      id: 'cp-1', taskId: 'task', agentId: 'worker', stepIndex: 1, totalSteps: 2,
      context: {}, completedSteps: [], pendingSteps: ['s2'], createdAt: '2026-11-23T10:31:00.000Z',
    });
    const restored = await manager.restore('task');
    console.log(getResumePoint('implement')?.phase, restored?.checkpoint?.id, openSnapshots().list().length);
  `);
  spawnSync('git', ['init', '--quiet', root]);
  const { code, out, error } = deno(root, 'run', '--no-prompt', '--check', '--allow-read=.', '--allow-write=.', 'use.ts');
  assert.equal(code, 0, error);
  assert.equal(out.trim(), 'parser cp-1 0');
  assert.ok(fs.existsSync(path.join(root, '.claude/state/implement-checkpoint.json')));
});

test('a link in the place of a run is not followed', () => {
  const root = project(`
    import { loadCheckpoint, updatePhase } from 'milepost:/checkpoint-manager';
    console.log(loadCheckpoint('implement'), updatePhase('implement', 'parser', { status: 'in_progress' }));
  `);
  spawnSync('git', ['init', '--quiet', root]);
  fs.mkdirSync(path.join(root, '.claude/state'), { recursive: true });
  const elsewhere = path.join(root, 'elsewhere.json');
  fs.writeFileSync(elsewhere, '{"version": 1}');
  fs.symlinkSync(elsewhere, path.join(root, '.claude/state/implement-checkpoint.json'));
  const { code, out } = deno(root, 'run', '--no-prompt', '--allow-read=.', '--allow-write=.', 'use.ts');
  assert.equal(code, 0);
  assert.equal(out.trim(), 'null false');
  assert.equal(fs.readFileSync(elsewhere, 'utf8'), '{"version": 1}');
});
