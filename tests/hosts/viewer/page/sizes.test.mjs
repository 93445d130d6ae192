// The size of the page: the files that a browser loads at first, and the exported file without data.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { gzipSync } from 'node:zlib';
import { require } from '../../node/fixture.mjs';
import { exported, folder } from '../fixture.mjs';

const KB = 1024;
const FOLDER = path.join(path.dirname(require.resolve('milepost/package.json')), 'dist/viewer');

const packed = (...names) =>
  names.reduce((sum, name) => sum + gzipSync(fs.readFileSync(path.join(FOLDER, name)), { level: 9 }).length, 0);

for (const [what, names, most] of [
  ['JavaScript', ['app.js', 'chunk.js', 'worker.js'], 40 * KB],
  ['wasm', ['viewer.wasm'], 332 * KB],
  ['CSS', ['style.css'], 8 * KB],
]) {
  test(`the page loads at most ${most / KB} KB of ${what}, packed`, (t) => {
    const size = packed(...names);
    t.diagnostic(`${what}: ${(size / KB).toFixed(1)} KB`);
    assert.ok(size <= most, `${size} bytes`);
  });
}

test('the exported file has at most 536 KB without data', (t) => {
  const root = folder((remove) => t.after(remove));
  const file = path.join(root, 'nothing.html');
  exported(root, file);
  const { size } = fs.statSync(file);
  t.diagnostic(`export: ${(size / KB).toFixed(1)} KB`);
  assert.ok(size <= 536 * KB, `${size} bytes`);
});
