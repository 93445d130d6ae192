// The command line at a terminal: what is asked.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { bin, emptyFolder, onTerminal } from './ground.mjs';

/** A project with files that are kept, and the ways to run a command in it. */
function project(test) {
  const root = emptyFolder(test);
  const words = (line) => [process.execPath, bin, ...line.split(' '), '--root', root];
  const write = (content) => {
    for (let at = 0; at < 12; at++) fs.writeFileSync(path.join(root, `file-${at}`), `${content} ${at}\n`);
  };
  const read = () => fs.readFileSync(path.join(root, 'file-11'), 'utf8');
  write('then');
  const run = (line, env = {}) => {
    const [program, ...rest] = words(line);
    return spawnSync(program, rest, { encoding: 'utf8', env: { ...process.env, ...env } });
  };
  const done = (line, env) => {
    const { status, stdout, stderr } = run(line, env);
    assert.equal(status, 0, `${line}: ${stderr}`);
    return stdout;
  };
  const idOf = (text) => /chk-[-\d]+/.exec(text)[0];
  return { root, words, write, read, run, done, idOf };
}

const noTerminal = {
  skip: onTerminal(['true'], {}) === undefined && 'there is no `script` here that makes a terminal',
};

test('files were brought back before anybody at the terminal had said so', noTerminal, (t) => {
  for (const [input, code, files] of [
    ['y\n', 0, 'then 11\n'],
    ['\n', 1, 'now 11\n'],
    ['', 1, 'now 11\n'],
  ]) {
    const { done, words, write, read } = project(t);
    done('create --reason handoff');
    write('now');
    const said = onTerminal(words('restore --latest --files'), { input });
    assert.match(said.out, /write {3}file-11 {2}\(changed since\)\nDo this\? \[y\/N\] /);
    assert.deepEqual([said.code, read()], [code, files], said.out);
    assert.match(said.out, code === 0 ? /\nDone; / : /\nNothing was touched\n$/);
  }
});

test('nobody can be asked over a pipe, and --yes asks nobody', noTerminal, (t) => {
  const { done, words, write, read } = project(t);
  done('create --reason handoff');
  write('now');
  assert.match(done('restore --latest --files'), /\nDone; /);
  assert.equal(read(), 'then 11\n');
  write('now');
  const { out } = onTerminal(words('restore --latest --files --yes'), { input: '' });
  assert.ok(!out.includes('[y/N]'), out);
  assert.equal(read(), 'then 11\n');
});
