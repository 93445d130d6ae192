// The functions that need no host. Prints what they answer, as JSON.

import {
  checkHandoffRequest,
  countTokens,
  openStore,
  truncateContextSummary,
  validateCheckpoint,
  validateContextSummary,
} from 'milepost';
import { MAX_SUMMARY_TOKENS } from 'milepost/token-counter';
import { openMemoryStore } from 'milepost/memory';

openStore({ root: '.' });
const memory = openMemoryStore();
memory.updatePhase('design', 'research', { status: 'in_progress' });

console.log(
  JSON.stringify([
    countTokens('one two\u00a0three\ufefffour'),
    validateContextSummary('a b c', 2),
    truncateContextSummary('a b c', 2),
    validateCheckpoint('{"command":"design"}').problems.map(({ code }) => code),
    checkHandoffRequest('{}').valid,
    MAX_SUMMARY_TOKENS,
    memory.resumePoint('design'),
  ]),
);
