// The hook of coding agents, as they start it.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as readline from 'node:readline';
import test from 'node:test';
import { AGENTS, comparable, asRecorded, recorded } from '../../agents/recorded.mjs';
import { IS_FULL_RANGE } from '../environment.mjs';
import { emptyFolder, require } from './fixture.mjs';

const hook = require.resolve('milepost/hook');

/** So many sessions go on at the same time. */
const SESSIONS = Array.from({ length: IS_FULL_RANGE ? 8 : 3 }, (_, number) => number);

/** Paths in recordings are those of other systems, and a project there has another form. */
const ofPosix = { skip: process.platform === 'win32' && 'recorded on Linux' };

function sent(root, agent, input, ...more) {
  const run = spawnSync(process.execPath, [hook, agent, ...more], { cwd: root, input });
  return { code: run.status, out: run.stdout.toString(), error: run.stderr.toString() };
}

/** An event of Claude Code, by a process of its own. */
async function event(root, session, name, more = {}) {
  const payload = { session_id: session, cwd: root, hook_event_name: name, ...more };
  const stdio = /** @type {const} */ (['pipe', 'ignore', 'pipe']);
  const answer = async () => {
    const run = spawn(process.execPath, [hook, 'claude-code'], { cwd: root, stdio });
    let error = '';
    run.stderr.setEncoding('utf8').on('data', (text) => (error += text));
    run.stdin.end(JSON.stringify(payload));
    const [code] = await once(run, 'close');
    return { code, error };
  };
  let answered = await answer();
  // On a slow disk the last of many waits for longer than it does: nothing was written.
  for (let more = 20; more > 0 && answered.error.includes('was held by other writers'); more -= 1) {
    answered = await answer();
  }
  assert.deepEqual(answered, { code: 0, error: '' });
}

function wrote(root, session, file) {
  const more = { tool_name: 'Write', tool_input: { file_path: path.join(root, file) }, tool_response: {} };
  return event(root, session, 'PostToolUse', more);
}

function repository(t) {
  const root = emptyFolder(t);
  fs.mkdirSync(path.join(root, '.git'));
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  return root;
}

function checkpoints(root) {
  const folder = path.join(root, '.claude/state');
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.map((name) => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')));
}

const filesOf = ({ phases }) => Object.values(phases).flatMap((phase) => phase.files_created ?? []);

for (const agent of AGENTS) {
  test(`payloads of ${agent} are answered as in memory`, ofPosix, (t) => {
    const root = emptyFolder(t);
    asRecorded(root);
    for (const { number, event, words, payload, answer } of recorded(agent, root)) {
      const { code, out, error } = sent(root, agent, payload, ...words);
      const expected = answer === '' ? '' : `${answer}\n`;
      const answered = { code, out: comparable(out), error };
      assert.deepEqual(answered, { code: 0, out: comparable(expected), error: '' }, `${number} ${event}`);
    }
  });
}

/** Of a payload that does not come as fast as a hook waits for it, as may be through the pipes of Wine, a hook says nothing. */
const TOO_LARGE = process.platform === 'win32'
  ? /^(?:\[milepost hook\] the payload is larger than \d+ bytes\n)?$/
  : /^\[milepost hook\] the payload is larger than \d+ bytes\n$/;

test('a malformed payload is silent or one line, and no failure', (t) => {
  const root = repository(t);
  for (const input of ['', ' \n', '{', '{"a":"', '[1]', '}', 'null', '{}', '{"session_id":"a"}']) {
    assert.deepEqual(sent(root, 'claude-code', input), { code: 0, out: '', error: '' }, input);
  }
  for (const [agent, input, said] of [
    ['claude-code', '{]}', /^\[milepost hook\] .+\n$/],
    ['unknown', '{}', /^\[milepost hook\] expected one of claude-code, .+, got unknown\n$/],
    ['claude-code', `{"a":"${'x'.repeat(65 << 20)}"}`, TOO_LARGE],
  ]) {
    const { code, out, error } = sent(root, agent, input);
    assert.deepEqual({ code, out }, { code: 0, out: '' });
    assert.match(error, said);
  }
  assert.equal(fs.existsSync(path.join(root, '.claude')), false);
});

test('an input that is never closed is not waited for', async (t) => {
  const root = repository(t);
  const run = spawn(process.execPath, [hook, 'claude-code'], { cwd: root });
  const file_path = path.join(root, 'a');
  const payload = { session_id: 's', cwd: root, hook_event_name: 'PostToolUse', tool_name: 'Edit', tool_input: { file_path } };
  run.stdin.write(`${JSON.stringify(payload)}\n{"more":`);
  const [code] = await once(run, 'close');
  assert.equal(code, 0);
  assert.deepEqual(checkpoints(root).flatMap(filesOf), ['a']);
});

test(`${SESSIONS.length} sessions of as many commands keep to their own runs`, async (t) => {
  const root = repository(t);
  await Promise.all(
    SESSIONS.map(async (number) => {
      const session = `session-${number}`;
      await event(root, session, 'SessionStart', { source: 'startup' });
      await event(root, session, 'UserPromptSubmit', { prompt: `/implement feature-${number}` });
      for (const file of ['a', 'b', 'c', 'd']) await wrote(root, session, `${number}/${file}`);
      await event(root, session, 'Stop', { last_assistant_message: `done ${number}` });
    }),
  );
  const all = checkpoints(root).sort((left, right) => left.feature.localeCompare(right.feature));
  assert.deepEqual(all.map(({ feature }) => feature), SESSIONS.map((number) => `feature-${number}`));
  for (const [number, checkpoint] of all.entries()) {
    assert.deepEqual(filesOf(checkpoint), ['a', 'b', 'c', 'd'].map((file) => `${number}/${file}`));
    assert.equal(checkpoint.phases.work.context_summary, `done ${number}`);
  }
});

test(`${SESSIONS.length} sessions that begin together have a run each, and no file is lost`, async (t) => {
  const root = repository(t);
  await Promise.all(
    SESSIONS.map(async (number) => {
      const session = `${number}${number}${number}${number}-session`;
      await event(root, session, 'SessionStart', { source: 'startup' });
      for (const file of ['a', 'b', 'c']) await wrote(root, session, `${number}/${file}`);
    }),
  );
  const all = checkpoints(root);
  assert.equal(all.length, SESSIONS.length);
  const expected = SESSIONS.map((number) => ['a', 'b', 'c'].map((file) => `${number}/${file}`));
  assert.deepEqual(all.map(filesOf).sort(), expected, 'violated: a file that a hook recorded is lost');
});

test('the status line shows the one that was there before it', ofPosix, async (t) => {
  const root = repository(t);
  await wrote(root, 's', 'a');
  const input = JSON.stringify({ session_id: 's', cwd: root, context_window: { used_percentage: 61.5 } });
  const line = 'implement · work 0/1 · 62 %\n';
  assert.equal(sent(root, 'statusline', input).out, line);
  assert.equal(sent(root, 'statusline', input, '--then', 'cat >/dev/null; echo theirs').out, `theirs\n${line}`);
  assert.equal(sent(root, 'statusline', input.replace('61.5', 'null')).out, 'implement · work 0/1\n');
});

test('a context that is nearly full is handed over by the hook', async (t) => {
  const root = repository(t);
  await wrote(root, 's', 'a');
  const edit = JSON.stringify({
    session_id: 's',
    cwd: root,
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: path.join(root, 'b') },
    tool_response: {},
  });
  const answers = [79, 80, 81].map((used) => {
    const status = { session_id: 's', cwd: root, context_window: { used_percentage: used } };
    assert.equal(sent(root, 'statusline', JSON.stringify(status)).out, `implement · work 0/1 · ${used} %\n`);
    const { code, out, error } = sent(root, 'claude-code', edit);
    assert.deepEqual({ code, error }, { code: 0, error: '' });
    return out;
  });
  assert.deepEqual([answers[0], answers[2]], ['', '']);
  const { hookEventName, additionalContext } = JSON.parse(answers[1]).hookSpecificOutput;
  assert.equal(hookEventName, 'PostToolUse');
  assert.match(additionalContext, /^The context window is 80 % full.*`[^`]*milepost(?:\.js'?)? phase implement work --feature= --summary/);
  const [checkpoint] = checkpoints(root);
  assert.deepEqual(filesOf(checkpoint), ['a', 'b'], 'what the event is about is kept as well');
  const kept = fs.readdirSync(path.join(root, '.claude/checkpoints'));
  assert.equal(kept.filter((name) => name.endsWith('.yaml')).length, 1);
});

/** An agent in a process of its own, which runs hooks and can be killed. */
function startAgent(t, root) {
  const script = `
    const { spawnSync } = require('node:child_process');
    require('node:readline').createInterface({ input: process.stdin }).on('line', (input) => {
      const { stdout, stderr } = spawnSync(process.execPath, [${JSON.stringify(hook)}, 'claude-code'], { input });
      console.log(JSON.stringify({ out: stdout.toString(), error: stderr.toString() }));
    });`;
  const agent = spawn(process.execPath, ['-e', script], { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => agent.kill('SIGKILL'));
  const answers = readline.createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
  return {
    async hook(session, name, more) {
      const payload = { session_id: session, cwd: root, hook_event_name: name, ...more };
      agent.stdin.write(`${JSON.stringify(payload)}\n`);
      const { out, error } = JSON.parse((await answers.next()).value);
      assert.equal(error, '');
      return out === '' ? null : JSON.parse(out).hookSpecificOutput.additionalContext;
    },
    async kill() {
      agent.kill('SIGKILL');
      await once(agent, 'close');
    },
  };
}

const plan = {
  tool_name: 'TodoWrite',
  tool_input: {
    todos: [
      { content: 'Write it', status: 'in_progress' },
      { content: 'Test it', status: 'pending' },
    ],
  },
};

const ofLinux = { skip: process.platform !== 'linux' && 'processes are looked up in /proc' };

test('the next session carries on with the run of an agent that was killed', ofLinux, async (t) => {
  const root = repository(t);
  const first = startAgent(t, root);
  await first.hook('a', 'SessionStart', { source: 'startup' });
  await first.hook('a', 'PostToolUse', plan);
  const second = startAgent(t, root);
  const start = { source: 'startup' };
  assert.match(await second.hook('b', 'SessionStart', start), /"other_session":"Another session \(claude-code\) was here/);
  await first.kill();
  const given = await second.hook('b', 'SessionStart', start);
  assert.match(given, /"phase":"Write it".*"pending_phases":\["Test it"\]/);
  assert.doesNotMatch(given, /other_session/);
  const write = { tool_name: 'Write', tool_input: { file_path: path.join(root, 'x') }, tool_response: {} };
  assert.equal(await second.hook('b', 'PostToolUse', write), null);
  const [run, ...others] = checkpoints(root);
  assert.deepEqual(others, []);
  assert.deepEqual(filesOf(run), ['x']);
});
