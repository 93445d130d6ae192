// `milepost mcp`: checkpoints for agents, over the Model Context Protocol on standard input and output.

import path from 'node:path';
import process from 'node:process';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Caller } from './mcp/caller.js';
import { Connection } from './mcp/connection.js';
import { Interest } from './mcp/interest.js';
import { Lines } from './mcp/transport.js';
import { reportLine } from '../base/messages.js';

/** The interval between two looks at whether the program that started this one is there, in ms. */
const PARENT_MS = 1000;

/**
 * Serves until the input ends, the client is gone, or the user ends it.
 *
 * @param {object} _ the options of the verb; the place of the host has them
 * @param {import('./mcp/work.js').Host} host
 * @returns {Promise<number>} the exit code
 */
export async function run(_, host) {
  const interest = new Interest();
  const caller = new Caller(path.join(__dirname, './thread.cjs'), host.store);
  /** @type {Connection | undefined} */
  let connection;
  const lines = new Lines(process.stdin, process.stdout, (message) => {
    interest.see(message);
    connection?.watch();
  });
  const serving = serveStdio(
    ({ era }) => {
      connection?.stop();
      connection = new Connection(host, era, caller, interest);
      connection.watch();
      return connection.server;
    },
    { transport: lines, onerror: (error) => reportLine(error, host.withoutSecrets) },
  );
  const stop = () => void lines.close();
  for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.once(signal, stop);
  const parent = process.ppid;
  // Another program may hold the other end of the input, which then never ends.
  setInterval(() => process.ppid === parent || stop(), PARENT_MS).unref();
  await lines.ended;
  connection?.stop();
  await caller.end();
  await serving.close();
  // Input that is still open there would keep this process.
  process.stdin.destroy();
  return 0;
}
