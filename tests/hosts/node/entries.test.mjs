// The effects of loading an entry, and their limits.

import assert from 'node:assert/strict';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { node, require } from './fixture.mjs';

const SEED_MANAGER = [
  'completeCheckpoint',
  'getResumePoint',
  'getStateDir',
  'loadCheckpoint',
  'saveCheckpoint',
  'updatePhase',
];
const SEED_COUNTER = ['MAX_SUMMARY_TOKENS', 'countTokens', 'validateContextSummary'];
const ENTRIES = [
  'milepost',
  'milepost/token-counter',
  'milepost/checkpoint-manager',
  'milepost/memory',
  'milepost/operation',
  'milepost/snapshots',
  'milepost/sessions',
  'milepost/tasks',
  'milepost/exact-tokens',
  'milepost/postgres',
];

/** The names that a module has; Node puts its own beside those of CommonJS. */
function namesOf(module) {
  const names = Object.keys(module).filter((name) => name !== 'default' && name !== 'module.exports');
  return names.sort();
}

for (const entry of ENTRIES) {
  test(`${entry} gives the same names to require and import`, async () => {
    assert.deepEqual(namesOf(await import(entry)), Object.keys(require(entry)).sort());
  });
}

test('the seed entries export the sets of the seeds', () => {
  assert.deepEqual(Object.keys(require('milepost/token-counter')).sort(), SEED_COUNTER);
  assert.deepEqual(Object.keys(require('milepost/checkpoint-manager')).sort(), SEED_MANAGER);
  const root = Object.keys(require('milepost'));
  for (const name of [...SEED_COUNTER, ...SEED_MANAGER, 'loadIntegrations', 'lastError']) {
    assert.ok(root.includes(name), name);
  }
});

test('the package describes itself', () => {
  assert.match(require('milepost/package.json').version, /^\d+\.\d+\.\d+$/);
});

const LOAD = {
  commonjs: (entry) => `require('${entry}');`,
  module: (entry) => `await import('${entry}');`,
};

for (const type of Object.keys(LOAD)) {
  for (const entry of ENTRIES) {
    test(`loading ${entry} as ${type} compiles no wasm and touches no other file`, () => {
      // Reads of the loaders themselves go through other functions, or name a package.
      const code = `
        const { syncBuiltinESMExports } = process.getBuiltinModule('node:module');
        const fs = process.getBuiltinModule('node:fs');
        const done = [];
        for (const name of ['Module', 'Instance']) {
          WebAssembly[name] = class { constructor() { done.push('WebAssembly.' + name); } };
        }
        const watched = Object.keys(fs).filter((name) => /^(open|write|mkdir|readdir|opendir|rename|link|unlink|fsync)/.test(name));
        const originals = Object.fromEntries(watched.map((name) => [name, fs[name]]));
        for (const name of watched) {
          if (typeof fs[name] !== 'function') continue;
          fs[name] = (...rest) => { done.push(name + ' ' + rest[0]); return originals[name](...rest); };
        }
        syncBuiltinESMExports();
        const before = new Set(process.moduleLoadList);
        ${LOAD[type](entry)}
        for (const name of watched) fs[name] = originals[name];
        const builtins = ['child_process', 'crypto', 'worker_threads'];
        const loaded = process.moduleLoadList.filter((name) => !before.has(name) && builtins.some((b) => name === 'NativeModule ' + b));
        process.stdout.write(JSON.stringify({ done: done.filter((what) => !/node_modules/.test(what)), loaded }));
      `;
      assert.deepEqual(JSON.parse(node(code, { type })), { done: [], loaded: [] });
    });
  }
}

test('no import of the token counter of pages leads to a file system', () => {
  const fs = require('node:fs');
  const path = require('node:path');
  const seen = new Set();
  const follow = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    const text = fs.readFileSync(file, 'utf8');
    for (const [, name] of text.matchAll(/(?:from ?|[;\n]import ?)["']([^"']+)["']/g)) {
      assert.ok(name.startsWith('./'), `${file} loads ${name}`);
      follow(path.join(path.dirname(file), name));
    }
  };
  const dist = path.join(path.dirname(require.resolve('milepost/package.json')), 'dist');
  const { imports } = require('milepost/package.json');
  assert.equal(imports['#index'].default, './dist/portable.mjs');
  assert.match(fs.readFileSync(path.join(dist, 'token-counter.mjs'), 'utf8'), /^export \{[^}]*\} from '#index';\n$/);
  follow(path.join(dist, 'portable.mjs'));
  const names = [...seen].map((file) => path.relative(dist, file).replaceAll(path.sep, '/')).sort();
  assert.deepEqual(names, ['inlined/inflate.mjs', 'inlined/library.mjs', 'portable.mjs']);
});

test('under the condition of workerd the library imports its wasm as a module', () => {
  const fs = require('node:fs');
  const path = require('node:path');
  const { exports, imports } = require('milepost/package.json');
  const dist = path.join(path.dirname(require.resolve('milepost/package.json')), 'dist');
  for (const name of ['#index', '#library']) assert.equal(imports[name].workerd, './dist/workerd.mjs');
  assert.equal(exports['.'].workerd.default, './dist/workerd.mjs');
  const text = fs.readFileSync(path.join(dist, 'workerd.mjs'), 'utf8');
  const loaded = [...text.matchAll(/(?:from ?|[;\n]import ?)["']([^"']+)["']/g)].map(([, name]) => name);
  assert.deepEqual(loaded, ['./library.wasm']);
});

test('each wasm is in the package as text in one module at most, and no vocabulary is', () => {
  const fs = require('node:fs');
  const path = require('node:path');
  const root = path.dirname(require.resolve('milepost/package.json'));
  const long = /[A-Za-z0-9+/]{10000}/;
  const names = fs.readdirSync(root, { recursive: true }).filter((name) => /\.[cm]?js$/.test(name));
  const found = names.filter((name) => long.test(fs.readFileSync(path.join(root, name), 'latin1')));
  assert.deepEqual(found.map((name) => name.replaceAll(path.sep, '/')).sort(), [
    ...['deferred', 'library'].map((name) => `dist/inlined/${name}.mjs`),
  ]);
});

test('an instance that trapped is dropped and the next call makes a new one', () => {
  const code = `
    const { Instance, RuntimeError } = WebAssembly;
    const made = [];
    WebAssembly.Instance = function (module, imports) {
      const exports = { ...new Instance(module, imports).exports };
      if (made.push(exports) === 1) exports.count_tokens = () => { throw new RuntimeError('unreachable'); };
      return { exports };
    };
    const { countTokens, lastError, openStore } = require('milepost');
    console.error = () => {};
    const answers = [countTokens('a b'), lastError()?.message, countTokens('a b'), lastError()];
    const { message } = (() => { try { openStore().load('deploy') } catch (error) { return error } })();
    process.stdout.write(JSON.stringify([...answers, countTokens('a'), made.length, /deploy/.test(message)]));
  `;
  // The third one is that of the library, which says what was wrong.
  const stopped = 'WebAssembly stopped (unreachable): it ran out of memory, or there is a bug in milepost';
  const expected = [0, stopped, 2, null, 1, 3, true];
  assert.deepEqual(JSON.parse(node(code)), expected);
});

test('a call with no stack left harms no later call', () => {
  const code = `
    const { countTokens, lastError } = require('milepost');
    console.error = () => {};
    const fall = () => { countTokens('a b'); fall(); };
    try { fall(); } catch {}
    process.stdout.write(String([countTokens('a b c'), lastError()]));
  `;
  assert.equal(node(code), '3,');
});

test('without a file system the pure functions work and the others say so', async () => {
  const path = require('node:path');
  const root = path.dirname(require.resolve('milepost/package.json'));
  const portable = await import(pathToFileURL(path.join(root, 'dist/portable.mjs')));
  const all = namesOf(portable);
  for (const name of namesOf(await import('milepost'))) assert.ok(all.includes(name), name);
  assert.equal(portable.countTokens('a b'), 2);
  assert.throws(() => portable.openStore({ root: '/' }).load('design'), { code: 'io' });
});

test('an error of the package is no instance of a class that extends its class', () => {
  const { MilepostError } = require('milepost');
  class OwnError extends MilepostError {}
  const error = new MilepostError('usage', 'no');
  assert.ok(error instanceof MilepostError);
  assert.ok(!(error instanceof OwnError));
  const own = new OwnError('usage', 'no');
  assert.ok(own instanceof OwnError && own instanceof MilepostError);
});
