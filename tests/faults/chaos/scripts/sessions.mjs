// Makes, restores and removes snapshots with the installed package, on Node and on Deno:
// `sessions.mjs ROOT`. A request is a JSON array: an operation and its options.

import { openStore } from 'milepost';
import { openSnapshots } from 'milepost/snapshots';
import { answerEach } from './conversation.mjs';

const COMMAND = 'implement';

const [root] = process.argv.slice(2);
const store = openStore({ root });
const sessions = openSnapshots({ root });

await answerEach((line) => {
  const [verb, options] = JSON.parse(line);
  return { value: perform(verb, options) };
});

function perform(verb, options) {
  switch (verb) {
    case 'phase':
      return store.updatePhase(COMMAND, options.phase, { status: 'complete' }).revision;
    case 'complete':
      return store.complete(COMMAND).revision;
    default:
      return sessions[verb](options);
  }
}
