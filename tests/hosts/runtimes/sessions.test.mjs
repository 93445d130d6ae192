// Snapshots with files: each runtime keeps what another one verifies and brings back.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { git } from '../node/fixture.mjs';
import { RUNTIMES, project, readAndWrite, run, script } from './fixture.mjs';

/** A project with a commit, and files that differ from it. */
function changed(t) {
  const cwd = project(t);
  const write = (name, text) => fs.writeFileSync(path.join(cwd, name), text);
  for (const name of ['edited', 'deleted', 'script']) write(name, `${name}\n`);
  git(cwd, 'add', '.');
  git(cwd, 'commit', '--quiet', '--message', 'first');
  write('edited', 'edited since\n');
  write('binary', Buffer.from([0, 255, 10]));
  fs.chmodSync(path.join(cwd, 'script'), 0o755);
  fs.symlinkSync('edited', path.join(cwd, 'link'));
  fs.rmSync(path.join(cwd, 'deleted'));
  return cwd;
}

function standing(cwd) {
  return Object.fromEntries(
    ['binary', 'deleted', 'edited', 'link', 'script'].map((name) => {
      const file = path.join(cwd, name);
      const found = fs.lstatSync(file, { throwIfNoEntry: false });
      if (found === undefined) return [name, null];
      return [name, found.isSymbolicLink() ? fs.readlinkSync(file) : [found.mode & 0o111, fs.readFileSync(file, 'hex')]];
    }),
  );
}

RUNTIMES.forEach((maker, at) => {
  const restorer = RUNTIMES[(at + 1) % RUNTIMES.length];
  test(`files that ${maker.name} kept are brought back by ${restorer.name}`, async (t) => {
    const cwd = changed(t);
    const ask = async (runtime, ...words) => {
      // Deno makes a link only for a program that may read and write everything.
      const permissions = words[0] === 'restore' ? ['--allow-read', '--allow-write'] : readAndWrite(cwd);
      const options = { cwd, permissions };
      const { code, stdout, stderr } = await run(runtime, [script('sessions.mjs'), ...words], options);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, words.join(' '));
      const { answer, warnings } = JSON.parse(stdout);
      assert.deepEqual(warnings, []);
      return answer;
    };
    const before = standing(cwd);
    const { id, files, leftOut } = await ask(maker, 'create');
    assert.deepEqual([files, leftOut], [5, []]);
    assert.equal((await ask(restorer, 'verify', id)).matches, true);

    for (const name of ['edited', 'binary', 'deleted']) fs.writeFileSync(path.join(cwd, name), 'now\n');
    fs.chmodSync(path.join(cwd, 'script'), 0o644);
    fs.rmSync(path.join(cwd, 'link'));
    const now = standing(cwd);
    const { matches, files: compared } = await ask(restorer, 'verify', id);
    assert.equal(matches, false);
    assert.deepEqual(
      compared.map(({ path, answer }) => [path, answer]),
      [
        ['binary', 'changed'],
        ['deleted', 'unexpected'],
        ['edited', 'changed'],
        ['link', 'missing'],
        ['script', 'changed'],
      ],
    );
    const { restored, undo } = await ask(restorer, 'restore', id);
    assert.equal(restored, true);
    assert.deepEqual(standing(cwd), before);
    await ask(maker, 'restore', undo);
    assert.deepEqual(standing(cwd), now);
  });
});
