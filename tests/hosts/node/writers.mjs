// Writers and readers as processes of their own, and what is heard of them.

import { fork } from 'node:child_process';
import * as path from 'node:path';

/** On a busy machine wine starts one process in some thousands not at first. */
const TRIES = process.platform === 'win32' ? 5 : 1;

/** A script of this folder as a process. */
function processOf(script, words, options) {
  for (let attempt = 1; ; attempt++) {
    try {
      return fork(path.join(import.meta.dirname, script), words, options);
    } catch (error) {
      if (error.code !== 'UNKNOWN' || attempt === TRIES) throw error;
    }
  }
}

/** Starts a script of this folder; what it prints is kept for its failure. */
function start(script, root, words) {
  const child = processOf(script, words, { env: { ...process.env, GIT_ROOT: root }, silent: true });
  child.printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (child.printed += text));
  }
  return child;
}

/** Starts a writer that waits for `go`. */
export const startWriter = (root, number, updates) =>
  start('writer.cjs', root, [String(number), String(updates)]);

/** Starts a reader that waits for `go`, and reads until `stop`. */
export const startReader = (root) => start('reader.cjs', root, []);

/** The next message. A process that ends without one fails immediately, with what it printed. */
export function messageOf(child) {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      reject(new Error(`a process ended with ${code ?? signal}: ${child.printed}`));
    });
  });
}

/**
 * Starts writers together, once all of them are up; what each reports in the end.
 *
 * @returns {Promise<{acknowledged: number, refused: number}[]>}
 */
export async function reports(writers) {
  await Promise.all(writers.map(messageOf));
  const ends = Promise.all(writers.map(messageOf));
  for (const writer of writers) writer.send('go');
  return ends;
}
