// The package says the same of a run wherever it is asked: the command line, the status line of a hook, the server, the
// core of the page, and notices. `tests/core/view/facts.rs` asks the same of many more runs, in memory.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { openStore } from 'milepost';
import { bin, git, milepost, needsGit, repository, require } from '../node/fixture.mjs';
import { Core, framesOf } from '../viewer/core.mjs';
import { connected } from './client.mjs';

const hook = require.resolve('milepost/hook');

const RUNS = 20;
const COMMAND = 'implement';
const STATUSES = ['pending', 'in_progress', 'complete', 'failed', 'skipped'];
const PHASES = ['plan', 'build', 'check', 'ship it'];
const NOTIFICATIONS = { webhooks: [{ url_env: 'HOOK_URL', secret_env: 'HOOK_SECRET' }] };
const VARIABLES = { HOOK_URL: 'https://hooks.example.org/hook', HOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

/** Chance with a seed: a number from 0 to `below` - 1. */
function chance(seed) {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

/** The output of the hook of Claude Code, or of its status line. */
function sent(root, words, payload) {
  const input = JSON.stringify({ cwd: root, ...payload });
  const { status, stdout } = spawnSync(process.execPath, [hook, ...words], { cwd: root, input, encoding: 'utf8' });
  assert.equal(status, 0);
  return stdout;
}

/** A run that a session of its own works on, with phases, lists and a plan by chance. */
function make(root, store, feature, random) {
  const prompt = { session_id: feature, hook_event_name: 'UserPromptSubmit', prompt: `/${COMMAND} ${feature}` };
  sent(root, ['claude-code'], prompt);
  const document = store.load(COMMAND, feature);
  const some = () => PHASES.filter(() => random(3) === 0);
  const now = new Date().toISOString();
  const entries = PHASES.filter(() => random(4) > 0).map((name) => {
    const phase = { status: STATUSES[random(STATUSES.length)], started_at: now, updated_at: now };
    return [name, phase];
  });
  document.phases = Object.fromEntries(entries);
  document.state.current_phase = random(2) === 0 ? null : PHASES[random(PHASES.length)];
  document.state.completed_phases = some();
  document.state.pending_phases = some();
  if (random(4) === 0) document.plan = 'First this, then that.';
  store.save(COMMAND, document, feature);
  if (random(3) > 0) store.gate(COMMAND, feature, random(2) === 0 ? { open: true } : { close: ['tests fail'] });
  if (random(4) === 0) store.complete(COMMAND, feature, { keepOpen: true });
}

/** The page's facts of every run, by its feature. */
function pageOf(root) {
  const file = path.join(root, 'page.html');
  const { code, error } = milepost(root, ['export', '--html', file]);
  assert.equal(code, 0, error);
  const core = new Core().take(framesOf(fs.readFileSync(file, 'utf8'))).index();
  const { rows } = core.query({ query: 'overview', filter: {}, sort: 'name', from: 0, count: 100, now: Date.now() }).value;
  const gate = ({ key }) => core.query({ query: 'revision', moment: { key, revision: null } }).value.gate;
  return new Map(rows.map((row) => [row.feature, { row, gate: gate(row) }]));
}

/** The data of every notice that would be sent from the beginning. */
function notices(root) {
  const words = [bin, 'notify', '--dry-run', '--since-beginning', '--json'];
  const env = { ...process.env, ...VARIABLES };
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: root, env, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout).map(({ payload: { type, data } }) => ({ type, ...data }));
}

const factsOf = ({ done, total, current_phase, has_work, complete }) => ({ done, total, current_phase, has_work, complete });

test('the package says the same of a run on every surface', needsGit, async (t) => {
  const root = repository(t, { 'a.txt': 'one\n' });
  const store = openStore({ root });
  const settings = path.join(root, '.claude/config/integrations.json');
  fs.mkdirSync(path.dirname(settings), { recursive: true });
  fs.writeFileSync(settings, JSON.stringify({ notifications: NOTIFICATIONS }));
  const random = chance(7);
  for (let at = 0; at < RUNS; at++) {
    if (at === RUNS / 2) git(root, 'commit', '--quiet', '--allow-empty', '--message', 'next');
    make(root, store, `r${at}`, random);
  }

  const list = JSON.parse(milepost(root, ['status', '--json']).out);
  assert.equal(list.length, RUNS);
  const client = await connected(t, root);
  const { checkpoints } = await client.value('milepost_status');
  assert.deepEqual(checkpoints, list);
  const page = pageOf(root);
  const sendable = notices(root);
  for (const listed of list) {
    const { feature } = listed;
    const { row, gate: ofPage } = page.get(feature);
    assert.deepEqual(factsOf(row), factsOf(listed), feature);

    const gate = JSON.parse(milepost(root, ['gate', COMMAND, '--feature', feature, '--json']).out);
    const { open, blockers, head_commit } = await client.value('milepost_gate', { command: COMMAND, feature });
    assert.deepEqual({ open, blockers, head_commit }, gate, feature);
    assert.equal(ofPage.open, gate.open, feature);
    const { out: shown, error } = milepost(root, ['show', COMMAND, '--feature', feature]);
    const words = /^ {2}gate {7}(\w+)/m.exec(shown)?.[1];
    assert.equal(words ?? 'closed', gate.open ? 'open' : 'closed', shown);
    if (listed.total > 0) assert.match(shown, new RegExp(`^  done {7}${listed.done}/${listed.total}$`, 'm'));

    const isStale = error.includes('is stale');
    assert.equal(row.badges.some(({ code }) => code === 'stale'), isStale, feature);
    const { warnings = [] } = await client.value('milepost_show', { command: COMMAND, feature });
    assert.equal(warnings.some(({ code }) => code === 'stale'), isStale, feature);
    const { since_recorded } = await client.value('milepost_resume', { command: COMMAND, feature });
    assert.equal(since_recorded !== undefined, isStale && !listed.complete, feature);

    const line = sent(root, ['statusline'], { session_id: feature, workspace: { project_dir: root } }).trim();
    if (listed.complete) assert.equal(line, '', feature);
    else if (listed.total > 0) assert.ok(line.endsWith(`${listed.done}/${listed.total}`), line);
    if (listed.current_phase !== null) assert.ok(line.includes(` ${listed.current_phase} `), line);

    for (const { type, phases_over, phases, failed, unfinished } of sendable.filter((one) => one.feature === feature)) {
      assert.deepEqual([phases_over, phases], [listed.done, listed.total], feature);
      if (type !== 'checkpoint.completed') continue;
      assert.equal(listed.complete, true, feature);
      assert.equal(failed.length + unfinished.length, listed.total - listed.done, feature);
    }
  }
  const finished = list.filter(({ complete }) => complete).map(({ feature }) => feature);
  const completed = sendable.filter(({ type }) => type === 'checkpoint.completed').map(({ feature }) => feature);
  assert.deepEqual(completed.sort(), finished.sort());
});
