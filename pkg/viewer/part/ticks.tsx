// The revisions on a timeline: links, of which Tab reaches one and the arrow keys the others. With Shift they
// choose a stretch, which Enter shows.

import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';

import { announce } from '../state/announce';
import { go, href } from '../state/address';
import { pickOf, pickQuery } from '../state/picks';
import { duration } from '../state/time';
import type { Key, Revision, Timeline } from '../work/protocol';
import type { Brush } from './brush';
import { revisionText, type Plot } from './chart';
import { positionOf, rangeBetween, WHOLE, type Range } from './scale';

/** A pointer this near to a painted tick means it, in px. */
const NEAR = 12;

interface Props {
  of: Key;
  timeline: Timeline;
  plot: Plot;
  range: Range;
  zoom: (to: Range) => void;
  brush: Brush;
  focused: number | null;
  setFocused: (revision: number | null) => void;
  /** The ticks are painted: only the one with the focus is an element. */
  large: boolean;
}

export function Ticks({ of, timeline, plot, range, zoom, brush, focused, setFocused, large }: Props) {
  const { segments } = timeline;
  const ticks = useMemo(
    () => timeline.revisions.filter((it) => it.at_ms !== null).sort((one, other) => one.revision - other.revision),
    [timeline],
  );
  const list = useRef<HTMLOListElement>(null);
  const anchor = useRef<number | null>(null);
  const moved = useRef(false);
  const found = ticks.findIndex((it) => it.revision === focused);
  const current = found < 0 ? ticks.length - 1 : found;
  const positions = useMemo(() => ticks.map((it) => positionOf(segments, it.at_ms!)), [ticks, segments]);
  const linkTo = ({ revision }: Revision): string => href('revision', of, { at: String(revision), ...pickQuery() });

  useLayoutEffect(() => {
    if (!moved.current) return;
    moved.current = false;
    list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  });

  const focus = (to: number): void => {
    const tick = ticks[to];
    if (!tick) return;
    moved.current = true;
    setFocused(tick.revision);
    const x = positions[to]!;
    const [from, until] = range;
    if (x >= from && x <= until) return;
    const half = (until - from) / 2;
    const middle = Math.max(half, Math.min(1 - half, x));
    zoom([middle - half, middle + half]);
  };
  const stretch = (to: number): void => {
    if (!ticks[to]) return;
    anchor.current ??= current;
    const [one, other] = [anchor.current, to];
    brush.select(rangeBetween(positions[one]!, positions[other]!));
    const length = Math.abs(ticks[other]!.at_ms! - ticks[one]!.at_ms!);
    announce(
      `Chosen: revision ${ticks[one]!.revision} to ${ticks[other]!.revision}, ${duration(length)}. Enter zooms.`,
    );
    focus(to);
  };
  const letGo = (): void => {
    anchor.current = null;
    brush.select(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: ticks.length - 1 }[event.key];
    if (to !== undefined) {
      if (event.shiftKey) stretch(to);
      else {
        letGo();
        focus(to);
      }
    } else if (event.key === 'Enter' && brush.selection) {
      zoom(brush.selection);
      letGo();
    } else if (event.key === 'Escape' && (brush.selection || range !== WHOLE)) {
      if (!brush.selection) zoom(WHOLE);
      letGo();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  /** A painted tick that a pointer means. */
  const nearest = (event: MouseEvent & { currentTarget: HTMLElement }): Revision | undefined => {
    const px = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const distance = (at: number): number => Math.abs(plot.toPx(positions[at]!) - px);
    const nearest = ticks.reduce((best, _, at) => (distance(at) < distance(best) ? at : best), 0);
    return ticks.length > 0 && distance(nearest) <= NEAR ? ticks[nearest] : undefined;
  };

  return (
    <ol
      class="ticks"
      ref={list}
      aria-label="Revisions. Arrow keys move, with Shift they choose what to zoom to."
      onKeyDown={onKeyDown}
      onPointerMove={large ? (event) => setFocused(nearest(event)?.revision ?? focused) : undefined}
      onClick={
        large
          ? (event) => {
              const tick = nearest(event);
              if (tick) go(linkTo(tick));
            }
          : undefined
      }
    >
      {ticks.map((tick, at) => {
        const x = positions[at]!;
        const isCurrent = at === current;
        if (!isCurrent && (large || x < range[0] || x > range[1])) return null;
        const side = pickOf({ key: of, revision: tick.revision });
        return (
          <li
            key={tick.revision}
            aria-setsize={ticks.length}
            aria-posinset={at + 1}
            style={{ left: `${plot.toPx(x)}px` }}
          >
            <a
              href={linkTo(tick)}
              data-revision={tick.revision}
              data-pick={side ?? undefined}
              data-trouble={tick.problem === null ? undefined : ''}
              tabIndex={isCurrent ? 0 : -1}
              aria-label={`${revisionText(tick)}${side ? `, picked as ${side.toUpperCase()}` : ''}`}
              draggable={false}
              onFocus={() => setFocused(tick.revision)}
              onPointerEnter={() => setFocused(tick.revision)}
            >
              {side?.toUpperCase()}
            </a>
          </li>
        );
      })}
    </ol>
  );
}
