// Large documents: their log, what changed between two of them, and a merge. Not alternated: there
// is no peer, and one call takes seconds.

import { summarize } from '../measure.mjs';
import { withinTime } from '../report.mjs';

export const name = 'large';
const RUNS = 3;
const REVISIONS = 51;
/** Phases of a document of 2 MB. */
const MANY = 20_000;
/** Phases of a document near the limit of 16 MiB. */
const MOST = 100_000;

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const { openStore } = fixture.require('milepost');
  const root = fixture.repository('large');
  const store = openStore({ root, durability: 'lazy', history: { revisions: REVISIONS } });
  store.save('implement', withPhases(MANY));
  for (let revision = 2; revision <= REVISIONS; revision++) {
    store.updatePhase('implement', `phase-${revision}`, { context_summary: `at ${revision}` });
  }
  const log = timed(() => {
    const { length } = store.log('implement');
    if (length !== REVISIONS) throw new Error(`the log has ${length} revisions`);
  });
  const diff = timed(() => {
    const { changes } = store.diff('implement', null, { from: 2, to: REVISIONS });
    if (changes.length < REVISIONS - 2) throw new Error(`the diff has ${changes.length} changes`);
  });
  const limits = { log: { atMost: 2500, aim: 1000 }, diff: { atMost: 500, aim: 300 } };
  return [
    withinTime({
      what: `log of ${REVISIONS} revisions of ${MANY} phases, in process`,
      ours: log,
      ...limits.log,
    }),
    withinTime({ what: `diff of two of ${MANY} phases, in process`, ours: diff, ...limits.diff }),
    merge(openStore({ root: fixture.repository('large-merge'), durability: 'lazy' })),
  ];
}

function merge(store) {
  store.save('design', withPhases(MOST));
  let run = 0;
  let refused = 0;
  const ours = timed(
    (loaded) => {
      try {
        store.save('design', loaded);
      } catch (error) {
        // A merge that takes longer than an operation waits for others is refused.
        if (error.code !== 'busy') throw error;
        refused += 1;
      }
    },
    () => {
      const loaded = store.load('design');
      run += 1;
      store.updatePhase('design', 'phase-1', { context_summary: `theirs, ${run}` });
      loaded.phases['phase-2'].context_summary = `ours, ${run}`;
      return loaded;
    },
  );
  const { phases } = store.load('design');
  const [theirs, kept] = ['phase-1', 'phase-2'].map((name) => phases[name].context_summary);
  if (refused === 0 && (theirs !== `theirs, ${run}` || kept !== `ours, ${run}`)) {
    throw new Error(`the merge left ${theirs} and ${kept}`);
  }
  const what = `a save that merges ${MOST} phases, in process`;
  const row = withinTime({ what, ours, atMost: 1000, aim: 500 });
  if (refused === 0) return row;
  return { ...row, ours: `${row.ours}, ${refused} refused as busy`, verdict: 'missed' };
}

/**
 * @template T
 * @param {(prepared: T) => void} call
 * @param {() => T} [prepare] not timed
 */
function timed(call, prepare) {
  const samples = Array.from({ length: RUNS }, () => {
    const prepared = prepare?.();
    const begun = process.hrtime.bigint();
    call(prepared);
    return Number(process.hrtime.bigint() - begun) / 1e6;
  });
  return summarize(samples);
}

function withPhases(count) {
  const at = '2026-01-29T10:30:00.000Z';
  const names = Array.from({ length: count }, (_, number) => `phase-${number}`);
  const phases = names.map((name) => [name, { status: 'pending', updated_at: at }]);
  return {
    version: 1,
    state: { current_phase: null, completed_phases: [], pending_phases: [] },
    phases: Object.fromEntries(phases),
  };
}
