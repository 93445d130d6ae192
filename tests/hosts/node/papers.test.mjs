// Papers of the package beside its code.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { require } from './fixture.mjs';

const manifest = require.resolve('milepost/package.json');
const folder = path.dirname(manifest);

test('the licences are in the package', () => {
  const { license } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  assert.equal(license, 'MIT OR Apache-2.0');
  for (const [name, words] of [['LICENSE-MIT', 'MIT License'], ['LICENSE-APACHE', 'Apache License']]) {
    assert.ok(fs.readFileSync(path.join(folder, name), 'utf8').includes(words), name);
  }
});

test('each licence of what is bundled is in the package', () => {
  const text = fs.readFileSync(path.join(folder, 'LICENSES-BUNDLED.txt'), 'utf8');
  for (const name of ['@modelcontextprotocol/server', '@modelcontextprotocol/core', 'zod']) {
    assert.match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, (MIT|Apache-2\\.0)$`, 'm'));
  }
  assert.match(text, /Permission is hereby granted/);
  // Of the crates in the wasm, those that are under one licence alone.
  for (const [name, licence] of [['imara-diff', 'Apache-2\\.0'], ['strsim', 'MIT']]) {
    assert.match(text, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, ${licence}$`, 'm'));
  }
});

test('the page of the package links to what is in it', () => {
  const page = fs.readFileSync(path.join(folder, 'README.md'), 'utf8');
  const targets = [...page.matchAll(/\]\(([^)#]*)(#[^)]*)?\)/g)].map(([, target]) => target);
  const dead = targets.filter((it) => it !== '' && !URL.canParse(it) && !fs.existsSync(path.join(folder, it)));
  assert.deepEqual(dead, []);
});

test('the page of the package links to headings that it has', () => {
  const page = fs.readFileSync(path.join(folder, 'README.md'), 'utf8');
  const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    `#${title.toLowerCase().replaceAll(/[^a-z0-9 -]/g, '').replaceAll(' ', '-')}`,
  );
  const links = [...page.matchAll(/\]\((#[^)]*)\)/g)].map(([, target]) => target);
  assert.deepEqual(links.filter((link) => !headings.includes(link)), []);
});
