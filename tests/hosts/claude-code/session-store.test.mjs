// The Claude Agent SDK with `MilepostSessionStore`: its own functions on sessions, without its command line, and beside
// the store in memory that it has for tests.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

import { MilepostSessionStore } from 'milepost/session-store';

/** The folder it is installed in: its licence lets only those who ask for it do that. */
const MODULES = process.env.MILEPOST_CLAUDE_AGENT_SDK;

const {
  InMemorySessionStore,
  deleteSession,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  importSessionToStore,
  listSessions,
  listSubagents,
  renameSession,
  tagSession,
} = await import(pathToFileURL(path.join(MODULES, '@anthropic-ai/claude-agent-sdk/sdk.mjs')).href);

const SESSION = '0b6e9c1e-6f0a-4c55-9b5e-2f1c7d3a9e10';
const DAY = '2026-11-28T08:00:0';

/** A folder that is there for one test. */
function folder(t) {
  const made = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-sdk-')));
  t.after(() => fs.rmSync(made, { recursive: true }));
  return made;
}

/** A transcript as the SDK's command line writes it. */
function transcript(cwd, count, more = {}) {
  const id = (n) => `${more.agentId ?? 'main'}-0000-4000-8000-${String(n).padStart(12, '0')}`.replace('main', '00000000');
  return Array.from({ length: count }, (_, n) => ({
    parentUuid: n === 0 ? null : id(n - 1),
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId: SESSION,
    version: '2.1.0',
    type: n % 2 === 0 ? 'user' : 'assistant',
    message:
      n % 2 === 0
        ? { role: 'user', content: `question ${n} ü 🚒` }
        : { id: `msg_${n}`, type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: `answer ${n}` }] },
    uuid: id(n),
    timestamp: `${DAY}${n % 10}.000Z`,
    ...more,
  }));
}

/** All that the SDK says of the sessions of a store. */
async function seen(dir, sessionStore, id) {
  const options = { dir, sessionStore };
  const [sessions, info, messages, agents] = await Promise.all([
    listSessions(options),
    getSessionInfo(id, options),
    getSessionMessages(id, { ...options, includeSystemMessages: true }),
    listSubagents(id, options),
  ]);
  const subagents = await Promise.all(agents.map((agent) => getSubagentMessages(id, agent, options)));
  return { sessions, info, messages, agents, subagents };
}

/** Differ from call to call, or, as the size, with what a store keeps beside the entries. */
const DIFFERENT = ['lastModified', 'timestamp', 'uuid', 'fileSize'];

/** Without those, and without the ids that a fork makes. */
function comparable(value, ids = []) {
  const text = JSON.stringify(value, (key, it) => (DIFFERENT.includes(key) ? undefined : it));
  return JSON.parse(ids.reduce((all, id) => all.replaceAll(id, 'ID'), text));
}

test('the functions of the SDK say of a stored session what they say of one in memory', async (t) => {
  const dir = folder(t);
  const config = folder(t);
  process.env.CLAUDE_CONFIG_DIR = config;
  const storagePath = folder(t);
  const stores = [new InMemorySessionStore(), new MilepostSessionStore({ storagePath })];

  // The local transcript that a program has before it has a store.
  const local = path.join(config, 'projects', dir.replace(/[^a-zA-Z0-9]/g, '-'));
  fs.mkdirSync(path.join(local, SESSION, 'subagents'), { recursive: true });
  const lines = (entries) => entries.map((it) => `${JSON.stringify(it)}\n`).join('');
  fs.writeFileSync(path.join(local, `${SESSION}.jsonl`), lines(transcript(dir, 40)));
  const ofAgent = transcript(dir, 6, { agentId: 'abc1234', isSidechain: true });
  fs.writeFileSync(path.join(local, SESSION, 'subagents', 'agent-abc1234.jsonl'), lines(ofAgent));
  for (const store of stores) await importSessionToStore(SESSION, store, { dir });
  // A second time nothing comes twice; the store of the SDK takes it twice.
  await importSessionToStore(SESSION, stores[1], { dir });

  const both = async (id, ids = []) => {
    const [expected, found] = await Promise.all(stores.map((store, at) => seen(dir, store, [id].flat()[at] ?? id)));
    assert.deepEqual(comparable(found, ids), comparable(expected, ids));
    return expected;
  };
  const first = await both(SESSION);
  assert.equal(first.messages.length, 40);
  assert.equal(first.sessions.length, 1);
  assert.equal(first.subagents[0].length, 6);

  for (const store of stores) {
    await renameSession(SESSION, 'A parser', { dir, sessionStore: store });
    await tagSession(SESSION, 'wanted', { dir, sessionStore: store });
  }
  const named = await both(SESSION);
  assert.equal(named.info.customTitle, 'A parser');

  const upTo = first.messages[9].uuid;
  const forks = [];
  for (const sessionStore of stores) {
    forks.push((await forkSession(SESSION, { dir, sessionStore, upToMessageId: upTo, title: 'A fork' })).sessionId);
  }
  const forked = await both(forks, forks);
  assert.equal(forked.messages.length, 10);
  assert.equal(forked.sessions.length, 2);
  assert.equal((await both(SESSION, forks)).messages.length, 40);

  for (const sessionStore of stores) await deleteSession(SESSION, { dir, sessionStore });
  const [expected, found] = await Promise.all(stores.map((store) => listSessions({ dir, sessionStore: store })));
  assert.deepEqual(comparable(found, forks), comparable(expected, forks));
  assert.equal(found.length, 1);
});
