// One checkpoint in the list: what it is, how far, how it stands, since when.

import { href } from '../state/address';
import { pick, pickOf, pickQuery } from '../state/picks';
import { age, dateTime } from '../state/time';
import type { Row } from '../work/protocol';
import { Badges, Status } from './badge';
import { PhaseBar, progressText } from './bar';

export function CheckpointRow({ row, tabIndex }: { row: Row | undefined; tabIndex: 0 | -1 }) {
  if (row === undefined) {
    // The element that the link will be, so that it keeps the focus when the row comes.
    return (
      <>
        <a class="entry" aria-busy="true" tabIndex={tabIndex} />
      </>
    );
  }
  const { key, title, status, badges, updated_ms, updated_at, problem } = row;
  const now = { key, revision: null };
  const side = pickOf(now);
  return (
    <>
      <a class="entry" href={href('timeline', key, pickQuery())} tabIndex={tabIndex}>
        <span class="line">
          <bdi class="name">{title}</bdi>
          <Status status={status} />
          <span class="badges">
            <Badges badges={badges} />
          </span>
          {updated_ms !== null && (
            <time class="age" dateTime={updated_at ?? undefined} title={dateTime(updated_ms)}>
              {age(updated_ms)}
            </time>
          )}
        </span>
        <span class="line">
          <PhaseBar row={row} />
          <span class="about dim">{problem === null ? <About row={row} /> : <bdi>{problem.message}</bdi>}</span>
        </span>
      </a>
      <button
        type="button"
        class="pick-button quiet"
        tabIndex={tabIndex}
        aria-pressed={side !== null}
        aria-label={`Pick ${title}${side === null ? '' : ` (is ${side.toUpperCase()})`}`}
        onClick={() => pick(now, title)}
      >
        {side?.toUpperCase() ?? 'Pick'}
      </button>
    </>
  );
}

/** Its location, its branch, and what was said last: the error of a run that has failed. */
function About({ row }: { row: Row }) {
  const { done, total, current_phase, summary, error, branch } = row;
  return (
    <>
      <span class="done" title={progressText(row)} aria-hidden="true">
        {done}/{total}
      </span>
      {error === null && current_phase !== null && <bdi class="current">{current_phase}</bdi>}
      {branch !== undefined && (
        <bdi class="branch" title="Branch">
          {branch}
        </bdi>
      )}
      {error === null ? (
        <bdi>{summary}</bdi>
      ) : (
        <bdi class="error" title={error}>
          {error}
        </bdi>
      )}
    </>
  );
}
