// The project that a client works on.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { emptyFolder, git, needsGit, repository } from '../node/fixture.mjs';
import { Client, VERSIONS } from './client.mjs';

const RECORD = { command: 'design', phase: 'a' };
const LIST = 'notifications/resources/list_changed';

/** A client in a folder, whose server is given no root in words. */
async function within(t, folder, options) {
  const client = new Client(t, folder, { words: [], ...options });
  await client.open();
  return client;
}

/** The answer of a tool; a question of the second era for the roots is answered first. */
async function value(client, name, given = {}) {
  const params = { name, arguments: given };
  const asked = await client.ask('tools/call', params);
  if (asked.resultType !== 'input_required') {
    assert.ok(!asked.isError, asked.content[0].text);
    return asked.structuredContent;
  }
  client.asked += 1;
  assert.equal(asked.inputRequests.roots.method, 'roots/list');
  const answered = await client.ask('tools/call', { ...params, inputResponses: { roots: client.listed } });
  assert.ok(!answered.isError, JSON.stringify(answered));
  return answered.structuredContent;
}

const rootOf = async (client) => (await value(client, 'milepost_status')).project.root;

for (const version of VERSIONS) {
  test(`the root of a client of ${version} is where it works`, needsGit, async (t) => {
    const [here, root] = [emptyFolder(t), repository(t)];
    git(root, 'switch', '--quiet', '--create', 'dark');
    const client = await within(t, here, { version, roots: [root] });
    const { project } = await value(client, 'milepost_phase', RECORD);
    assert.deepEqual(project, { root, branch: 'dark' });
    assert.equal(openStore({ root }).list().length, 1);
    await value(client, 'milepost_status');
    assert.equal(client.asked, 1);
    assert.deepEqual(fs.readdirSync(here), []);
    assert.equal(await client.close(), 0);
    assert.deepEqual(client.strays, []);
  });
}

test('a folder within a repository is the repository, and one without is itself', needsGit, async (t) => {
  const [here, root, plain] = [emptyFolder(t), repository(t), emptyFolder(t)];
  const below = path.join(root, 'packages/a');
  fs.mkdirSync(below, { recursive: true });
  assert.equal(await rootOf(await within(t, here, { roots: [below] })), root);
  assert.equal(await rootOf(await within(t, here, { roots: [plain] })), plain);
});

test('a root that is a link has paths by both of its names', needsGit, async (t) => {
  const [here, root] = [emptyFolder(t), fs.realpathSync(repository(t))];
  const link = path.join(here, 'work');
  fs.symlinkSync(root, link, 'junction');
  const client = await within(t, here, { roots: [link] });
  const files_created = [path.join(root, 'a.js'), path.join(link, 'b.js'), 'c.js'];
  await value(client, 'milepost_phase', { ...RECORD, files_created });
  const { checkpoint } = await value(client, 'milepost_show', { command: RECORD.command });
  assert.deepEqual(checkpoint.phases.a.files_created, ['a.js', 'b.js', 'c.js']);
  const outside = { ...RECORD, files_created: [path.join(here, 'x.js')] };
  assert.equal((await client.refusal('milepost_phase', outside)).code, 'usage');
});

test('words and GIT_ROOT come before roots, roots before the agent, the agent before the working folder', needsGit, async (t) => {
  const [here, named, agents, roots] = [repository(t), repository(t), repository(t), repository(t)];
  const gone = path.join(here, 'gone');
  const agent = { CLAUDE_PROJECT_DIR: agents };
  for (const [options, expected] of [
    [{}, here],
    [{ env: agent }, agents],
    [{ env: { GEMINI_PROJECT_DIR: agents } }, agents],
    [{ env: { CURSOR_PROJECT_DIR: agents } }, agents],
    [{ env: { CLAUDE_PROJECT_DIR: gone } }, here],
    [{ env: agent, roots: [roots] }, roots],
    [{ env: agent, roots: [gone, roots] }, roots],
    [{ env: agent, roots: [] }, agents],
    [{ env: { ...agent, GIT_ROOT: named }, roots: [roots] }, named],
    [{ words: ['--root', named], env: agent, roots: [roots] }, named],
  ]) {
    assert.equal(await rootOf(await within(t, here, options)), expected, JSON.stringify(options));
  }
});

test('a client that cannot say its roots works in the working folder', needsGit, async (t) => {
  const here = repository(t);
  const client = await within(t, here, { roots: { map: () => 'nonsense' } });
  assert.equal(await rootOf(client), here);
});

test('a working folder that is in no project is refused by every tool, and nothing is made', async (t) => {
  const here = emptyFolder(t);
  const client = await within(t, here);
  const { tools } = await client.ask('tools/list');
  const given = {
    begin: { command: 'design', phases: ['a'] },
    phase: RECORD,
    remove_phase: RECORD,
    complete: { command: 'design' },
    undo: { command: 'design' },
    create: { reason: 'handoff' },
    restore: { latest: true },
    verify: { latest: true },
  };
  for (const { name } of tools) {
    const short = name.replace('milepost_', '');
    if (short === 'tokens') continue;
    const error = await client.refusal(name, given[short]);
    assert.deepEqual([error.code, error.written], ['usage', 'no'], name);
    assert.ok(error.message.includes(here), error.message);
    assert.match(error.hint, /`--root DIR`/);
  }
  assert.equal((await client.value('milepost_tokens', { text: 'a b' })).token_count, 2);
  assert.deepEqual((await client.ask('resources/list')).resources, []);
  assert.deepEqual(fs.readdirSync(here), []);
});

test('a working folder with state, or below a repository, is a project', needsGit, async (t) => {
  const [kept, root] = [emptyFolder(t), repository(t)];
  openStore({ root: kept }).updatePhase('design', 'a', {});
  assert.equal(await rootOf(await within(t, kept)), kept);
  const below = path.join(root, 'a');
  fs.mkdirSync(below);
  assert.equal(await rootOf(await within(t, below)), root);
});

test('a client that moves works at its new root, and gets the runs there', needsGit, async (t) => {
  const [here, first, second] = [emptyFolder(t), repository(t), repository(t)];
  openStore({ root: second }).updatePhase('design', 'a', {});
  const client = await within(t, here, { roots: [first] });
  assert.deepEqual((await client.ask('resources/list')).resources, []);
  await client.ask('ping');
  assert.deepEqual(client.notices, []);
  client.move([second]);
  await client.notice(({ method }) => method === LIST);
  assert.equal((await client.ask('resources/list')).resources.length, 1);
  assert.equal(await rootOf(client), second);
  openStore({ root: second }).updatePhase('ship', 'a', {});
  await client.notice(({ method }) => method === LIST);
  assert.equal(client.asked, 2);
});

test('two windows work on their own roots', needsGit, async (t) => {
  const [here, ...roots] = [emptyFolder(t), repository(t), repository(t)];
  const windows = await Promise.all(roots.map((root) => within(t, here, { roots: [root] })));
  await Promise.all(windows.map((client, at) => value(client, 'milepost_phase', { ...RECORD, phase: `p${at}` })));
  for (const [at, root] of roots.entries()) {
    assert.deepEqual(Object.keys(openStore({ root }).load('design').phases), [`p${at}`]);
  }
});
