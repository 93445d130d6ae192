// Context summaries: counting, checking, cutting. Silent-fail.

import { library } from 'milepost:library';
import * as instance from '../wasm/instance.js';
import { MAX_SUMMARY_TOKENS } from '../base/limit.js';
import { lastError, silently } from './silent.js';

export { MAX_SUMMARY_TOKENS };

/**
 * @param {unknown} text null and undefined count 0, other values as their string form
 * @returns {number}
 */
export function countTokens(text) {
  return ruled(0, () => instance.countTokens(stringOf(text)));
}

/**
 * @param {unknown} summary
 * @param {number | import('../../types/token-counter.js').SummaryBudget} [maxTokens]
 * @returns {import('../../types/token-counter.js').SummaryVerdict}
 */
export function validateContextSummary(summary, maxTokens = MAX_SUMMARY_TOKENS) {
  if (typeof maxTokens === 'object' && maxTokens !== null) return inEncoding(summary, maxTokens);
  const verdict = ruled(null, () => {
    const checked = instance.validateSummary(stringOf(summary), finite(limit(maxTokens)));
    return { ...checked, limit: /** @type {number} */ (maxTokens) };
  });
  const error = lastError()?.message;
  return verdict ?? { valid: false, tokenCount: counted(summary), limit: /** @type {number} */ (maxTokens), error };
}

/**
 * @param {unknown} summary
 * @param {import('../../types/token-counter.js').SummaryBudget} budget
 * @returns {import('../../types/token-counter.js').SummaryVerdict}
 */
function inEncoding(summary, budget) {
  const verdict = silently(null, () => {
    const text = stringOf(summary);
    return library().validateExactly(text, budget, (limit) => validateContextSummary(text, limit));
  });
  // A summary that was not counted has no number, and a count of words is not one.
  const { limit = MAX_SUMMARY_TOKENS } = budget;
  return verdict ?? { valid: false, tokenCount: 0, limit, error: lastError()?.message };
}

/**
 * @param {unknown} summary
 * @param {number} [maxTokens]
 * @returns {string} the longest beginning that keeps to the limit, cut after a token
 */
export function truncateContextSummary(summary, maxTokens = MAX_SUMMARY_TOKENS) {
  return ruled('', () => {
    const most = limit(maxTokens);
    const text = stringOf(summary);
    return most === Infinity ? text : instance.truncate(text, most);
  });
}

/**
 * Runs a rule silently. Where the host will never start the wasm, a default would be taken for an answer: then the reason
 * is thrown.
 *
 * @template T
 * @param {T} otherwise
 * @param {() => T} rule
 * @returns {T}
 */
function ruled(otherwise, rule) {
  const value = silently(otherwise, rule);
  const error = /** @type {any} */ (lastError());
  if (error?.code === instance.NOT_ALLOWED) throw error;
  return value;
}

/**
 * Reads a limit of tokens; refuses anything else.
 *
 * @param {unknown} value
 * @returns {number}
 */
function limit(value) {
  const isLimit = value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 0);
  return isLimit ? Number(value) : library().limit('maxTokens', value);
}

/**
 * A limit as the wasm takes it: no text has so many tokens.
 *
 * @param {number} limit
 */
function finite(limit) {
  return Math.min(limit, Number.MAX_SAFE_INTEGER);
}

/**
 * The tokens beside a failure, whose reason stays the last one.
 *
 * @param {unknown} summary
 */
function counted(summary) {
  try {
    return instance.countTokens(stringOf(summary));
  } catch {
    return 0;
  }
}

/** @param {unknown} value */
function stringOf(value) {
  return value === null || value === undefined ? '' : String(value);
}
