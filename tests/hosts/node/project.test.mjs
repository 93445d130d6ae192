// Operations of the store for a project, which only the wasm of the command line has.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { MilepostError, openStore } from 'milepost';
import { openMemoryStore } from 'milepost/memory';
import { emptyFolder, node, stateFile } from './fixture.mjs';

test('init makes the folders and pages of a project once', (t) => {
  const root = emptyFolder(t);
  const store = openStore({ root });
  const made = store.init();
  assert.ok(made.length >= 4 && made.every(({ outcome }) => outcome === 'created'), JSON.stringify(made));
  for (const { path: below } of made) assert.ok(fs.existsSync(path.join(root, below)), below);
  assert.ok(store.init().every(({ outcome }) => outcome === 'kept'));
});

test('doctor finds a corrupt checkpoint and says which to recover', (t) => {
  const root = emptyFolder(t);
  const store = openStore({ root });
  for (const phase of ['a', 'b']) store.updatePhase('design', phase, {});
  fs.writeFileSync(stateFile(root, 'design-checkpoint.json'), '{ torn');
  const wrong = store.doctor().filter(({ level }) => level === 'error');
  assert.deepEqual(wrong.map(({ check }) => check), ['documents']);
  assert.match(JSON.stringify(wrong[0].mend), /recover/);
  store.recover('design');
  assert.deepEqual(store.doctor().filter(({ level }) => level === 'error'), []);
});

test('what needs a disk says so where no disk is', () => {
  const store = openMemoryStore();
  const refused = (error) => error instanceof MilepostError && error.code === 'usage';
  assert.throws(() => store.init(), refused);
  assert.throws(() => store.doctor(), refused);
});

test('both module systems load the wasm of the command line at the first call', (t) => {
  const root = JSON.stringify(emptyFolder(t));
  const ask = `openStore({ root: ${root} }).doctor().length > 0`;
  assert.equal(node(`const { openStore } = require('milepost'); console.log(${ask})`), 'true\n');
  const code = `import { openStore } from 'milepost'; console.log(${ask})`;
  assert.equal(node(code, { type: 'module' }), 'true\n');
});

test('a failure says what was written, what failed where, and what would help', (t) => {
  const root = emptyFolder(t);
  const store = openStore({ root });
  for (const phase of ['a', 'b']) store.updatePhase('design', phase, {}, 'f');
  const file = stateFile(root, 'design-f.json');
  fs.writeFileSync(file, '{ torn');
  assert.throws(() => store.updatePhase('design', 'c', {}, 'f'), {
    code: 'corrupt',
    written: 'no',
    path: '.claude/state/design-f.json',
    advice: { kind: 'recover', command: 'design', feature: 'f' },
  });
  fs.rmSync(file);
  fs.mkdirSync(file);
  assert.throws(() => store.load('design', 'f'), { code: 'unsafe_path', written: 'no' });
});
