// Every command on both command lines: the same words, the same text, the same exit code, and the
// same bytes in every file.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { CALLS, DOCUMENT, SESSION_CALLS, wordsOf } from '../node/calls.mjs';
import { answersAlike, answersAlikeOfRewinds, answersAlikeOfSnapshots } from '../node/twins.mjs';
import { component, folder, onNode, onWasmtime, repository, stored, wasmtime } from './fixture.mjs';

/** The findings of an examination that do not depend on modes, which WASI has not. */
function withoutModes([verb], findings) {
  if (verb !== 'doctor') return findings;
  return JSON.stringify(JSON.parse(findings).filter(({ check }) => check !== 'modes'));
}

test('every command answers alike, and leaves the same bytes', (t) => answersAlike(t, onWasmtime, withoutModes));

test('every command of snapshots answers alike', (t) => answersAlikeOfSnapshots(t, onWasmtime));

test('every command of rewinds answers alike, and leaves the same files', (t) => answersAlikeOfRewinds(t, onWasmtime));

test('every command of the help is compared', (t) => {
  const { out } = onWasmtime(folder(t), ['help', 'all']);
  const listed = out.split('\nOptions:\n')[0].matchAll(/^ {2}([a-z]+) {2}/gm);
  const names = [...listed].map(([, name]) => name);
  assert.ok(names.length > 10, out);
  const compared = new Set([...CALLS.map(wordsOf), ...SESSION_CALLS].map(([name]) => name));
  assert.deepEqual(names.filter((name) => !compared.has(name)), []);
});

test('what one command line saved is where the other one resumes', (t) => {
  const root = repository(t);
  onNode(root, ['phase', 'design', 'plan', 'complete', '--summary', 'planned']);
  assert.match(onWasmtime(root, ['resume', 'design']).out, /planned/);
  onWasmtime(root, ['phase', 'design', 'draw', 'in_progress']);
  assert.equal(JSON.parse(onNode(root, ['resume', 'design', '--json']).out).phase, 'draw');
  const shown = [onNode, onWasmtime].map((on) => on(root, ['show', 'design', '--json']).out);
  assert.equal(shown[0], shown[1]);
});

test('a document that takes many reads and writes is kept whole', (t) => {
  const root = repository(t);
  const text = JSON.stringify({ ...JSON.parse(DOCUMENT), unknown: 'word '.repeat(400_000) });
  assert.equal(onWasmtime(root, ['save', 'reconcile', '-'], { input: text }).error, '');
  // More than the default of spawnSync is printed.
  const how = { maxBuffer: 16 << 20 };
  const shown = [onNode, onWasmtime].map((on) => on(root, ['show', 'reconcile', '--json'], how).out);
  assert.equal(JSON.parse(shown[0]).unknown.length, 2_000_000);
  assert.equal(shown[1], shown[0]);
});

test('a command that is shown leaves the place of the component open, unless it is in the working folder', (t) => {
  const [root, other] = [repository(t), repository(t)];
  const name = path.basename(component);
  fs.copyFileSync(component, path.join(root, name));
  const next = (cwd) => {
    const out = execFileSync(wasmtime, ['run', '--dir', '.', path.join(root, name), '--json'], { cwd, encoding: 'utf8' });
    return JSON.parse(out).next[0];
  };
  assert.equal(next(root), `wasmtime run --dir . ${name} init`);
  assert.equal(next(other), `wasmtime run --dir . PATH/${name} init`);
});

test('the component runs as it is, and compiled', (t) => {
  const root = repository(t);
  const words = ['phase', 'design', 'plan', 'in_progress'];
  execFileSync(wasmtime, ['run', '--dir', '.', component, ...words], { cwd: root });
  assert.equal(onWasmtime(root, words).code, 0);
  assert.equal(stored(root, 'design').revision, 2);
});
