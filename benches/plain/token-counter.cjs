'use strict';

// The token counter as the source documents write it down.

const MAX_SUMMARY_TOKENS = 500;

/**
 * Counts the tokens of a text: its runs of non-white-space.
 *
 * @param {unknown} text null and undefined count 0, other values as their string form
 * @returns {number}
 */
function countTokens(text) {
  if (text === null || text === undefined) return 0;
  return String(text).split(/\s+/).filter(Boolean).length;
}

/**
 * Checks a summary against its token limit.
 *
 * @param {unknown} summary
 * @param {number} [maxTokens]
 * @returns {{valid: boolean, tokenCount: number, limit: number, error?: string}}
 */
function validateContextSummary(summary, maxTokens = MAX_SUMMARY_TOKENS) {
  const tokenCount = countTokens(summary);
  if (tokenCount <= maxTokens) return { valid: true, tokenCount, limit: maxTokens };
  const error = `Context summary exceeds ${maxTokens} token limit (actual: ${tokenCount} tokens)`;
  return { valid: false, tokenCount, limit: maxTokens, error };
}

module.exports = { MAX_SUMMARY_TOKENS, countTokens, validateContextSummary };
