import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { MilepostError, openStore, validateCheckpoint } from 'milepost';
import { emptyFolder, git, needsGit, repository, stateFile } from './fixture.mjs';

const code = (expected) => (error) => error instanceof MilepostError && error.code === expected;

test('a store runs a command from its first phase to its end', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  const first = store.updatePhase('design', 'research', { status: 'in_progress' });
  assert.deepEqual([first.revision, first.merged, first.changed], [1, false, true]);
  const point = { phaseSummary: null, summary: null, alongside: [] };
  assert.deepEqual(store.resumePoint('design'), { ...point, phase: 'research' });
  const { phase, command } = store.latest();
  assert.deepEqual([phase, command], ['research', 'design']);

  store.updatePhase('design', 'research', { status: 'complete', context_summary: 'known' });
  store.updatePhase('design', 'plan', { status: 'pending' });
  assert.deepEqual(store.resumePoint('design'), { ...point, phase: 'plan', summary: 'known' });
  assert.equal(store.list()[0].completed, 1);
  assert.deepEqual(store.log('design').map((entry) => entry.revision), [3, 2, 1]);
  const { from, to, patch } = store.diff('design', null, { from: 1, to: 2 });
  assert.deepEqual([from, to], [1, 2]);
  assert.ok(patch.some(({ path: at }) => at === '/phases/research/context_summary'));

  const refused = ({ code, message, written, advice }) =>
    code === 'usage' && /"plan" \(pending\)/.test(message) && written === 'no' && advice.kind === 'complete';
  assert.throws(() => store.complete('design'), refused);
  assert.equal(store.complete('design', null, { force: true }).changed, true);
  assert.equal(store.complete('design').changed, false);
  assert.equal(store.latest(), null);
});

test('a text is stored with its numbers and fields as written', (t) => {
  const root = emptyFolder(t);
  const store = openStore({ root });
  const state = '{"current_phase":null,"completed_phases":[],"pending_phases":[]}';
  const text = `{"version":1,"exact":1e400,"9":1.0,"state":${state},"phases":{}}`;
  const saved = store.saveText('design', text);
  assert.equal(store.loadText('design'), saved.text);
  assert.match(saved.text, /"exact": 1e400,\n {2}"9": 1\.0,/);
  assert.equal(fs.readFileSync(stateFile(root, 'design-checkpoint.json'), 'utf8'), saved.text);
});

test('an invalid document is refused with every problem', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  const document = { state: 7, phases: { a: { status: 'done' } } };
  assert.throws(() => store.save('design', document), (error) => {
    assert.ok(code('invalid_document')(error));
    const places = error.problems.map(({ at }) => at);
    assert.ok(places.includes('/state') && places.includes('/phases/a/status'), places.join());
    return true;
  });
  assert.equal(store.load('design'), null);
});

test('each wrong argument is named by its error', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  const calls = [
    [() => openStore({ root: 7 }), 'Expected `root` to be a string, got 7'],
    [() => openStore({ dir: [] }), 'Expected `dir` to be a string, got an array'],
    [
      () => openStore({ durability: 'maybe' }),
      'Expected `durability` to be one of durable, lazy, got "maybe"',
    ],
    [() => openStore({ onWarning: 1 }), 'Expected `onWarning` to be a function, got 1'],
    [() => store.load(null), 'Expected `command` to be a string, got null'],
    [() => store.load('design', {}), 'Expected `feature` to be a string, got an object'],
    [() => store.saveText('design', {}), 'Expected `text` to be a string, got an object'],
    [() => openStore({ history: 50 }), 'Expected `history` to be an object, got 50'],
    [
      () => openStore({ history: { days: 0.5 } }),
      'Expected `history.days` to be a whole number, 0 or more, got 0.5',
    ],
    [
      () => store.load('design', null, { revision: '1' }),
      'The request is wrong: /revision: expected a whole number from 0 to 9007199254740991 or null, found string',
    ],
    [
      () => store.undo('design', null, { to: -1 }),
      'Expected `to` to be a whole number, 0 or more, got -1',
    ],
    [
      () => store.undo('design', null, { seal: 7 }),
      'The request is wrong: /seal: expected a string or null, found number',
    ],
    [
      () => store.recover('design', null, { to: 1.5 }),
      'Expected `to` to be a whole number, 0 or more, got 1.5',
    ],
    [
      () => store.trim('design', null, { days: -1 }),
      'Expected `days` to be a whole number, 0 or more, got -1',
    ],
    [
      () => store.diff('design', null, { from: -1 }),
      'Expected `from` to be a whole number, 0 or more, got -1',
    ],
  ];
  for (const [call, message] of calls) {
    assert.throws(call, (error) => code('usage')(error) && error.message === message);
  }
});

test('failures carry their code', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  const summary = { context_summary: 'word '.repeat(501) };
  assert.throws(() => store.load('deploy'), code('invalid_name'));
  assert.throws(() => store.load('design', '../x'), code('invalid_name'));
  assert.throws(() => store.complete('design'), code('not_found'));
  assert.throws(() => store.updatePhase('design', 'a', summary), code('summary_too_long'));
});

test('a stale checkpoint is returned, with a warning', needsGit, (t) => {
  const root = repository(t);
  const warnings = [];
  const store = openStore({ root, onWarning: (warning) => warnings.push(warning) });
  store.updatePhase('design', 'research', {});
  assert.equal(store.load('design').head_commit.length, 40);
  assert.deepEqual(store.warnings, []);

  git(root, 'commit', '--quiet', '--allow-empty', '--message', 'second');
  assert.equal(store.load('design').command, 'design');
  assert.equal(warnings.length, 1);
  assert.equal(warnings[0].code, 'stale');
  assert.match(
    warnings[0].message,
    /^Checkpoint is stale \(saved at [0-9a-f]{7}, current HEAD is [0-9a-f]{7}\): before you carry on with design, read `git log --left-right ([0-9a-f]{7})\.\.\.[0-9a-f]{7}`, if the repository still has \1$/,
  );
  assert.deepEqual(store.warnings, warnings);
});

test('an explicit folder holds the state', (t) => {
  const root = emptyFolder(t);
  const dir = path.join(emptyFolder(t), 'state');
  openStore({ root, dir, durability: 'lazy' }).updatePhase('design', 'research', {});
  assert.ok(fs.existsSync(path.join(dir, 'design-checkpoint.json')));
  assert.ok(!fs.existsSync(path.join(root, '.claude')));
});

test('validation takes a text or an object', () => {
  const { valid, problems } = validateCheckpoint('{"version":2}');
  assert.equal(valid, false);
  assert.deepEqual(problems, validateCheckpoint({ version: 2 }).problems);
  assert.throws(() => validateCheckpoint(7), code('usage'));
});

test('a gate is opened and closed, and a checkpoint goes and comes back', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  store.updatePhase('ship', 'push', { status: 'in_progress' });
  assert.equal(store.gate('ship').open, false);
  assert.deepEqual(store.gate('ship', null, { open: true }), { open: true, blockers: [], headCommit: null });
  const { open, blockers } = store.gate('ship', null, { close: ['tests fail'] });
  assert.deepEqual([open, blockers[0]], [false, 'tests fail']);
  for (const decision of [{ close: 'no' }, { close: [] }, { close: [5] }, { open: true, close: ['a'] }, { opn: true }]) {
    assert.throws(() => store.gate('ship', null, decision), { code: 'usage' });
  }
  store.remove('ship');
  assert.equal(store.load('ship'), null);
  assert.equal(store.latest(), null);
  store.recover('ship');
  assert.equal(store.latest().phase, 'push');
});

test('a root that does not exist is refused with what named it', (t) => {
  const root = `${emptyFolder(t)}/nope`;
  for (const call of [(store) => store.list(), (store) => store.updatePhase('design', 'a', {})]) {
    assert.throws(() => call(openStore({ root })), { code: 'usage', message: /nope does not exist; it was named by/ });
  }
});

test('one over-long summary does not stop the work on another phase, and a short one replaces it', (t) => {
  const root = emptyFolder(t);
  const store = openStore({ root });
  store.updatePhase('design', 'a', { status: 'complete' });
  const file = `${root}/.claude/state/design-checkpoint.json`;
  const checkpoint = JSON.parse(fs.readFileSync(file, 'utf8'));
  checkpoint.phases.a.context_summary = 'word '.repeat(501);
  fs.writeFileSync(file, JSON.stringify(checkpoint));
  store.updatePhase('design', 'b', { status: 'pending' });
  assert.ok(store.warnings.some(({ code }) => code === 'invalid_document'));
  const { summary } = store.resumePoint('design');
  assert.equal(summary.split(' ').length, 500);
  store.updatePhase('design', 'a', { context_summary: 'short' });
  assert.deepEqual(store.warnings, []);
});

test('an error names a parameter as the signature does', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  const calls = {
    command: () => store.load(5),
    feature: () => store.load('design', 5),
    options: () => store.load('design', null, 5),
    checkpoint: () => store.save('design', 5),
    text: () => store.saveText('design', 5),
    phase: () => store.updatePhase('design', 5, {}),
    patch: () => store.updatePhase('design', 'a', 5),
    close: () => store.gate('ship', null, { close: 5 }),
  };
  for (const [name, call] of Object.entries(calls)) {
    assert.throws(call, { code: 'usage', message: new RegExp(`^Expected \`${name}\` to be`) });
  }
});

test('a change says what it makes, makes nothing where that is not wanted, and is taken back', (t) => {
  const store = openStore({ root: emptyFolder(t) });
  const pending = { status: 'pending' };
  const { created, newRun, newPhases } = store.begin('implement', null, { phases: ['plan', 'build'] });
  assert.deepEqual([created, newRun, newPhases], [true, true, ['plan', 'build']]);
  assert.deepEqual(store.updatePhase('implement', 'bulid', {}).newPhases, ['bulid']);
  assert.deepEqual(store.save('implement', { phases: { plan: pending } }).created, false);
  for (const call of [
    () => store.updatePhase('implement', 'paln', {}, null, { existing: true }),
    () => store.begin('implement', null, { phases: ['paln'], existing: true }),
    () => store.save('implement', { phases: { paln: pending } }, null, { existing: true }),
    () => store.saveText('implement', '{"phases":{"paln":{"status":"pending"}}}', null, { existing: true }),
    () => store.removePhase('implement', null, { phase: 'paln' }),
  ]) {
    assert.throws(call, { code: 'not_found', message: /There is no phase paln in implement; it has plan/ });
  }
  assert.equal(store.updatePhase('implement', 'plan', {}, null, { existing: true }).created, false);
  store.updatePhase('implement', 'docs', {});
  assert.equal(store.removePhase('implement', null, { phase: 'docs' }).changed, true);
  assert.equal(store.load('implement')?.phases.docs, undefined);
});
