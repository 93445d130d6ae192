// A use of each entry, for any test runner. A runner may give tests a realm of their own, so that what comes from Node,
// such as an error of `fs` or a `Buffer`, is of another one than the package and the tests.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** Passes a folder that is removed afterwards. */
async function within(use) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-runner-'));
  try {
    await use(folder);
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

const same = (found, expected) => assert.equal(JSON.stringify(found), JSON.stringify(expected));

/** Stories by the name of their entry; each gets what the runner loads for it, and what loads another one. */
const STORIES = {
  milepost: ({ MilepostError, openStore }) =>
    within((root) => {
      const store = openStore({ root });
      assert.equal(store.load('implement'), null);
      store.updatePhase('implement', 'parser', { status: 'in_progress' });
      assert.equal(store.load('implement').phases.parser.status, 'in_progress');
      assert.throws(() => store.load('../outside'), (error) => {
        return error instanceof MilepostError && error instanceof Error && error.code === 'invalid_name';
      });
      fs.writeFileSync(path.join(root, '.claude/state/design-checkpoint.json'), '{');
      assert.throws(() => store.load('design'), { code: 'corrupt' });
      fs.writeFileSync(path.join(root, 'file'), '');
      assert.throws(() => openStore({ root: path.join(root, 'file') }).load('implement'), /file/);
    }),

  'milepost/token-counter': ({ countTokens, validateContextSummary }) => {
    assert.equal(countTokens('one two'), 2);
    assert.equal(validateContextSummary('one two three', 2).valid, false);
  },

  'milepost/checkpoint-manager': ({ loadCheckpoint, updatePhase }) =>
    within((root) => {
      process.env.GIT_ROOT = root;
      try {
        updatePhase('design', 'plan', { status: 'complete', context_summary: 'planned' });
        assert.equal(loadCheckpoint('design').phases.plan.status, 'complete');
      } finally {
        delete process.env.GIT_ROOT;
      }
    }),

  'milepost/memory': ({ MemoryFiles, openMemoryStore }) => {
    const files = new MemoryFiles();
    openMemoryStore({ files }).updatePhase('design', 'plan', { status: 'complete' });
    assert.equal(openMemoryStore({ files }).load('design').phases.plan.status, 'complete');
  },

  'milepost/operation': async ({ runOperation }, load) => {
    const files = new (await load('milepost/memory')).MemoryFiles();
    // A host of the user's own, whose bytes are those that Node reads.
    const perform = (effect) => {
      const outcome = files.perform(effect);
      return outcome.outcome === 'bytes' ? { ...outcome, bytes: Buffer.from(outcome.bytes) } : outcome;
    };
    const place = { root: '/', git_root: null, working: '/', dir: null, durability: 'durable', history: null };
    const run = (request) => JSON.parse(runOperation(JSON.stringify({ place, command: 'design', ...request }), perform));
    const changed = run({ operation: 'update_phase', phase: 'plan', patch: { status: 'complete' } });
    assert.equal(changed.ok, true, JSON.stringify(changed));
    assert.equal(run({ operation: 'load' }).ok, true);
  },

  'milepost/snapshots': ({ openSnapshots }) =>
    within((root) => {
      const snapshots = openSnapshots({ root });
      const { id } = snapshots.create({ reason: 'user_requested', message: 'before' });
      assert.equal(snapshots.load({ id }).id, id);
    }),

  'milepost/tasks': ({ createCheckpointManager }) =>
    within(async (storagePath) => {
      const manager = createCheckpointManager({ storage: { storagePath } });
      const state = {
        ...{ id: 'first', taskId: 'task', agentId: 'agent', stepIndex: 1, totalSteps: 2, context: { values: [1, 'two'] } },
        ...{ completedSteps: [], pendingSteps: ['last'], createdAt: '2026-01-29T10:30:00.000Z' },
      };
      await manager.save(state);
      same((await manager.restore('task')).checkpoint.context, state.context);
      await assert.rejects(manager.save({ ...state, context: { value: 1n } }), { code: 'invalid_document' });
    }),

  'milepost/exact-tokens': ({ countTokens, decode, encode }) => {
    assert.equal(countTokens('tiktoken is great!'), 6);
    assert.equal(decode(encode('tiktoken is great!')), 'tiktoken is great!');
  },

  'milepost/langgraph': ({ MilepostSaver }) =>
    within(async (storagePath) => {
      const saver = new MilepostSaver({ storagePath });
      const config = { configurable: { thread_id: 'thread', checkpoint_ns: '' } };
      const checkpoint = (values) => ({
        ...{ v: 4, id: '1ef4f797-8335-6428-8001-8a1503f9b875', ts: new Date().toISOString(), versions_seen: {} },
        ...{ channel_values: values, channel_versions: { value: 1 } },
      });
      const metadata = { source: 'loop', step: 0, parents: {} };
      const value = { bytes: Buffer.of(0, 255, 128), map: new Map([['a', new Set([1])]]), error: new Error('no') };
      await saver.put(config, checkpoint({ value }), metadata, { value: 1 });
      const found = (await saver.getTuple(config)).checkpoint.channel_values.value;
      same([...found.bytes], [0, 255, 128]);
      same([...found.map.get('a')], [1]);
      assert.equal(found.error.message, 'no');
      const refused = saver.put(config, { ...checkpoint({ value: { at: [1n] } }), id: 'other' }, metadata, { value: 1 });
      await assert.rejects(refused, { code: 'invalid_document', message: /"value".*\/at\/0.*bigint/ });
    }),

  'milepost/session-store': ({ MilepostSession, MilepostSessionStore }) =>
    within(async (storagePath) => {
      const store = new MilepostSessionStore({ storagePath });
      const key = { projectKey: 'project', sessionId: 'session' };
      await store.append(key, [{ type: 'user', uuid: 'a', at: { values: [1, null] } }, { type: 'title' }]);
      same(await store.load(key), [{ type: 'user', uuid: 'a', at: { values: [1, null] } }, { type: 'title' }]);
      await assert.rejects(store.append(key, [{ type: 'user', value: 1n }]), { code: 'invalid_document' });
      const session = new MilepostSession({ storagePath });
      await session.addItems([{ role: 'user' }]);
      same(await session.popItem(), { role: 'user' });
    }),

  'milepost/postgres': async ({ openPostgresStore }) => {
    // No server: but the driver is there, and says so.
    const store = openPostgresStore({ project: 'a', connection: 'postgres://user@127.0.0.1:1/none' });
    await assert.rejects(store.load('design'), { code: 'io', message: /ECONNREFUSED/ });
    await store.close();
  },
};
STORIES['milepost/sessions'] = ({ openSessions }) => STORIES['milepost/snapshots']({ openSnapshots: openSessions });

module.exports = { STORIES };
