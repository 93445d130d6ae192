// Processes that update one checkpoint at the same moment, round after round. Each is started and
// ready before it is released; prints the milliseconds from the release to each acknowledgement,
// a list for each round.
//
//   node burst.mjs PROCESSES ROUNDS

import { spawn } from 'node:child_process';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';

const [processes, rounds] = process.argv.slice(2).map(Number);
const script = fileURLToPath(new URL('burst-writer.cjs', import.meta.url));

const writers = await Promise.all(Array.from({ length: processes }, (_, number) => start(number)));
const answers = [];
for (let round = 0; round < rounds; round++) {
  const released = process.hrtime.bigint();
  for (const { child } of writers) child.stdin.write(`${round}\n`);
  const ends = await Promise.all(writers.map(({ line }) => line()));
  answers.push(ends.map((end) => Number(BigInt(end) - released) / 1e6));
}
for (const { child } of writers) child.stdin.end();
console.log(JSON.stringify(answers));

async function start(number) {
  const stdio = ['pipe', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [script, String(number)], { stdio });
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error(`writer ${number} ended early`);
    return value;
  };
  if ((await line()) !== 'ready') throw new Error(`writer ${number} is not ready`);
  return { child, line };
}
