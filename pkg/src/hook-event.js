// An event of a coding agent that means something, from its payload to what is printed; and the status line.

import { perform, place } from 'milepost:host';
import { rest } from 'milepost:rest';
import { print } from './host/node/system.js';
import { run } from './instance.js';
import UNREAD from './unread.json';

/**
 * Takes an event into the checkpoint of the project, and prints the answer.
 *
 * @param {{agent: string, event?: string, project?: string, payload: object}} happened
 */
export function takeEvent(happened) {
  lighten(happened.payload);
  const request = JSON.stringify({ operation: 'hook', place: place(), ...happened });
  const { output } = valueOf(run(request, perform) || rest().run(request));
  if (output !== null) print(1, Buffer.from(`${output}\n`));
}

/**
 * Leaves out what nothing is read from. Whole files stand there, which the wasm would have to look through.
 *
 * @param {object} part of a payload
 */
function lighten(part, depth = 2) {
  for (const value of Object.values(part)) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) continue;
    for (const name of UNREAD) if (name in value) value[name] = undefined;
    if (depth > 1) lighten(value, depth - 1);
  }
}

/**
 * Prints the status line, and that of the command which was there before it.
 *
 * @param {object} payload
 */
export function showStatus(payload) {
  const [, word, command] = process.argv.slice(2);
  if (word === '--then' && command) {
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const input = JSON.stringify(payload);
    spawnSync(command, { shell: true, input, stdio: ['pipe', 'inherit', 'ignore'], windowsHide: true });
  }
  const { line } = valueOf(rest().run(JSON.stringify({ operation: 'status_line', place: place(), payload })));
  if (line !== null) print(1, Buffer.from(`${line}\n`));
}

/**
 * The value of a reply.
 *
 * @param {string} reply JSON text
 */
function valueOf(reply) {
  const { ok, value, error } = JSON.parse(reply);
  if (!ok) throw new Error(error.message);
  return value;
}
