// Writes and reads checkpoints with the installed package, on Node and on Deno: `milepost.mjs ROOT`.

import { openStore } from 'milepost';
import { converse } from './conversation.mjs';

const COMMAND = 'implement';

const [root] = process.argv.slice(2);
const store = openStore({ root });

await converse({ phase, save, read });

/** Each operation is a phase of its own, so that it can be found in the end. */
function phase(feature, operation) {
  return store.updatePhase(COMMAND, operation, { status: 'complete' }, feature).revision;
}

/** Makes the change as a compare-and-swap of the whole document, which merges with what others changed. */
function save(feature, operation) {
  const document = store.load(COMMAND, feature);
  if (document === null) return phase(feature, operation);
  document.phases[operation] = { status: 'complete' };
  document.state.completed_phases.push(operation);
  return store.save(COMMAND, document, feature).revision;
}

function read(feature) {
  const document = store.load(COMMAND, feature);
  const [warning] = store.warnings;
  // Such as that the seal does not hold.
  if (warning !== undefined) throw warning;
  if (document === null) throw { code: 'not_found', message: 'no document yet' };
  return document.revision;
}
