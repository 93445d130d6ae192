// State that each released version stored, opened by this one: read, changed, and brought back. `upgrade/VERSION.json`
// has the files of a project; `upgrade/make.mjs` writes it.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import { createCheckpointManager } from 'milepost/tasks';
import { milepost, needsGit, repository, require, stateFile } from './fixture.mjs';
import { AGENTS, openThreads } from './upgrade/state.mjs';

const folder = path.join(import.meta.dirname, 'upgrade');
const versions = fs.readdirSync(folder).filter((name) => name.endsWith('.json'));
const RUN = ['implement', '--feature', 'language'];

/** A project as a version left it. */
function project(t, name) {
  const { files } = require(path.join(folder, name));
  const root = repository(t);
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64'));
  }
  return root;
}

/** Runs a command that has to succeed. Returns what it printed. */
function run(root, ...words) {
  const { code, out, error } = milepost(root, words);
  assert.equal(code, 0, `${words.join(' ')}: ${error}`);
  return out;
}

const json = (root, ...words) => JSON.parse(run(root, ...words, '--json'));
const read = (root, name) => fs.readFileSync(path.join(root, name), 'utf8');

function managerOf(root) {
  return createCheckpointManager({ storage: { storagePath: stateFile(root, '') } });
}

/** The files below a folder whose names are these. */
function named(root, below, name) {
  const all = fs.readdirSync(path.join(root, below), { recursive: true }).map(String);
  return all.filter((it) => path.basename(it) === name).map((it) => path.join(below, it));
}

/** Gives a document the number of a form that no version has so far. Returns its text. */
function raise(root, name) {
  const text = read(root, name).replace(/"version": *1\b/, '"version": 99');
  assert.match(text, /"version": *99/);
  fs.writeFileSync(path.join(root, name), text);
  return text;
}

test('there is a fixture', () => assert.ok(versions.length > 0));

for (const version of versions) {
  test(`${version}: runs are read, changed, and go back`, needsGit, (t) => {
    const root = project(t, version);
    const before = json(root, 'resume', ...RUN);
    assert.equal(before.phase, 'printer');
    assert.equal(before.summary, 'Parser done, 41 tests.');
    assert.deepEqual(json(root, 'status').map(({ command, problem }) => [command, problem]), [
      ['implement', null],
      ['review', null],
    ]);
    run(root, 'phase', 'implement', 'printer', 'complete', ...RUN.slice(1), '--summary', 'Printer done.');
    assert.equal(json(root, 'resume', ...RUN).phase, 'docs');
    run(root, 'undo', ...RUN);
    const after = json(root, 'resume', ...RUN);
    assert.deepEqual([after.phase, after.status, after.files_created], ['printer', 'in_progress', ['printer.js']]);
    const revisions = json(root, 'log', ...RUN);
    assert.ok(revisions.length >= 5, `${revisions.length} revisions`);
  });

  test(`${version}: members that are not known stay, with their numbers`, needsGit, (t) => {
    const root = project(t, version);
    run(root, 'phase', 'review', 'read', 'in_progress');
    const text = read(root, '.claude/state/review-checkpoint.json');
    assert.match(text, /"unknown": \{\s+"deep": \[\s+1e400\s+\]\s+\}/);
    assert.match(text, /"revision": 3/);
  });

  test(`${version}: snapshots are read, pinned and restored`, needsGit, (t) => {
    const root = project(t, version);
    const [{ id, problem, pinned }] = json(root, 'snapshot', 'list');
    assert.deepEqual([problem, pinned], [null, false]);
    run(root, 'snapshot', 'pin', id);
    assert.equal(json(root, 'snapshot', 'list').find((it) => it.id === id).pinned, true);
    fs.writeFileSync(path.join(root, 'parser.js'), 'export const parser = 3;\n');
    run(root, 'snapshot', 'restore', id, '--files', '--force', '--yes');
    assert.equal(read(root, 'parser.js'), 'export const parser = 2;\n');
  });

  test(`${version}: tasks are restored, saved and deleted`, needsGit, async (t) => {
    const root = project(t, version);
    const { checkpoint, remainingSteps } = await managerOf(root).restore('Fix: the login');
    assert.deepEqual([checkpoint.id, checkpoint.context, remainingSteps], ['cp-2', { branch: 'fix-login' }, ['s2', 's3']]);
    await managerOf(root).save({ ...checkpoint, id: 'cp-3', stepIndex: 3 });
    const ids = (await managerOf(root).list('Fix: the login')).map(({ id }) => id);
    assert.deepEqual(ids, ['cp-1', 'cp-2', 'cp-3']);
    assert.equal(await managerOf(root).delete('cp-3'), true);
    assert.equal((await managerOf(root).restore('Fix: the login')).checkpoint.id, 'cp-2');
  });

  test(`${version}: threads are read and carried on`, needsGit, async (t) => {
    const root = project(t, version);
    const { put, load } = openThreads({ storagePath: stateFile(root, '') });
    assert.equal((await load('chat 1')).id, 'c3');
    await put('chat 1', 'c4');
    assert.equal((await load('chat 1')).id, 'c4');
    const { steps } = json(root, 'thread', 'show', 'chat 1');
    assert.deepEqual(steps.map(({ id }) => id), ['c4', 'c3', 'c2', 'c1']);
  });

  test(`${version}: hooks are registered once after this version installs its own`, needsGit, (t) => {
    const root = project(t, version);
    const ours = (root) => {
      // It ends with 1, since the package is not in this project.
      const { out } = milepost(root, ['hooks', 'status', '--json']);
      const found = JSON.parse(out).filter(({ scope, events }) => scope === 'project' && events > 0);
      return new Map(found.map(({ agent, events, missing }) => [agent, { events, missing }]));
    };
    assert.deepEqual([...ours(root).keys()].sort(), [...AGENTS].sort());
    const fresh = repository(t);
    for (const agent of AGENTS) for (const folder of [root, fresh]) run(folder, 'hooks', 'install', agent);
    // Lines of the earlier version gave way to those that stand where there were none.
    assert.deepEqual(ours(root), ours(fresh));
    for (const { missing } of ours(root).values()) assert.deepEqual(missing, []);
    for (const agent of AGENTS) run(root, 'hooks', 'remove', agent);
    assert.deepEqual(ours(root), new Map());
  });

  test(`${version}: a document of a later form is never written over`, needsGit, async (t) => {
    const root = project(t, version);
    const run = '.claude/state/implement-language.json';
    const [task] = named(root, '.claude/state/tasks', 'index.json');
    const [thread] = named(root, '.claude/state/threads', 'index.json');
    const raised = [run, task, thread].map((name) => [name, raise(root, name)]);

    const shown = milepost(root, ['show', ...RUN]);
    assert.equal(shown.code, 0, shown.error);
    const { code, error } = milepost(root, ['phase', 'implement', 'docs', 'complete', ...RUN.slice(1), '--json']);
    assert.equal(code, 65);
    assert.match(error, /unsupported_version/);
    const later = { code: 'unsupported_version' };
    const state = (await managerOf(project(t, version)).restore('Fix: the login')).checkpoint;
    await assert.rejects(managerOf(root).save({ ...state, id: 'cp-3' }), later);
    await assert.rejects(managerOf(root).restore('Fix: the login'), later);
    const { put, load } = openThreads({ storagePath: stateFile(root, '') });
    await assert.rejects(put('chat 1', 'c4'), later);
    await assert.rejects(load('chat 1'), later);
    for (const [name, text] of raised) assert.equal(read(root, name), text, name);
  });
}
