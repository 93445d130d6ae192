// Missing parts of the process, and thrown values: one sentence each, a documented exit code, and never a
// stack trace.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import * as milepost from 'milepost';
import { openMemoryStore } from 'milepost/memory';
import { emptyFolder, node, require, silentRoot, standardError } from './fixture.mjs';

const folder = path.dirname(require.resolve('milepost/package.json'));
const bin = path.join(folder, require('milepost/package.json').bin.milepost);
const posix = { skip: process.platform === 'win32' && 'needs a POSIX shell' };
const linux = { skip: process.platform !== 'linux' && 'needs /dev/full and `ulimit -v`' };

/** Runs a script of the shell; in it `milepost` is the command line. */
function shell(cwd, script) {
  const start = `milepost() { "${process.execPath}" $FLAGS "${bin}" "$@"; }\n`;
  const run = spawnSync('sh', ['-c', start + script], { cwd, encoding: 'utf8' });
  return { code: run.status, out: run.stdout, error: run.stderr };
}

/** One line on standard error, and nothing else. */
function saidOnce({ code, out, error: all }, expected, pattern) {
  // The message of Node itself about its flags.
  const error = all.replace(/^Warning: [^\n]*flag[^\n]*\n/, '');
  assert.match(error, /^milepost: [^\n]+\n$/);
  assert.match(error, pattern);
  assert.deepEqual([code, out], [expected, '']);
}

test('a working folder that is gone is one line, without a stack trace', posix, (t) => {
  const cwd = emptyFolder(t);
  const gone = `mkdir gone && cd gone && rmdir ../gone && `;
  saidOnce(shell(cwd, `${gone}milepost status`), 74, /working folder is gone/);
  const code = `
    const milepost = require(${JSON.stringify(folder)});
    const answers = [milepost.loadCheckpoint('design'), milepost.updatePhase('design', 'a', {}), milepost.getStateDir()];
    console.log(JSON.stringify([...answers, milepost.lastError().code]));
  `;
  const run = shell(cwd, `${gone}"${process.execPath}" -e '${code.replaceAll("'", `'\\''`)}'`);
  assert.deepEqual([run.code, run.out], [0, '[null,false,null,"io"]\n']);
  assert.doesNotMatch(run.error, /^ {4}at /m);
  assert.equal(run.error.split('\n').length, 4);
});

test('a process without WebAssembly gets one line, without a stack trace', posix, (t) => {
  const cwd = emptyFolder(t);
  saidOnce(shell(cwd, 'FLAGS=--jitless; milepost status'), 70, /WebAssembly.*--jitless/);
  const code = `
    const milepost = require(${JSON.stringify(folder)});
    const { code } = (() => { try { milepost.openStore().list(); } catch (error) { return error; } })();
    console.log(JSON.stringify([milepost.countTokens("a b"), milepost.loadCheckpoint("design"), code]));
  `;
  const run = shell(cwd, `"${process.execPath}" --jitless -e '${code}'`);
  assert.deepEqual([run.code, run.out], [0, '[0,null,"io"]\n']);
  assert.doesNotMatch(run.error, /^ {4}at /m);
});

test('too little memory for WebAssembly is one line, without a stack trace', linux, (t) => {
  const cwd = emptyFolder(t);
  // With less Node itself does not begin; with more there is room for the wasm.
  const run = shell(cwd, 'ulimit -v 4000000; milepost status');
  if (run.code === 0) return t.skip('this Node needs less address space');
  saidOnce(run, 70, /WebAssembly, which milepost needs, cannot be started: .*[Mm]emory/);
});

test('a host that cannot make the memory gets an error, and is asked again at the next call', () => {
  const code = `
    const { Instance } = WebAssembly;
    let tries = 0;
    WebAssembly.Instance = function (module, imports) {
      if (tries++ < 2) throw new RangeError('WebAssembly.Instance(): Out of memory');
      return new Instance(module, imports);
    };
    console.error = () => {};
    const { countTokens, lastError, openStore } = require('milepost');
    const refused = (() => { try { openStore().list(); } catch (error) { return error; } })();
    const answers = [refused.code, countTokens('a b'), lastError().message, countTokens('a b')];
    process.stdout.write(JSON.stringify(answers));
  `;
  const [asked, counted, message, again] = JSON.parse(node(code));
  assert.deepEqual([asked, counted, again], ['io', 0, 2]);
  assert.match(message, /^WebAssembly, which milepost needs, cannot be started: .*Out of memory$/);
});

test('a reader who stops early gets no error of a broken pipe', posix, (t) => {
  const cwd = emptyFolder(t);
  const run = shell(cwd, '(milepost schema --markdown; echo "exit $?" >&2) | true');
  assert.deepEqual(run.error, 'exit 0\n');
});

test('a full device leaves no doubt that the update was saved', linux, (t) => {
  const cwd = emptyFolder(t);
  saidOnce(shell(cwd, 'milepost status > /dev/full'), 74, /Cannot print the answer: the disk is full.*ENOSPC/);
  const update = 'milepost phase design a pending --root . > /dev/full';
  saidOnce(shell(cwd, update), 74, /but the update is saved: the disk is full.*ENOSPC/);
  assert.equal(shell(cwd, 'milepost show design --root . --json').code, 0);
});

test('an argument that is not UTF-8 is refused', posix, (t) => {
  const cwd = emptyFolder(t);
  const run = shell(cwd, 'milepost phase design a pending --root . --summary "$(printf "caf\\351")"');
  assert.deepEqual([run.code, run.out], [64, '']);
  assert.match(run.error, /not UTF-8/);
  assert.deepEqual(fs.readdirSync(cwd), []);
});

test('anything that is thrown is one line, never an exception and never empty', (t) => {
  silentRoot(t);
  const lines = standardError(t);
  const bare = Object.assign(new Error('x'), { message: undefined });
  for (const thrown of [null, undefined, '', 7, {}, Object.create(null), new Error(), bare, Symbol('x')]) {
    const document = {
      get phases() {
        throw thrown;
      },
    };
    assert.equal(milepost.saveCheckpoint('design', document), false);
    assert.match(lines.at(-1), /^\[milepost\] .{20,}$/);
    assert.match(milepost.lastError().message, /cannot be written as JSON: ./);
    assert.equal(milepost.countTokens({ toString: () => { throw thrown; } }), 0);
    assert.match(lines.at(-1), /^\[milepost\] .{10,}$/);
    assert.ok(milepost.lastError().message.length > 10);
  }
});

test('a console that throws takes no answer away', (t) => {
  silentRoot(t);
  t.mock.method(console, 'error', () => {
    throw new Error('no console');
  });
  assert.equal(milepost.loadCheckpoint('deploy'), null);
  assert.equal(milepost.lastError().code, 'invalid_name');
  assert.equal(milepost.updatePhase('design', 'a', {}), true);
});

test('no method of a store throws anything but a sentence', () => {
  const store = openMemoryStore();
  assert.throws(() => store.save('design', { toJSON: () => { throw null; } }), ({ code, message }) => {
    return code === 'usage' && /cannot be written as JSON: null was thrown/.test(message);
  });
});
