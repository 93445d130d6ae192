// Context summaries: counting, checking, cutting. Silent-fail.

import { whole } from './arguments.js';
import * as instance from './instance.js';
import { lastError, silently } from './silent.js';

/** The most tokens of a context summary. */
export const MAX_SUMMARY_TOKENS = 500;

/**
 * @param {unknown} text null and undefined count 0, other values as their string form
 * @returns {number}
 */
export function countTokens(text) {
  return silently(0, () => instance.countTokens(stringOf(text)));
}

/**
 * @param {unknown} summary
 * @param {number} [maxTokens]
 * @returns {import('../types/token-counter.js').SummaryVerdict}
 */
export function validateContextSummary(summary, maxTokens = MAX_SUMMARY_TOKENS) {
  const verdict = silently(null, () =>
    instance.validateSummary(stringOf(summary), whole('maxTokens', maxTokens)),
  );
  const error = lastError()?.message;
  return verdict ?? { valid: false, tokenCount: 0, limit: maxTokens, error };
}

/**
 * @param {unknown} summary
 * @param {number} [maxTokens]
 * @returns {string} the longest beginning that keeps to the limit, cut after a token
 */
export function truncateContextSummary(summary, maxTokens = MAX_SUMMARY_TOKENS) {
  return silently('', () =>
    instance.truncate(stringOf(summary), whole('maxTokens', maxTokens)),
  );
}

/** @param {unknown} value */
function stringOf(value) {
  return value === null || value === undefined ? '' : String(value);
}
