// The memory that is kept after a large value: that of a WebAssembly instance never gets smaller.

import assert from 'node:assert/strict';
import test from 'node:test';
import { emptyFolder } from './fixture.mjs';
import { state } from './task-fixture.mjs';

/** Notes each instance that is made. */
function instances(t) {
  const made = [];
  const { Instance } = WebAssembly;
  WebAssembly.Instance = class extends Instance {
    constructor(...from) {
      super(...from);
      made.push(this);
    }
  };
  t.after(() => (WebAssembly.Instance = Instance));
  return made;
}

const MB = 1024 * 1024;
const sizes = (made) => made.map(({ exports }) => exports.memory.buffer.byteLength);

test('an instance that needed much memory is not kept, and what it stored is there', async (t) => {
  const made = instances(t);
  const { createCheckpointManager } = await import('milepost/tasks');
  const manager = createCheckpointManager({ storage: { storagePath: emptyFolder(t) } });
  const text = 'a'.repeat(15.9 * MB);
  await manager.save(state('small'));
  const before = made.length;
  await manager.save(state('large', { context: { text } }));
  assert.ok(Math.max(...sizes(made)) > 64 * MB, String(sizes(made)));
  assert.equal(made.length, before + 1);
  assert.ok(sizes(made).at(-1) < 64 * MB, String(sizes(made)));
  assert.equal((await manager.restoreById('large')).checkpoint.context.text, text);
  assert.equal((await manager.restoreById('small')).success, true);
});

test('a large value is stored where no other instance can be made', async (t) => {
  const { createCheckpointManager } = await import('milepost/tasks');
  const manager = createCheckpointManager({ storage: { storagePath: emptyFolder(t) } });
  await manager.save(state('small'));
  const { Instance } = WebAssembly;
  t.after(() => (WebAssembly.Instance = Instance));
  let refused = 0;
  WebAssembly.Instance = class extends Instance {
    constructor(...from) {
      if (refused++ === 0) throw new RangeError('out of memory');
      super(...from);
    }
  };
  await manager.save(state('large', { context: { text: 'a'.repeat(15.9 * MB) } }));
  assert.ok(refused > 0);
  assert.equal((await manager.restoreById('large')).success, true);
});

test('small values share one instance', async (t) => {
  const made = instances(t);
  const { createCheckpointManager } = await import('milepost/tasks');
  const manager = createCheckpointManager({ storage: { storagePath: emptyFolder(t) } });
  for (let at = 0; at < 20; at += 1) await manager.save(state(`task-${at}`, { context: { at } }));
  assert.ok(made.length <= 1, String(made.length));
});
