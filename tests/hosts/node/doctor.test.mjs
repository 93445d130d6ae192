// The examination of a project, by the package's bin.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { emptyFolder, milepost, stateFile } from './fixture.mjs';

/** The findings, and the exit code. */
function examine(root, ...words) {
  const { code, out, error } = milepost(root, ['doctor', '--json', '--root', root, ...words]);
  assert.equal(error, '');
  return { code, findings: JSON.parse(out) };
}

const alarms = ({ findings }) => findings.filter(({ level }) => level !== 'note' && level !== 'ok');

function saved(t) {
  const root = emptyFolder(t);
  fs.mkdirSync(path.join(root, '.git'));
  for (const phase of ['a', 'b', 'c']) openStore({ root }).updatePhase('design', phase, {});
  return root;
}

test('nothing is wrong with what the store has written', (t) => {
  const { code, findings } = examine(saved(t));
  assert.deepEqual(alarms({ findings }), []);
  assert.equal(code, 0);
});

test('a token that a dead writer left is found, and removed by a fix', (t) => {
  const root = saved(t);
  const tokens = stateFile(root, '.milepost/design-checkpoint/tokens');
  const token = path.join(tokens, `${'0'.repeat(32)}.new`);
  fs.writeFileSync(token, '{');
  const old = new Date(Date.now() - 3_600_000);
  fs.utimesSync(token, old, old);
  examine(root, '--fix');
  assert.deepEqual(fs.readdirSync(tokens), []);
  assert.equal(openStore({ root }).load('design').revision, 3);
});

test('a document that is torn is an error', (t) => {
  const root = saved(t);
  fs.writeFileSync(stateFile(root, 'design-checkpoint.json'), '{ torn');
  const { code, findings } = examine(root);
  assert.equal(code, 1);
  assert.ok(findings.some(({ level }) => level === 'error'), JSON.stringify(findings));
});

const closed = {
  skip: (process.platform !== 'linux' || process.getuid() === 0) && 'needs Linux, and a user who is not root',
};

test('folders that their owner may not even list are found, and opened by one fix', closed, (t) => {
  const root = saved(t);
  const side = stateFile(root, '.milepost/design-checkpoint');
  const tokens = path.join(side, 'tokens');
  fs.chmodSync(tokens, 0);
  fs.chmodSync(side, 0o300);
  const { code, findings } = examine(root);
  assert.equal(code, 1);
  const found = findings.filter(({ check }) => check === 'folder').map(({ path: at }) => at);
  assert.ok(found.includes('.claude/state/.milepost/design-checkpoint'), JSON.stringify(findings));
  examine(root, '--fix');
  for (const folder of [side, tokens]) assert.equal(fs.statSync(folder).mode & 0o777, 0o700, folder);
  openStore({ root }).updatePhase('design', 'a', {});
});
