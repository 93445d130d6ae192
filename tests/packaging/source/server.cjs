// The use of the package by a script with files; every consumer that has them runs this.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { MilepostError, countTokens, openStore } = require('milepost');
const { TokenCounter, countTokens: countExactly, load } = require('milepost/exact-tokens');
const { validateContextSummary } = require('milepost/token-counter');

const HEAD = 'a9993e364706816aba3e25717850c26c9cd0d89d';

assert.equal(countTokens('one two\u{feff}three'), 3);
assert.equal(validateContextSummary('one two', 1).valid, false);

// A bundle has no file to read a vocabulary from. A rejection ends the process.
load('cl100k').then(() => {
  assert.equal(countExactly('👍🏽👩‍👩‍👧‍👦', 'cl100k'), 24);
  assert.equal(new TokenCounter('cl100k').add('tiktoken is').add(' great!').count, 6);
});

const root = path.resolve(fs.mkdtempSync('repository-'));
fs.mkdirSync(path.join(root, '.git'));
fs.writeFileSync(path.join(root, '.git/HEAD'), `${HEAD}\n`);

const store = openStore({ root });
assert.equal(store.load('design'), null);
const saved = store.updatePhase('design', 'plan', { status: 'complete', context_summary: 'planned' });
assert.equal(saved.revision, 1);
const checkpoint = store.load('design');
assert.equal(checkpoint.head_commit, HEAD);
assert.equal(checkpoint.phases.plan.status, 'complete');
assert.deepEqual(store.resumePoint('design'), {
  phase: null,
  phaseSummary: null,
  summary: 'planned',
  alongside: [],
});
assert.ok(fs.existsSync(path.join(root, '.claude/state/design-checkpoint.json')));

assert.throws(
  () => store.load('launch'),
  (error) => error instanceof MilepostError && error.code === 'invalid_name',
);
