// The package in a realm of its own, as test runners load it: its `Error`, `Map` and `Uint8Array` are others than those
// of what Node answers with.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import test from 'node:test';
import * as vm from 'node:vm';
import { emptyFolder, require } from './fixture.mjs';

/** The globals that such a runner hands in; all others are the realm's own. */
const GIVEN = {
  ...{ AbortController, AbortSignal, Buffer, TextDecoder, TextEncoder, URL, WebAssembly, console, crypto, performance },
  ...{ clearTimeout, process, queueMicrotask, setImmediate, setTimeout },
};

const OURS = path.join('node_modules', 'milepost');

/** Returns a `require` whose modules of this package run in a new realm. */
function realm() {
  const parsingContext = vm.createContext({ ...GIVEN });
  const modules = new Map();
  const requireFrom = (real) => (name) => {
    const file = real.resolve(name);
    return file.includes(OURS) ? load(file) : real(name);
  };
  const load = (file) => {
    if (!modules.has(file)) {
      const module = { exports: {} };
      modules.set(file, module);
      const names = ['module', 'exports', 'require', '__dirname', '__filename'];
      const run = vm.compileFunction(fs.readFileSync(file, 'utf8'), names, { parsingContext, filename: file });
      run(module, module.exports, requireFrom(createRequire(file)), path.dirname(file), file);
    }
    return modules.get(file).exports;
  };
  return Object.assign(requireFrom(require), { evaluate: (code) => vm.runInContext(code, parsingContext) });
}

const same = (found, expected) => assert.equal(JSON.stringify(found), JSON.stringify(expected));

test('a store reads and writes files', (t) => {
  const root = emptyFolder(t);
  const { MilepostError, openStore } = realm()('milepost');
  const store = openStore({ root });
  assert.equal(store.load('implement'), null);
  store.updatePhase('implement', 'parser', { status: 'in_progress' });
  assert.equal(store.load('implement').revision, 1);
  fs.writeFileSync(path.join(root, '.claude/state/design-checkpoint.json'), '{');
  assert.throws(() => store.load('design'), (error) => error instanceof MilepostError && error.code === 'corrupt');
});

test('snapshots are made and read', (t) => {
  const snapshots = realm()('milepost/snapshots').openSnapshots({ root: emptyFolder(t) });
  const { id } = snapshots.create({ reason: 'user_requested', message: 'before' });
  assert.equal(snapshots.load({ id }).id, id);
});

test('task checkpoints carry the values of either realm', async (t) => {
  const inside = realm();
  const manager = inside('milepost/tasks').createCheckpointManager({ storage: { storagePath: emptyFolder(t) } });
  const state = (id, context) => ({
    ...{ id, taskId: 'task', agentId: 'agent', stepIndex: 1, totalSteps: 2, context },
    ...{ completedSteps: [], pendingSteps: ['last'], createdAt: '2026-01-29T10:30:00.000Z' },
  });
  for (const [id, context] of [['here', { at: [1] }], ['there', inside.evaluate('({ at: [1] })')]]) {
    await manager.save(state(id, context));
    same((await manager.restoreById(id)).checkpoint.context, { at: [1] });
  }
  for (const value of [new Map(), inside.evaluate('new Map()'), inside.evaluate('new Uint8Array(1)'), new Error('x')]) {
    await assert.rejects(manager.save(state('other', { value })), { code: 'invalid_document' });
  }
  assert.equal(await manager.deleteAll('another'), 0);
});

test('a host of the caller may answer with a Buffer', () => {
  const inside = realm();
  const { runOperation } = inside('milepost/operation');
  const { MemoryFiles } = inside('milepost/memory');
  const files = new MemoryFiles();
  files.write('/.claude/state/design-checkpoint.json', '{');
  const perform = (effect) => {
    const outcome = files.perform(effect);
    return outcome.outcome === 'bytes' ? { ...outcome, bytes: Buffer.from(outcome.bytes) } : outcome;
  };
  const place = { root: '/', git_root: null, working: '/', dir: null, durability: 'durable', history: null };
  const reply = JSON.parse(runOperation(JSON.stringify({ operation: 'load', place, command: 'design' }), perform));
  assert.equal(reply.error.code, 'corrupt');
});

test('token ids of either realm are decoded', () => {
  const inside = realm();
  const { decode, encode } = inside('milepost/exact-tokens');
  const text = 'tiktoken is great!';
  assert.equal(decode(encode(text)), text);
  assert.equal(decode(Uint32Array.from(encode(text))), text);
});

test('a driver that is there is required where nothing may be imported', async () => {
  const inside = realm();
  const { openPostgresStore } = inside('milepost/postgres');
  const store = openPostgresStore({ project: 'a', connection: 'postgres://a@127.0.0.1:1/none' });
  // Where `pg` is not installed, its absence is the reason, and never that the realm cannot import.
  const error = await store.load('design').then(assert.fail, (it) => it);
  assert.doesNotMatch(error.message, /dynamic import|--experimental-vm-modules/i);
  assert.match(error.message, /ECONNREFUSED|Cannot find module 'pg'/);
});

test('a signal of either realm ends the watch of a database', () => {
  const inside = realm();
  const store = inside('milepost/postgres').openPostgresStore({ project: 'a', connection: 'postgres://a@127.0.0.1:1/none' });
  const outer = new AbortController();
  const signals = [outer.signal, inside.evaluate('new AbortController()').signal];
  for (const signal of signals) assert.equal(typeof store.follow('design', null, { signal }).next, 'function');
  for (const signal of [{}, { aborted: false }, 'no']) {
    assert.throws(() => store.follow('design', null, { signal }), { code: 'usage', message: /`signal` to be an AbortSignal/ });
  }
});
