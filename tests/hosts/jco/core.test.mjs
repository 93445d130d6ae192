// The core component in another component host than wasmtime: jco, in Node.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, replyOf, run, transpiled } from './fixture.mjs';

const { core, imports } = await transpiled();

const request = (operation, rest = {}) =>
  JSON.stringify({ operation, place: { working: '/w' }, command: 'design', ...rest });

/** The failure of a function: the value of its typed error, or JavaScript's own error. */
function failure(call) {
  try {
    call();
  } catch (error) {
    return error.payload ?? error;
  }
  throw new Error('it did not fail');
}

test('the component asks its host for nothing', () => {
  assert.deepEqual(imports, []);
});

test('tokens are counted as on every other host', () => {
  const text = 'a\u{FEFF}b\u{0085}c \u{1F600}';
  assert.equal(core.tokens.count(text), 3n);
  assert.equal(core.tokens.truncate('one two three', 2n), 'one two');
  assert.deepEqual(core.tokens.validate('one two', 1n), {
    valid: false,
    tokenCount: 2n,
    limit: 1n,
    error: 'Context summary exceeds 1 token limit (actual: 2 tokens)',
  });
});

test('a document is followed by the rules alone', () => {
  const now = Date.UTC(2026, 0, 29, 12);
  const created = core.phases.create('design', 'login', now);
  const patch = JSON.stringify({ status: 'complete', context_summary: 'Done' });
  const { document, warnings } = core.phases.update(created, 'plan', patch, now);
  assert.deepEqual(warnings, []);
  assert.deepEqual(core.schema.validate(document), { problems: [], warnings: [] });
  assert.deepEqual(core.phases.findResumePoint(document), {
    phase: undefined,
    summary: 'Done',
  });
  assert.deepEqual(core.phases.checkGate(document, undefined), {
    open: false,
    blockers: ['No gate is recorded'],
  });
});

test('what is malformed is a typed error, never a trap', () => {
  const rules = core.phases;
  for (const document of ['', '[]', '{', '"\\ud800"', '\0']) {
    assert.equal(failure(() => rules.update(document, 'p', '{}', 0)).tag, 'invalid-document');
    assert.equal(failure(() => rules.complete(document, NaN)).tag, 'invalid-document');
    assert.equal(failure(() => rules.findResumePoint(document)).tag, 'invalid-document');
    assert.equal(failure(() => rules.checkGate(document)).tag, 'invalid-document');
    assert.equal(core.schema.validate(document).problems.length, 1);
  }
  assert.equal(failure(() => rules.create('fly', undefined, 0)).tag, 'invalid-name');
  assert.equal(failure(() => core.handoff.checkRequest('{')).tag, 'usage');
  const document = rules.create('design', undefined, NaN);
  assert.equal(failure(() => rules.update(document, '', '{}', 0)).tag, 'invalid-name');
  assert.equal(failure(() => rules.update(document, 'p', '[]', 0)).tag, 'usage');
  const long = JSON.stringify({ context_summary: 'word '.repeat(501) });
  assert.deepEqual(failure(() => rules.update(document, 'p', long, 0)), {
    tag: 'summary-too-long',
    val: {
      at: '/phases/p/context_summary',
      message: 'Context summary exceeds 500 token limit (actual: 501 tokens)',
    },
  });
  assert.equal(core.tokens.count('a'), 1n, 'the component still answers');
});

test('a value of another type is refused before the component', () => {
  assert.ok(failure(() => core.handoff.checkResponse('{}', 'fly')) instanceof TypeError);
  const operation = new core.operations.Operation(request('load'));
  operation.step();
  assert.ok(failure(() => operation.resume({ tag: 'fly' })) instanceof TypeError);
  const turn = operation.resume({ tag: 'done' });
  assert.equal(turn.val.written, 'no');
  assert.equal(JSON.parse(replyOf(turn)).error.code, 'io', 'an outcome that does not fit');
});

test('a policy decides what becomes of a long response', () => {
  const response = JSON.stringify({ context_summary: 'word '.repeat(501) });
  const { checkResponse } = core.handoff;
  const [problem] = checkResponse(response, 'reject').problems;
  assert.deepEqual([problem.at, problem.code.tag], ['/context_summary', 'summary-too-long']);
  const cut = checkResponse(response, 'truncate');
  assert.deepEqual(cut.warnings.map(({ code }) => code.tag), ['summary-too-long']);
  assert.equal(core.tokens.count(JSON.parse(cut.document).context_summary), 500n);
});

test('an operation runs from its request to its reply', () => {
  const { entries, perform } = memory();
  const ask = (name, rest) => run(new core.operations.Operation(request(name, rest)), perform);
  const update = { phase: 'plan', patch: { status: 'in_progress' } };
  const saved = ask('update_phase', update);
  assert.equal(saved.ok, true, JSON.stringify(saved));
  assert.equal(saved.value.revision, 1);
  const stored = entries.get('/w/.claude/state/design-checkpoint.json');
  const loaded = ask('load');
  assert.equal(loaded.value.text, new TextDecoder().decode(stored));
  assert.equal(ask('resume_point').value.phase, 'plan');
});

test('a call out of turn is typed, and the operation goes on', () => {
  const operation = new core.operations.Operation(request('load'));
  assert.deepEqual(failure(() => operation.resume({ tag: 'done' })), { tag: 'nothing-pending' });
  const { perform } = memory();
  let turn = operation.step();
  while (turn.tag === 'effect') {
    assert.deepEqual(failure(() => operation.step()), { tag: 'not-ready' });
    turn = operation.resume(perform(turn.val));
  }
  assert.deepEqual(JSON.parse(turn.val), { ok: true, value: null, warnings: [] });
  assert.deepEqual(failure(() => operation.step()), { tag: 'not-ready' });
});

test('a malformed request ends with usage', () => {
  for (const text of ['', '[]', '{"operation":5}', request('fly')]) {
    const { error } = run(new core.operations.Operation(text));
    assert.equal(error.code, 'usage', text);
  }
});
