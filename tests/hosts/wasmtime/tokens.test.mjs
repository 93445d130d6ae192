// Exact tokens in the component: by a vocabulary in a file, which the call names.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import test from 'node:test';
import { ENCODINGS, countTokens, decode } from 'milepost/exact-tokens';
import { IS_FULL_RANGE } from '../environment.mjs';
import { hostileTexts } from '../exact-tokens/texts.mjs';
import { folder, onNode, onWasmtime } from './fixture.mjs';

const VOCABULARIES = path.dirname(createRequire(import.meta.url).resolve('milepost-exact-tokens'));

/** A project with both vocabularies in it, and a budget of so many tokens. */
function limited(t, limit) {
  const root = folder(t);
  for (const encoding of ['o200k', 'cl100k']) {
    const name = `${encoding}.vocabulary.mjs`;
    fs.copyFileSync(path.join(VOCABULARIES, name), path.join(root, name));
  }
  fs.mkdirSync(path.join(root, '.git'));
  fs.mkdirSync(path.join(root, '.claude/config'), { recursive: true });
  const settings = JSON.stringify({ tokens: { encoding: 'o200k', limit } });
  fs.writeFileSync(path.join(root, '.claude/config/integrations.json'), settings);
  return root;
}

const VOCABULARY = ['--vocabulary', 'o200k.vocabulary.mjs'];
const SIX = 'tiktoken is great!';

test('the component counts as the package does', (t) => {
  const root = limited(t, 5);
  const texts = [SIX, '', 'Größe 漢字 🙂\r\n\t  x', 'a'.repeat(5000), "don't  DON'T 1234567"];
  for (const input of texts) {
    for (const encoding of ['o200k', 'cl100k']) {
      const words = ['tokens', '-', '--encoding', encoding];
      const here = onWasmtime(root, [...words, '--vocabulary', `${encoding}.vocabulary.mjs`], { input });
      assert.deepEqual(here, onNode(root, words, { input }), input);
      assert.equal(here.code, 0);
    }
  }
});

/** Texts by chance, so many in one file: a call is a process. */
const TEXTS = IS_FULL_RANGE ? 20_000 : 1000;
const IN_A_FILE = 500;

test('the component counts texts by chance as the package does, whose counts are tiktoken’s', (t) => {
  const root = limited(t, 5);
  const tokens = Array.from({ length: 100_000 }, (_, id) => decode([id], 'cl100k')).filter((text) => text !== '');
  const texts = hostileTexts(3, TEXTS, tokens).map((text) => Buffer.from(text).toString());
  for (let at = 0; at < TEXTS; at += IN_A_FILE) {
    const text = texts.slice(at, at + IN_A_FILE).join('\n');
    fs.writeFileSync(path.join(root, 'texts'), text);
    for (const encoding of ENCODINGS) {
      const words = ['tokens', 'texts', '--encoding', encoding, '--vocabulary', `${encoding}.vocabulary.mjs`, '--json'];
      const { code, out, error } = onWasmtime(root, words);
      assert.equal(code, 0, error);
      assert.equal(JSON.parse(out).token_count, countTokens(text, encoding), `${encoding}, texts from ${at} on`);
    }
  }
});

test('a summary above the budget is refused', (t) => {
  const root = limited(t, 5);
  const refused = onWasmtime(root, ['phase', 'design', 'a', 'complete', '--summary', SIX, ...VOCABULARY]);
  assert.equal(refused.code, 65);
  assert.match(refused.error, /exceeds 5 token limit of this project \(actual: 6 tokens in o200k\)/);
  const stored = onWasmtime(root, ['phase', 'design', 'a', 'complete', '--summary', 'great!', ...VOCABULARY]);
  assert.equal(stored.code, 0, stored.error);
  const document = JSON.parse(fs.readFileSync(path.join(root, '.claude/state/design-checkpoint.json'), 'utf8'));
  assert.deepEqual(document.token_budget, { encoding: 'o200k', limit: 5 });
  assert.equal(onWasmtime(root, ['resume', 'design', ...VOCABULARY]).code, 0);
});

test('without the vocabulary that is needed nothing is counted', (t) => {
  const root = limited(t, 500);
  const words = ['phase', 'design', 'a', '--summary', SIX];
  for (const [more, why] of [
    [[], /no vocabulary is loaded; name its file with `--vocabulary FILE`/],
    [['--vocabulary', 'none'], /--vocabulary none: /],
    [['--vocabulary', '.git'], /--vocabulary \.git: /],
    [['--vocabulary', 'cl100k.vocabulary.mjs'], /it is the vocabulary of another encoding; expected that of o200k/],
    [['--vocabulary', '.claude/config/integrations.json'], /it is damaged, or no vocabulary/],
  ]) {
    const { code, out, error } = onWasmtime(root, [...words, ...more]);
    assert.deepEqual({ code, out }, { code: 74, out: '' }, error);
    assert.match(error, /Cannot count the tokens of a text in o200k: /);
    assert.match(error, why);
    assert.equal(fs.existsSync(path.join(root, '.claude/state/design-checkpoint.json')), false);
  }
  assert.equal(onWasmtime(root, ['phase', 'design', 'a', 'in_progress']).code, 0);
});
