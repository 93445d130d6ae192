// The revisions of a checkpoint, newest first, with what each of them changed.

import { useMemo } from 'preact/hooks';

import { href } from '../state/address';
import { pick, pickOf, pickQuery } from '../state/picks';
import { duration } from '../state/time';
import type { Key, Revision, Timeline } from '../work/protocol';
import { counted } from './count';
import { Spacer } from './spacer';
import { Timestamp } from './time';
import { useMoves, useWindow } from './window';

/** A revision and the idle time after it, in ms. */
interface Item {
  it: Revision;
  older: number | null;
  idle: number;
}

function itemsOf({ revisions, segments }: Timeline): Item[] {
  const newest = [...revisions].sort((one, other) => other.revision - one.revision);
  const idle = segments.filter((it) => it.idle);
  return newest.map((it, at) => {
    const after = newest[at - 1]?.at_ms ?? Infinity;
    const within = idle.filter(({ from_ms: from }) => it.at_ms !== null && from >= it.at_ms && from < after);
    return {
      it,
      older: newest[at + 1]?.revision ?? null,
      idle: within.reduce((sum, { from_ms: from, to_ms: to }) => sum + to - from, 0),
    };
  });
}

/** Lines of one revision that are shown; the revision itself shows all. */
const LINES = 6;

function Changes({ it }: { it: Revision }) {
  const more = it.changes.length - LINES;
  return (
    <div class="changes">
      {it.problem !== null && <p class="error">{it.problem}</p>}
      {it.changes.length > 0 ? (
        <ul>
          {it.changes.slice(0, LINES).map((line, at) => (
            <li key={at}>{line}</li>
          ))}
          {more > 0 && <li class="dim">{more} more</li>}
        </ul>
      ) : (
        it.problem === null && <span class="dim">{it.headline}</span>
      )}
      {it.heartbeats > 0 && <span class="dim">{counted(it.heartbeats, 'save')} without a change</span>}
    </div>
  );
}

interface Props {
  of: Key;
  timeline: Timeline;
  /** The revision that is looked at, here or above. */
  focused: number | null;
  onFocus: (revision: number) => void;
}

export function Revisions({ of, timeline, focused, onFocus }: Props) {
  const items = useMemo(() => itemsOf(timeline), [timeline]);
  const seen = useWindow(items.length, (at) => 44 + 20 * Math.min(LINES, items[at]?.it.changes.length ?? 0), of);
  const near = items.findIndex(({ it }) => it.revision === focused);
  useMoves(seen, near < 0 ? undefined : near);

  return (
    <section class="revisions" aria-labelledby="revisions">
      <h2 id="revisions">
        Revisions <span class="count">{items.length.toLocaleString()}</span>
      </h2>
      <Spacer height={seen.above} />
      <ol ref={seen.ref}>
        {items.slice(seen.from, seen.to).map(({ it, older, idle }, offset) => {
          const side = pickOf({ key: of, revision: it.revision });
          const name = `revision ${it.revision}`;
          return (
            <li
              key={it.revision}
              data-at={seen.from + offset}
              aria-setsize={items.length}
              aria-posinset={seen.from + offset + 1}
            >
              {idle > 0 && (
                <p class="gap-of">
                  <span>{duration(idle)} idle</span>
                </p>
              )}
              <div class="revision" data-revision={it.revision} onFocusIn={() => onFocus(it.revision)}>
                <a class="number" href={href('revision', of, { at: String(it.revision), ...pickQuery() })}>
                  <span class="unseen">Revision </span>
                  {it.revision}
                </a>
                <Timestamp at={it.at} how="clock" />
                <Changes it={it} />
                <span class="acts">
                  {older !== null && (
                    <a
                      href={href('compare', null, { a: `${of}@${older}`, b: `${of}@${it.revision}` })}
                      aria-label={`Diff of ${name} with ${older}`}
                    >
                      Diff
                    </a>
                  )}
                  <button
                    type="button"
                    class="quiet"
                    aria-pressed={side !== null}
                    aria-label={`Pick ${name}`}
                    onClick={() => pick({ key: of, revision: it.revision }, `Revision ${it.revision}`)}
                  >
                    {side === null ? 'Pick' : `Picked ${side.toUpperCase()}`}
                  </button>
                </span>
              </div>
            </li>
          );
        })}
      </ol>
      <Spacer height={seen.below} />
    </section>
  );
}
