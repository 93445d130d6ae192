// Budgets in exact tokens: what the package counts with, and what it does where nothing can.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { getResumePoint, lastError, openStore, updatePhase, validateContextSummary } from 'milepost';
import { openMemoryStore } from 'milepost/memory';
import { runOperation } from 'milepost/operation';
import { openSnapshots } from 'milepost/snapshots';
import { emptyFolder, milepost, node, silentRoot, standardError, stateFile } from './fixture.mjs';

const NAME = Symbol.for('milepost.exact-tokens');
const SETTINGS = '.claude/config/integrations.json';

/** As tiktoken counts it in both encodings. */
const SIX = 'tiktoken is great!';

function limit(root, tokens, encoding = 'o200k') {
  const file = path.join(root, SETTINGS);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ tokens: { encoding, limit: tokens } }));
}

/** Each character is a token, from here to the end of the test. */
function countCharacters(t) {
  const before = globalThis[NAME];
  const asked = [];
  globalThis[NAME] = {
    count(encoding, text, limit) {
      asked.push(encoding);
      const characters = [...text];
      const kept = Buffer.byteLength(characters.slice(0, limit).join(''));
      return { tokens: characters.length, kept };
    },
  };
  t.after(() => {
    if (before === undefined) delete globalThis[NAME];
    else globalThis[NAME] = before;
  });
  return asked;
}

test('a summary is checked by the vocabulary of the package', () => {
  for (const encoding of ['o200k', 'cl100k', 'o200k_base', 'cl100k_base']) {
    const valid = { valid: true, tokenCount: 6, limit: 6 };
    assert.deepEqual(validateContextSummary(SIX, { limit: 6, encoding }), valid, encoding);
    assert.deepEqual(validateContextSummary(SIX, { limit: 5, encoding }), {
      valid: false,
      tokenCount: 6,
      limit: 5,
      error: `Context summary exceeds 5 token limit (actual: 6 tokens in ${encoding.replace('_base', '')})`,
    });
  }
  assert.deepEqual(validateContextSummary(null, { encoding: 'o200k' }), { valid: true, tokenCount: 0, limit: 500 });
  const unlimited = { limit: Infinity, encoding: 'o200k' };
  assert.deepEqual(validateContextSummary(SIX, unlimited), { valid: true, tokenCount: 6, limit: Infinity });
  assert.deepEqual(validateContextSummary('a b', { limit: 2 }), { valid: true, tokenCount: 2, limit: 2 });
  assert.deepEqual(validateContextSummary('a b', {}), { valid: true, tokenCount: 2, limit: 500 });
  const nothing = { limit: undefined, encoding: undefined };
  assert.deepEqual(validateContextSummary('a b', nothing), { valid: true, tokenCount: 2, limit: 500 });
});

test('an invalid encoding or limit makes no summary valid', (t) => {
  standardError(t);
  const wrong = [{ encoding: 'p50k' }, { encoding: 7 }, { limit: -1, encoding: 'o200k' }, { encoding: 'o200k', a: 1 }];
  for (const budget of wrong) {
    const { valid, tokenCount, error } = validateContextSummary('a b', budget);
    assert.deepEqual({ valid, tokenCount }, { valid: false, tokenCount: 0 }, JSON.stringify(budget));
    assert.equal(lastError().message, error);
  }
});

test('a summary above the budget is stored by no hook and no store', (t) => {
  const lines = standardError(t);
  const root = silentRoot(t);
  limit(root, 5);
  assert.equal(updatePhase('design', 'a', { context_summary: SIX }), false);
  assert.equal(lastError().code, 'summary_too_long');
  assert.match(lastError().message, /exceeds 5 token limit of this project \(actual: 6 tokens in o200k\)/);
  assert.equal(lines.length, 1);
  assert.equal(fs.existsSync(stateFile(root, 'design-checkpoint.json')), false);
  const store = openStore({ root });
  assert.throws(() => store.updatePhase('design', 'a', { context_summary: SIX }), { code: 'summary_too_long' });

  limit(root, 6, 'cl100k_base');
  assert.equal(updatePhase('design', 'a', { status: 'complete', context_summary: SIX }), true);
  assert.deepEqual(store.load('design').token_budget, { encoding: 'cl100k', limit: 6 });
  assert.equal(getResumePoint('design').summary, SIX);
  limit(root, 3);
  const point = store.resumePoint('design');
  assert.ok(SIX.startsWith(point.summary) && point.summary.length > 0 && point.summary.length < SIX.length);
  assert.deepEqual(store.warnings.map(({ code }) => code), ['summary_too_long']);
});

test('the command line counts with the vocabulary that is beside it', (t) => {
  const root = emptyFolder(t);
  assert.deepEqual(milepost(root, ['tokens', '-', '--encoding', 'o200k'], SIX), { code: 0, out: '6\n', error: '' });
  assert.equal(milepost(root, ['tokens', '-', '--encoding', 'cl100k', '--limit', '5'], SIX).code, 1);
  limit(root, 5);
  const request = JSON.stringify({ mode: 'plan', context: { previous_summary: SIX } });
  const refused = milepost(root, ['handoff', 'check', '-', '--root', '.'], request);
  assert.equal(refused.code, 1);
  assert.match(refused.error, /actual: 6 tokens in o200k/);
});

test('the counter that is loaded already is asked', (t) => {
  const asked = countCharacters(t);
  const root = emptyFolder(t);
  limit(root, 20);
  const store = openStore({ root });
  store.updatePhase('design', 'a', { status: 'complete', context_summary: 'twenty \u{1f642} and nine' });
  assert.deepEqual(asked, ['o200k']);
  limit(root, 8, 'cl100k');
  assert.equal(store.resumePoint('design').summary, 'twenty \u{1f642}');
  assert.deepEqual(asked, ['o200k', 'cl100k']);

  const sessions = openSnapshots({ root });
  limit(root, 300);
  const { id } = sessions.create({ reason: 'handoff', files: false });
  assert.deepEqual(sessions.load({ id }).document.token_budget, { encoding: 'o200k', limit: 300 });
});

test('files in memory are counted as those of a disk', (t) => {
  countCharacters(t);
  const store = openMemoryStore();
  store.files.write(`/${SETTINGS}`, '{"tokens": {"encoding": "o200k", "limit": 3}}');
  const above = () => store.updatePhase('design', 'a', { context_summary: 'four' });
  assert.throws(above, { code: 'summary_too_long' });
  store.updatePhase('design', 'a', { context_summary: 'abc' });
  assert.deepEqual(store.load('design').token_budget, { encoding: 'o200k', limit: 3 });
});

test('a custom host is asked to count, and a refusal of it is an error', () => {
  const files = openMemoryStore().files;
  files.write(`/${SETTINGS}`, '{"tokens": {"encoding": "cl100k", "limit": 3}}');
  const patch = { context_summary: 'abcd' };
  const update = { operation: 'update_phase', place: { working: '/' }, command: 'design', phase: 'a', patch };
  const request = JSON.stringify(update);
  const run = (outcome) => {
    const effects = [];
    const reply = runOperation(request, (effect) => {
      if (effect.effect !== 'countTokens') return files.perform(effect);
      effects.push(effect);
      return outcome;
    });
    return { effects, reply: JSON.parse(reply) };
  };
  const { effects, reply } = run({ outcome: 'counted', tokens: 4, kept: 3 });
  assert.deepEqual(effects, [{ effect: 'countTokens', encoding: 'cl100k', text: 'abcd', limit: 3 }]);
  assert.equal(reply.error.code, 'summary_too_long');
  const failed = run({ outcome: 'failed', fault: 'unsupported', detail: 'no counter here' }).reply;
  assert.equal(failed.error.code, 'io');
  assert.equal(failed.error.message, 'Cannot count the tokens of a text in cl100k: no counter here');
  assert.equal(run({ outcome: 'done' }).reply.error.code, 'io');
  for (const wrong of [{ tokens: -1, kept: 0 }, { tokens: 1 }, { tokens: 1, kept: 0.5 }]) {
    assert.throws(() => run({ outcome: 'counted', ...wrong }), TypeError, JSON.stringify(wrong));
  }
  assert.equal(run({ outcome: 'counted', tokens: 4, kept: 9 }).reply.error.code, 'io');
  assert.equal(run({ outcome: 'counted', tokens: 3, kept: 4 }).reply.ok, true);
});

test('a project without the setting loads no vocabulary', (t) => {
  const root = emptyFolder(t);
  const code = `
    const { openStore } = require('milepost');
    const store = openStore({ root: ${JSON.stringify(root)} });
    store.updatePhase('design', 'a', { status: 'complete', context_summary: 'short' });
    store.resumePoint('design');
    console.log(Object.keys(require.cache).filter((file) => /exact-tokens/.test(file)).length);
    console.log(globalThis[Symbol.for('milepost.exact-tokens')] === undefined);
  `;
  assert.equal(node(code), '0\ntrue\n');
});
