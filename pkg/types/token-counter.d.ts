/** The verdict of {@link validateContextSummary}. */
export interface SummaryVerdict {
  /** True if the summary keeps to the limit. */
  valid: boolean;
  /** The summary's tokens. */
  tokenCount: number;
  /** The limit in force, in tokens. */
  limit: number;
  /** The sentence, where the summary is not valid. */
  error?: string;
}

/** The most tokens of a context summary: 500. */
export declare const MAX_SUMMARY_TOKENS: 500;

/**
 * Counts tokens: maximal runs of anything but white space. null and undefined count 0, other
 * values as their string form. Silent-fail: 0.
 */
export declare function countTokens(text: unknown): number;

/** A limit of a summary in the tokens of an encoding, see {@link validateContextSummary}. */
export interface SummaryBudget {
  /** The most tokens; without it, {@link MAX_SUMMARY_TOKENS}. */
  limit?: number;
  /** The encoding of OpenAI in which they are counted; without it, words are. */
  encoding?: 'o200k' | 'cl100k' | 'o200k_base' | 'cl100k_base';
}

/**
 * Checks that a summary keeps to a limit of words; {@link MAX_SUMMARY_TOKENS} unless `maxTokens` says
 * otherwise, and none with `Infinity`. Silent-fail: not valid, with its tokens and the reason as
 * `error`.
 *
 * @example
 * ```ts
 * import { validateContextSummary } from 'milepost/token-counter';
 *
 * const { valid, tokenCount, error } = validateContextSummary('All 12 tests pass.');
 * ```
 */
export declare function validateContextSummary(
  summary: unknown,
  maxTokens?: number,
): SummaryVerdict;

/**
 * Checks a summary in the tokens of an encoding, counted exactly. The vocabularies are loaded by the first such call on
 * Node, Deno and Bun; elsewhere import `milepost/exact-tokens` before. Silent-fail: not valid, with 0 tokens and
 * the reason as `error`, and never another count.
 */
export declare function validateContextSummary(
  summary: unknown,
  budget: SummaryBudget,
): SummaryVerdict;
