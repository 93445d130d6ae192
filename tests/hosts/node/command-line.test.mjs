// The package's bin: words in, text and an exit code out.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { bin, emptyFolder, milepost, repository, stateFile } from './fixture.mjs';

const links = { skip: process.platform === 'win32' && 'a link is a right of its own there' };

test('a phase that one process saved is where the next one resumes', (t) => {
  const root = emptyFolder(t);
  const save = ['phase', 'design', 'plan', 'in_progress', '--root', root];
  assert.equal(milepost(root, save).code, 0);
  const { code, out } = milepost(root, ['resume', 'design', '--root', root, '--json']);
  assert.equal(code, 0);
  assert.equal(JSON.parse(out).phase, 'plan');
});

test('an absolute path by the name that the shell has for the folder is one of the project', links, (t) => {
  const root = repository(t);
  fs.mkdirSync(path.join(root, 'src'));
  const above = path.join(emptyFolder(t), 'work');
  fs.symlinkSync(root, above);
  for (const [cwd, PWD] of [
    [root, above],
    [path.join(root, 'src'), path.join(above, 'src')],
  ]) {
    const phase = (...words) => {
      const all = [bin, 'phase', 'design', 'plan', 'complete', ...words, '--json'];
      return spawnSync(process.execPath, all, { cwd, env: { ...process.env, PWD }, encoding: 'utf8' });
    };
    for (const words of [['--created', path.join(above, 'src/a.js')], [`--modified=${path.join(above, 'src/a.js')}`]]) {
      const { status, stderr } = phase(...words);
      assert.equal(status, 0, stderr);
    }
    assert.equal(phase('--created', path.join(above, '../x.js')).status, 64);
  }
  const { phases } = JSON.parse(fs.readFileSync(stateFile(root, 'design-checkpoint.json'), 'utf8'));
  const { files_created, files_modified } = phases.plan;
  assert.deepEqual([files_created, files_modified], [['src/a.js'], ['src/a.js']]);
});

test('a torn run is recovered, and its revisions shown and undone', (t) => {
  const root = emptyFolder(t);
  const run = (...words) => milepost(root, [...words, '--root', root]);
  run('phase', 'design', 'plan', 'in_progress');
  run('phase', 'design', 'plan', 'complete');
  fs.writeFileSync(path.join(root, '.claude/state/design-checkpoint.json'), '{ torn');
  const refused = run('show', 'design');
  assert.equal(refused.code, 65);
  assert.match(refused.error, /milepost recover/);
  const recovered = run('recover', 'design');
  assert.equal(recovered.code, 0, recovered.error);
  assert.match(recovered.out, /^design: saved revision 4, with the content of revision 2\nThe corrupt file is kept as \.claude/);
  assert.equal(run('recover', 'design').code, 1);
  assert.match(run('show', 'design', '--revision', '1').out, /in_progress {2}plan/);
  assert.equal(run('undo', 'design', '--to', '1').out, 'design: saved revision 5, with the content of revision 1\n');
  assert.equal(run('log', 'design').out.split('\n').length, 5);
  assert.equal(JSON.parse(run('trim', 'design', '--json').out).kept, 4);
});

test('no line is wider than a terminal, and one of a pipe is not cut', (t) => {
  const root = emptyFolder(t);
  const phase = `a phase of a long name ${'that goes on '.repeat(5)}`.trim();
  milepost(root, ['phase', 'design', phase, 'in_progress', '--root', root]);
  const words = [process.execPath, bin, 'status', '--root', root];
  const command = `stty cols 60; ${words.map((word) => `'${word}'`).join(' ')}`;
  const shown = (variables) => {
    // With CI it says nothing of its progress, however slow it is.
    const options = { env: { ...process.env, CI: '1', TERM: 'xterm', ...variables }, encoding: 'utf8' };
    const run = spawnSync('script', ['-qec', command, '/dev/null'], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    return run.status === 0 ? run.stdout.replaceAll('\r', '') : undefined;
  };
  const { out } = milepost(root, ['status', '--root', root]);
  assert.ok(out.includes(phase) && out.includes('Z  '));
  if (process.platform !== 'linux' || shown({}) === undefined) {
    t.skip('there is no `script` here that makes a terminal');
    return;
  }
  for (const line of shown({}).split('\n')) assert.ok([...line].length <= 60, line);
  assert.match(shown({}), /just now/);
  assert.equal(shown({ TERM: 'dumb' }), out);
});

test('standard input is read to its end', (t) => {
  const text = 'word '.repeat(100_000);
  const { code, out } = milepost(emptyFolder(t), ['tokens', '-', '--limit', '100000'], text);
  assert.deepEqual([code, out], [0, '100000\n']);
});

test('a wrong call exits 64 and says why on standard error', (t) => {
  const { code, out, error } = milepost(emptyFolder(t), ['bogus']);
  assert.deepEqual([code, out], [64, '']);
  assert.match(error, /bogus/);
});

test('nothing to resume exits 1', (t) => {
  const root = emptyFolder(t);
  assert.equal(milepost(root, ['resume', 'design', '--root', root]).code, 1);
});

test('the declarations of documents are those of the definition', (t) => {
  const { out } = milepost(emptyFolder(t), ['schema', '--ts']);
  const shipped = fs.readFileSync(path.join(path.dirname(bin), '../dist/index.d.cts'), 'utf8');
  assert.ok(shipped.includes(out));
});
