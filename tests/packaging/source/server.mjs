// The use of the package by a script with files; every consumer that has them runs this.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { MilepostError, countTokens, openStore } from 'milepost';
import { TokenCounter, countTokens as countExactly, load } from 'milepost/exact-tokens';
import { validateContextSummary } from 'milepost/token-counter';

const HEAD = 'a9993e364706816aba3e25717850c26c9cd0d89d';

assert.equal(countTokens('one two\u{feff}three'), 3);
assert.equal(validateContextSummary('one two', 1).valid, false);

// A bundle has no file to read a vocabulary from.
await load();
assert.equal(countExactly('tiktoken is great!'), 6);
assert.equal(new TokenCounter().add('tiktoken is').add(' great!').count, 6);

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
