// Every command on both command lines: the same words, the same text, the same exit code, and the
// same bytes in every file.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import {
  component,
  files,
  folder,
  onNode,
  onWasmtime,
  repository,
  steady,
  stored,
  wasmtime,
} from './fixture.mjs';

/** As text: no number of JavaScript is as large. */
const DOCUMENT = `{
  "command": "reconcile",
  "version": 1,
  "state": {"current_phase": "read", "completed_phases": [], "pending_phases": ["write"]},
  "phases": {"read": {"status": "in_progress"}, "write": {"status": "pending"}},
  "unknown": 1e400
}`;
const SUMMARY = 'Read every format in use; \u001b[31munknown\u001b[0m fields survive.';
const RESPONSE = JSON.stringify({
  status: 'complete',
  context_summary: 'word '.repeat(600).trim(),
});

/** In their order: each goes on from the files that those before it left. */
const CALLS = [
  ['init'],
  ['init', '--json'],
  ['phase', 'implement', 'research', 'complete', '--summary', SUMMARY],
  ['phase', 'implement', 'parser', 'in_progress', '--created', 'a.rs', '--modified', 'b.rs'],
  { words: ['phase', 'implement', 'parser', 'failed', '--error', 'x', '--summary', '-'], input: 's\n' },
  ['phase', 'implement', 'tests', 'pending', '--task', 'T-1', '--json'],
  ['phase', 'implement', 'parser', 'in_progress', '--feature', 'dark.mode'],
  { words: ['save', 'reconcile', '-'], input: DOCUMENT },
  ['save', 'reconcile', 'document.json', '--feature', 'f'],
  { words: ['save', 'design', '-'], input: '{"version": 2}' },
  { words: ['save', 'design', '-'], input: 'no JSON' },
  ['save', 'design', 'missing.json'],
  ['resume'],
  ['resume', '--json'],
  ['resume', 'implement'],
  ['resume', 'ship'],
  ['show', 'implement'],
  ['show', 'implement', '--json'],
  ['show', 'ship'],
  ['status'],
  ['status', '--json'],
  ['gate', 'implement'],
  ['gate', 'implement', '--json'],
  ['rename', 'implement', '--feature', 'dark.mode', 'light.mode'],
  ['log', 'implement', '--feature', 'light.mode'],
  ['rename', 'implement', '--feature', 'dark.mode', 'other', '--json'],
  ['log', 'implement'],
  ['log', 'implement', '--json'],
  ['diff', 'implement'],
  ['diff', 'implement', '1', '3', '--json'],
  ['show', 'implement', '--revision', '1'],
  ['show', 'implement', '--revision', '99'],
  ['undo', 'implement', '--json'],
  ['undo', 'implement', '--to', '1'],
  ['undo', 'ship'],
  ['remove', 'ship', '--json'],
  ['redo', 'implement', '--json'],
  ['redo', 'implement'],
  ['recover', 'implement'],
  ['task', 'list'],
  ['task', 'list', '--json'],
  ['task', 'show', 'fix the login'],
  ['thread', 'list'],
  ['thread', 'list', '--json'],
  ['thread', 'show', 'chat 1'],
  ['thread', 'recover', 'chat 1'],
  ['prune', 'implement'],
  ['trim', 'implement', '--keep', '9'],
  ['trim', 'implement', '--keep', '10', '--days', '0', '--json'],
  ['log', 'implement', '--quiet'],
  ['begin', 'research', 'read', 'write'],
  ['begin', 'research', 'read', 'check', '--json'],
  ['complete', 'implement'],
  ['complete', 'implement', '--force'],
  ['complete', 'implement', '--quiet'],
  ['complete', 'ship'],
  ['validate', 'document.json', 'broken.json', 'missing.json'],
  ['validate', 'document.json', '--json'],
  ['tokens', 'document.json', '--limit', '3'],
  { words: ['tokens', '-'], input: 'a\u00a0b\ufeffc\u0085d' },
  { words: ['handoff', 'check', '-', '--response', '--policy', 'truncate'], input: RESPONSE },
  { words: ['handoff', 'check', '-', '--response', '--policy', 'reject', '--json'], input: RESPONSE },
  { words: ['handoff', 'check', '-'], input: '{}' },
  ['schema', '--json'],
  ['schema', '--ts'],
  ['schema', '--markdown'],
  ['schema'],
  ['completions', 'bash'],
  { words: ['hook', 'claude-code', 'SessionStart'], input: '{"source": "startup"}' },
  { words: ['hook', 'claude-code'], input: '{"hook_event_name": "none of ours"}' },
  { words: ['hook', 'unknown'], input: '{}' },
  { words: ['statusline'], input: '{"context_window": {"used_percentage": 12}}' },
  ['hooks', 'status'],
  ['hooks', 'status', '--json'],
  ['hooks', 'remove', 'codex'],
  ['hooks', 'install', 'unknown'],
  ['mcp', '--help'],
  ['notify', '--help'],
  ['view', '--help'],
  ['export', '--help'],
  { words: ['doctor', '--json'], shared: withoutModes },
  ['--help'],
  ['--version'],
  ['phase', '--help'],
  ['help', 'handoff', 'check'],
  ['version'],
  [],
  ['--json'],
  ['log', '--limit', '1'],
  ['diff', '1', '2'],
  ['gate', '--json'],
  ['status', '--unfinished', '--limit', '1'],
  ['bogus'],
  ['status', '--root', 'below'],
  ['phase', 'implement', 'one', 'pending', '--root', 'below'],
  ['status', '--root', 'missing'],
  ['phase', 'implement', 'CON\u0007', 'pending'],
  ['phase', 'implement', 'one', 'pending', '--feature', '../escape'],
];

/** Of snapshots, whose ids tell the time: `ID` stands for that of the first one. */
const SESSION_CALLS = [
  ['create', '--reason', 'handoff', '--message', '80% tokens'],
  ['create', '--reason', 'whim'],
  ['list'],
  ['list', '--archived'],
  ['restore', '--latest'],
  ['restore', '--id', 'ID'],
  ['restore', '--id', 'chk-20010101-000000'],
  ['restore'],
  ['verify', '--id', 'ID'],
  ['show', 'ID'],
  ['pin', 'ID'],
  ['pin', 'ID', '--remove'],
  ['cleanup', '--dry-run'],
  ['cleanup'],
  ['archive', 'ID'],
  ['archive'],
  ['snapshot', 'show', 'ID'],
  ['snapshot', 'list', '--archived', '-n', '1'],
];

/** The findings of an examination that do not depend on modes, which WASI has not. */
function withoutModes(findings) {
  return JSON.stringify(JSON.parse(findings).filter(({ check }) => check !== 'modes'));
}

const wordsOf = (call) => (Array.isArray(call) ? call : call.words);

/** Two equal repositories, one for each command line. */
function twins(t) {
  const root = repository(t);
  fs.mkdirSync(path.join(root, 'below'));
  fs.writeFileSync(path.join(root, 'document.json'), DOCUMENT);
  fs.writeFileSync(path.join(root, 'broken.json'), '{"phases": 3, "state": null}');
  const twin = folder(t);
  fs.cpSync(root, twin, { recursive: true });
  return { root, twin };
}

test('every command answers alike, and leaves the same bytes', async (t) => {
  const { root, twin } = twins(t);
  for (const call of CALLS) {
    const words = wordsOf(call);
    await t.test(`milepost ${words.join(' ')}`, () => {
      const how = { input: call.input ?? '' };
      const [expected, actual] = [onNode(root, words, how), onWasmtime(twin, words, how)];
      const { shared = (text) => text } = call;
      assert.equal(steady(shared(actual.out)), steady(shared(expected.out)));
      assert.equal(steady(actual.error), steady(expected.error));
      assert.equal(actual.code, expected.code);
      assert.deepEqual(files(twin), files(root));
    });
  }
});

test('every command of snapshots answers alike', async (t) => {
  const roots = [onNode, onWasmtime].map((run) => {
    const root = repository(t);
    fs.writeFileSync(path.join(root, 'notes'), 'not committed\n');
    run(root, ['phase', 'implement', 'parser', 'complete', '--summary', 'Parser done.']);
    run(root, ['phase', 'implement', 'tests', 'in_progress']);
    const made = run(root, ['create', '--reason', 'phase_complete', '--json']);
    return { run, root, id: JSON.parse(made.out).id };
  });
  // A second one of the same second has a longer id, for which a list makes room.
  const plain = (text) =>
    steady(text)
      .replaceAll(/chk-\d{8}-\d{6}(-\d+)? */g, 'ID ')
      .replaceAll(/The commit [0-9a-f]{7} /g, 'The commit HEAD ')
      // WASI does not show what the user ignores everywhere.
      .replaceAll(/^What the user ignores everywhere was not seen, and may be among the files\n/gm, '');
  for (const words of SESSION_CALLS) {
    await t.test(`milepost ${words.join(' ')}`, () => {
      const [node, wasmtime] = roots.map(({ run, root, id }) => {
        const { code, out, error } = run(root, words.map((word) => (word === 'ID' ? id : word)));
        return { code, out: plain(out), error: plain(error) };
      });
      assert.deepEqual(wasmtime, node);
    });
  }
});

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
