// Differences between the payloads of an agent and those that were recorded.

import assert from 'node:assert/strict';
import test from 'node:test';
import { AGENTS, payloadsOf } from '../../agents/recorded.mjs';
import { differences, shapeOf } from '../../agents/shapes.mjs';

const received = (event, payload, tool = '') => ({ event, tool, payload });
const changed = (at, recorded, found) => ({ event: 'Stop', at, change: 'changed', recorded, found });
const came = (at, found) => ({ event: 'Stop', at, change: 'came', recorded: '', found });
const went = (at, recorded) => ({ event: 'Stop', at, change: 'went', recorded, found: '' });

test('a member that came, went or has another type is a difference at its path', () => {
  const before = { id: 1, text: 'a', deep: { list: [{ old: true }], same: null } };
  for (const [payload, expected] of /** @type {const} */ ([
    [before, []],
    [{ ...before, id: 'one' }, [changed('id', 'number', 'string')]],
    [{ ...before, id: null }, [changed('id', 'number', 'null')]],
    [{ ...before, more: [1] }, [came('more', 'array')]],
    [{ id: 1, deep: before.deep }, [went('text', 'string')]],
    [{ ...before, deep: { ...before.deep, same: {} } }, [changed('deep.same', 'null', 'object')]],
    [{ ...before, deep: { ...before.deep, list: [] } }, []],
    [
      { ...before, deep: { ...before.deep, list: [{ new: 1 }] } },
      [came('deep.list[].new', 'number'), went('deep.list[].old', 'boolean')],
    ],
    // Where nothing is an object any more, its members are not listed one by one.
    [{ ...before, deep: 'flat' }, [changed('deep', 'object', 'string')]],
  ])) {
    assert.deepEqual(differences([received('Stop', before)], [received('Stop', payload)], []), expected);
  }
});

test('a member that some recorded payloads lack may be missing, and one that all of them have may not', () => {
  const recorded = [received('Stop', { id: 1, title: 'a' }), received('Stop', { id: 2 })];
  assert.deepEqual(differences(recorded, [received('Stop', { id: 3 })], []), []);
  const found = [received('Stop', { id: 3 }), received('Stop', { title: 'b' })];
  assert.deepEqual(differences(recorded, found, []), [went('id', 'number')]);
});

test('all types of a member are named where one of them is new', () => {
  const recorded = [received('Stop', { at: 1 }), received('Stop', { at: null })];
  assert.deepEqual(differences(recorded, [received('Stop', { at: null })], []), []);
  const found = [received('Stop', { at: 'now' }), received('Stop', { at: 1 })];
  assert.deepEqual(differences(recorded, found, []), [changed('at', 'null or number', 'number or string')]);
});

test('what a model put into a tool is compared by its type alone', () => {
  const tool = (input) => received('PostToolUse', { tool_input: input }, 'write');
  assert.deepEqual(differences([tool({ a: 1 })], [tool({ b: 2 })], []), []);
  const expected = { ...changed('tool_input', 'object', 'string'), event: 'PostToolUse write' };
  assert.deepEqual(differences([tool({ a: 1 })], [tool('b')], []), [expected]);
});

test('an event of another tool came, and an expected event that is missing went', () => {
  const recorded = [received('Stop', {}), received('PostToolUse', {}, 'write'), received('SessionEnd', {})];
  const found = [received('Stop', {}), received('PostToolUse', {}, 'create')];
  assert.deepEqual(differences(recorded, found, ['Stop', 'PostToolUse write']), [
    { event: 'PostToolUse create', at: '', change: 'came', recorded: '', found: 'object' },
    { event: 'PostToolUse write', at: '', change: 'went', recorded: 'object', found: '' },
  ]);
});

test('recorded payloads do not differ from themselves', () => {
  for (const agent of AGENTS) {
    const recorded = payloadsOf(agent);
    const events = recorded.map(({ event, tool }) => `${event} ${tool}`.trim());
    assert.deepEqual(differences(recorded, recorded, events), [], agent);
    assert.ok(recorded.every(({ event }) => typeof event === 'string' && event !== ''), agent);
  }
});

test('a shape has each type once, and says which members are always there', () => {
  assert.deepEqual(shapeOf([{ a: 1 }, { a: 2, b: [] }, null]), {
    types: ['null', 'object'],
    members: {
      a: { shape: { types: ['number'], members: {}, items: null }, isAlways: true },
      b: { shape: { types: ['array'], members: {}, items: null }, isAlways: false },
    },
    items: null,
  });
});
