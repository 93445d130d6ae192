// What a page does with the package: no files, and nothing of Node.

import { MilepostError, countTokens, openStore, validateContextSummary } from 'milepost';

function thrown(call) {
  try {
    return call();
  } catch (error) {
    return { isMilepostError: error instanceof MilepostError, code: error.code };
  }
}

globalThis.answers = {
  tokens: countTokens('one two\u{feff}three'),
  verdict: validateContextSummary('one two three', 2),
  load: thrown(() => openStore({ root: '/' }).load('design')),
};
