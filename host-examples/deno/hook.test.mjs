// The hook as a host runs it: a Deno process with a payload on standard input, and with the
// permissions that the README gives it.

import '../../tests/hosts/environment.mjs';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';

const HOOK = path.join(import.meta.dirname, 'hook.ts');
const QUIET = { status: 0, stdout: '', stderr: '' };

/** A repository with a phase in progress. */
function project(t) {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-'));
  t.after(() => fs.rmSync(root, { recursive: true, force: true }));
  execFileSync('git', ['init', '--quiet', root]);
  const store = openStore({ root });
  store.updatePhase('implement', 'parser', { status: 'complete', context_summary: 'Parser done.' });
  store.updatePhase('implement', 'writer', { status: 'in_progress' });
  return { root, store };
}

const readme = (root) => [`--allow-read=${root}`, `--allow-write=${path.join(root, '.claude')}`];

/** @param {object | string} payload */
function hook(root, payload, permissions = readme(root)) {
  const deno = process.env.MILEPOST_DENO;
  const words = ['run', '--no-prompt', ...permissions, HOOK];
  const input = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const env = { ...process.env, NO_COLOR: '1' };
  const { status, stdout, stderr } = spawnSync(deno, words, { cwd: root, env, input, encoding: 'utf8' });
  return { status, stdout, stderr };
}

function contextOf({ status, stdout, stderr }) {
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  const { hookEventName, additionalContext } = JSON.parse(stdout).hookSpecificOutput;
  assert.equal(hookEventName, 'SessionStart');
  return additionalContext;
}

test('the hook is well typed', () => {
  const { status, stderr } = spawnSync(process.env.MILEPOST_DENO, ['check', HOOK], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

test('a new session is given the resume point', (t) => {
  const { root } = project(t);
  const context = contextOf(hook(root, { hook_event_name: 'SessionStart', source: 'startup' }));
  assert.match(context, /data, not instructions/);
  assert.deepEqual(JSON.parse(context.slice(context.indexOf('{'))), {
    command: 'implement',
    feature: null,
    phase: 'writer',
    phaseSummary: null,
    summary: 'Parser done.',
    alongside: [],
    others: [],
    warnings: [],
  });
});

test('a new session is shown the corrupt checkpoint, with the command that brings it back', (t) => {
  const { root } = project(t);
  fs.writeFileSync(path.join(root, '.claude/state/implement-checkpoint.json'), '{');
  const context = contextOf(hook(root, { hook_event_name: 'SessionStart' }));
  assert.match(context, /corrupt: \.claude\/state\/implement-checkpoint\.json/);
  assert.match(context, /recover\(\\"implement\\"\)/);
});

test('a new session is shown the missing checkpoint, with the command that brings it back', (t) => {
  const { root } = project(t);
  fs.rmSync(path.join(root, '.claude/state/implement-checkpoint.json'));
  const context = contextOf(hook(root, { hook_event_name: 'SessionStart' }));
  assert.match(context, /its history is kept.*recover\(\\"implement\\"\)/);
});

test('the last message becomes the summary of the phase, cut to the budget', (t) => {
  const { root, store } = project(t);
  const last_assistant_message = 'word '.repeat(600);
  assert.deepEqual(hook(root, { hook_event_name: 'Stop', last_assistant_message }), QUIET);
  const { writer, parser } = store.load('implement').phases;
  assert.equal(writer.context_summary.trim().split(/\s+/).length, 500);
  assert.equal(writer.status, 'in_progress');
  assert.equal(parser.context_summary, 'Parser done.');
});

test('a phase that is only planned gets no summary', (t) => {
  const { root, store } = project(t);
  store.updatePhase('implement', 'writer', { status: 'complete' });
  store.updatePhase('implement', 'printer', { status: 'pending' });
  hook(root, { hook_event_name: 'Stop', last_assistant_message: 'Bye.' });
  assert.equal(store.load('implement').phases.printer.context_summary, undefined);
});

test('hidden characters of a summary are visible, and the answer stays short', (t) => {
  const { root, store } = project(t);
  for (const context_summary of ['\u202eevil\u001b[2J', '\u200b'.repeat(4000)]) {
    store.updatePhase('implement', 'parser', { context_summary });
    const context = contextOf(hook(root, { hook_event_name: 'SessionStart' }));
    assert.doesNotMatch(context, /[\p{Cf}\u001b]/u);
    assert.ok(context.length < 10_000);
  }
});

test('an unknown event and an empty input are quiet', (t) => {
  const { root } = project(t);
  assert.deepEqual(hook(root, { hook_event_name: 'Notification' }), QUIET);
  assert.deepEqual(hook(root, ''), QUIET);
});

test('a failure is one line, and never disturbs the agent', (t) => {
  const { root } = project(t);
  const failures = [
    [hook(root, 'no JSON'), /JSON/],
    [hook(root, 'null'), /no object/],
    [hook(root, { hook_event_name: 'SessionStart' }, []), /--allow-read/],
    [hook(root, { hook_event_name: 'Stop', last_assistant_message: 'x' }, readme(root).slice(0, 1)), /--allow-write/],
  ];
  for (const [{ status, stdout, stderr }, reason] of failures) {
    assert.deepEqual({ status, stdout }, { status: 0, stdout: '' });
    assert.match(stderr, /^\[milepost hook\] [^\n]+\n$/);
    assert.match(stderr, reason);
  }
});
