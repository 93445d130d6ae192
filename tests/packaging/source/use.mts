// What a TypeScript project does with the package, its types included.

import * as fs from 'node:fs';
import {
  MilepostError,
  countTokens,
  openStore,
  type ErrorCode,
  type Saved,
  type Store,
  type UnifiedCheckpoint,
} from 'milepost';
import { MAX_SUMMARY_TOKENS } from 'milepost/token-counter';

const limit: 500 = MAX_SUMMARY_TOKENS;
if (countTokens('one two') > limit) throw new Error('two tokens are within the limit');

const store: Store = openStore({ root: fs.mkdtempSync('repository-') });
const saved: Saved = store.updatePhase('design', 'plan', { status: 'complete' });
const checkpoint: UnifiedCheckpoint | null = store.load('design');
if (saved.revision !== 1 || checkpoint?.phases.plan?.status !== 'complete') {
  throw new Error('what was saved was not loaded');
}

function codeOf(call: () => unknown): ErrorCode | null {
  try {
    call();
    return null;
  } catch (error) {
    if (error instanceof MilepostError) return error.code;
    throw error;
  }
}

if (codeOf(() => store.load('launch')) !== 'invalid_name') {
  throw new Error('a name that is none was taken');
}
