// What the page shows of a folder is what the command line says of it: after every scenario by hand, and of projects
// by chance. The page's core runs on Node; the worker has the same wasm, and a browser shows a part of this.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { ask, line } from '../../node/scenarios/host.mjs';
import { World } from '../../node/scenarios/world.mjs';
import { Case } from '../../../scenarios/js/case.mjs';
import { CannotBeHad, Ground } from '../../../scenarios/js/ground.mjs';
import { scenarios } from '../../../scenarios/js/hand.mjs';
import { Core, framesOf } from '../core.mjs';
import { makeRandom } from '../data/random.mjs';
import { makeSample } from '../data/sample.mjs';
import { folder, milepost } from '../ground.mjs';
import { served, withChromium } from './ground.mjs';

withChromium();

/** Projects by chance, and how many checkpoints each has. */
const PROJECTS = 12;
const CHECKPOINTS = 10;

/** A page knows the commit that HEAD is at, and not why it could not be read. */
const isToldToBoth = ([code]) => code !== 'head_unreadable';

/** What the command line answers, or the code of its failure; and its warnings. */
function said(root, words) {
  const { out, told } = milepost(root, [...words, '--json']);
  const lines = told.split('\n').filter((one) => one.startsWith('{')).map((one) => JSON.parse(one));
  const warnings = lines.flatMap(({ warning }) => (warning === undefined ? [] : [[warning.code, warning.message]]));
  const error = lines.find(({ error }) => error !== undefined)?.error;
  return { value: out === '' ? undefined : JSON.parse(out), code: error?.code, warnings: warnings.filter(isToldToBoth).sort() };
}

/** The same of the page's core. */
function answered({ value, error, warnings = [] }) {
  return { value, code: error?.code, warnings: warnings.map(({ code, message }) => [code, message]).sort() };
}

const named = ({ command, feature }) => (feature === null ? [command] : [command, '--feature', feature]);
const keyOf = ({ command, feature }) => `c/${command}-${feature ?? 'checkpoint'}`;

/** A core that has all of a folder; `null` where the command line refuses the folder, which the export then does too. */
function coreOf(root, out) {
  const file = path.join(out, 'page.html');
  const { code, told } = milepost(root, ['export', '--html', file]);
  if (code !== 0) {
    const { code: refused } = said(root, ['status', '--all']);
    assert.notEqual(refused, undefined, `the export failed, and the list did not: ${told}`);
    return null;
  }
  return new Core().take(framesOf(fs.readFileSync(file, 'utf8')));
}

function assertSame(root, out) {
  const core = coreOf(root, out);
  if (core === null) return 0;
  const operate = (request) => answered(core.ask({ ask: 'operation', request }));
  const list = said(root, ['status', '--all']);
  assert.deepEqual(operate({ operation: 'list' }), list);
  // A folder that is none is refused by whatever lists it.
  const { error } = core.ask({ ask: 'tick', ms: 1 });
  if (list.code !== undefined || error !== undefined) {
    assert.equal(error?.code, list.code);
    return 0;
  }
  core.index();
  assertRows(root, core, list.value ?? []);
  const latest = said(root, ['resume']);
  assert.deepEqual(operate({ operation: 'latest' }), latest.code === 'not_found' ? { ...latest, value: null, code: undefined } : latest);
  for (const checkpoint of list.value ?? []) assertOne(root, core, operate, checkpoint);
  return list.value?.length ?? 0;
}

/** The rows of the overview have what the list says. */
function assertRows(root, core, list) {
  const { value } = core.ask({ ask: 'overview', filter: {}, sort: 'name', from: 0, count: 1_000, now: Date.now() });
  assert.equal(value.total, list.length);
  const rows = new Map(value.rows.map((row) => [row.key, row]));
  for (const { problem, command, feature, ...listed } of list) {
    const row = rows.get(keyOf({ command, feature }));
    assert.notEqual(row, undefined, `${command} ${feature} has no row`);
    assert.equal(row.problem?.message ?? null, visible(problem));
    if (problem !== null) continue;
    const { completed, in_progress, failed, pending, skipped, ...others } = listed;
    assert.deepEqual(row.progress, { completed, in_progress, failed, pending, skipped });
    for (const [name, member] of Object.entries(others)) assert.deepEqual(row[name], visible(member), `${name} of ${row.key}`);
    // What is no time is not told by the list, and completes a checkpoint just the same.
    const isDone = listed.completed_at !== null || (row.status === 'complete' && isComplete(root, { command, feature }));
    assert.equal(row.status === 'complete', isDone, `${row.key} is ${row.status}`);
    if (!isDone && failed > 0) assert.equal(row.status, 'failed', row.key);
  }
}

/** Whether the document says that it is complete, by whatever value. */
function isComplete(root, checkpoint) {
  const { value } = said(root, ['show', ...named(checkpoint)]);
  return (value.checkpoint ?? value).completed_at != null;
}

function assertOne(root, core, operate, checkpoint) {
  const { command, feature } = checkpoint;
  const of = { command, feature };
  const words = named(checkpoint);
  const moment = { key: keyOf(checkpoint), revision: null };
  const shown = core.ask({ ask: 'revision', moment }).value;

  const resume = said(root, ['resume', ...words]);
  const point = operate({ operation: 'resume_point', ...of });
  // That there is nothing to do is an answer of the page, and a "no" of the command line.
  if (resume.code === 'not_found') assert.deepEqual([point.value?.phase, point.warnings], [null, resume.warnings]);
  else assert.deepEqual(point, withoutNames(resume));
  if (shown !== undefined && resume.value !== undefined) {
    const { phase, summary } = shown.resume;
    const [ours, theirs] = [{ phase, summary }, { phase: visible(resume.value.phase), summary: visible(resume.value.summary, /[^\n\t]/) }];
    assert.deepEqual(ours, theirs);
  }
  const gate = said(root, ['gate', ...words]);
  assert.deepEqual(operate({ operation: 'gate', ...of }), gate);
  if (shown !== undefined && gate.value !== undefined) assert.equal(shown.gate.open, gate.value.open);

  const log = said(root, ['log', ...words]);
  assert.deepEqual(operate({ operation: 'log', ...of }), log);
  const timeline = core.ask({ ask: 'timeline', key: moment.key }).value;
  if (timeline !== undefined && log.value !== undefined) {
    const [ours, theirs] = [timeline.revisions, log.value].map((list) =>
      list.map(({ revision, heartbeats }) => ({ revision, heartbeats })).sort((one, other) => one.revision - other.revision),
    );
    assert.deepEqual(ours, theirs);
  }
  const diff = said(root, ['diff', ...words]);
  const { value: difference, ...more } = operate({ operation: 'diff', ...of });
  assert.deepEqual({ value: difference?.patch, ...more }, diff);
  if (difference !== undefined) {
    const [a, b] = [difference.from, difference.to].map((revision) => ({ key: moment.key, revision }));
    const compared = core.ask({ ask: 'compare', a, b });
    const printed = milepost(root, ['diff', ...words]).out.split('\n').filter((one) => one !== '');
    // Without a change the command line says so in a sentence.
    const [only] = printed;
    const isSame = printed.length === 1 && only.endsWith(' are the same');
    assert.deepEqual(compared.value?.cli, isSame ? [] : printed, JSON.stringify(compared).slice(0, 400));
    assert.equal(compared.value.same, isSame);
  }
}

/** The command line says of which checkpoint it is. */
function withoutNames({ value, ...others }) {
  if (value === undefined) return { value, ...others };
  const { command: _, feature: __, ...rest } = value;
  return { value: rest, ...others };
}

/** What a terminal or the order of a text acts on. */
const ACTS = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** The page has such signs as escapes, which JSON does not need; in a text of several lines, `but` those. */
function visible(value, but = /[^]/) {
  if (typeof value !== 'string') return value;
  return value.replace(ACTS, (sign) => (but.test(sign) ? `\\u{${sign.codePointAt(0).toString(16)}}` : sign));
}

for (const variants of scenarios()) {
  for (const scenario of variants) {
    const { topic, needs, steps } = scenario;
    if (steps.at(-1).with_faults) continue;
    test(`the page says what the command line says, ${topic}: ${scenario.name}`, (t) => {
      const made = folder((remove) => t.after(remove));
      const ground = new Ground(made);
      const world = new World(t);
      try {
        new Case(ground, world, { ask, line }).play(scenario);
      } catch (error) {
        if (!(error instanceof CannotBeHad)) throw error;
        t.skip(`this machine lacks ${needs ?? 'links and pipes'}`);
        return;
      }
      assertSame(ground.project, folder((remove) => t.after(remove)));
    });
  }
}

for (let seed = 1; seed <= PROJECTS; seed++) {
  test(`the page says what the command line says, of project ${seed} by chance`, (t) => {
    const root = folder((remove) => t.after(remove));
    makeRandom(root, seed, CHECKPOINTS);
    const count = assertSame(root, folder((remove) => t.after(remove)));
    assert.ok(count > 3, `${count} checkpoints`);
  });
}

test('the page says what the command line says, of the sample project', async (t) => {
  const root = folder((remove) => t.after(remove));
  await makeSample(root);
  assert.equal(assertSame(root, folder((remove) => t.after(remove))), 11);
});

test('a browser shows what the core of the page answers', async (t) => {
  const root = folder((remove) => t.after(remove));
  await makeSample(root);
  const { visitor } = await served(t, root);
  const { value: list } = said(root, ['status', '--all']);
  const isWhole = (many) => document.querySelectorAll('li.row').length === many;
  await visitor.until(`all ${list.length} rows`, isWhole, list.length);
  for (const checkpoint of list) {
    const resume = said(root, ['resume', ...named(checkpoint)]);
    if (resume.value === undefined) continue;
    const address = `#/revision/${encodeURIComponent(keyOf(checkpoint))}`;
    await visitor.ask((to) => void (location.hash = to), address);
    const { phase, summary } = resume.value;
    for (const part of [phase, summary?.split('\n')[0]].filter((it) => it)) {
      await visitor.until(`${address} shows ${part}`, (it) => document.querySelector('main').innerText.includes(it), part);
    }
  }
  await visitor.assertQuiet();
});
