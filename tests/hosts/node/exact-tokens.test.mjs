// The entry that counts the tokens of OpenAI's models. That the counts are tiktoken's is proved elsewhere
// (tests/hosts/exact-tokens); here is what callers meet.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import * as path from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { MilepostError } from 'milepost';
import {
  ENCODINGS,
  TokenCounter,
  countTokens,
  decode,
  encode,
  estimate,
  fits,
  load,
  truncate,
} from 'milepost/exact-tokens';
import { emptyFolder, require } from './fixture.mjs';

/** Counts of tiktoken 0.14.0: the text, and its tokens in o200k and in cl100k. */
const KNOWN = [
  ['', 0, 0],
  ['hello world', 2, 2],
  ['tiktoken is great!', 6, 6],
  ["I'M, they'LL, it'ſ", 10, 11],
  ['don’t', 2, 2],
  ['👍🏽👩‍👩‍👧‍👦', 14, 24],
  ['日本語のテキスト', 6, 8],
  ['Привет, мир', 4, 6],
  ['1234567', 3, 3],
  ['a\0b', 3, 3],
  ['\u0085\ufeff', 3, 3],
  ['    x\r\n\r\n  y', 5, 5],
];

/** Texts that are cut in all places: characters of every length, pieces that change with what follows. */
const CUT = "I'll 👩‍👩‍👧‍👦 naïve  \n\n 12345 漢字\u0301 <|endoftext|> don't\r\n\ud83d 👍🏽 XMLHttp   ";

function thrown(call) {
  try {
    call();
  } catch (error) {
    assert.ok(error instanceof MilepostError, String(error));
    return { code: error.code, message: error.message };
  }
  return assert.fail('nothing was thrown');
}

test('known texts have tiktoken’s counts, in both modules and by both names', () => {
  const cjs = require('milepost/exact-tokens');
  for (const [text, ...counts] of KNOWN) {
    for (const [number, encoding] of ENCODINGS.entries()) {
      assert.equal(countTokens(text, encoding), counts[number], `${encoding} of ${JSON.stringify(text)}`);
      assert.equal(cjs.countTokens(text, `${encoding}_base`), counts[number]);
      assert.equal(encode(text, encoding).length, counts[number]);
    }
    assert.equal(countTokens(text), counts[0]);
  }
  assert.deepEqual([...ENCODINGS], ['o200k', 'cl100k']);
  assert.equal(cjs.TokenCounter, TokenCounter);
});

test('an unknown encoding is an error that names those that there are', () => {
  for (const encoding of ['p50k_base', 'gpt-4o', '', 'o200k_harmony', 'O200K', 7, null, {}]) {
    for (const call of [
      () => countTokens('x', encoding),
      () => fits('x', 1, encoding),
      () => truncate('x', 1, encoding),
      () => encode('x', encoding),
      () => decode([1], encoding),
      () => new TokenCounter(encoding),
    ]) {
      const { code, message } = thrown(call);
      assert.equal(code, 'usage');
      assert.match(message, /Expected `encoding` to be "o200k" \(or "o200k_base"\) or "cl100k"/);
    }
  }
});

test('what is neither text nor limit is an error', async () => {
  for (const value of [undefined, null, 1, {}, ['a'], Buffer.from('a')]) {
    for (const call of [
      () => countTokens(value),
      () => fits(value, 1),
      () => truncate(value, 1),
      () => encode(value),
      () => new TokenCounter().add(value),
      () => estimate(value, 'gemini'),
    ]) {
      assert.match(thrown(call).message, /Expected `text` to be a string/);
    }
  }
  for (const limit of [-1, 1.5, NaN, '3', undefined, null]) {
    assert.match(thrown(() => truncate('a', limit)).message, /Expected `limit` to be a whole number, 0 or more/);
    assert.equal(thrown(() => fits('a', limit)).code, 'usage');
  }
  await assert.rejects(load('p50k_base'), { code: 'usage' });
});

test('names of special tokens are text', () => {
  for (const name of ['<|endoftext|>', '<|endofprompt|>', '<|fim_prefix|>', '<|im_start|>']) {
    for (const encoding of ENCODINGS) {
      assert.ok(countTokens(name, encoding) > 3);
      assert.equal(decode(encode(name, encoding), encoding), name);
    }
  }
});

test('half a surrogate pair is U+FFFD', () => {
  for (const text of ['\ud83d', 'a\ud83d', '\ude00b', '\ude00\ud83d', 'x\ud83d\ud83d\ude00y']) {
    const whole = Buffer.from(text).toString();
    assert.notEqual(whole, text);
    assert.deepEqual(encode(text), encode(whole));
    assert.equal(countTokens(text), countTokens(whole));
    assert.equal(truncate(text, 99), text);
  }
});

test('a text is cut where a token and a character end', () => {
  for (const encoding of ENCODINGS) {
    const ids = encode(CUT, encoding);
    for (let limit = 0; limit <= ids.length + 1; limit++) {
      const kept = truncate(CUT, limit, encoding);
      assert.ok(CUT.startsWith(kept));
      assert.ok(fits(kept, limit, encoding));
      assert.ok(!/[\ud800-\udbff]$/.test(kept) || kept.endsWith('\r\n\ud83d'), JSON.stringify(kept));
      const whole = Buffer.from(kept).toString();
      // A prefix of the tokens, and the longest that is whole characters and fits by itself.
      const starts = [...Array(limit + 1).keys()].map((count) => decode(ids.subarray(0, count), encoding));
      const isOne = (text) => Buffer.from(CUT).toString().startsWith(text) && fits(text, limit, encoding);
      assert.equal(starts.filter(isOne).pop(), whole);
      assert.equal(fits(CUT, limit, encoding), limit >= ids.length);
    }
  }
  assert.equal(truncate(CUT, Infinity), CUT);
  assert.equal(fits(CUT, Infinity), true);
  assert.equal(fits('', 0), true);
});

test('ids are decoded from arrays of both kinds, and an unknown one is named', () => {
  const ids = encode('hello world');
  assert.ok(ids instanceof Uint32Array);
  assert.equal(decode([...ids]), 'hello world');
  assert.equal(decode(ids.subarray(1)), ' world');
  assert.equal(decode([]), '');
  // A part of a character.
  assert.match(decode(encode('𠀀𪛖').subarray(0, 1)), /\ufffd/);
  assert.match(thrown(() => decode([1, 2, 199_998])).message, /`ids\[2\]` is 199998, which is no token of o200k/);
  assert.match(thrown(() => decode([100_256], 'cl100k')).message, /no token of cl100k/);
  assert.match(thrown(() => decode([4_294_967_295])).message, /no token/);
  for (const id of [-1, 1.5, '1', NaN, 2 ** 32, null]) {
    assert.match(thrown(() => decode([0, id])).message, /Expected `ids\[1\]` to be a token id/);
  }
  assert.equal(thrown(() => decode('12')).code, 'usage');
});

test('a text in two or in many pieces has the count of the whole, wherever it is cut', () => {
  for (const encoding of ENCODINGS) {
    const count = countTokens(CUT, encoding);
    for (let at = 0; at <= CUT.length; at++) {
      const counter = new TokenCounter(encoding);
      assert.equal(counter.add(CUT.slice(0, at)), counter);
      assert.equal(counter.count, countTokens(CUT.slice(0, at), encoding));
      assert.equal(counter.add(CUT.slice(at)).count, count);
      counter.free();
    }
    const counter = new TokenCounter(encoding);
    for (const unit of CUT.split('')) counter.add(unit);
    assert.equal(counter.count, count);
    assert.equal(counter.count, count);
  }
});

test('what is kept has no more tokens by itself than the limit', () => {
  // The apostrophe is a token of the whole, and two with what is left of it.
  assert.equal(truncate("   I'M", 2), '  ');
  assert.equal(fits("   I'", 2), false);
});

test('a long text in pieces has the count of the whole', () => {
  const text = CUT.repeat(2000);
  const counter = new TokenCounter();
  for (let at = 0; at < text.length; at += 997) counter.add(text.slice(at, at + 997));
  assert.equal(counter.count, countTokens(text));
});

test('counters do not disturb each other, and one that was freed says so', () => {
  const [one, other] = [new TokenCounter(), new TokenCounter('cl100k')];
  one.add('日本');
  other.add('日本');
  one.add('語');
  assert.equal(one.count, countTokens('日本語'));
  assert.equal(other.count, countTokens('日本', 'cl100k'));
  one[Symbol.dispose]();
  one.free();
  for (const call of [() => one.count, () => one.add('x')]) {
    assert.match(thrown(call).message, /was freed; make a new one/);
  }
  assert.equal(other.count, countTokens('日本', 'cl100k'));
});

test('loading ahead, twice and together is the same', async () => {
  await Promise.all([load(), load('o200k'), load('cl100k_base')]);
  await load();
  assert.equal(countTokens('hello world'), 2);
});

test('an estimate says that it is one, and what it rests on', () => {
  const text = 'abcdefg'.repeat(100);
  for (const [family, tokens] of [
    ['claude', 280],
    ['claude-4.6', 200],
    ['gemini', 175],
  ]) {
    const { calibration, ...rest } = estimate(text, family);
    assert.deepEqual(rest, { tokens, isEstimate: true });
    assert.match(calibration, /Anthropic|Google/);
  }
  assert.equal(estimate('', 'claude').tokens, 0);
  assert.equal(estimate('👍👍👍👍', 'gemini').tokens, 1);
  for (const family of ['gpt-4o', 'o200k', undefined]) {
    assert.match(thrown(() => estimate('x', family)).message, /Expected `family` to be one of claude, claude-4.6, gemini/);
  }
});

test('what stores count with is there, in bytes of UTF-8', () => {
  const { count } = globalThis[Symbol.for('milepost.exact-tokens')];
  assert.deepEqual(count('o200k', '日本語のテキスト', Infinity), { tokens: 6, kept: 24 });
  assert.deepEqual(count('o200k', 'hello world', 1), { tokens: 2, kept: 5 });
  assert.deepEqual(count('cl100k', 'hello world', 0), { tokens: 2, kept: 0 });
  assert.deepEqual(count('cl100k', '', 0), { tokens: 0, kept: 0 });
  assert.equal(thrown(() => count('p50k', 'x', 1)).code, 'usage');
});

/** The code of the package in a folder of its own, whose vocabularies a test may spoil. */
function copied(t) {
  const folder = emptyFolder(t);
  fs.cpSync(path.dirname(require.resolve('milepost-exact-tokens')), folder, { recursive: true });
  return folder;
}

/** The code of the first count there, and then the message. */
function failure(folder, encoding = 'o200k') {
  const entry = require(path.join(folder, 'index.cjs'));
  try {
    return `counted ${entry.countTokens('hello world', encoding)}`;
  } catch ({ code, message }) {
    return { code, message };
  }
}

for (const [how, spoil, code, says] of [
  ['cut off', (bytes) => bytes.subarray(0, bytes.length / 2), 'corrupt', /o200k\.vocabulary\.mjs of milepost-exact-tokens is damaged/],
  ['empty', () => Buffer.alloc(0), 'corrupt', /damaged/],
  ['something else', () => Buffer.from('hello\n'), 'corrupt', /damaged/],
  [
    'other in one bit',
    (bytes) => {
      bytes[bytes.length >> 1] ^= 4;
      return bytes;
    },
    'corrupt',
    /damaged/,
  ],
  [
    'of another version',
    (bytes) => Buffer.concat([Buffer.from('milepost-vocabulary 2'), bytes.subarray('milepost-vocabulary 1'.length)]),
    'unsupported_version',
    /of another version of milepost-exact-tokens/,
  ],
]) {
  test(`a vocabulary that is ${how} is an error and never another count`, (t) => {
    const folder = copied(t);
    const file = path.join(folder, 'o200k.vocabulary.mjs');
    const [start, text, end] = fs.readFileSync(file, 'utf8').split("'");
    const spoilt = spoil(Buffer.from(text, 'base64')).toString('base64');
    fs.writeFileSync(file, [start, spoilt, end].join("'"));
    for (let turn = 0; turn < 2; turn++) {
      const failed = failure(folder);
      assert.equal(failed.code, code, JSON.stringify(failed));
      assert.match(failed.message, says);
      assert.match(failed.message, /install milepost-exact-tokens again/);
    }
    // The other one is there.
    assert.equal(failure(folder, 'cl100k'), 'counted 2');
  });
}

test('a vocabulary in the place of the other one is an error', (t) => {
  const folder = copied(t);
  fs.copyFileSync(path.join(folder, 'cl100k.vocabulary.mjs'), path.join(folder, 'o200k.vocabulary.mjs'));
  assert.equal(failure(folder).code, 'corrupt');
});

test('the file of a vocabulary that was cut off is an error', (t) => {
  const folder = copied(t);
  const file = path.join(folder, 'o200k.vocabulary.mjs');
  fs.truncateSync(file, 1_000);
  assert.equal(failure(folder).code, 'corrupt');
});

test('without the file of a vocabulary nothing is counted, and loading it says why', async (t) => {
  const folder = copied(t);
  fs.rmSync(path.join(folder, 'o200k.vocabulary.mjs'));
  const { code, message } = failure(folder);
  assert.equal(code, 'not_found');
  assert.match(message, /vocabulary of o200k cannot be read/);
  assert.match(message, /await load\("o200k"\)/);
  const entry = require(path.join(folder, 'index.cjs'));
  await assert.rejects(entry.load(), { code: 'not_found' });
  await entry.load('cl100k');
  assert.equal(entry.countTokens('hello world', 'cl100k'), 2);
});

test('what a page has counts after loading, and says so before', async (t) => {
  const folder = copied(t);
  const page = await import(pathToFileURL(path.join(folder, 'index.portable.mjs')).href);
  assert.throws(() => page.countTokens('hello'), { code: 'usage', message: /`await load\("o200k"\)` first/ });
  await page.load();
  assert.equal(page.countTokens('hello world'), 2);
  assert.throws(() => new page.TokenCounter('cl100k'), { code: 'usage' });
});

test('the memory of a huge text is given back', () => {
  const script = `
    const { countTokens } = require('milepost/exact-tokens');
    countTokens('hello world');
    const start = process.memoryUsage.rss();
    let huge = 'abcdefghij'.repeat(4e6);
    const tokens = countTokens(huge);
    huge = undefined;
    const during = process.memoryUsage.rss() - start;
    const after = countTokens('hello world');
    const wait = async () => {
      let left = during;
      for (let turn = 0; turn < 50 && left > during / 4; turn++) {
        gc();
        await new Promise((resolve) => setTimeout(resolve, 20));
        left = process.memoryUsage.rss() - start;
      }
      console.log(JSON.stringify({ after, tokens, during, left }));
    };
    wait();
  `;
  const run = spawnSync(process.execPath, ['--expose-gc', '-e', script], { encoding: 'utf8', cwd: import.meta.dirname });
  assert.equal(run.status, 0, run.stderr);
  const { after, tokens, during, left } = JSON.parse(run.stdout);
  assert.deepEqual({ after, tokens }, { after: 2, tokens: 8e6 });
  assert.ok(during > 60e6, `${during} bytes were all that it took`);
  assert.ok(left <= during / 4, `${left} of ${during} bytes are left`);
});

test('a counter goes on where a huge text made another instance', () => {
  const counter = new TokenCounter().add('hello');
  assert.equal(countTokens('abcdefghij'.repeat(2e6)), 4e6);
  assert.equal(countTokens('hello world'), 2);
  assert.equal(counter.add(' world').count, 2);
  counter.free();
});
