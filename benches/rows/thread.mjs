// A thread of LangGraph.js that grows, against LangGraph's own saver on SQLite.

import fs from 'node:fs';
import path from 'node:path';
import { alternate, runNode } from '../measure.mjs';
import { skipped, timesItsTime, withinSize } from '../report.mjs';

export const name = 'thread';
const PLAN = { rounds: 5, warmups: 1 };
const STEPS = 400;
const MOST_BYTES = 4 * 1024 * 1024;
const WHAT = `LangGraph.js: ${STEPS} steps that each add 1 KB, durable files`;

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  if (!fixture.peers) return [skipped(WHAT, 'MILEPOST_PEERS names no node_modules')];
  const script = projectOf(fixture, 'thread');
  const bytes = {};
  const contestant = (saver) => () => {
    const folder = fs.mkdtempSync(path.join(path.dirname(script), `${saver}-`));
    const measured = JSON.parse(runNode([script, saver, folder, String(STEPS)], folder));
    bytes[saver] = measured.bytes;
    fs.rmSync(folder, { recursive: true });
    return measured.ms;
  };
  let samples;
  try {
    contestant('sqlite')();
    samples = alternate(PLAN, { ours: contestant('milepost'), peer: contestant('sqlite') });
  } catch (error) {
    return [skipped(WHAT, error.message.split('\n').find((line) => /Error/.test(line)) ?? error.message)];
  }
  const peerName = 'SqliteSaver on better-sqlite3, synchronous=FULL';
  return [
    timesItsTime({ what: WHAT, peerName, ...samples, atMost: 1 }),
    withinSize({ what: `${WHAT}: size of all files`, bytes: bytes.milepost, atMost: MOST_BYTES }),
    withinSize({ what: `beside it: ${peerName}: size of all files`, bytes: bytes.sqlite }),
  ];
}

/** A project with the package and LangGraph.js; the path of the script in it that has a name. */
export function projectOf(fixture, name) {
  const folder = path.join(fixture.work, name);
  const modules = path.join(folder, 'node_modules');
  fs.mkdirSync(modules, { recursive: true });
  for (const entry of fs.readdirSync(process.env.MILEPOST_PEERS)) {
    if (entry !== 'milepost') fs.symlinkSync(path.join(process.env.MILEPOST_PEERS, entry), path.join(modules, entry));
  }
  // Not a link: it has to find LangGraph.js beside it.
  const installed = path.dirname(fixture.require.resolve('milepost/package.json'));
  fs.cpSync(installed, path.join(modules, 'milepost'), { recursive: true });
  const script = path.join(folder, `${name}.mjs`);
  fs.copyFileSync(fixture.script(`${name}.mjs`), script);
  return script;
}
