// Arguments where a document or options belong.

import assert from 'node:assert/strict';
import test from 'node:test';
import * as vm from 'node:vm';
import * as milepost from 'milepost';
import { openMemoryStore } from 'milepost/memory';
import { emptyFolder, silentRoot, standardError } from './fixture.mjs';

const { openStore, lastError } = milepost;

class Empty {
  #secret = 1;
  secret() {
    return this.#secret;
  }
}

class Fields {
  constructor() {
    this.phases = {};
  }
}

/** Another realm, with its own Map, Date and Object.prototype. */
const elsewhere = (code) => vm.runInNewContext(`(${code})`);

const NO_DOCUMENTS = {
  'a Buffer': Buffer.from('{}'),
  'a typed array': new Uint16Array(2),
  'an ArrayBuffer': new ArrayBuffer(2),
  'a DataView': new DataView(new ArrayBuffer(2)),
  'a Map': new Map([['a', 1]]),
  'a Set': new Set([1]),
  'a WeakMap': new WeakMap(),
  'a Date': new Date(0),
  'an Error': new TypeError('x'),
  'a RegExp': /x/,
  'a Promise': Promise.resolve({}),
  'a function': () => ({}),
  'an array': [{}],
  'a boxed string': Object('{}'),
  'a boxed number': Object(1),
  'an instance without fields': new Empty(),
  'a toJSON that yields text': { toJSON: () => '{}' },
  'a toJSON that yields nothing': { toJSON: () => undefined },
  'a Map of another realm': elsewhere('new Map()'),
  'an Error of another realm': elsewhere('new Error("x")'),
  'a typed array of another realm': elsewhere('new Uint8Array(2)'),
  'a Date of another realm': elsewhere('new Date(0)'),
};

for (const [name, value] of Object.entries(NO_DOCUMENTS)) {
  test(`${name} is refused instead of being saved over the checkpoint`, (t) => {
    silentRoot(t);
    const lines = standardError(t);
    const store = openMemoryStore();
    store.updatePhase('design', 'a', {});
    const before = store.loadText('design');
    const refused = ({ code, message, written, problems }) => {
      assert.deepEqual([code, written, problems.length], ['invalid_document', 'no', 1], message);
      return /to be a document/.test(message);
    };
    for (const call of [
      () => store.save('design', value),
      () => store.updatePhase('design', 'a', value),
      () => milepost.validateCheckpoint(value),
      () => milepost.checkHandoffRequest(value),
      () => milepost.checkHandoffResponse(value),
    ]) {
      assert.throws(call, refused);
    }
    assert.equal(milepost.saveCheckpoint('design', value), false);
    assert.ok(refused(lastError()));
    assert.equal(lines.length, 1);
    assert.equal(store.loadText('design'), before);
  });
}

for (const [name, value] of Object.entries({
  'a plain object': { phases: {} },
  'an empty object': {},
  'an object without a prototype': Object.assign(Object.create(null), { phases: {} }),
  'an instance with fields': new Fields(),
  'a toJSON that yields an object': { toJSON: () => ({ phases: {} }) },
  'a private instance with a toJSON': Object.assign(new Empty(), { toJSON: () => ({}) }),
  'an object of another realm': elsewhere('{ phases: {} }'),
  'an empty object of another realm': elsewhere('{}'),
  'an instance of another realm': elsewhere('new (class { phases = {} })()'),
})) {
  test(`${name} is a document`, () => {
    const store = openMemoryStore();
    assert.equal(store.save('design', value).revision, 1);
    assert.equal(store.updatePhase('design', 'a', value).revision, 2);
  });
}

test('a primitive is wrong usage', () => {
  for (const value of [undefined, null, 7, true, 'x', 1n, Symbol('x')]) {
    assert.throws(() => openMemoryStore().save('design', value), { code: 'usage' });
  }
});

test('a misspelt option of a store is refused', (t) => {
  const root = emptyFolder(t);
  for (const open of [openStore, openMemoryStore]) {
    assert.throws(() => open({ rooot: root }), ({ code, message }) => {
      assert.equal(code, 'usage');
      return /no option "rooot"; known are root, dir, durability, onWarning, history/.test(message);
    });
    assert.throws(() => open({ history: { revision: 5 } }), { code: 'usage', message: /revisions, days/ });
    for (const wrong of ['.', 7, [root], true]) assert.throws(() => open(wrong), { code: 'usage' });
    for (const none of [undefined, null, {}]) assert.ok(open(none));
  }
  assert.throws(() => openMemoryStore({ files: {} }), { code: 'usage', message: /`files`/ });
  assert.throws(() => openStore({ files: {} }), { code: 'usage', message: /no option "files"/ });
});

test('a misspelt option of a method is refused', () => {
  const store = openMemoryStore();
  for (const phase of ['a', 'b']) store.updatePhase('design', phase, {}, 'f');
  for (const [call, name] of [
    [() => store.load('design', 'f', { revison: 1 }), 'revison'],
    [() => store.loadText('design', 'f', { revison: null }), 'revison'],
    [() => store.diff('design', 'f', { form: 1 }), 'form'],
    [() => store.undo('design', 'f', { too: 1 }), 'too'],
    [() => store.recover('design', 'f', { too: 1 }), 'too'],
    [() => store.trim('design', 'f', { revision: 20 }), 'revision'],
    [() => store.rename('design', 'f', { to: 'g', from: 'f' }), 'from'],
    [() => store.load('design', 'f', { feature: 'g' }), 'feature'],
    [() => store.load('design', 'f', { operation: 'gate' }), 'operation'],
  ]) {
    assert.throws(call, ({ code, message }) => code === 'usage' && message.includes(`no option "${name}"`));
  }
  assert.equal(store.list().length, 1);
  assert.equal(openStore({ root: '/' }).load('design', null, undefined), null);
});

test('an unknown option of doctor is refused', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  assert.throws(() => store.doctor({ fixes: true }), { code: 'usage', message: /no option "fixes"; known are fix/ });
});

test('a path with a NUL character is refused as such', () => {
  for (const options of [{ root: '/a\0b' }, { dir: 'a\0b' }]) {
    const call = () => openMemoryStore(options).updatePhase('design', 'a', {});
    assert.throws(call, { code: 'io', written: 'no', message: /a path with a NUL character names no file/ });
  }
});
