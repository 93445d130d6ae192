// The status line of Claude Code, below that of another command.

import { print } from '../host/node/system.js';

/** The time that the command of another status line may take, in ms. */
const OTHER_LINE_MS = 3_000;

const NEW_LINE = 0x0a;

/**
 * Prints the status line, below that of the command which was there before it.
 *
 * @param {object} payload
 * @param {string[]} words of the call
 * @param {() => string | null} own makes ours
 */
export function printStatus(payload, [word, command], own) {
  const other = word === '--then' && command ? otherLine(command, payload) : Buffer.alloc(0);
  print(1, other);
  const line = own();
  if (line === null) return;
  const isOpen = other.length > 0 && other.at(-1) !== NEW_LINE;
  print(1, Buffer.from(`${isOpen ? '\n' : ''}${line}\n`));
}

/**
 * Returns the output of another command for the status line, or its output so far when its time is over.
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
