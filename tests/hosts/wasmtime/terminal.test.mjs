// The component at a terminal.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { onTerminal } from '../node/fixture.mjs';
import { onWasmtime, repository, wasmtime, wasmtimeWords } from './fixture.mjs';

const noTerminal = {
  skip: onTerminal(['true'], {}) === undefined && 'there is no `script` here that makes a terminal',
};

test('files are brought back after a yes at the terminal alone', noTerminal, (t) => {
  for (const [input, code, files] of [
    ['yes\nno\n', 0, 'then\n'],
    ['no\n', 1, 'now\n'],
    ['', 1, 'now\n'],
  ]) {
    const root = repository(t);
    const file = path.join(root, 'file');
    fs.writeFileSync(file, 'then\n');
    assert.equal(onWasmtime(root, ['create', '--reason', 'handoff']).code, 0);
    fs.writeFileSync(file, 'now\n');
    const words = [wasmtime, ...wasmtimeWords(['restore', '--latest', '--files'])];
    const said = onTerminal(words, { input, cwd: root });
    assert.match(said.out, /write {3}file {2}\(changed since\)\nDo this\? \[y\/N\] /);
    assert.deepEqual([said.code, fs.readFileSync(file, 'utf8')], [code, files], said.out);
  }
});
