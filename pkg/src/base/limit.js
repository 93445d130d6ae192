/** The most tokens of a context summary. */
export const MAX_SUMMARY_TOKENS = 500;
