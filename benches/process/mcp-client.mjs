// Starts a server for agents and asks it: prints the milliseconds until it lists its tools, and those of each of so
// many calls that record a phase.
//
//   node mcp-client.mjs CALLS SCRIPT [WORD]…

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [calls, ...words] = process.argv.slice(2);

const begun = process.hrtime.bigint();
const server = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
const frames = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
let id = 0;

const since = (moment) => Number(process.hrtime.bigint() - moment) / 1e6;
const send = (frame) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);

/** The result of a request. */
async function answer() {
  const { value } = await frames.next();
  const { error, result } = JSON.parse(value);
  if (error !== undefined || result.isError) throw new Error(value);
  return result;
}

const clientInfo = { name: 'bench', version: '1' };
send({ id: (id += 1), method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
await answer();
send({ method: 'notifications/initialized' });
send({ id: (id += 1), method: 'tools/list', params: {} });
const { tools } = await answer();
const listed = since(begun);
if (tools.length === 0) throw new Error('there are no tools');

const times = [];
for (let call = 0; call < Number(calls); call += 1) {
  const given = { command: 'implement', phase: `phase ${call % 3}`, status: 'in_progress', context_summary: `call ${call}` };
  const asked = process.hrtime.bigint();
  send({ id: (id += 1), method: 'tools/call', params: { name: 'milepost_phase', arguments: given } });
  const { structuredContent } = await answer();
  times.push(since(asked));
  if (structuredContent.revision !== call + 1) throw new Error(`call ${call} left ${structuredContent.revision}`);
}
server.stdin.end();
console.log(JSON.stringify({ listed, times }));
