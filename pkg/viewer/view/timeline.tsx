// The timeline of one checkpoint: what ran when, and each revision with what it changed.

import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';

import { AnswerPage } from '../part/answer';
import { CarryOn } from '../part/carry-on';
import { Drawing, isLarge, Painting, plotOf, useWidth } from '../part/chart';
import { Legend } from '../part/pattern';
import { timeAt, WHOLE, type Range } from '../part/scale';
import { useBrush } from '../part/brush';
import { Ticks } from '../part/ticks';
import { Revisions } from '../part/revisions';
import { Status, words } from '../part/badge';
import { announce } from '../state/announce';
import { useActions } from '../state/shortcuts';
import { pick } from '../state/picks';
import { clock, dateTime, duration } from '../state/time';
import type { Key, Timeline } from '../work/protocol';

/** The revision of the row or tick that has the focus. */
function focusedRevision(): number | null {
  const element = document.activeElement?.closest<HTMLElement>('[data-revision]');
  return element ? Number(element.dataset.revision) : null;
}

function Page({ of }: { of: Key | null }) {
  return (
    <AnswerPage<'timeline'> title="Timeline" question={of === null ? null : { query: 'timeline', key: of }}>
      {(timeline) => <LoadedTimeline of={of!} timeline={timeline} />}
    </AnswerPage>
  );
}

function LoadedTimeline({ of, timeline }: { of: Key; timeline: Timeline }) {
  const [range, setRange] = useState<Range>(WHOLE);
  const [focused, setFocused] = useState<number | null>(null);
  const zoomed = range !== WHOLE;

  useEffect(() => setRange(WHOLE), [of]);
  const zoom = useCallback(
    (to: Range): void => {
      setRange(to);
      announce(to === WHOLE ? 'All of the timeline is shown' : `Shown: ${rangeText(timeline, to)}`);
    },
    [timeline],
  );

  useActions({
    pick: () => {
      const revision = focusedRevision();
      if (revision === null) return false;
      pick({ key: of, revision }, `Revision ${revision}`);
      return undefined;
    },
    back: () => {
      if (!zoomed) return false;
      zoom(WHOLE);
      return undefined;
    },
  });

  return (
    <>
      <div class="head-of">
        <h1>{timeline.title}</h1>
      </div>
      {timeline.since_recorded !== undefined && <p>{timeline.since_recorded}</p>}
      {timeline.resume !== null && <CarryOn of={timeline.resume} />}
      <Chart of={of} timeline={timeline} range={range} zoom={zoom} focused={focused} setFocused={setFocused} />
      <p class="range">
        <Legend timeline={timeline} />
        {zoomed && (
          <span>
            <bdi>{dateTime(timeAt(timeline.segments, range[0]))}</bdi> to{' '}
            <bdi>{dateTime(timeAt(timeline.segments, range[1]))}</bdi>{' '}
            <button type="button" class="quiet" onClick={() => zoom(WHOLE)}>
              Show all <kbd>Esc</kbd>
            </button>
          </span>
        )}
      </p>
      <Revisions of={of} timeline={timeline} focused={focused} onFocus={setFocused} />
    </>
  );
}

interface ChartProps {
  of: Key;
  timeline: Timeline;
  range: Range;
  zoom: (to: Range) => void;
  focused: number | null;
  setFocused: (revision: number | null) => void;
}

function Chart({ of, timeline, range, zoom, focused, setFocused }: ChartProps) {
  const [plotRef, width] = useWidth();
  const [chartRef, all] = useWidth();
  const { lanes, segments } = timeline;
  const plot = plotOf(lanes, width, all, range);
  const brush = useBrush(plot, zoom);
  const large = isLarge(timeline);
  // The zoomed timeline moves aside with the wheel, as the page goes down with it.
  const onWheel = (event: WheelEvent): void => {
    const by = event.shiftKey ? event.deltaY || event.deltaX : event.deltaX;
    if (range === WHOLE || Math.abs(by) <= (event.shiftKey ? 0 : Math.abs(event.deltaY))) return;
    event.preventDefault();
    const [from, until] = range;
    const step = Math.max(-from, Math.min(1 - until, (by / width) * (until - from)));
    zoom([from + step, until + step]);
  };
  const colorOf = useCallback((status: string): string => {
    const probe = document.querySelector(`[data-probe] [data-status="${status}"]`);
    return getComputedStyle(probe ?? document.body).color;
  }, []);
  const summary = useMemo(() => laneTexts(timeline), [timeline]);

  if (!segments.length) return <p class="dim">No revision of it has a time.</p>;
  return (
    <section class="chart" data-narrow={plot.isNarrow || undefined} aria-label="Timeline" ref={chartRef}>
      <ul class="unseen">
        {summary.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div class="lanes" aria-hidden="true" style={{ '--lane': `${plot.lane}px` }}>
        {lanes.map(({ phase, status }) => (
          <div key={phase} class="lane" title={`${phase}: ${words(status)}`}>
            <span class="name">{phase}</span>
            <Status status={status} />
          </div>
        ))}
      </div>
      <div class="plot" ref={plotRef} style={{ height: `${plot.height}px` }} onWheel={onWheel} {...brush.handlers}>
        {large && (
          <span data-probe aria-hidden="true" hidden>
            {[...new Set(['tick', ...lanes.flatMap((it) => it.bars.map((bar) => bar.status))])].map((status) => (
              <i key={status} data-status={status} />
            ))}
          </span>
        )}
        {width > 0 && (
          <>
            <Drawing timeline={timeline} plot={plot} cursor={brush.cursor} />
            {large && <Painting timeline={timeline} plot={plot} colorOf={colorOf} />}
            <Ticks
              of={of}
              timeline={timeline}
              plot={plot}
              range={range}
              zoom={zoom}
              brush={brush}
              focused={focused}
              setFocused={setFocused}
              large={large}
            />
          </>
        )}
        {brush.selection !== null && (
          <div
            class="brush"
            style={{
              left: `${plot.toPx(brush.selection[0])}px`,
              width: `${plot.toPx(brush.selection[1]) - plot.toPx(brush.selection[0])}px`,
            }}
          >
            <span>{duration(timeAt(segments, brush.selection[1]) - timeAt(segments, brush.selection[0]))}</span>
          </div>
        )}
      </div>
      <Readout timeline={timeline} focused={focused} />
    </section>
  );
}

/** The text of the tick under the focus or the pointer. */
function Readout({ timeline, focused }: { timeline: Timeline; focused: number | null }) {
  const found = timeline.revisions.find((it) => it.revision === focused);
  if (!found) {
    return (
      <p class="readout" aria-hidden="true">
        Drag, or Shift+arrows on a revision, to zoom. Enter opens it, x picks it.
      </p>
    );
  }
  const { revision, at_ms: at, headline } = found;
  return (
    <p class="readout" aria-hidden="true">
      Revision {revision}
      {at !== null && (
        <>
          , <bdi>{dateTime(at)}</bdi>
        </>
      )}
      : <bdi>{headline}</bdi>
    </p>
  );
}

/** From when to when a part of the timeline is. */
function rangeText({ segments }: Timeline, range: Range): string {
  return range.map((x) => dateTime(timeAt(segments, x))).join(' to ');
}

/** The lanes and the idle stretches in words. */
function laneTexts({ lanes, segments }: Timeline): string[] {
  const bar = ({ from_ms: from, to_ms: to, status }: Timeline['lanes'][number]['bars'][number]): string =>
    `${words(status)} from ${dateTime(from)}${to === null ? ' until now' : ` to ${clock(to)}`}`;
  return [
    ...lanes.map(
      ({ phase, status, bars }) => `Phase ${phase}, ${words(status)}: ${bars.map(bar).join('; ') || 'not begun'}`,
    ),
    ...segments
      .filter((it) => it.idle)
      .map((it) => `${duration(it.to_ms - it.from_ms)} idle from ${dateTime(it.from_ms)}`),
  ];
}

export { Page as Timeline };
