// One update on each host, as a program of its own, and what the program answers.

import * as path from 'node:path';
import { native } from '../../hosts/native/fixture.mjs';
import { compiled, wasmtime } from '../../hosts/wasmtime/fixture.mjs';

/** In the writers' first call of the update, a path that is nowhere. */
const MARK = '"/milepost-begins"';

/** @returns {import('./trace.mjs').Program} */
function script(name, words) {
  return {
    command: process.execPath,
    // Other threads, and news for them, make the numbers of the calls uncertain.
    words: ['--single-threaded', path.join(import.meta.dirname, name), ...words],
    begins: (line) => line.includes(MARK),
  };
}

/** @type {{[name: string]: (root: string, next: string) => import('./trace.mjs').Program}} */
export const HOSTS = {
  Node: (root) => script('writer.cjs', [root]),
  wasmtime: (root) => ({
    command: wasmtime,
    words: [
      ...['run', '--allow-precompiled', '--dir', `${root}::.`, compiled],
      ...['--json', 'phase', 'design', 'during', 'pending'],
    ],
    // The runtime itself opens the folder; what comes after is the component's.
    begins: (line) => line.includes(`"${root}"`) && line.includes('O_PATH'),
  }),
  native: (root) => ({
    command: native,
    words: ['--root', root, '--json', 'phase', 'design', 'during', 'pending'],
    begins: (line) => line.startsWith('execve('),
  }),
};

/** The wrong way to do it. The checks have to find that it breaks. */
export const IN_PLACE = 'in place';
HOSTS[IN_PLACE] = (root, next) => script('in-place.cjs', [root, next]);

const EXIT_CODES = [0, 64, 65, 74, 75];

/**
 * Returns the answer of the program; nothing where it was killed.
 *
 * @param {import('./trace.mjs').Ended} ended
 * @returns {{revision: number} | {error: {code: string, message: string}} | undefined}
 */
export function answerOf({ code, signal, hung, out, error }) {
  if (hung) throw new Error('it hangs');
  if (signal === 'SIGKILL') return undefined;
  if (signal !== null || !EXIT_CODES.includes(code)) {
    throw new Error(`it crashed with ${signal ?? code}: ${out}${error}`);
  }
  // Warnings come on lines of their own.
  const said = code === 0 ? [out] : error.split('\n');
  const answers = said.filter(Boolean).map((text) => JSON.parse(text));
  const answer = answers.find(({ revision, error }) => (revision ?? error) !== undefined);
  if (answer === undefined) throw new Error(`it ended with ${code} and no answer: ${out}${error}`);
  return answer;
}
