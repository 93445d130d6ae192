// Snapshots with files, made on one host and brought back on the other one.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { git, onNode, onWasmtime, repository } from './fixture.mjs';

const HOSTS = { Node: onNode, wasmtime: onWasmtime };

/** A repository with a commit and work that differs from it in every way. */
function changed(t) {
  const root = repository(t);
  const write = (name, text) => fs.writeFileSync(path.join(root, name), text);
  for (const name of ['kept', 'edited', 'deleted', 'staged']) write(name, `${name}\n`);
  write('.gitignore', 'ignored\n');
  write('script', '#!/bin/sh\n');
  fs.chmodSync(path.join(root, 'script'), 0o755);
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '--message', 'second');
  write('edited', 'edited since\n');
  write('staged', 'staged since\n');
  git(root, 'add', 'staged');
  fs.rmSync(path.join(root, 'deleted'));
  fs.mkdirSync(path.join(root, 'new'));
  write('new/empty', '');
  write('new/large', 'a line that is there often\n'.repeat(50_000));
  write('new/ü', Buffer.from([0, 255, 10]));
  write('ignored', 'not kept\n');
  fs.symlinkSync('kept', path.join(root, 'link'));
  return root;
}

/** The nodes in the work tree, without git's folder and the product's. */
function standing(root) {
  const found = {};
  for (const entry of fs.readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(root, file);
    if (/^\.(git|claude)(\/|$)/.test(name) || entry.isDirectory()) continue;
    found[name] = entry.isSymbolicLink() ? `-> ${fs.readlinkSync(file)}` : fs.readFileSync(file, 'hex');
  }
  return found;
}

/** Changes everything that the checkpoint has. */
function spoil(root) {
  for (const name of ['edited', 'new/large']) fs.writeFileSync(path.join(root, name), 'spoilt\n');
  for (const name of ['new/empty', 'link']) fs.rmSync(path.join(root, name));
  fs.writeFileSync(path.join(root, 'deleted'), 'back again\n');
  fs.writeFileSync(path.join(root, 'unexpected'), 'made since\n');
}

/** Runs it to its end, and answers its JSON. */
function answer(run, root, words, code = 0) {
  const { code: actual, out, error } = run(root, [...words, '--json']);
  assert.equal(actual, code, `${words.join(' ')}: ${error}`);
  return JSON.parse(out);
}

for (const [makes, make] of Object.entries(HOSTS)) {
  const [restores, restore] = Object.entries(HOSTS).find(([name]) => name !== makes);
  test(`files that ${makes} kept are brought back by ${restores}`, (t) => {
    const root = changed(t);
    const before = standing(root);
    const { id, files, left_out } = answer(make, root, ['create', '--reason', 'handoff']);
    assert.deepEqual([files, left_out], [7, []]);
    for (const run of [make, restore]) {
      const { matches, files } = answer(run, root, ['verify', '--id', id]);
      assert.deepEqual([matches, files.length], [true, 7]);
    }
    spoil(root);
    const spoilt = standing(root);
    const compared = Object.values(HOSTS).map((run) => answer(run, root, ['verify', '--latest'], 1));
    assert.deepEqual(compared[0], compared[1]);

    const dry = ['restore', '--id', id, '--files', '--dry-run'];
    // Its id stands for what the host knows, and wasmtime knows no modes.
    const [{ id: _, ...plan }, { id: its, ...same }] = [make, restore].map((run) => answer(run, root, dry).plan);
    assert.deepEqual(same, plan, 'one plan on both hosts');
    const words = ['restore', '--id', id, '--files', '--plan', its];
    const { restored, undo } = answer(restore, root, words);
    assert.equal(restored, true);
    assert.deepEqual(standing(root), before);
    assert.equal(answer(make, root, ['verify', '--id', id]).matches, true);

    answer(make, root, ['restore', '--id', undo, '--files']);
    assert.deepEqual(standing(root), spoilt);
  });
}

test('a mode that wasmtime cannot restore is named', (t) => {
  const root = changed(t);
  const script = path.join(root, 'script');
  fs.writeFileSync(script, '#!/bin/sh\necho then\n');
  const { id } = answer(onNode, root, ['create', '--reason', 'error']);
  fs.writeFileSync(script, '#!/bin/sh\necho now\n');
  const { code, out, error } = onWasmtime(root, ['restore', '--id', id, '--files']);
  assert.equal(code, 0, error);
  assert.match(out, /^write +script/m);
  assert.match(error, /This host has no modes: script \(1 in all\) may have another than it had/);
  assert.equal(fs.readFileSync(script, 'utf8'), '#!/bin/sh\necho then\n');
});

test('a snapshot of permission bits is no difference on wasmtime, which says of which it cannot restore them', (t) => {
  const root = changed(t);
  const secret = path.join(root, 'new/private');
  fs.writeFileSync(secret, 'then\n');
  fs.chmodSync(secret, 0o600);
  const { id } = answer(onNode, root, ['create', '--reason', 'error']);
  assert.equal(answer(onWasmtime, root, ['verify', '--id', id]).matches, true);
  fs.writeFileSync(secret, 'now\n');
  const { code, error } = onWasmtime(root, ['restore', '--id', id, '--files']);
  assert.equal(code, 0, error);
  assert.match(error, /new\/private \(1 in all\) may have another than it had/);
  assert.equal(fs.readFileSync(secret, 'utf8'), 'then\n');
  const { restored } = answer(onNode, root, ['restore', '--id', id, '--files']);
  assert.equal(restored, true);
  assert.equal(fs.statSync(secret).mode & 0o777, 0o600);
});

test('a link that leads out of the opened folders keeps wasmtime from a checkpoint', (t) => {
  const root = changed(t);
  fs.symlinkSync('/etc/hostname', path.join(root, 'outwards'));
  const { files, left_out } = answer(onWasmtime, root, ['create', '--reason', 'handoff']);
  assert.equal(files, 7);
  assert.deepEqual(left_out, [
    {
      path: 'outwards',
      reason: 'cannot be read: the link leads out of the folders that --dir opens',
    },
  ]);
});
