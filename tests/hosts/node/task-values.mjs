// Values of a task checkpoint: all that JSON carries, and nothing else.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import vm from 'node:vm';
import { managersOn, overviews, state } from './task-fixture.mjs';

/** Runs these tests on each storage. */
export function testValues(name, storage) {
  const on = managersOn(storage);

  test(`${name}: a value that JSON cannot carry is refused`, async (t) => {
    const manager = on(t);
    const cycle = { a: {} };
    cycle.a.b = cycle.a;
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    for (const [value, at] of [
      [() => {}, '/context/x'],
      [10n, '/context/x'],
      [Symbol('s'), '/context/x'],
      [NaN, '/context/x'],
      [-Infinity, '/context/x'],
      [new Date(), '/context/x'],
      [new Map([['a', 1]]), '/context/x'],
      [new Set(), '/context/x'],
      [/x/, '/context/x'],
      [new Error('e'), '/context/x'],
      [Buffer.from('b'), '/context/x'],
      [new Float64Array(2), '/context/x'],
      [new URL('file:///x'), '/context/x'],
      [Object(1), '/context/x'],
      [Promise.resolve(), '/context/x'],
      [{ toJSON: () => 1 }, '/context/x'],
      [[1, undefined], '/context/x/1'],
      [[, 1], '/context/x/0'],
      [{ 'a/b~': { c: [new Date()] } }, '/context/x/a~1b~0/c/0'],
      [cycle, '/context/x/a/b'],
      [{ a: { [Symbol('s')]: 1 } }, '/context/x/a'],
      [[Object.assign([1], { [Symbol('s')]: 1 })], '/context/x/0'],
      [{ a: [proxy] }, '/context/x/a/0'],
      [{ a: { get b() { throw new Error('not now'); } } }, '/context/x/a'],
    ]) {
      await assert.rejects(manager.save(state('a', { context: { x: value } })), (error) => {
        assert.equal(error.code, 'invalid_document');
        assert.deepEqual(error.problems.map((it) => it.at), [at]);
        assert.match(error.message, /^Document is invalid: /);
        return true;
      });
    }
    const two = state('a', { context: { x: 1n, y: { z: new Date() } } });
    await assert.rejects(manager.save(two), (error) => error.problems.length === 2);
    const thrower = { get x() { throw new Error('not now'); } };
    await assert.rejects(manager.save(state('a', { context: thrower })), /^MilepostError: .*not now/);
    await assert.rejects(manager.save(proxy), { code: 'invalid_document', message: /an object that cannot be read: / });
    assert.deepEqual(await overviews(manager), []);
  });

  test(`${name}: a value that JSON carries is stored`, async (t) => {
    const manager = on(t);
    class Own {
      field = 1;
    }
    const context = {
      left: undefined,
      none: null,
      own: new Own(),
      bare: Object.assign(Object.create(null), { a: 1 }),
      hidden: Object.defineProperty({ a: 1 }, Symbol('s'), { value: 1 }),
      realm: vm.runInNewContext('({ list: [1, { a: 2 }] })'),
      ['__proto__']: { polluted: true },
      shared: [],
    };
    context.again = context.shared;
    await manager.save(state('a', { context }));
    const { checkpoint } = await manager.restore('task-1');
    const expected = { none: null, own: { field: 1 }, bare: { a: 1 }, hidden: { a: 1 }, realm: { list: [1, { a: 2 }] } };
    assert.deepEqual(checkpoint.context, { ...expected, ['__proto__']: { polluted: true }, shared: [], again: [] });
    assert.equal({}.polluted, undefined);
  });

  test(`${name}: what is nested too deep is refused, and does not stop the host`, async (t) => {
    const manager = on(t);
    for (const depth of [70, 600, 100_000]) {
      let deep = {};
      for (let level = 0; level < depth; level += 1) deep = { deep };
      const save = manager.save(state('a', { context: deep }));
      await assert.rejects(save, (error) => ['invalid_document', 'usage'].includes(error.code));
    }
    assert.deepEqual(await overviews(manager), []);
  });
}
