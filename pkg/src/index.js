// `milepost`: everything. The same names from `require` and `import`, and on every host.

export * from './checkpoints.js';
export {
  MAX_SUMMARY_TOKENS,
  MilepostError,
  countTokens,
  lastError,
  truncateContextSummary,
  validateContextSummary,
} from './core.js';
export { checkHandoffRequest, checkHandoffResponse, validateCheckpoint } from './rules.js';
export { openStore } from './open.js';
