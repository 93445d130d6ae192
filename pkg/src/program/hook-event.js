// An event of a coding agent that means something, from its payload to what is printed; and the status line.

import { perform, place } from 'milepost:host';
import { library } from 'milepost:library';
import { lighten, valueOf } from './hook-payload.js';
import { print } from '../host/node/system.js';
import { run } from '../wasm/instance.js';
import { printStatus } from './status-line.js';
import { WORKS } from '../base/trial.js';

/**
 * Takes an event into the checkpoint of the project, and prints the answer.
 *
 * @param {{agent: string, event?: string, project?: string, payload: object}} happened
 */
export function takeEvent(happened) {
  lighten(happened.payload);
  const request = JSON.stringify({ operation: 'hook', place: place(), ...happened });
  const { output } = valueOf(run(request, perform) || library().run(request));
  if (output !== null) print(1, Buffer.from(`${output}\n`));
}

/**
 * Takes an event without anything in it, and says that this worked.
 *
 * @param {string} agent
 */
export function answerTrial(agent) {
  const request = JSON.stringify({ operation: 'hook', place: place(), agent, payload: {} });
  valueOf(run(request, perform) || library().run(request));
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
    return valueOf(library().run(JSON.stringify({ operation: 'status_line', place: place(), payload }))).line;
  });
}
