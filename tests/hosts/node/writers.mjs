// Writers as processes of their own: `writer.cjs`, and what is heard of it.

import { fork } from 'node:child_process';
import * as path from 'node:path';

const SCRIPT = path.join(import.meta.dirname, 'writer.cjs');

/** Starts one that waits for `go`. */
export function startWriter(root, number, updates) {
  const writer = fork(SCRIPT, [String(number), String(updates)], {
    env: { ...process.env, GIT_ROOT: root },
    silent: true,
  });
  writer.printed = '';
  for (const stream of [writer.stdout, writer.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (writer.printed += text));
  }
  return writer;
}

/** Its next message. A writer that ends without one fails at once, with what it printed. */
export function messageOf(writer) {
  return new Promise((resolve, reject) => {
    writer.once('message', resolve);
    writer.once('error', reject);
    writer.once('close', (code, signal) => {
      reject(new Error(`a writer ended with ${code ?? signal}: ${writer.printed}`));
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
