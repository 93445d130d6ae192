// LangGraph's own suite for savers, on each place that threads can be in.

import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation';
import { describe } from 'vitest';

import { PLACES } from './savers.mjs';

for (const [place, { create, destroy }] of Object.entries(PLACES)) {
  describe(place, () => {
    const suite = {
      // A name of its own: for some of LangGraph's own savers the suite skips tests.
      checkpointerName: 'milepost/langgraph',
      createCheckpointer: create,
      destroyCheckpointer: destroy,
    };
    validate(suite);
    deltaChannelHistoryTests(suite);
  });
}
