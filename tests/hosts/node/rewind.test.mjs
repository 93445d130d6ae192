// Rewinds: from JavaScript, and with the payloads of each agent. The operations themselves are tested in Rust.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { MilepostError, openStore } from 'milepost';
import { MemoryFiles } from 'milepost/memory';
import { openSnapshots } from 'milepost/snapshots';
import { AGENTS, payloadsOf } from '../../agents/recorded.mjs';
import { needsGit, node, repository, require } from './fixture.mjs';

const hook = require.resolve('milepost/hook');

/** A project that keeps its files before prompts, with these files in its commit. */
function project(t, files = { 'a.txt': 'one\n', 'b.txt': 'one\n' }) {
  const root = repository(t, files);
  openStore({ root }).init();
  fs.writeFileSync(path.join(root, '.claude/config/integrations.json'), '{"agents": {"rewind": true}}');
  return root;
}

/**
 * An agent as its hook hears of it.
 *
 * @typedef {object} Payloads
 * @property {string} agent
 * @property {string[]} words behind the name of the agent
 * @property {Record<string, any>} prompt
 * @property {string[]} wordsOfStop
 * @property {Record<string, any>} stop
 */

/** The events that begin a turn and end it. */
const BEGINS = ['UserPromptSubmit', 'BeforeAgent', 'userPromptSubmitted', 'chat.message'];
const ENDS = ['Stop', 'AfterAgent', 'agentStop', 'session.idle'];

/** The member that is the session, in the words of each agent. */
const SESSION = ['session_id', 'sessionId', 'sessionID'];

/**
 * The payloads that an agent was recorded to send. One of a subagent is not meant.
 *
 * @param {string} agent
 * @returns {Payloads}
 */
function recordedOf(agent) {
  const all = payloadsOf(agent).filter(({ payload }) => payload.agentId === undefined && payload.agent_id === undefined);
  const first = (/** @type {string[]} */ events) => {
    const { event, payload } = all.find((one) => events.includes(one.event)) ?? assert.fail(`${agent} sends none of ${events}`);
    return { words: payload.hook_event_name === undefined && payload.event === undefined ? [event] : [], payload };
  };
  const [prompt, stop] = [first(BEGINS), first(ENDS)];
  return { agent, words: prompt.words, prompt: prompt.payload, wordsOfStop: stop.words, stop: stop.payload };
}

/** Cursor was never recorded: these are the members that its documentation has. */
const CURSOR = {
  agent: 'cursor',
  words: [],
  prompt: { conversation_id: 's', generation_id: 'g', hook_event_name: 'beforeSubmitPrompt', prompt: '', attachments: [] },
  wordsOfStop: [],
  stop: { conversation_id: 's', generation_id: 'g', hook_event_name: 'stop', status: 'completed', loop_count: 0 },
};

/** A session of an agent in a project: what the hook prints at each prompt. */
class Session {
  #root;
  #payloads;

  constructor(root, payloads) {
    this.#root = root;
    this.#payloads = payloads;
  }

  prompt(text) {
    const { words, prompt } = this.#payloads;
    const typed = 'submitted_prompt' in prompt ? { submitted_prompt: text } : {};
    return this.#send(words, { ...prompt, prompt: text, ...typed });
  }

  stop() {
    const { wordsOfStop, stop } = this.#payloads;
    return this.#send(wordsOfStop, stop);
  }

  /** One turn that writes this file, by a command that no tool names. */
  turn(text, name, content) {
    const said = this.prompt(text);
    fs.writeFileSync(path.join(this.#root, name), content);
    this.stop();
    return said;
  }

  #send(words, payload) {
    const root = this.#root;
    const session = Object.fromEntries(SESSION.filter((name) => name in payload).map((name) => [name, 's1']));
    const here = {
      ...('cwd' in payload && { cwd: root }),
      ...('directory' in payload && { directory: root }),
      ...('conversation_id' in payload && { workspace_roots: [root] }),
    };
    const input = JSON.stringify({ ...payload, ...session, ...here });
    const { agent } = this.#payloads;
    const run = spawnSync(process.execPath, [hook, agent, ...words], { cwd: root, input, encoding: 'utf8' });
    assert.deepEqual([run.status, run.stderr], [0, ''], agent);
    return run.stdout;
  }
}

for (const payloads of [...AGENTS.map(recordedOf), CURSOR]) {
  test(`${payloads.agent} is rewound by three prompts, and gets a notice with the fourth`, needsGit, (t) => {
    const root = project(t);
    const session = new Session(root, payloads);
    const said = ['first', 'second', 'third'].map((text) => session.turn(`the ${text} prompt`, 'a.txt', `${text}\n`));
    assert.deepEqual(said.filter((text) => text.includes('rewound')), []);
    const snapshots = openSnapshots({ root });
    const listed = snapshots.listPrompts().map(({ agent, prompt }) => [agent, prompt]);
    const texts = ['the third prompt', 'the second prompt', 'the first prompt'];
    assert.deepEqual(listed, texts.map((text) => [payloads.agent, text]));
    const { restored, prompt } = snapshots.rewind({ to: '3' });
    assert.deepEqual([restored, prompt], [true, 'the first prompt']);
    assert.equal(fs.readFileSync(path.join(root, 'a.txt'), 'utf8'), 'one\n');
    const answered = session.prompt('the fourth prompt');
    if (payloads.agent === 'cursor') return assert.doesNotMatch(answered, /rewound/, 'it takes no context with a prompt');
    const output = JSON.parse(answered);
    const context = output.hookSpecificOutput?.additionalContext ?? output.additionalContext;
    const { notice } = JSON.parse(context.split('\n').at(-1));
    assert.match(notice, /to before the prompt "the first prompt"\. .*undone: a\.txt\./);
    session.stop();
    assert.doesNotMatch(session.prompt('the fifth prompt'), /rewound/);
  });
}

/** A project after a turn of Claude Code that changed, made and deleted a file, and a change of a person. */
function afterATurn(t) {
  const root = project(t);
  const session = new Session(root, recordedOf('claude-code'));
  session.turn('tidy up the parser', 'a.txt', 'by the agent\n');
  session.prompt('and the printer');
  fs.writeFileSync(path.join(root, 'new.txt'), 'by the agent\n');
  fs.rmSync(path.join(root, 'b.txt'));
  session.stop();
  fs.writeFileSync(path.join(root, 'mine.txt'), 'by a person\n');
  return { root, snapshots: openSnapshots({ root }) };
}

/** The content of each file, and null for one that is not there. */
function contents(root) {
  const read = (name) => (fs.existsSync(path.join(root, name)) ? fs.readFileSync(path.join(root, name), 'utf8').trim() : null);
  return ['a.txt', 'b.txt', 'new.txt', 'mine.txt'].map(read);
}

const AFTER = ['by the agent', null, 'by the agent', 'by a person'];
const BEFORE = ['one', 'one', null, 'by a person'];

test('prompts are listed with what differs since, the newest first', needsGit, (t) => {
  const { snapshots } = afterATurn(t);
  const [second, first] = snapshots.listPrompts();
  assert.match(second.id, /^chk-\d{8}-\d{6}/);
  assert.deepEqual([second.number, second.agent, second.prompt, second.complete], [1, 'claude-code', 'and the printer', true]);
  assert.deepEqual([second.created, second.changed, second.deleted], [2, 0, 1]);
  assert.deepEqual([first.number, first.created, first.changed, first.deleted], [2, 2, 1, 1]);
  assert.deepEqual(snapshots.listPrompts({ limit: 1 }), [second]);
});

test('a plan is made, carried out and undone, and the change of a person stays', needsGit, (t) => {
  const { root, snapshots } = afterATurn(t);
  const dry = snapshots.rewind({ to: 'the parser', dryRun: true });
  const { plan } = dry;
  assert.deepEqual(plan?.changes.map(({ path: changed, act }) => [changed, act]), [
    ['a.txt', 'write'],
    ['b.txt', 'write'],
    ['new.txt', 'delete'],
  ]);
  assert.deepEqual(plan?.left.map(({ path: left }) => left), ['mine.txt']);
  assert.deepEqual([dry.prompt, dry.session, dry.restored, dry.undo], ['tidy up the parser', 's1', false, null]);
  assert.deepEqual(contents(root), AFTER);
  assert.throws(() => snapshots.rewind({ to: dry.id, plan: 'x' }), { code: 'conflict' });
  assert.equal(snapshots.rewind({ to: dry.id, plan: plan?.id }).restored, true);
  assert.deepEqual(contents(root), BEFORE);
  assert.equal(snapshots.rewind({ undo: true }).restored, true);
  assert.deepEqual(contents(root), AFTER);
  snapshots.rewind({ undo: true });
  assert.deepEqual(contents(root), BEFORE);
});

test('some files go back alone, and what a person changed on request', needsGit, (t) => {
  const { root, snapshots } = afterATurn(t);
  snapshots.rewind({ to: '2', files: ['b.txt'] });
  assert.deepEqual(contents(root), ['by the agent', 'one', 'by the agent', 'by a person']);
  snapshots.rewind({ to: '2', files: ['mine.txt'], lose: ['mine.txt'] });
  assert.deepEqual(contents(root), ['by the agent', 'one', 'by the agent', null]);
});

test('what cannot be rewound is an error with a code', needsGit, (t) => {
  const { snapshots } = afterATurn(t);
  const inMemory = openSnapshots({ files: new MemoryFiles() });
  const mistakes = /** @type {const} */ ([
    [() => snapshots.rewind({ to: '9' }), 'not_found'],
    [() => snapshots.rewind({ undo: true }), 'not_found'],
    [() => snapshots.rewind(), 'usage'],
    [() => snapshots.rewind({ to: '1', undo: true }), 'usage'],
    [() => snapshots.rewind(/** @type {any} */ ({ too: '1' })), 'usage'],
    [() => inMemory.rewind({ to: '1' }), 'usage'],
    [() => inMemory.listPrompts(), 'usage'],
  ]);
  for (const [call, code] of mistakes) {
    assert.throws(call, (error) => error instanceof MilepostError && error.code === code, `${call}`);
  }
});

test('both module systems have rewinds', needsGit, (t) => {
  const root = JSON.stringify(afterATurn(t).root);
  const ask = `console.log(openSnapshots({ root: ${root} }).listPrompts().length)`;
  assert.equal(node(`const { openSnapshots } = require('milepost/snapshots'); ${ask}`), '2\n');
  assert.equal(node(`import { openSnapshots } from 'milepost/snapshots'; ${ask}`, { type: 'module' }), '2\n');
});
