// Compares the answers of the page's core, on Node, with those of the command line.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { milepost } from '../command-line.mjs';
import { Core, framesOf } from '../core.mjs';

/** A page knows the commit that HEAD is at, and not why it could not be read. */
const isSaidByBoth = ([code]) => code !== 'head_unreadable';

/** The answer of the command line, or the code of its failure; and its warnings. */
export async function said(root, words) {
  const { out, error: printed } = await milepost(root, [...words, '--json']);
  const lines = printed.split('\n').filter((one) => one.startsWith('{')).map((one) => JSON.parse(one));
  const warnings = lines.flatMap(({ warning }) => (warning === undefined ? [] : [[warning.code, warning.message]]));
  const error = lines.find(({ error }) => error !== undefined)?.error;
  return { value: out === '' ? undefined : JSON.parse(out), code: error?.code, warnings: warnings.filter(isSaidByBoth).sort() };
}

/** The answer of the page's core, or the code of its failure; and its warnings. */
function answered({ value, error, warnings = [] }) {
  return { value, code: error?.code, warnings: warnings.map(({ code, message }) => [code, message]).sort() };
}

export const named = ({ command, feature }) => (feature === null ? [command] : [command, '--feature', feature]);
export const keyOf = ({ command, feature }) => `c/${command}-${feature ?? 'checkpoint'}`;

/** A core that has all of a folder; `null` where the command line refuses the folder, which the export then does too. */
async function coreOf(root, out) {
  const file = path.join(out, 'page.html');
  const { code, error } = await milepost(root, ['export', '--html', file]);
  if (code !== 0) {
    const { code: refused } = await said(root, ['status', '--all']);
    assert.notEqual(refused, undefined, `the export failed, and the list did not: ${error}`);
    return null;
  }
  return new Core().take(framesOf(fs.readFileSync(file, 'utf8')));
}

/** Compares all that both say of a project; `out` is an empty folder. Returns how many checkpoints it has. */
export async function assertSame(root, out) {
  const core = await coreOf(root, out);
  if (core === null) return 0;
  const operate = (request) => answered(core.query({ query: 'operation', request }));
  const list = await said(root, ['status', '--all']);
  assert.deepEqual(operate({ operation: 'list' }), list);
  // Every verb that lists a folder refuses anything else.
  const { error } = core.query({ query: 'tick', ms: 1 });
  if (list.code !== undefined || error !== undefined) {
    assert.equal(error?.code, list.code);
    return 0;
  }
  core.index();
  assertRows(core, list.value ?? []);
  const latest = ofState(await said(root, ['resume']));
  assert.deepEqual(operate({ operation: 'latest' }), latest.code === 'not_found' ? { ...latest, value: null, code: undefined } : latest);
  for (const checkpoint of list.value ?? []) await assertOne(root, core, operate, checkpoint);
  return list.value?.length ?? 0;
}

/** The rows of the overview have what the list says. */
function assertRows(core, list) {
  const { value } = core.query({ query: 'overview', filter: {}, sort: 'name', from: 0, count: 1_000, now: Date.now() });
  assert.equal(value.total, list.length);
  const rows = new Map(value.rows.map((row) => [row.key, row]));
  for (const { problem, command, feature, ...listed } of list) {
    const row = rows.get(keyOf({ command, feature }));
    assert.notEqual(row, undefined, `${command} ${feature} has no row`);
    assert.equal(row.problem?.message ?? null, visible(problem));
    if (problem !== null) continue;
    const { completed, in_progress, failed, pending, skipped, edited_by_hand: isEdited = false, ...others } = listed;
    assert.equal(row.badges.some(({ code }) => code === 'edited_by_hand'), isEdited, row.key);
    assert.deepEqual(row.progress, { completed, in_progress, failed, pending, skipped });
    for (const [name, member] of Object.entries(others)) assert.deepEqual(row[name], visible(member), `${name} of ${row.key}`);
    assert.equal(row.status === 'complete', listed.complete, `${row.key} is ${row.status}`);
    if (!listed.complete && failed > 0) assert.equal(row.status, 'failed', row.key);
  }
}

async function assertOne(root, core, operate, checkpoint) {
  const { command, feature } = checkpoint;
  const of = { command, feature };
  const words = named(checkpoint);
  const version = { key: keyOf(checkpoint), revision: null };
  const shown = core.query({ query: 'revision', moment: version }).value;

  const resume = await said(root, ['resume', ...words]);
  const point = operate({ operation: 'resume_point', ...of });
  // That there is nothing to do is an answer of the page, and a "no" of the command line.
  if (resume.code === 'not_found') assert.deepEqual([point.value?.phase, point.warnings], [null, resume.warnings]);
  else assert.deepEqual(point, withoutNames(resume));
  if (shown !== undefined && resume.value !== undefined) {
    const { text: _, ...ours } = shown.resume;
    assert.deepEqual(ours, stoppedOf(resume.value));
  }
  const gate = await said(root, ['gate', ...words]);
  assert.deepEqual(operate({ operation: 'gate', ...of }), gate);
  if (shown !== undefined && gate.value !== undefined) {
    const { open, head_commit: commit } = gate.value;
    assert.deepEqual([shown.gate.open, shown.gate.head_commit], [open, visible(commit)]);
  }

  const log = await said(root, ['log', ...words]);
  assert.deepEqual(operate({ operation: 'log', ...of }), log);
  const timeline = core.query({ query: 'timeline', key: version.key }).value;
  if (timeline !== undefined && resume.value !== undefined) {
    const { run: _, command: __, others: ___, more: ____, ...ours } = timeline.resume;
    assert.deepEqual(ours, stoppedOf(resume.value));
  }
  if (timeline !== undefined && log.value !== undefined) {
    const [ours, theirs] = [timeline.revisions, log.value].map((list) =>
      list.map(({ revision, heartbeats }) => ({ revision, heartbeats })).sort((one, other) => one.revision - other.revision),
    );
    assert.deepEqual(ours, theirs);
  }
  const diff = await said(root, ['diff', ...words]);
  const { value: difference, ...more } = operate({ operation: 'diff', ...of });
  assert.deepEqual({ value: difference?.patch, ...more }, diff);
  if (difference !== undefined) {
    const [a, b] = [difference.from, difference.to].map((revision) => ({ key: version.key, revision }));
    const compared = core.query({ query: 'compare', a, b });
    const printed = (await milepost(root, ['diff', ...words])).out.split('\n').filter((one) => one !== '');
    // Without a change the command line says so in a sentence.
    const [only] = printed;
    const isSame = printed.length === 1 && only.endsWith(' are the same');
    assert.deepEqual(compared.value?.cli, isSame ? [] : printed, JSON.stringify(compared).slice(0, 400));
    assert.equal(compared.value.same, isSame);
  }
}

/** The part of the page about what stopped. */
function stoppedOf({ phase, status, error, files_created: created, files_modified: modified, phase_summary, summary, alongside, pending }) {
  const lines = (text) => visible(text, /[^\n\t]/);
  const list = (names) => names.map((name) => visible(name));
  return {
    ...{ phase: visible(phase), status: visible(status), error: lines(error) },
    ...{ phase_summary: lines(phase_summary), summary: lines(summary) },
    ...{ created: list(created), modified: list(modified), alongside: list(alongside), pending: list(pending) },
  };
}

/** The resume point alone, without the names of the run and of others. */
function withoutNames(reply) {
  const { value, ...others } = ofState(reply);
  if (value === undefined) return { value, ...others };
  const { phase, phase_summary, summary, alongside } = value;
  return { value: { phase, phase_summary, summary, alongside }, ...others };
}

/** The names and the resume point, without the facts of what stopped. */
function ofState(reply) {
  if (reply.value === undefined) return reply;
  const { command, feature, phase, phase_summary, summary, alongside, others } = reply.value;
  const names = others.map(({ command, feature }) => ({ command, feature }));
  return { ...reply, value: { command, feature, phase, phase_summary, summary, alongside, others: names } };
}

/** Signs that a terminal or the order of a text acts on. */
const ACTS = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/gu;

/** The page has such signs as escapes, which JSON does not need; in a text of several lines, `but` those. */
function visible(value, but = /[^]/) {
  if (typeof value !== 'string') return value;
  return value.replace(ACTS, (sign) => (but.test(sign) ? `\\u{${sign.codePointAt(0).toString(16)}}` : sign));
}
