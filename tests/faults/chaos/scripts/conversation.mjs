// The conversation of the driver with a process: one request a line, one answer a line.

import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * Answers each request until the driver closes its end, or is gone.
 *
 * @param {Record<string, (feature: string, operation: string) => number>} verbs each returns the
 *   revision that it wrote or read
 */
export async function converse(verbs) {
  await answerEach((line) => {
    const [verb, feature, operation] = line.split(' ');
    return { revision: verbs[verb](feature, operation) };
  });
}

/**
 * Answers requests of any form.
 *
 * @param {(line: string) => object | Promise<object>} perform returns the answer
 */
export async function answerEach(perform) {
  say({ ready: true });
  for await (const line of createInterface({ input: process.stdin })) {
    say(await answer(() => perform(line)));
  }
}

async function answer(perform) {
  try {
    return await perform();
  } catch ({ code, name, message, written }) {
    return { error: { code: code ?? name, message, written } };
  }
}

/** In one system call: a killed process has said a line wholly, or not at all. */
function say(value) {
  writeSync(1, `${JSON.stringify(value)}\n`);
}
