// An event of a coding agent that means something, from its payload to what is printed; and the status line.

import { perform, place } from 'milepost:host';
import { rest } from 'milepost:rest';
import { print } from './host/node/system.js';
import { run } from './instance.js';
import { WORKS } from './trial.js';
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
 * Takes an event without anything in it, and says that this worked.
 *
 * @param {string} agent
 */
export function answerTrial(agent) {
  const request = JSON.stringify({ operation: 'hook', place: place(), agent, payload: {} });
  valueOf(run(request, perform) || rest().run(request));
  print(1, Buffer.from(`${WORKS}\n`));
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

/** How long the command of another status line may take. */
const OTHER_LINE_MS = 3_000;

const NEW_LINE = 0x0a;

/**
 * Prints the status line, below that of the command which was there before it.
 *
 * @param {object} payload
 */
export function showStatus(payload) {
  const [, word, command] = process.argv.slice(2);
  const other = word === '--then' && command ? otherLine(command, payload) : Buffer.alloc(0);
  print(1, other);
  const { line } = valueOf(rest().run(JSON.stringify({ operation: 'status_line', place: place(), payload })));
  if (line === null) return;
  const isOpen = other.length > 0 && other.at(-1) !== NEW_LINE;
  print(1, Buffer.from(`${isOpen ? '\n' : ''}${line}\n`));
}

/**
 * What another command prints for the status line, or has printed when its time is over.
 *
 * @param {string} command
 * @param {object} payload
 * @returns {Buffer}
 */
function otherLine(command, payload) {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync(command, {
    shell: true,
    input: JSON.stringify(payload),
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: OTHER_LINE_MS,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  return stdout ?? Buffer.alloc(0);
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
