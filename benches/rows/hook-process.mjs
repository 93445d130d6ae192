// A whole hook process: what it adds to a Node that does nothing, and against the scripts that a
// user would have in its place.

import fs from 'node:fs';
import path from 'node:path';
import { alternate, runNode } from '../measure.mjs';
import { addedTo, skipped, timesItsTime } from '../report.mjs';

export const name = 'hook-process';
const PLAN = { rounds: 60, warmups: 5 };
const BARE = 'node empty.cjs';

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const contestant = (implementation, repository) => {
    const folder = fixture.repository(repository);
    return () => void runNode([fixture.script('hook.cjs'), implementation], folder);
  };
  const nowhere = fixture.repository('hook-bare');
  const sqlite = findSqlite(fixture);
  const samples = alternate(PLAN, {
    bare: () => void runNode([fixture.script('empty.cjs')], nowhere),
    file: contestant(fixture.require.resolve('milepost'), 'hook-file'),
    name: contestant('milepost', 'hook-name'),
    plain: contestant(fixture.plain('checkpoint-manager.cjs'), 'hook-plain'),
    durable: contestant(fixture.plain('durable-checkpoint-manager.cjs'), 'hook-durable'),
    ...(fixture.peers && {
      careful: contestant(fixture.plain('careful-checkpoint-manager.cjs'), 'hook-careful'),
    }),
    ...(sqlite.script && { sqlite: contestant(sqlite.script, 'hook-sqlite') }),
  });
  for (const repository of ['hook-file', 'hook-name']) expectRecorded(fixture, repository);
  return rowsFrom(samples, sqlite);
}

function rowsFrom({ bare, file, name, plain, durable, careful, sqlite }, { what, why }) {
  const hook = 'whole hook process: updatePhase, getResumePoint';
  const byFile = `${hook}, required by the file's path`;
  const against = (what, ours, peerName, peer, atMost, aim) =>
    timesItsTime({ what, peerName, ours, peer, bare, atMost, aim });
  const alone = (peerName, peer) =>
    addedTo({ what: `beside it: ${peerName}`, peerName: BARE, ours: peer, peer: bare });
  return [
    against(byFile, file, 'plain JS, durable', durable, 1.25, 1.1),
    against(`${hook}, required by name`, name, 'plain JS, durable', durable, 1.35, 1.2),
    careful
      ? against(byFile, file, 'proper-lockfile, write-file-atomic', careful, 1, 0.7)
      : skipped(`${byFile}, against proper-lockfile`, NO_PEERS),
    sqlite
      ? against(byFile, file, `${what}, WAL, synchronous=FULL`, sqlite, 1, 0.7)
      : skipped(`${byFile}, against SQLite`, why),
    against(byFile, file, 'the plain script of the source documents, spawns git', plain),
    addedTo({ what: byFile, peerName: BARE, ours: file, peer: bare }),
    addedTo({ what: `${hook}, required by name`, peerName: BARE, ours: name, peer: bare }),
    alone('plain JS, durable', durable),
    alone('the plain script of the source documents, spawns git', plain),
    ...(careful ? [alone('proper-lockfile, write-file-atomic', careful)] : []),
    ...(sqlite ? [alone(what, sqlite)] : []),
  ];
}

const NO_PEERS = 'MILEPOST_PEERS names no node_modules: `cargo xtask bench` sets it';

/**
 * better-sqlite3 where it could be built, else what Node has.
 *
 * @param {import('../fixture.mjs').Fixture} fixture
 * @returns {{what?: string, script?: string, why?: string}}
 */
function findSqlite(fixture) {
  const folder = fixture.repository('hook-sqlite-trial');
  const reasons = [];
  for (const what of ['better-sqlite3', 'node:sqlite']) {
    const script = fixture.plain(`${what.replace(':', '-')}-checkpoint-manager.cjs`);
    try {
      runNode([fixture.script('hook.cjs'), script], folder);
      return { what, script };
    } catch (error) {
      const lines = error.message.split('\n');
      reasons.push(`${what}: ${lines.find((line) => /^\w*Error/.test(line)) ?? lines[0]}`);
    }
  }
  return { why: reasons.join('; ') };
}

function expectRecorded(fixture, repository) {
  const file = path.join(fixture.work, repository, '.claude/state/implement-checkpoint.json');
  const { revision } = JSON.parse(fs.readFileSync(file, 'utf8'));
  const runs = PLAN.rounds + PLAN.warmups;
  if (revision !== runs) throw new Error(`${runs} hook processes left revision ${revision}`);
}
