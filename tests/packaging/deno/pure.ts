// The pure functions, without any permission.

import { countTokens, type ErrorCode, MilepostError, openStore } from 'npm:milepost';
import { validateContextSummary } from 'npm:milepost/token-counter';

const tokens: number = countTokens('one two');
const { valid } = validateContextSummary('one two', 1);
if (tokens !== 2 || valid) throw new Error('two tokens are not one');

let code: ErrorCode | null = null;
try {
  openStore({ root: 7 as unknown as string });
} catch (error) {
  if (error instanceof MilepostError) code = error.code;
}
if (code !== 'usage') throw new Error('a root that is no text was taken');
