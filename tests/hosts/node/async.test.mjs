// Operations on hosts that answer later: any number of them in flight, and hosts that fail.

import assert from 'node:assert/strict';
import test from 'node:test';
import { MemoryFiles } from 'milepost/memory';
import { runOperation } from 'milepost/operation';

const place = { working: '/', root: '/' };

const update = (phase, command = 'design') =>
  JSON.stringify({ operation: 'update_phase', place, command, phase, patch: {} });
const LOAD = JSON.stringify({ operation: 'load', place, command: 'design' });

/** After some turns of the event loop, as many as chance says. */
async function later(outcome) {
  for (let turns = Math.floor(Math.random() * 4); turns > 0; turns -= 1) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  return outcome;
}

test('a host that answers later gives the replies of one that answers immediately', async () => {
  const [files, others] = [0, 1].map(() => new MemoryFiles({ now: () => 0, random: (it) => it.fill(7) }));
  for (const asked of [update('a'), LOAD, update('b'), update('a', 'none'), LOAD, '{}', 'no JSON']) {
    const expected = runOperation(asked, (effect) => others.perform(effect));
    assert.equal(typeof expected, 'string');
    assert.equal(await runOperation(asked, async (effect) => later(files.perform(effect))), expected);
  }
});

test('each effect is performed once where a host answers later from the middle on', async () => {
  for (let first = 0; first < 12; first += 1) {
    const files = new MemoryFiles();
    const asked = [];
    const perform = (effect) => {
      asked.push(effect.effect);
      const outcome = files.perform(effect);
      return asked.length > first ? later(outcome) : outcome;
    };
    const reply = JSON.parse(await runOperation(update('a'), perform));
    assert.deepEqual([reply.ok, reply.value.revision], [true, 1]);
    const again = [];
    const blocking = new MemoryFiles();
    runOperation(update('a'), (effect) => (again.push(effect.effect), blocking.perform(effect)));
    assert.deepEqual(asked, again);
  }
});

test('operations in flight together get the outcomes of their own', async () => {
  const hosts = Array.from({ length: 50 }, () => new MemoryFiles());
  const replies = await Promise.all(
    hosts.map((files, at) => runOperation(update(`phase ${at}`), async (effect) => later(files.perform(effect)))),
  );
  for (const [at, files] of hosts.entries()) {
    assert.equal(JSON.parse(replies[at]).value.revision, 1);
    const text = Buffer.from(files.read('/.claude/state/design-checkpoint.json')).toString();
    assert.deepEqual(Object.keys(JSON.parse(text).phases), [`phase ${at}`]);
  }
});

test('an operation that is never answered does not hold up another', async () => {
  const never = runOperation(LOAD, async () => new Promise(() => {}));
  const files = new MemoryFiles();
  const perform = async (effect) => later(files.perform(effect));
  for (let n = 1; n <= 20; n += 1) {
    assert.equal(JSON.parse(await runOperation(update(`phase ${n}`), perform)).value.revision, n);
  }
  assert.equal(await Promise.race([never, later('pending')]), 'pending');
});

test('a host that throws, rejects or gives no outcome is a failure of the operation', async () => {
  const wrong = [
    [async () => { throw new Error('out of paper'); }, /out of paper/],
    [() => Promise.reject(new Error('out of ink')), /out of ink/],
    [async () => { throw null; }, /null was thrown/],
    [async () => undefined, /no usable `outcome`/],
    [async () => ({ outcome: 'bytes', bytes: 'text' }), /unfitting answer|no usable/],
    [async () => ({ outcome: 'failed', fault: 'none', detail: '' }), /no usable `fault`/],
  ];
  const files = new MemoryFiles();
  for (const [fails, message] of wrong) {
    // At each effect of the operation in turn.
    for (let at = 1; at <= 4; at += 1) {
      let count = 0;
      const reply = await runOperation(LOAD, async (effect) => {
        count += 1;
        return count === at ? fails() : later(files.perform(effect));
      });
      const { ok, error } = JSON.parse(reply);
      if (ok || count < at) continue;
      assert.equal(error.code, 'io', reply);
      assert.match(error.message, message);
    }
    const first = JSON.parse(await runOperation(update('a'), async () => fails()));
    assert.deepEqual([first.ok, first.error.code, first.error.written], [false, 'io', 'no']);
    assert.match(first.error.message, message);
  }
});

test('a host that is not a function is refused', () => {
  assert.throws(() => runOperation(LOAD, null), { code: 'usage' });
  assert.throws(() => runOperation(5, async () => {}), { code: 'usage' });
});
