// Whole operations on the working folder's store. Prints what they answer, as JSON; after a
// failure its code and message.

import { openStore } from 'milepost';

const [root] = process.argv.slice(2);
const store = openStore({ root });
try {
  const { revision } = store.updatePhase('design', 'research', {
    status: 'complete',
    context_summary: 'Read.',
  });
  const { phase, summary } = store.resumePoint('design');
  const warnings = store.warnings.map(({ code }) => code);
  console.log(JSON.stringify({ revision, phase, summary, latest: store.latest(), warnings }));
} catch ({ code, message }) {
  console.log(JSON.stringify({ code, message }));
}
