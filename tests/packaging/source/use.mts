// The use of the package by a TypeScript project, its types included.

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
import { TokenCounter, encode, type EncodingName, type Estimate, estimate } from 'milepost/exact-tokens';
import { MilepostSession, MilepostSessionStore, type SessionKey, type SessionStoreEntry } from 'milepost/session-store';
import { MAX_SUMMARY_TOKENS } from 'milepost/token-counter';

const limit: 500 = MAX_SUMMARY_TOKENS;
if (countTokens('one two') > limit) throw new Error('two tokens are within the limit');

const encoding: EncodingName = 'cl100k_base';
const ids: Uint32Array = encode('tiktoken is great!', encoding);
using counter = new TokenCounter(encoding);
if (counter.add('tiktoken is').add(' great!').count !== ids.length) throw new Error('pieces are not the whole');
const guess: Estimate = estimate('sixteen letters.', 'gemini');
if (guess.tokens !== 4) throw new Error('four characters are a token of Gemini');

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
  throw new Error('an invalid name was taken');
}

const sessions = new MilepostSessionStore();
const key: SessionKey = { projectKey: 'project', sessionId: 'session' };
await sessions.append(key, [{ type: 'user', uuid: 'first' }]);
const entries: SessionStoreEntry[] | null = await sessions.load(key);
const session = new MilepostSession<{ role: string }>({ sessionId: 'other' });
await session.addItems([{ role: 'user' }]);
const item: { role: string } | undefined = await session.popItem();
if (entries?.[0]?.uuid !== 'first' || item?.role !== 'user') throw new Error('what was added was not loaded');
