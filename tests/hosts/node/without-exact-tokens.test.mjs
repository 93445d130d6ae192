// The package where the one that counts exact tokens is not installed beside it.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { emptyFolder, require } from './fixture.mjs';

const PACKAGE = path.dirname(require.resolve('milepost/package.json'));
const SETTINGS = '.claude/config/integrations.json';
const INSTALL = /install the npm package milepost-exact-tokens beside milepost/;

/** A project with `milepost` alone, and a budget in exact tokens if one is given. */
function project(t, budget) {
  const root = emptyFolder(t);
  fs.cpSync(PACKAGE, path.join(root, 'node_modules/milepost'), { recursive: true });
  fs.mkdirSync(path.join(root, '.git'));
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'a9993e364706816aba3e25717850c26c9cd0d89d\n');
  if (budget !== undefined) {
    fs.mkdirSync(path.join(root, path.dirname(SETTINGS)), { recursive: true });
    fs.writeFileSync(path.join(root, SETTINGS), JSON.stringify({ tokens: budget }));
  }
  return root;
}

/** Runs a script there. Returns what it printed, as JSON. */
function script(root, code, ending = 'cjs') {
  const file = path.join(root, `script.${ending}`);
  fs.writeFileSync(file, code);
  const run = spawnSync(process.execPath, [file], { cwd: root, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return JSON.parse(run.stdout);
}

function commandLine(root, ...words) {
  const bin = path.join(root, 'node_modules/milepost/bin/milepost.js');
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], { cwd: root, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const CALLS = `
  const thrown = (call) => { try { call(); } catch (error) { return [error.code, error.message, error instanceof MilepostError]; } };
  const calls = [
    () => entry.countTokens('a'), () => entry.fits('a', 1), () => entry.truncate('a', 1), () => entry.encode('a'),
    () => entry.decode([1]), () => new entry.TokenCounter(),
  ];
  entry.load().catch((error) => console.log(JSON.stringify({
    names: Object.keys(entry).filter((name) => !['default', 'module.exports'].includes(name)).sort(),
    failures: [...calls.map(thrown), [error.code, error.message, error instanceof MilepostError]],
    estimate: entry.estimate('sixteen letters.', 'gemini').tokens,
    encodings: entry.ENCODINGS,
  })));
`;

for (const [kind, ending, opening] of [
  ['require', 'cjs', "const { MilepostError } = require('milepost'); const entry = require('milepost/exact-tokens');"],
  ['import', 'mjs', "import { MilepostError } from 'milepost'; import * as entry from 'milepost/exact-tokens';"],
]) {
  test(`after ${kind} every count says how to install what counts, and estimates go on`, (t) => {
    const { names, failures, estimate, encodings } = script(project(t), opening + CALLS, ending);
    assert.deepEqual(names, Object.keys(require('milepost/exact-tokens')).sort());
    assert.equal(failures.length, 7);
    for (const [code, message, isOne] of failures) {
      assert.deepEqual([code, isOne], ['not_found', true]);
      assert.match(message, /Exact tokens are counted by the npm package milepost-exact-tokens, which cannot be loaded/);
      assert.match(message, /install it beside milepost, in the same version$/);
    }
    assert.deepEqual([estimate, encodings], [4, ['o200k', 'cl100k']]);
  });
}

test('a summary that has to be counted is not stored, and work without one goes on', (t) => {
  const root = project(t, { encoding: 'o200k', limit: 100 });
  const refused = commandLine(root, 'phase', 'design', 'plan', 'complete', '--summary', 'tiktoken is great!');
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, INSTALL);
  const done = commandLine(root, 'phase', 'design', 'plan', 'complete');
  assert.deepEqual([done.status, done.stderr], [0, '']);
  assert.equal(commandLine(root, 'status').status, 0);
});

test('a project without a budget misses nothing', (t) => {
  const root = project(t);
  const done = commandLine(root, 'phase', 'design', 'plan', 'complete', '--summary', 'tiktoken is great!');
  assert.deepEqual([done.status, done.stderr], [0, '']);
});

test('words are counted, and tokens of an encoding are refused with what is to be installed', (t) => {
  const root = project(t);
  fs.writeFileSync(path.join(root, 'notes.md'), 'tiktoken is great!');
  assert.equal(commandLine(root, 'tokens', 'notes.md').status, 0);
  const refused = commandLine(root, 'tokens', 'notes.md', '--encoding', 'o200k');
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, INSTALL);
});

test('both packages have one version, which the first one asks for, and one owner', () => {
  const [first, second] = ['milepost', 'milepost-exact-tokens'].map((name) => require(`${name}/package.json`));
  assert.equal(first.peerDependencies[second.name], `^${second.version}`);
  assert.deepEqual(first.peerDependenciesMeta[second.name], { optional: true });
  for (const member of ['version', 'license', 'author', 'homepage', 'bugs', 'engines']) {
    assert.deepEqual(second[member], first[member], member);
  }
  assert.equal(second.repository.url, first.repository.url);
});

test('the package counts by itself, and registers for the stores of the process', async (t) => {
  const root = project(t, { encoding: 'o200k', limit: 100 });
  const alone = path.join(root, 'elsewhere/milepost-exact-tokens');
  fs.cpSync(path.dirname(require.resolve('milepost-exact-tokens/package.json')), alone, { recursive: true });
  const url = JSON.stringify(pathToFileURL(path.join(alone, 'dist/index.cjs')).href);
  const code = `
    import { countTokens } from ${url};
    import { openStore } from 'milepost';
    const saved = openStore({ root: '.' }).updatePhase('design', 'plan', { context_summary: 'tiktoken is great!' });
    console.log(JSON.stringify([countTokens('tiktoken is great!'), saved.revision]));
  `;
  assert.deepEqual(script(root, code, 'mjs'), [6, 1]);
});
