// The pure functions, without any permission.

import { countTokens, type ErrorCode, MilepostError, openStore } from 'npm:milepost';
import { countTokens as countExactly, encode, load } from 'npm:milepost/exact-tokens';
import { validateContextSummary } from 'npm:milepost/token-counter';

const tokens: number = countTokens('one two');
const { valid } = validateContextSummary('one two', 1);
if (tokens !== 2 || valid) throw new Error('two tokens are not one');

await load();
const ids: Uint32Array = encode('tiktoken is great!');
if (countExactly('tiktoken is great!') !== ids.length || ids.length !== 6) throw new Error('six tokens are not six');

let code: ErrorCode | null = null;
try {
  openStore({ root: 7 as unknown as string });
} catch (error) {
  if (error instanceof MilepostError) code = error.code;
}
if (code !== 'usage') throw new Error('a root that is no text was taken');
