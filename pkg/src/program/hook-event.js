// An event of a coding agent that means something, from its payload to what is printed; and the status line.

import { perform, place } from 'milepost:host';
import { library } from 'milepost:library';
import { WORKS } from '../base/trial.js';
import { print } from '../host/node/system.js';
import { run } from '../wasm/instance.js';
import { membersOf, requestOf } from '../wasm/wire.js';
import { answerOf, lighten } from './hook-payload.js';
import { printStatus } from './status-line.js';

/**
 * Takes an event into the checkpoint of the project, and prints the answer.
 *
 * @param {{agent: string, event?: string, project?: string, payload: object}} happened
 */
export function takeEvent(happened) {
  lighten(happened.payload);
  const { output } = taken(happened);
  if (output !== null) print(1, Buffer.from(`${output}\n`));
}

/**
 * Takes an event without anything in it, and says that this worked.
 *
 * @param {string} agent
 */
export function answerTrial(agent) {
  taken({ agent, payload: {} });
  print(1, Buffer.from(`${WORKS}\n`));
}

/**
 * Prints the status line.
 *
 * @param {object} payload
 * @param {string[]} words of the call
 */
export function showStatus(payload, words) {
  printStatus(payload, words, () => {
    return answerOf(library().run(requestOf('status_line', place(), membersOf({ payload })))).line;
  });
}

/** @param {object} happened */
function taken(happened) {
  const request = requestOf('hook', place(), membersOf(happened));
  return answerOf(run(request, perform) || library().run(request));
}
