// The server for agents: from its start to the first list of tools, against the SDK's own with one tool, and one call.

import fs from 'node:fs';
import path from 'node:path';
import { alternate, runNode, summarize } from '../measure.mjs';
import { addedTo, skipped, timesItsTime, withinTime } from '../report.mjs';

export const name = 'mcp';
const PLAN = { rounds: 20, warmups: 2 };
const CALLS = 300;
/** The first ones make the folders, and compile. */
const UNCOUNTED = 20;
const START = 'milepost mcp: from its start to the answer of the first tools/list';

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const folder = fixture.repository('mcp');
  const ask = (calls, ...words) =>
    JSON.parse(runNode([fixture.script('mcp-client.mjs'), String(calls), ...words], folder));
  const ours = [fixture.commandLine, 'mcp'];
  const what = `one call of milepost_phase on it, durable, p50 of ${CALLS - UNCOUNTED}`;
  const called = summarize(ask(CALLS, ...ours).times.slice(UNCOUNTED));
  const updated = summarize(updates(fixture));
  const call = [
    withinTime({ what, ours: called, atMost: 3 }),
    // Where the disk is slow, that is most of a call.
    addedTo({ what, peerName: 'updatePhase in process', ours: called, peer: updated }),
  ];
  const bare = bareServer(fixture);
  if (bare === undefined) return [skipped(START, 'NODE_PATH has no @modelcontextprotocol/server'), ...call];
  const samples = alternate(PLAN, { ours: () => ask(0, ...ours).listed, peer: () => ask(0, bare).listed });
  return [timesItsTime({ what: START, peerName: "the SDK's bare server with one tool", ...samples, atMost: 2 }), ...call];
}

/** The milliseconds of each of as many updates of the same kind without a server. */
function updates(fixture) {
  const store = fixture.require('milepost').openStore({ root: fixture.repository('mcp-in-process') });
  const times = Array.from({ length: CALLS }, (_, call) => {
    const begun = process.hrtime.bigint();
    const patch = { status: 'in_progress', context_summary: `call ${call}` };
    store.updatePhase('implement', `phase ${call % 3}`, patch);
    return Number(process.hrtime.bigint() - begun) / 1e6;
  });
  return times.slice(UNCOUNTED);
}

/** The script of the SDK's server, where the SDK is found beside it as its users have it. */
function bareServer(fixture) {
  const modules = process.env.NODE_PATH;
  if (!modules || !fs.existsSync(path.join(modules, '@modelcontextprotocol/server'))) return undefined;
  const folder = path.join(fixture.work, 'mcp-bare');
  fs.mkdirSync(folder);
  fs.symlinkSync(modules, path.join(folder, 'node_modules'));
  const script = path.join(folder, 'server.mjs');
  fs.copyFileSync(fixture.script('mcp-bare.mjs'), script);
  return script;
}
