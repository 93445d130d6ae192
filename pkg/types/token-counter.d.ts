/** What {@link validateContextSummary} found. */
export interface SummaryVerdict {
  /** Whether the summary keeps to the limit. */
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

/**
 * Whether a summary keeps to a limit of tokens; {@link MAX_SUMMARY_TOKENS} unless `maxTokens` says
 * otherwise, and none with `Infinity`. Silent-fail: not valid, with its tokens and the reason as
 * `error`.
 */
export declare function validateContextSummary(
  summary: unknown,
  maxTokens?: number,
): SummaryVerdict;
