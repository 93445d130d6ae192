// Situations that users of LangGraph's savers report, on its own savers and on this one: what each gets.

import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { runNode } from '../measure.mjs';
import { skipped } from '../report.mjs';
import { projectOf } from './thread.mjs';

export const name = 'savers';
const PEERS = ['memory', 'sqlite', 'postgres'];
/** Of this one the class alone is looked at: the Redis of Debian has none of the modules that it needs. */
const CLASSES = [...PEERS, 'redis'];
const OURS = ['milepost-memory', 'milepost-files', 'milepost-postgres'];

/** Each with what it says of a saver. */
const SITUATIONS = {
  cancelled: ['a run is cancelled, and the next message sent', ({ stored, of }) => `${stored} of ${of} stored`],
  deleted: ['a thread is deleted while a run goes on', ({ left, of }) => `${left} of ${of} threads come back`],
  replaced: ['values that JSON does not have', (found) => Object.entries(found).map(([kind, it]) => `${kind}: ${it}`).join(', ')],
  text: ['50 MB of text are put and read', took],
  methods: ['methods that keep, copy and remove threads', (found) => found.join(', ') || 'none'],
};

/** @param {import('../fixture.mjs').Fixture} fixture */
export async function measure(fixture) {
  if (!fixture.peers) return [skipped('savers of LangGraph.js', 'MILEPOST_PEERS names no node_modules')];
  if (!process.env.MILEPOST_POSTGRES) throw new Error('no PostgreSQL here: `cargo xtask bench` says why');
  const script = projectOf(fixture, name);
  const folder = path.dirname(script);
  const file = path.join(fixture.folder, 'tests/hosts/postgres/server.mjs');
  const { Server } = await import(pathToFileURL(file).href);
  const server = new Server();
  const connection = JSON.stringify(server.connection);
  const outcome = (situation) => (saver) => {
    const store = path.join(folder, `${saver}-${situation}`);
    try {
      const said = JSON.parse(runNode(['--expose-gc', script, saver, situation, connection, store], folder));
      return `${saver}: ${SITUATIONS[situation][1](said)}`;
    } catch {
      return `${saver}: fails`;
    }
  };
  try {
    return Object.entries(SITUATIONS).map(([situation, [what]]) => ({
      what: `savers: ${what}`,
      ours: OURS.map(outcome(situation)).join('; '),
      peer: (situation === 'methods' ? CLASSES : PEERS).map(outcome(situation)).join('; '),
      ...{ ratio: '-', target: '-', verdict: '-', numbers: {} },
    }));
  } finally {
    server.stop();
  }
}

function took({ putMs, getMs, peakTimes }) {
  return `${Math.round(putMs + getMs)} ms, at its peak ${peakTimes.toFixed(0)} times its size`;
}
