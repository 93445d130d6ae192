// The installed package on Node, Deno and Bun: the same answers, with the fewest permissions.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { IS_FULL_RANGE } from '../environment.mjs';
import { BUN, DENO, RUNTIMES, emptyFolder, project, readAndWrite, run, script, start } from './fixture.mjs';

const PROCESSES = IS_FULL_RANGE ? 4 : 2;
const UPDATES = IS_FULL_RANGE ? 25 : 15;

test('the pure functions need no permission, and answer the same', async (t) => {
  const cwd = emptyFolder(t);
  const runs = RUNTIMES.map((runtime) => run(runtime, [script('pure.mjs')], { cwd }));
  const [node, ...others] = await Promise.all(runs);
  assert.deepEqual(node, { code: 0, stdout: node.stdout, stderr: '' });
  assert.deepEqual(JSON.parse(node.stdout).slice(0, 1), [4]);
  for (const other of others) assert.deepEqual(other, node);
});

for (const runtime of RUNTIMES) {
  test(`${runtime.name} keeps a checkpoint, with read and write on the project`, async (t) => {
    const cwd = project(t);
    const permissions = readAndWrite(cwd);
    const { code, stdout, stderr } = await run(runtime, [script('store.mjs')], { cwd, permissions });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const { revision, ...answer } = JSON.parse(stdout);
    assert.equal(revision, 1);
    assert.deepEqual(answer, {
      phase: null,
      summary: 'Read.',
      latest: {
        ...{ command: 'design', feature: null, phase: null, phaseSummary: null },
        ...{ summary: 'Read.', alongside: [], others: [] },
      },
      warnings: [],
    });
    const mode = (name) => fs.statSync(path.join(cwd, name)).mode & 0o777;
    assert.equal(mode('.claude/state'), 0o700);
    assert.equal(mode('.claude/state/design-checkpoint.json'), 0o600);
  });

  test(`${runtime.name} follows no symbolic link to a document`, async (t) => {
    const cwd = project(t);
    const permissions = readAndWrite(cwd);
    openStore({ root: cwd }).updatePhase('design', 'research', {});
    const file = path.join(cwd, '.claude/state/design-checkpoint.json');
    fs.renameSync(file, path.join(cwd, 'elsewhere.json'));
    fs.symlinkSync(path.join(cwd, 'elsewhere.json'), file);
    const { stdout } = await run(runtime, [script('store.mjs')], { cwd, permissions });
    assert.equal(JSON.parse(stdout).code, 'unsafe_path');
  });

  test(`${runtime.name} runs the command line`, async (t) => {
    const cwd = project(t);
    const bin = path.resolve(import.meta.dirname, '../../../node_modules/milepost');
    const permissions = [`--allow-read=${cwd},${bin}`, `--allow-write=${cwd}`];
    const milepost = (...words) =>
      run(runtime, [path.join(bin, 'bin/milepost.js'), ...words], { cwd, permissions });
    assert.equal((await milepost('phase', 'design', 'research', 'in_progress')).code, 0);
    const { stdout } = await milepost('resume', 'design', '--json');
    assert.equal(JSON.parse(stdout).phase, 'research');
    assert.equal((await milepost('resume', 'ship')).code, 1);
    assert.equal((await milepost('phase', 'design')).code, 64);
  });
}

/** Its first word. A writer that ends without one fails immediately, with what it printed. */
async function isReady({ child, ended }) {
  const gone = ended.then(({ code, stderr }) => {
    throw new Error(`a writer ended with ${code}: ${stderr}`);
  });
  await Promise.race([once(child.stdout, 'data'), gone]);
}

test(`${PROCESSES} processes of each runtime × ${UPDATES} updates: none lost`, async (t) => {
  const cwd = project(t);
  const permissions = readAndWrite(cwd);
  const writers = RUNTIMES.flatMap((runtime, kind) =>
    Array.from({ length: PROCESSES }, (_, number) => {
      const words = [script('writer.mjs'), String(kind * PROCESSES + number), String(UPDATES)];
      return start(runtime, words, { cwd, permissions });
    }),
  );
  await Promise.all(writers.map(isReady));
  for (const { child } of writers) child.stdin.end();
  let acknowledged = 0;
  for (const { code, stdout, stderr } of await Promise.all(writers.map(({ ended }) => ended))) {
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    acknowledged += stdout.split('acknowledged').length - 1;
  }
  const expected = PROCESSES * RUNTIMES.length * UPDATES;
  assert.equal(acknowledged, expected);
  const { phases, revision } = openStore({ root: cwd }).load('implement');
  const present = Object.values(phases).flatMap((phase) => Object.keys(phase.updates));
  assert.deepEqual([present.length, revision], [expected, expected], 'violated: acknowledged, and lost or made twice');
});

const PACKAGE = path.resolve(import.meta.dirname, '../../../node_modules/milepost');

test('a hook on Deno loads nothing that only programs for Node need', async (t) => {
  const cwd = project(t);
  const options = { cwd, permissions: readAndWrite(cwd) };
  const { code, stdout, stderr } = await run(DENO, [script('lean.mjs')], options);
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  assert.deepEqual(JSON.parse(stdout), { phase: 'research', failed: null });
  for (const name of ['index.deno.mjs', 'library.deno.mjs']) {
    const text = fs.readFileSync(path.join(PACKAGE, 'dist', name), 'utf8');
    assert.doesNotMatch(text, /(from|import)\s*\(?["']node:/, name);
  }
});

test('a Deno that cannot import wasm has the functions all the same', async (t) => {
  const cwd = project(t);
  const installed = path.join(cwd, 'node_modules/milepost');
  fs.cpSync(PACKAGE, installed, { recursive: true });
  fs.writeFileSync(path.join(cwd, 'package.json'), '{"dependencies":{"milepost":"*"}}');
  fs.writeFileSync(path.join(installed, 'dist/hook.source.mjs'), 'import source wasm, a syntax error');
  for (const name of ['pure.mjs', 'store.mjs']) fs.copyFileSync(script(name), path.join(cwd, name));

  const pure = await run(DENO, [path.join(cwd, 'pure.mjs')], { cwd });
  assert.deepEqual({ code: pure.code, stderr: pure.stderr }, { code: 0, stderr: '' });
  assert.equal(JSON.parse(pure.stdout)[0], 4);
  const permissions = readAndWrite(cwd);
  const { stdout } = await run(DENO, [path.join(cwd, 'store.mjs')], { cwd, permissions });
  assert.equal(JSON.parse(stdout).revision, 1);
});

for (const runtime of RUNTIMES.filter((runtime) => runtime !== DENO)) {
  test(`require and import of the package are one package on ${runtime.name}`, async (t) => {
    const { stdout, stderr } = await run(runtime, [script('twice.cjs')], { cwd: emptyFolder(t) });
    assert.equal(stderr, '');
    assert.deepEqual(JSON.parse(stdout), { names: [], isOne: true });
  });
}

test('a program that Bun has bundled has every part of the package', async (t) => {
  const cwd = project(t);
  const bundled = path.join(cwd, 'bundled');
  const words = ['build', '--target=bun', '--outdir', bundled];
  const scripts = ['pure.mjs', 'store.mjs'];
  const { code, stderr } = await run(BUN, [...words, ...scripts.map(script)], { cwd });
  assert.equal(code, 0, stderr);
  const [pure, store] = await Promise.all(
    scripts.map((name) => run(BUN, [path.join(bundled, name.replace('.mjs', '.js'))], { cwd })),
  );
  assert.deepEqual([pure.stderr, store.stderr], ['', '']);
  assert.equal(JSON.parse(pure.stdout)[0], 4);
  assert.equal(JSON.parse(store.stdout).revision, 1);
});

/** Runs the store on Deno with these permissions; what it says. */
async function refused(cwd, permissions, words = []) {
  const { code, stdout, stderr } = await run(DENO, [script('store.mjs'), ...words], { cwd, permissions });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return JSON.parse(stdout);
}

test('Deno without a permission: the error says what to allow, and names no absolute path', async (t) => {
  const cwd = project(t);
  for (const words of [[], ['.']]) {
    const { code, message } = await refused(cwd, [], words);
    assert.equal(code, 'io');
    assert.match(message, /Requires read access, run again with the --allow-read flag/);
    assert.ok(!message.includes(cwd), message);
  }
  assert.deepEqual(fs.readdirSync(cwd), ['.git']);
});

test('the command line on Deno that may not read its own files says so in one line', async (t) => {
  const cwd = project(t);
  const bin = path.resolve(import.meta.dirname, '../../../node_modules/milepost/bin/milepost.js');
  const { code, stderr } = await run(DENO, [bin, 'status'], { cwd, permissions: readAndWrite(cwd) });
  assert.equal(code, 74);
  assert.match(stderr, /^milepost: Requires read access to .*, run again with the --allow-read flag\n$/);
});

test('Deno that may only read: the error says what to allow, and nothing is made', async (t) => {
  const cwd = project(t);
  const { code, message } = await refused(cwd, [`--allow-read=${cwd}`]);
  assert.equal(code, 'io');
  assert.match(message, /Requires write access, run again with the --allow-write flag/);
  assert.deepEqual(fs.readdirSync(cwd), ['.git']);
});

test('Deno that sees a folder below the repository alone asks for the root', async (t) => {
  const cwd = path.join(project(t), 'below');
  fs.mkdirSync(cwd);
  const { code, message } = await refused(cwd, readAndWrite(cwd));
  assert.equal(code, 'usage');
  assert.match(message, /No \.git is visible to this program/);
  assert.deepEqual(fs.readdirSync(cwd), []);
  assert.equal((await refused(cwd, readAndWrite(cwd), ['.'])).revision, 1);
});

test('Deno reads GIT_ROOT where it may, and does without it where not', async (t) => {
  const [cwd, other] = [project(t), project(t)];
  const env = { GIT_ROOT: other };
  const words = [script('store.mjs')];
  const saved = (folder) => fs.existsSync(path.join(folder, '.claude/state/design-checkpoint.json'));

  await run(DENO, words, { cwd, env, permissions: readAndWrite(cwd) });
  assert.deepEqual([saved(cwd), saved(other)], [true, false]);
  const permissions = [...readAndWrite(other), '--allow-env=GIT_ROOT'];
  await run(DENO, words, { cwd, env, permissions });
  assert.equal(saved(other), true);
});
