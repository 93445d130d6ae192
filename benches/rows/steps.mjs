// Graphs whose nodes are quicker than PostgreSQL, against LangGraph's own saver there: time, and what is sent.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { alternate, runNode, summarize } from '../measure.mjs';
import { skipped, timesItsTime, withinSize } from '../report.mjs';
import { projectOf } from './thread.mjs';

export const name = 'steps';
const PLAN = { rounds: 3, warmups: 1 };
const STEPS = [500, 1000, 1500];
const MOST_TIME = 1.2;
/** Of a state that grows, a hundredth of what a saver of whole states sends. */
const SHARE = 100;
const WHAT = 'LangGraph.js on PostgreSQL';
const PEER = 'PostgresSaver';

/** A server syncs what it commits. */
const SETTINGS = ["listen_addresses = ''", 'max_connections = 60'];

/** @param {import('../fixture.mjs').Fixture} fixture */
export async function measure(fixture) {
  if (!fixture.peers) return [skipped(WHAT, 'MILEPOST_PEERS names no node_modules')];
  if (!process.env.MILEPOST_POSTGRES) throw new Error('no PostgreSQL here: `cargo xtask bench` says why');
  const script = projectOf(fixture, 'steps');
  const file = path.join(fixture.folder, 'tests/hosts/postgres/server.mjs');
  const { Server } = await import(pathToFileURL(file).href);
  const server = new Server({ settings: SETTINGS });
  const connection = JSON.stringify(server.connection);
  const run = (saver, steps, durability, kind) =>
    JSON.parse(runNode([script, saver, connection, String(steps), durability, kind], path.dirname(script)));
  try {
    return [
      ...STEPS.flatMap((steps) => ['async', 'sync'].map((durability) => timed(run, steps, durability))),
      ...sent(run, STEPS[0]),
      ...sent(run, STEPS.at(-1), SHARE),
    ];
  } finally {
    server.stop();
  }
}

/** The time of the run, and that of its process alone, which says more on a busy machine. */
function timed(run, steps, durability) {
  const cpu = { milepost: [], postgres: [] };
  const contestant = (saver) => (round) => {
    const { ms, cpuMs } = run(saver, steps, durability, 'trivial');
    if (round >= 0) cpu[saver].push(cpuMs);
    return ms;
  };
  const samples = alternate(PLAN, { ours: contestant('milepost'), peer: contestant('postgres') });
  const own = { ours: summarize(cpu.milepost), peer: summarize(cpu.postgres) };
  const what = `${WHAT}: ${steps} trivial steps, \`${durability}\``;
  return [
    timesItsTime({ what, peerName: PEER, ...samples, atMost: MOST_TIME }),
    timesItsTime({ what: `${what}: time of the process`, peerName: PEER, ...own }),
  ];
}

/** @param {number} [share] of what is sent of a state that grows, so much less than the peer sends */
function sent(run, steps, share) {
  return ['trivial', 'growing'].flatMap((kind) => {
    const [ours, peer] = ['milepost', 'postgres'].map((saver) => run(saver, steps, 'async', kind));
    const most = peer.bytes / (kind === 'growing' ? share ?? 1 : 1);
    const inStatements = ({ statements }) => `bytes sent to the server in ${statements} statements`;
    return [
      withinSize({
        what: `${WHAT}: ${steps} ${kind} steps: ${inStatements(ours)}`,
        bytes: ours.bytes,
        atMost: 1024 * Math.floor(most / 1024),
      }),
      withinSize({ what: `beside it: ${PEER}: ${inStatements(peer)}`, bytes: peer.bytes }),
    ];
  });
}
