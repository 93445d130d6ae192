// The command line in this process, for tests that ask it thousands of questions: a process for each of them would take
// ten times as long.

import { setImmediate } from 'node:timers/promises';
import { bin, require } from '../node/fixture.mjs';

const builtin = { fs: require('node:fs'), tty: require('node:tty') };

/** One call in a project: what it printed, and how it ended. A call begins when the one before has ended. */
export async function milepost(root, words) {
  const { argv, exitCode } = process;
  const [working, { writeSync }, { isatty }] = [process.cwd(), builtin.fs, builtin.tty];
  const printed = { 1: [], 2: [] };
  builtin.fs.writeSync = (descriptor, bytes, ...more) => {
    if (printed[descriptor] === undefined) return writeSync(descriptor, bytes, ...more);
    const part = Buffer.from(bytes).subarray(more[0] ?? 0);
    printed[descriptor].push(part);
    return part.length;
  };
  builtin.tty.isatty = () => false;
  process.argv = [process.execPath, bin, '--root', root, ...words];
  process.exitCode = undefined;
  process.chdir(root);
  try {
    delete require.cache[bin];
    require(bin);
    // Some verbs answer later.
    while (process.exitCode === undefined) await setImmediate();
    const [out, error] = [1, 2].map((descriptor) => Buffer.concat(printed[descriptor]).toString());
    return { code: process.exitCode, out, error };
  } finally {
    process.chdir(working);
    Object.assign(process, { argv, exitCode });
    builtin.fs.writeSync = writeSync;
    builtin.tty.isatty = isatty;
  }
}
