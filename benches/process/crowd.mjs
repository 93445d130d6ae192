// Writers of one checkpoint, released at the same moment, beside processes that take all of the
// processors that they get. Prints for each writer how long its updates took and how many were
// refused as `busy`.
//
//   node crowd.mjs JSON    {loops, writers: [[script, argument, ...], ...]}

import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

const { loops, writers } = JSON.parse(process.argv[2]);
const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const node = (words, stdio) => spawn(process.execPath, words, { stdio });

const busy = [];
try {
  const started = await Promise.all(writers.map(start));
  for (let loop = 0; loop < loops; loop++) busy.push(node([script('busy-loop.cjs')], 'ignore'));
  for (const { child } of started) child.stdin.end('go\n');
  console.log(JSON.stringify(await Promise.all(started.map(({ line }) => line()))));
} finally {
  for (const child of busy) child.kill('SIGKILL');
}

async function start([name, ...words]) {
  const child = node([script(name), ...words.map(String)], ['pipe', 'pipe', 'inherit']);
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`${name} ${words.join(' ')} ended early`);
    return value.startsWith('{') ? JSON.parse(value) : value;
  };
  if ((await line()) !== 'ready') throw new Error(`${name} is not ready`);
  return { child, line };
}
