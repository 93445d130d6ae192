import assert from 'node:assert/strict';
import test from 'node:test';
import {
  countTokens,
  lastError,
  truncateContextSummary,
  validateContextSummary,
} from 'milepost';
import { standardError } from './fixture.mjs';

const split = (text) => text.split(/\s+/).filter(Boolean).length;

test('every value counts as its string form, null and undefined as none', () => {
  const cases = [
    [null, 0],
    [undefined, 0],
    ['', 0],
    [0, 1],
    [false, 1],
    [['a b', 'c'], 2],
    [{}, 2],
    [Symbol('a b'), 2],
  ];
  for (const [value, tokens] of cases) assert.equal(countTokens(value), tokens);
});

test('a value without a string form counts 0 and leaves the reason', (t) => {
  const lines = standardError(t);
  assert.equal(countTokens(Object.create(null)), 0);
  assert.match(lastError().message, /primitive/);
  assert.equal(lines.length, 1);
  assert.equal(countTokens('word'), 1);
  assert.equal(lastError(), null);
});

test('text of any length and script arrives whole', () => {
  const samples = ['word ', 'Größe ', '漢字 ', '🙂\u00a0', '\ud800 ', 'a\ufeffb\u0085c '];
  // Around the lengths at which the way into wasm changes, and far beyond.
  for (const length of [1, 4095, 4096, 4097, 70_000, 1_500_000]) {
    for (const sample of samples) {
      const text = sample.repeat(Math.ceil(length / sample.length)).slice(0, length);
      assert.equal(countTokens(text), split(text), `${JSON.stringify(sample)}, ${length} units`);
    }
  }
  const late = `${'word '.repeat(20_000)}${'🙂 '.repeat(20_000)}`;
  assert.equal(countTokens(late), 40_000);
});

test('a dash or quote is no white space, wherever it stands among the bytes that are looked at together', () => {
  // All of \s, and what shares bytes with one of them.
  const spaces = '\t\n\v\f\r \u00a0\u1680\u2000\u2005\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
  const others = '\u00a1\u00c2\u0085\u1681\u180e\u200b\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2027\u202a\u205e\u2060\u3001\u30a0\ufefe\ufffd漢я';
  for (const character of spaces + others) {
    for (let before = 0; before < 36; before++) {
      for (const after of ['', 'x', 'x'.repeat(40)]) {
        const text = `${'x'.repeat(before)}${character}${after}`;
        assert.equal(countTokens(text), split(text), JSON.stringify(text));
      }
    }
  }
});

test('a verdict names the limit in force', () => {
  assert.deepEqual(validateContextSummary('a b'), { valid: true, tokenCount: 2, limit: 500 });
  assert.deepEqual(validateContextSummary('a b', 1), {
    valid: false,
    tokenCount: 2,
    limit: 1,
    error: 'Context summary exceeds 1 token limit (actual: 2 tokens)',
  });
});

test('a limit that is no whole number makes no summary valid, and its tokens are counted', (t) => {
  standardError(t);
  for (const limit of [-1, 1.5, NaN, -Infinity, 'a', '5', null]) {
    const { error, ...verdict } = validateContextSummary('a b', limit);
    assert.deepEqual(verdict, { valid: false, tokenCount: 2, limit });
    assert.match(error, /^Expected `maxTokens` to be a whole number, 0 or more, or Infinity, got /);
    assert.equal(lastError().message, error);
  }
});

test('an infinite limit makes no summary too long', () => {
  const text = 'word '.repeat(600);
  const verdict = { valid: true, tokenCount: 600, limit: Infinity };
  assert.deepEqual(validateContextSummary(text, Infinity), verdict);
  assert.equal(truncateContextSummary(text, Infinity), text);
  assert.equal(truncateContextSummary(null, Infinity), '');
  assert.equal(lastError(), null);
});

test('truncating keeps whole tokens and whole characters', () => {
  assert.equal(truncateContextSummary('🙂 größer  als drei', 2), '🙂 größer');
  assert.equal(truncateContextSummary('two words'), 'two words');
  assert.equal(truncateContextSummary('a', 0), '');
});
