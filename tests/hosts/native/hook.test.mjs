// The hook of coding agents as a program of this machine.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { AGENTS, asRecorded, comparable, recorded } from '../../agents/recorded.mjs';
import { emptyFolder, native, onNative, onNode, stored } from './fixture.mjs';

const SILENT = { code: 0, out: '', error: '' };

for (const agent of AGENTS) {
  test(`payloads of ${agent} are answered as on Node`, (t) => {
    const root = emptyFolder(t);
    asRecorded(root);
    for (const { number, event, words, payload, answer } of recorded(agent, root)) {
      const { code, out, error } = onNative(root, ['hook', agent, ...words], { input: payload });
      const expected = answer === '' ? '' : `${answer}\n`;
      const answered = { code, out: comparable(out), error };
      assert.deepEqual(answered, { code: 0, out: comparable(expected), error: '' }, `${number} ${event}`);
    }
  });
}

test('an agent is not disturbed: one line at most, and exit code 0', (t) => {
  const root = emptyFolder(t);
  for (const input of ['', '{', '[1]', '{}', '{"session_id":"a"}', 'no payload']) {
    assert.deepEqual(onNative(root, ['hook', 'codex'], { input }), SILENT, input);
  }
  for (const [words, input, pattern] of [
    [['codex'], '{"a": bad}', /^\[milepost hook\] the payload is not valid JSON: [^\n]*\n$/],
    [['unknown'], '{}', /There is no agent "unknown": expected one of claude-code, /],
    [['codex', '--store', 'x'], '{}', /^\[milepost hook\] expected `--store env:NAME --project PROJECT`[^\n]*\n$/],
  ]) {
    const { code, out, error } = onNative(root, ['hook', ...words], { input });
    assert.deepEqual([code, out], [0, '']);
    assert.match(error, pattern);
  }
  const trial = onNative(root, ['hook', 'claude-code'], { input: '{"hook_event_name":"milepost.trial"}' });
  assert.deepEqual(trial, { ...SILENT, out: 'works\n' });
});

test('an input that stays open is not waited for', async (t) => {
  const root = project(t);
  const hook = spawn(native, ['hook', 'claude-code'], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  hook.stdin.write(payload(root, 'SessionStart', { source: 'startup' }));
  const [code] = await once(hook, 'exit');
  assert.equal(code, 0);
  hook.stdin.destroy();
});

test('files that an agent wrote join the phase in progress', (t) => {
  const root = project(t);
  const write = { tool_name: 'Write', tool_input: { file_path: path.join(root, 'a.rs') } };
  assert.equal(onNative(root, ['hook', 'claude-code'], { input: payload(root, 'PostToolUse', write) }).code, 0);
  assert.deepEqual(stored(root, 'implement').phases.parser.files_created, ['a.rs']);
});

test('an entry of the user leaves an event to that of the project, on both hosts alike', (t) => {
  for (const run of [onNode, onNative]) {
    const root = project(t);
    const input = payload(root, 'SessionStart', { source: 'startup' });
    const env = { ...process.env, HOME: path.join(root, 'home') };
    delete env.CLAUDE_CONFIG_DIR;
    const answer = () => run(root, ['hook', 'claude-code', 'user'], { input, env }).out;
    assert.match(answer(), /parser/);
    fs.mkdirSync(path.join(root, '.claude'), { recursive: true });
    const hooks = [{ command: 'node -e "…" ./node_modules/milepost/bin/hook.js claude-code' }];
    fs.writeFileSync(path.join(root, '.claude/settings.json'), JSON.stringify({ hooks: { SessionStart: [{ hooks }] } }));
    assert.match(answer(), /parser/, 'what it runs is not there');
    fs.mkdirSync(path.join(root, 'node_modules/milepost/bin'), { recursive: true });
    fs.writeFileSync(path.join(root, 'node_modules/milepost/bin/hook.js'), '');
    assert.equal(answer(), '');
  }
});

test('runs are kept in files where a hook names a database, and the session is given the reason', (t) => {
  const root = project(t);
  const input = payload(root, 'SessionStart', { source: 'startup' });
  const words = ['hook', 'claude-code', '--store', 'env:DATABASE_URL', '--project', 'shop'];
  for (const [env, pattern] of [
    [{ DATABASE_URL: 'postgres://host/name' }, /DATABASE_URL: this program reaches no database/],
    [{}, /The environment variable DATABASE_URL is not set here/],
  ]) {
    const { DATABASE_URL, ...others } = process.env;
    const { out, error } = onNative(root, words, { input, env: { ...others, ...env } });
    assert.equal(error, '');
    assert.match(out, pattern);
    assert.match(out, /parser/);
  }
});

test('the status line is below that of another command', (t) => {
  const root = project(t);
  const input = JSON.stringify({ session_id: 's', cwd: root, context_window: { used_percentage: 12 } });
  const own = onNative(root, ['statusline'], { input });
  assert.match(own.out, /^.*12 %\n$/);
  const then = 'cat > payload; printf other';
  const both = onNative(root, ['statusline', '--then', then], { input });
  assert.equal(both.out, `other\n${own.out}`);
  assert.deepEqual(JSON.parse(fs.readFileSync(path.join(root, 'payload'), 'utf8')), JSON.parse(input));
  assert.deepEqual(onNative(root, ['statusline', '--then', 'exit 1'], { input }), own);
});

/** A repository with a phase in progress. */
function project(t) {
  const root = fs.realpathSync(emptyFolder(t));
  fs.mkdirSync(path.join(root, '.git'));
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  assert.equal(onNative(root, ['phase', 'implement', 'parser', 'in_progress']).code, 0);
  return root;
}

/** The text that Claude Code sends of an event. */
function payload(root, hook_event_name, more) {
  return JSON.stringify({ session_id: 's', cwd: root, hook_event_name, ...more });
}
