// Context summaries in exact tokens: not loaded by callers that count words.

import * as check from './arguments.js';
import { count } from '../host/tokens.js';
import { MAX_SUMMARY_TOKENS } from '../base/limit.js';

/** The names of encodings, with those that tiktoken has. */
const ENCODINGS = /** @type {const} */ (['o200k', 'cl100k', 'o200k_base', 'cl100k_base']);

/** An effect has 32 bits for a limit, and no text as many tokens. */
const MOST = 2 ** 32 - 1;

/**
 * Returns whether a summary keeps to a limit; in the tokens of an encoding, where one is named.
 *
 * @param {string} summary
 * @param {unknown} options
 * @param {(limit: number | undefined) => import('../../types/token-counter.js').SummaryVerdict} inWords
 * @returns {import('../../types/token-counter.js').SummaryVerdict}
 */
export function validateExactly(summary, options, inWords) {
  const { limit, encoding } = check.options('options', options, ['limit', 'encoding']);
  if (encoding === undefined || encoding === null) return inWords(/** @type {number | undefined} */ (limit));
  const name = check.choice('encoding', encoding, ENCODINGS).replace(/_base$/, '');
  const most = limit === undefined ? MAX_SUMMARY_TOKENS : check.limit('limit', limit);
  const tokenCount = count(name, summary, Math.min(most, MOST)).tokens;
  if (tokenCount <= most) return { valid: true, tokenCount, limit: most };
  const error = `Context summary exceeds ${most} token limit (actual: ${tokenCount} tokens in ${name})`;
  return { valid: false, tokenCount, limit: most, error };
}
