// The JSON Schema, `validateCheckpoint` and a save say the same of a document.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as path from 'node:path';
import test from 'node:test';
import { validateCheckpoint } from 'milepost';
import { openMemoryStore } from 'milepost/memory';
import { require } from './fixture.mjs';

const NOON = '2026-01-29T12:00:00.000Z';
const DOCUMENTS = 4_000;

/** Times that are, and that are none; what else a time can be is the core's own tests' business. */
const TIMES = [NOON, '2026-01-29T12:00:00+01:00', 'yesterday', '2026-01-29', ''];

/** White space to ECMAScript, and what looks like it. */
const SPACES = [' ', '\n', '\u00a0', '\ufeff', '\u2003', '\u0085', '\u200b', ' \t '];
const FEATURES = [
  'a', 'dark-mode', 'Dark.v2', '9', 'a.', '.a', '-a', 'a b', '', 'é', 'con', 'CON', 'con.x', 'Lpt1.a', 'com0',
  'console', 'checkpoint', 'CheckPoint', 'checkpoints', 'a'.repeat(100), 'a'.repeat(101), 'a/b', 'a..b',
];
const OTHERS = [null, 5, 1.5, -1, true, [], {}, [1], ['a'], { a: 1 }, 'x', ''];

function schema() {
  const root = path.dirname(require.resolve('milepost/package.json'));
  const bin = path.join(root, require('milepost/package.json').bin.milepost);
  const { stdout } = spawnSync(process.execPath, [bin, 'schema', '--json'], { encoding: 'utf8' });
  return JSON.parse(stdout);
}

/** Numbers from a seed: a linear congruential generator. */
function chance(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function generated(random) {
  const one = (list) => list[random(list.length)];
  const maybe = (value) => (random(40) === 0 ? one(OTHERS) : value);
  const summary = () => {
    const count = one([0, 1, 3, 499, 500, 500, 501]);
    const space = one(SPACES);
    const words = Array.from({ length: count }, (_, at) => `w${at % 7}`).join(space);
    return one(['', space]) + words + one(['', space]);
  };
  const names = () => Array.from({ length: random(3) }, () => maybe(one(['a', 'b', '__proto__', '7'])));
  const phase = () => {
    const made = { status: maybe(one(['pending', 'in_progress', 'complete', 'failed', 'skipped'])) };
    if (random(2)) made.context_summary = maybe(summary());
    if (random(3) === 0) made.files_created = maybe(['src/a.js', maybe('b')]);
    if (random(4) === 0) made.started_at = maybe(one(TIMES));
    if (random(4) === 0) made.error = maybe('it failed');
    return maybe(made);
  };
  const document = {
    command: maybe(one(['design', 'implement', 'ship'])),
    version: maybe(1),
    started_at: random(9) === 0 ? one(TIMES) : NOON,
    updated_at: NOON,
    state: { current_phase: maybe('a'), completed_phases: names(), pending_phases: names() },
    phases: {},
  };
  for (const name of ['a', 'b', '', 'x'.repeat(100), 'x'.repeat(101), 'new\nline']) {
    if (random(['a', 'b'].includes(name) ? 2 : 12) === 0) document.phases[name] = phase();
  }
  if (random(2)) document.feature = maybe(one(FEATURES));
  if (random(3) === 0) document.head_commit = maybe('d36b6b4');
  if (random(3) === 0) document.state.context_summary = maybe(summary());
  if (random(4) === 0) document.gate = { ship_allowed: maybe(true), blockers: maybe([]) };
  if (random(8) === 0) document.own = one(OTHERS);
  return document;
}

function isSaved(document) {
  const { command, feature } = document;
  try {
    openMemoryStore().save(command, document, typeof feature === 'string' ? feature : null);
    return true;
  } catch (error) {
    if (!['invalid_document', 'summary_too_long', 'invalid_name', 'unsupported_version', 'usage'].includes(error.code)) throw error;
    return false;
  }
}

test('a document is valid to the schema, to validate and to a save alike', () => {
  const Ajv = require('ajv/dist/2020').default;
  const isTime = (text) => TIMES.indexOf(text) < 2 && TIMES.includes(text);
  const bySchema = new Ajv({ allErrors: true, formats: { 'date-time': isTime } }).compile(schema());
  const random = chance(7);
  let valid = 0;
  for (let count = 0; count < DOCUMENTS; count++) {
    const document = generated(random);
    const text = JSON.stringify(document);
    const expected = bySchema(document);
    const { valid: validated, problems } = validateCheckpoint(document);
    assert.equal(validated, expected, `${text} ${JSON.stringify(problems)} ${JSON.stringify(bySchema.errors)}`);
    assert.equal(isSaved(document), expected, text);
    valid += Number(expected);
  }
  assert.ok(valid > DOCUMENTS / 20 && valid < DOCUMENTS / 2, `${valid} are valid`);
});

test('a command that the project adds is valid where it is named', () => {
  const document = openMemoryStore();
  document.updatePhase('design', 'a', {});
  const built = { ...document.load('design'), command: 'build' };
  assert.equal(validateCheckpoint(built).valid, false);
  assert.equal(validateCheckpoint(built, { commands: ['build'] }).valid, true);
  assert.equal(validateCheckpoint(JSON.stringify(built), { commands: ['build'] }).valid, true);
  assert.throws(() => validateCheckpoint(built, { commands: 'build' }), { code: 'usage' });
  assert.throws(() => validateCheckpoint(built, { command: ['build'] }), { code: 'usage' });
});

test('a text that is no Unicode, or holds a NUL, is judged as any other', () => {
  const store = openMemoryStore();
  store.updatePhase('design', 'a', {});
  const built = JSON.stringify(store.load('design'));
  assert.equal(validateCheckpoint(built).valid, true);
  assert.equal(validateCheckpoint(`\ufeff${built}`).valid, true);
  // A surrogate alone is replaced, and its document stays one.
  assert.equal(validateCheckpoint(built.replace('{', '{"own": "\ud800",')).valid, true);
  for (const text of ['', '\0', `${built}\0`, `\0${built}`, built.replace('{', '{"own": "\0",')]) {
    const { valid, problems } = validateCheckpoint(text);
    assert.equal(valid, false, JSON.stringify(text));
    assert.match(problems[0].message, /expected JSON/);
  }
});
