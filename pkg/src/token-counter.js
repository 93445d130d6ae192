// `milepost/token-counter`: the seed's set. Loads no file system.

export { MAX_SUMMARY_TOKENS, countTokens, validateContextSummary } from './core.js';
