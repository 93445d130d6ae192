// The prompts that the files can go back to: each with its plan, and the command for exactly that.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { bin, needsGit } from '../../node/fixture.mjs';
import { rewindable } from '../fixture.mjs';
import { show } from '../views.mjs';
import { violationsIn } from './axe.mjs';
import { served } from './fixture.mjs';

const PROMPTS = '#/sessions/prompts';

test('a prompt opens to its plan, and its command does exactly that', needsGit, async (t) => {
  const { root } = await rewindable(t);
  const { visitor } = await served(t, root);
  await show(visitor, { address: '#/sessions' });
  const links = () => [...document.querySelectorAll('main a')].map((it) => it.getAttribute('href'));
  assert.ok((await visitor.ask(links)).includes(PROMPTS));
  await show(visitor, { address: PROMPTS });
  await visitor.sees(/tidy up the parser/, 'summary h2');
  await visitor.sees(/claude-code, .*, since then 2 files created, 1 changed, 0 deleted/, 'summary');
  await visitor.ask(() => document.querySelector('summary').click());
  for (const part of [/a\.txt written/, /b\.txt deleted/, /mine\.txt stays: was changed between/]) {
    await visitor.sees(part, 'details .answer');
  }
  assert.deepEqual(await violationsIn(visitor, 'light', 1280, [{ name: 'prompts', address: PROMPTS }]), []);
  const command = await visitor.text('.command code');
  assert.match(command, /milepost rewind --to chk-[\d-]+ --plan [0-9a-f]+ --root /);
  const label = () => document.querySelector('.command button').getAttribute('aria-label');
  assert.equal(await visitor.ask(label), 'Copy the command: Exactly this, in a terminal');
  assert.equal(fs.readFileSync(path.join(root, 'a.txt'), 'utf8'), 'by the agent\n');
  const words = command.slice(command.indexOf('rewind ')).split(' ');
  const run = spawnSync(process.execPath, [bin, ...words], { cwd: root, encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  assert.equal(fs.readFileSync(path.join(root, 'a.txt'), 'utf8'), 'one\n');
  assert.deepEqual(fs.readdirSync(root).filter((name) => name.endsWith('.txt')), ['a.txt', 'mine.txt']);
  await visitor.assertQuiet();
});
