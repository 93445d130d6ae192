// The use of the package by a page: no files, and nothing of Node.

import { MilepostError, countTokens, openStore, validateContextSummary } from 'milepost';
import { countTokens as countExactly, estimate, load } from 'milepost/exact-tokens';
import { openMemoryStore } from 'milepost/memory';

function thrown(call) {
  try {
    return call();
  } catch (error) {
    return { isMilepostError: error instanceof MilepostError, code: error.code };
  }
}

const inMemory = openMemoryStore();
inMemory.updatePhase('design', 'plan', { status: 'complete', context_summary: 'planned' });

const early = thrown(() => countExactly('too early'));
globalThis.answers = {
  tokens: countTokens('one two\u{feff}three'),
  verdict: validateContextSummary('one two three', 2),
  load: thrown(() => openStore({ root: '/' }).load('design')),
  resume: inMemory.resumePoint('design'),
  name: thrown(() => inMemory.load('launch')),
  early: early.code,
  estimate: estimate('sixteen letters.', 'gemini').tokens,
};

globalThis.later = load().then(() => countExactly('tiktoken is great!'));
