// The resume point of a run: what stopped, what came before it, and what is to come.

import type { ComponentChildren } from 'preact';

import { href } from '../state/address';
import type { RunResume } from '../work/protocol';
import { Status } from './badge';
import { CommandLine } from './command';
import { Paths } from './snapshot';

/** So many files or phases are named; the revision has all of them. */
const MOST = 10;

export function CarryOn({ of }: { of: RunResume }) {
  const { phase, status, error, created, modified, phase_summary: own, summary } = of;
  const { alongside, pending, others, more, run, command } = of;
  return (
    <section class="card carry-on" data-status={status ?? run} aria-labelledby="carry-on">
      <div class="head">
        <h2 id="carry-on">Where to carry on</h2>
        {phase === null ? <Status status={run} /> : (
          <b>
            <bdi>{phase}</bdi>
          </b>
        )}
        {status !== null && <Status status={status} />}
      </div>
      {phase === null && <p>There is nothing left to do.</p>}
      {error !== null && <p class="error">{error}</p>}
      {own !== null && <p class="prose">So far: {own}</p>}
      {summary !== null && <p class="prose">{summary}</p>}
      <Some of={created}>{(names) => <Paths sign="+" verb="created" paths={names} />}</Some>
      <Some of={modified}>{(names) => <Paths sign="±" verb="modified" paths={names} />}</Some>
      <Some of={alongside}>{(names) => <p>Also in progress: {names.join(', ')}</p>}</Some>
      <Some of={pending}>{(names) => <p>Pending: {names.join(', ')}</p>}</Some>
      {others.length > 0 && (
        <p>
          Other unfinished runs:{' '}
          {others.map(({ key, title }, at) => (
            <span key={key}>
              {at > 0 && ', '}
              <a href={href('timeline', key)}>{title}</a>
            </span>
          ))}
          <More count={more} />
        </p>
      )}
      {phase !== null && <CommandLine text={command} />}
    </section>
  );
}

/** The first of these names, and the number of the others; nothing for an empty list. */
function Some({ of, children }: { of: string[]; children: (names: string[]) => ComponentChildren }) {
  if (of.length === 0) return null;
  return (
    <>
      {children(of.slice(0, MOST))}
      <More count={of.length - MOST} />
    </>
  );
}

function More({ count }: { count: number }) {
  return count > 0 ? <span class="dim small"> and {count.toLocaleString()} more</span> : null;
}
