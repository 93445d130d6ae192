// An examination on both hosts: they find and fix the same, but for modes, which WASI has not.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test, { describe } from 'node:test';
import {
  acknowledgedByWasmtime,
  bin,
  files,
  folder,
  git,
  onNode,
  repository,
  wasmtime,
  wasmtimeWords,
} from './fixture.mjs';

const UPDATE = ['phase', 'design', 'plan', 'in_progress'];
const STATE = '.claude/state';
const DOCUMENT = `${STATE}/design-checkpoint.json`;
const SIDE = `${STATE}/.milepost/design-checkpoint`;
const ID = '00112233445566778899aabbccddeeff';

const EXAMINE = ['doctor', '--json'];
const FIX = ['doctor', '--fix', '--json'];

/** An examination waits for two seconds where something is wrong; others go on. */
const CONCURRENT = { concurrency: 12 };

async function run(program, words, cwd) {
  const child = spawn(program, words, { cwd });
  const said = { out: '', error: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (said.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (said.error += text));
  const [code] = await once(child, 'close');
  return { ...said, code };
}

const byNode = (root, words) => run(process.execPath, [bin, ...words], root);
const byWasmtime = (root, words) => run(wasmtime, wasmtimeWords(words), root);
const byBoth = async (root, words) => [await byNode(root, words), await byWasmtime(root, words)];

/** The findings of an examination, but for modes. */
function findings({ out, error }) {
  assert.equal(error, '');
  return JSON.parse(out).filter(({ check }) => check !== 'modes');
}

/** The findings that are not `ok`, by check. */
const checksOf = (found) => found.filter(({ level }) => level !== 'ok').map(({ check }) => check);

/** A repository with one checkpoint of three revisions. */
function saved(t) {
  const root = repository(t);
  for (const status of ['pending', 'in_progress', 'complete']) {
    assert.equal(onNode(root, ['phase', 'design', 'plan', status]).code, 0);
  }
  return root;
}

const write = (root, name, text) => {
  fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  fs.writeFileSync(path.join(root, name), text);
};
const replaceByLink = (root, name) => {
  fs.renameSync(path.join(root, name), path.join(root, 'elsewhere'));
  fs.symlinkSync(path.join(root, 'elsewhere'), path.join(root, name));
};
const replaceByPipe = (root, name) => {
  fs.rmSync(path.join(root, name), { recursive: true, force: true });
  execFileSync('mkfifo', [path.join(root, name)]);
};

/** The act on the folder, the findings then, and whether `--fix` fixes it. */
const SPOILED = [
  ['nothing', () => {}, [], true],
  ['the checkpoint is corrupt', (root) => write(root, DOCUMENT, '{ torn'), ['documents'], false],
  ['the checkpoint is too large', (root) => fs.truncateSync(path.join(root, DOCUMENT), 17 << 20), ['documents'], false],
  [
    'the checkpoint breaks its schema',
    (root) => write(root, DOCUMENT, fs.readFileSync(path.join(root, DOCUMENT), 'utf8').replace('"complete"', '"done"')),
    // It was edited by hand.
    ['documents', 'schema'],
    false,
  ],
  ['the checkpoint is a FIFO', (root) => replaceByPipe(root, DOCUMENT), ['folder'], false],
  ['the checkpoint is a link', (root) => replaceByLink(root, DOCUMENT), ['folder'], false],
  ['the lock is a FIFO', (root) => replaceByPipe(root, `${SIDE}/lock`), ['folder'], false],
  ['the tokens are a link', (root) => replaceByLink(root, `${SIDE}/tokens`), ['folder'], false],
  ['the side folder is a link', (root) => replaceByLink(root, SIDE), ['folder'], false],
  ['the state folder is a link', (root) => replaceByLink(root, STATE), ['folder'], false],
  ['git tracks it', (root) => git(root, 'add', '--force', DOCUMENT), ['tracked'], false],
  ['the .gitignore is gone', (root) => fs.rmSync(path.join(root, STATE, '.gitignore')), ['ignored'], true],
  ['a token is left', (root) => write(root, `${SIDE}/tokens/${ID}`, '{}'), ['leftovers'], true],
  ['a preparation is left', (root) => write(root, `${SIDE}/tokens/${ID}.new`, '{'), ['leftovers'], true],
  ['a lock is left', (root) => write(root, `${SIDE}/lock`, `${ID} 2000\n`), ['leftovers'], true],
  ['a probe is left', (root) => write(root, `${STATE}/.milepost/probe-${ID}/one`, ''), ['leftovers'], true],
  [
    'a probe is a link',
    (root) => {
      write(root, 'elsewhere/one', 'mine');
      fs.symlinkSync(path.join(root, 'elsewhere'), path.join(root, `${STATE}/.milepost/probe-${ID}`));
    },
    ['folder'],
    false,
  ],
  [
    'a revision is altered',
    (root) => {
      const first = fs.readdirSync(path.join(root, SIDE, 'history')).find((name) => name.startsWith('1-'));
      write(root, `${SIDE}/history/${first}`, '{}');
    },
    ['history'],
    false,
  ],
  ['a stray file is there', (root) => write(root, `${STATE}/notes.txt`, ''), ['strays'], true],
];

describe('both hosts find and fix the same', CONCURRENT, () => {
  for (const [what, spoil, expected, isFixed] of SPOILED) {
    test(what, async (t) => {
      const root = saved(t);
      spoil(root);
      const before = files(root);
      const [onOne, onOther] = [await byNode(root, EXAMINE), await byWasmtime(root, EXAMINE)];
      assert.deepEqual(findings(onOther), findings(onOne));
      assert.deepEqual(checksOf(findings(onOne)), expected);
      assert.equal(onOther.code, onOne.code);
      assert.deepEqual(files(root), before);

      const twin = folder(t);
      execFileSync('cp', ['-a', `${root}/.`, twin]);
      const fixed = await Promise.all([byNode(root, FIX), byWasmtime(twin, FIX)]);
      assert.deepEqual(findings(fixed[1]), findings(fixed[0]));
      const left = isFixed ? expected.filter((check) => check === 'strays') : expected;
      for (const [at, { code }] of [[root, fixed[0]], [twin, fixed[1]]]) {
        assert.equal(code, isFixed ? 0 : 1);
        assert.deepEqual(checksOf(findings(await byNode(at, EXAMINE))), left);
      }
    });
  }
});

/** Runs a command of the report as its reader would. */
function carryOut(root, command) {
  const milepost = `milepost() { '${process.execPath}' '${bin}' "$@"; }`;
  execFileSync('sh', ['-ec', `${milepost}\n${command}`], { cwd: root, stdio: 'pipe' });
}

const FIXED_BY_COMMAND = [
  'the checkpoint is corrupt',
  'the checkpoint is too large',
  'the checkpoint is a FIFO',
  'the checkpoint is a link',
  'the lock is a FIFO',
  'the tokens are a link',
  'the side folder is a link',
  'git tracks it',
  'the .gitignore is gone',
  'a lock is left',
  'a probe is a link',
  'a revision is altered',
];

describe('the command of the report fixes it', CONCURRENT, () => {
  for (const [what, spoil] of SPOILED.filter(([what]) => FIXED_BY_COMMAND.includes(what))) {
    test(what, async (t) => {
      const root = saved(t);
      spoil(root);
      const found = findings(await byNode(root, EXAMINE));
      const wrong = found.filter(({ level }) => ['warning', 'error'].includes(level));
      assert.equal(wrong.length, 1);
      carryOut(root, wrong[0].mend);
      const after = await byNode(root, EXAMINE);
      assert.equal(after.code, 0, after.out);
      assert.equal(onNode(root, UPDATE).code, 0);
    });
  }
});

test('people read the same on both hosts', async (t) => {
  const root = saved(t);
  write(root, DOCUMENT, '{ torn');
  const [expected, actual] = await byBoth(root, ['doctor']);
  const withoutModes = (text) => {
    const lines = text.split('\n');
    const at = lines.findIndex((line) => /mode|Only its owner/.test(line));
    const count = lines[at + 1].startsWith(' ') ? 2 : 1;
    return lines.toSpliced(at, count);
  };
  assert.deepEqual(withoutModes(actual.out), withoutModes(expected.out));
  assert.match(expected.out, /^error {4}Checkpoint file exists but is corrupt: .*\n.*\n {9}milepost recover design$/m);
  assert.match(expected.out, /\n\n1 thing to fix\n$/);
  assert.deepEqual([expected.code, actual.code], [1, 1]);
});

test('modes that let others in are closed where there are modes', async (t) => {
  const root = saved(t);
  fs.chmodSync(path.join(root, STATE), 0o755);
  const found = JSON.parse(onNode(root, EXAMINE).out).find(({ check }) => check === 'modes');
  assert.equal(found.found, 'Its mode is 0755');
  assert.equal(onNode(root, FIX).code, 0);
  assert.equal(fs.statSync(path.join(root, STATE)).mode & 0o777, 0o700);
  const there = JSON.parse((await byWasmtime(root, EXAMINE)).out).find(({ check }) => check === 'modes');
  assert.equal(there.level, 'note');
});

test('where nothing was saved both say so and make nothing', async (t) => {
  const root = repository(t);
  const [expected, actual] = await byBoth(root, EXAMINE);
  assert.deepEqual(actual, expected);
  assert.deepEqual(checksOf(findings(expected)), ['folder']);
  assert.equal(expected.code, 0);
  assert.deepEqual(fs.readdirSync(root), ['.git']);
});

test('a folder of 100,000 strays is reported on both hosts', async (t) => {
  const root = saved(t);
  const crowd = path.join(root, STATE, '.milepost');
  for (let at = 0; at < 100_000; at++) fs.closeSync(fs.openSync(path.join(crowd, `design-${at}`), 'w'));
  const [expected, actual] = await byBoth(root, EXAMINE);
  assert.deepEqual(findings(actual), findings(expected));
  assert.deepEqual(checksOf(findings(expected)), ['strays']);
  assert.equal(expected.code, 1);
});

test('writers at work on both hosts are no reason for alarm', async (t) => {
  const root = saved(t);
  let isOver = false;
  const write = async (writer) => {
    for (let update = 0; !isOver; update++) {
      const words = ['phase', 'design', `${writer}`, update % 2 ? 'pending' : 'in_progress'];
      await acknowledgedByWasmtime(root, words);
    }
  };
  const writers = [1, 2, 3, 4].map(write);
  try {
    for (const by of [byWasmtime, byNode]) {
      let fixed;
      // A writer that the machine lets stand still for two seconds looks as if it had died, now and then.
      for (let more = 3; more > 0 && fixed?.length !== 0; more -= 1) {
        const { code, out } = await by(root, FIX);
        assert.equal(code, 0, out);
        // The sign of a waiting process is a note: it looks the same for each process.
        fixed = JSON.parse(out).filter(({ mended, level }) => mended && level !== 'note');
      }
      assert.deepEqual(fixed, []);
    }
  } finally {
    isOver = true;
    await Promise.all(writers);
  }
});
