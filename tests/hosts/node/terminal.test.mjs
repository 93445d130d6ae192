// The command line at a terminal: what is asked, what is drawn over, and Ctrl-C in the middle.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { bin, emptyFolder, onTerminal } from './fixture.mjs';

/** At so many moments a call is killed. */
const MOMENTS = 4;

/** Signals are those of other systems. */
const posix = { skip: process.platform === 'win32' && 'there are no signals here' };

/** Loaded before the command line: what happens to it, and when. */
const BEFORE = `
  const fs = require('node:fs');
  const { KILLED_AT, COUNTED, LATER_MS = 0, LONG } = process.env;
  let calls = 0;
  for (const name of ['openSync', 'writeSync', 'renameSync', 'mkdirSync', 'linkSync', 'unlinkSync']) {
    const call = fs[name];
    fs[name] = (...words) => {
      if (String(calls++) === KILLED_AT) process.kill(process.pid, 'SIGINT');
      return call(...words);
    };
  }
  if (COUNTED) process.on('exit', () => fs.writeFileSync(COUNTED, String(calls)));
  const now = Date.now;
  Date.now = () => now() + Number(LATER_MS);
  let seconds = 0;
  if (LONG) process.hrtime = () => [seconds++, 0];
`;

/** A project with files that are kept, and the ways to run a command in it. */
function project(test) {
  const root = emptyFolder(test);
  const before = path.join(emptyFolder(test), 'before.cjs');
  fs.writeFileSync(before, BEFORE);
  const words = (line) => [process.execPath, '--require', before, bin, ...line.split(' '), '--root', root];
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

/** The points at which calls are killed, of so many system calls. */
function* moments(count) {
  for (let at = 0; at < MOMENTS; at++) yield Math.floor((at * count) / MOMENTS);
}

/** The number of system calls that it makes. */
function countOf({ done }, line, test) {
  const counted = path.join(emptyFolder(test), 'calls');
  done(line, { COUNTED: counted });
  return Number(fs.readFileSync(counted, 'utf8'));
}

const noTerminal = {
  skip: onTerminal(['true'], {}) === undefined && 'there is no `script` here that makes a terminal',
};

test('files are brought back after a yes at the terminal alone', noTerminal, (t) => {
  for (const [input, code, files] of [
    ['y\n', 0, 'then 11\n'],
    ['\n', 1, 'now 11\n'],
    ['', 1, 'now 11\n'],
  ]) {
    const { done, words, write, read } = project(t);
    done('create --reason handoff');
    write('now');
    const said = onTerminal(words('restore --latest --files'), { input });
    assert.match(said.out, /write {3}file-9 {2}\(changed since\)\nDo this\? \[y\/N\] /);
    assert.deepEqual([said.code, read()], [code, files], said.out);
    assert.match(said.out, code === 0 ? /Done; / : /Nothing was touched\n$/);
  }
});

test('no question is asked over a pipe, nor with --yes', noTerminal, (t) => {
  const { done, words, write, read, idOf } = project(t);
  const restore = `restore --id ${idOf(done('create --reason handoff'))} --files`;
  write('now');
  assert.match(done(restore), /\nDone; /);
  assert.equal(read(), 'then 11\n');
  write('now');
  const { out } = onTerminal(words(`${restore} --yes`), { input: '' });
  assert.ok(!out.includes('[y/N]'), out);
  assert.equal(read(), 'then 11\n');
});

test('a long call shows its progress, and clears it before its answer', noTerminal, (t) => {
  const { words, run } = project(t);
  const create = words('create --reason handoff');
  const shown = (env) => onTerminal(create, { env: { LONG: '1', ...env } }).raw;
  const progress = /\rmilepost: 12 files looked at, \d+ read \(0 kB\), \d+ written \(\d+ kB\) *\r +\rchk-/;
  assert.match(shown({}), progress);
  for (const env of [{ TERM: 'dumb' }, { CI: 'true' }]) {
    assert.ok(!shown(env).includes('looked at'), JSON.stringify(env));
  }
  for (const option of ['--json', '--quiet']) {
    assert.ok(!onTerminal([...create, option], { env: { LONG: '1' } }).raw.includes('looked at'), option);
  }
  assert.equal(run('create --reason handoff', { LONG: '1' }).stderr, '');
});

test('a snapshot that was stopped is not listed, and does not stand in the way of the next one', posix, (t) => {
  const count = countOf(project(t), 'create --reason handoff', t);
  for (const moment of moments(count)) {
    const { root, run, done } = project(t);
    assert.equal(run('create --reason handoff', { KILLED_AT: String(moment) }).signal, 'SIGINT');
    for (const { id } of JSON.parse(done('list --json'))) done(`verify --id ${id}`);
    // A maker that has been silent for an hour is dead.
    done('cleanup', { LATER_MS: String(2 * 3600 * 1000) });
    const objects = path.join(root, '.claude/checkpoints/objects');
    const listed = JSON.parse(done('list --json')).length;
    const left = fs.existsSync(objects) ? fs.readdirSync(objects, { recursive: true, withFileTypes: true }) : [];
    const files = left.filter((it) => it.isFile()).map(({ name }) => name);
    assert.equal(files.length, listed * 12, `${moment}: ${files}`);
    assert.match(done('create --reason handoff'), /12 files that differ from HEAD are kept/);
  }
});

test('a restore that was stopped is finished by the same command', posix, (t) => {
  const begin = () => {
    const begun = project(t);
    const id = begun.idOf(begun.done('create --reason handoff'));
    begun.write('now');
    return { ...begun, id, line: `restore --id ${id} --files` };
  };
  const first = begin();
  const count = countOf(first, first.line, t);
  for (const moment of moments(count)) {
    const { run, done, read, line, id, idOf } = begin();
    assert.equal(run(line, { KILLED_AT: String(moment) }).signal, 'SIGINT');
    const said = done(line);
    done(`verify --id ${id}`);
    if (!said.includes('Done; ')) continue;
    done(`restore --id ${idOf(said.split('`').at(-2))} --files`);
    assert.equal(read(), 'now 11\n', `${moment}`);
  }
});
