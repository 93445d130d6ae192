// The drawing of a timeline: phases as lanes, revisions as ticks, idle time as narrow bands. What is drawn is
// for the eye; the ticks are links that keys and screen readers go through.

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { JSX } from 'preact';

import { clock, date, duration, elapsed } from '../state/time';
import type { Lane, Revision, Timeline } from '../work/protocol';
import { fillOf, paintOf, Patterns } from './pattern';
import { CHARACTER, marksOf, positionOf, timeAt, type Range } from './scale';

/** Above so many marks a canvas is drawn instead of elements. */
const ELEMENTS = 300;

const AXIS = 22;
const TICKS = 26;
const BAR = 16;
/** The height of a lane with its name beside it, and with its name above it. */
const LANE = { wide: 28, narrow: 40 };
const NARROW = 560;

/** The beginning of the axis; what follows is the time since then. */
const BEGINNING = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
/** The space that is left free at both ends, so that the first and the last tick are whole. */
const ENDS = 8;
/** Times on the axis are at least so far apart, in px. */
const APART = 92;

/** A drawing in px: where things are, for either way of drawing. */
export interface Plot {
  width: number;
  height: number;
  lane: number;
  /** True if names stand above their lanes. */
  isNarrow: boolean;
  /** From a position between 0 and 1 to px, and back. */
  toPx: (x: number) => number;
  toX: (px: number) => number;
}

interface Bar {
  x: number;
  y: number;
  width: number;
  status: string;
}

export const topOf = (lane: number, height: number): number => AXIS + TICKS + lane * height;

function barsOf(timeline: Timeline, plot: Plot): Bar[] {
  const end = timeline.segments[timeline.segments.length - 1]?.to_ms ?? 0;
  return timeline.lanes.flatMap(({ bars }, lane) =>
    bars.map(({ from_ms: from, to_ms: to, status }) => {
      const left = plot.toPx(positionOf(timeline.segments, from));
      const right = plot.toPx(positionOf(timeline.segments, to ?? end));
      const y = topOf(lane + 1, plot.lane) - BAR - 6;
      return { x: left, y, width: Math.max(2, right - left), status };
    }),
  );
}

/** Returns whether the marks are drawn on a canvas. */
export function isLarge({ lanes, revisions }: Timeline): boolean {
  return lanes.reduce((sum, lane) => sum + lane.bars.length, revisions.length) > ELEMENTS;
}

/** The width of an element, followed. */
export function useWidth(): [(element: HTMLElement | null) => void, number] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element) return undefined;
    const measure = (): void => setWidth(element.clientWidth);
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    measure();
    return () => watch.disconnect();
  }, [element]);
  return [setElement, width];
}

export function plotOf(lanes: Lane[], width: number, page: number, [from, to]: Range): Plot {
  const isNarrow = page < NARROW;
  const lane = isNarrow ? LANE.narrow : LANE.wide;
  return {
    width,
    lane,
    isNarrow,
    height: topOf(lanes.length, lane) + 4,
    toPx: (x) => ENDS + ((x - from) / (to - from)) * (width - 2 * ENDS),
    toX: (px) => from + ((px - ENDS) / (width - 2 * ENDS)) * (to - from),
  };
}

/** The axis, the idle stretches and, as long as they are few, the bars. */
export function Drawing({
  timeline,
  plot,
  cursor,
}: {
  timeline: Timeline;
  plot: Plot;
  cursor: number | null;
}): JSX.Element {
  const { segments, lanes } = timeline;
  const { width, height, lane, isNarrow, toPx } = plot;
  const large = isLarge(timeline);
  const label = (passed: number): string => (passed === 0 ? BEGINNING.format(segments[0]?.from_ms) : elapsed(passed));
  const idle = segments
    .filter((it) => it.idle)
    .map((it) => ({
      ...it,
      left: toPx(it.x[0]),
      right: toPx(it.x[1]),
      text: `${duration(it.to_ms - it.from_ms)} idle`,
    }))
    .filter(({ left, right }) => right >= 0 && left <= width);
  return (
    <svg class="drawing" width={width} height={height} aria-hidden="true">
      <Patterns />
      {idle.map(({ left, right, from_ms }) => (
        <rect key={from_ms} class="idle" x={left} y={AXIS} width={right - left} height={height - AXIS} />
      ))}
      {lanes.map((it, at) => (
        <line key={it.phase} class="rule" x1="0" x2={width} y1={topOf(at, lane)} y2={topOf(at, lane)} />
      ))}
      {marksOf(segments, toPx, width, APART, label).map(({ x, text }) => (
        <g class="time" key={text}>
          <line x1={x} x2={x} y1={AXIS - 5} y2={height} />
          <text x={x + 4} y={AXIS - 8}>
            {text}
          </text>
        </g>
      ))}
      {!large &&
        barsOf(timeline, plot).map(({ x, y, width: wide, status }, at) => (
          <rect
            key={at}
            class="bar"
            data-status={status}
            x={x}
            y={y}
            width={wide}
            height={BAR}
            rx="3"
            fill={fillOf(status)}
          />
        ))}
      {!isNarrow &&
        idle
          .filter(({ left, right, text }) => right - left > 12 && height - AXIS > text.length * CHARACTER)
          .map(({ left, right, from_ms, text }) => (
            <text
              key={from_ms}
              class="idle-time"
              transform={`translate(${(left + right) / 2 + 4} ${(AXIS + height) / 2}) rotate(-90)`}
              text-anchor="middle"
            >
              {text}
            </text>
          ))}
      {cursor !== null && (
        <g class="cursor">
          <line x1={cursor} x2={cursor} y1={AXIS} y2={height} />
          <text x={Math.max(40, Math.min(width - 40, cursor))} y={height - 4} text-anchor="middle">
            {clock(timeAt(segments, plot.toX(cursor)))}
          </text>
        </g>
      )}
    </svg>
  );
}

/** Bars and ticks of a timeline that has many. `colorOf` resolves what the styles say of a status. */
export function Painting({
  timeline,
  plot,
  colorOf,
}: {
  timeline: Timeline;
  plot: Plot;
  colorOf: (status: string) => string;
}): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [scheme, setScheme] = useState(0);

  useEffect(() => {
    const again = (): void => setScheme((n) => n + 1);
    const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((it) => matchMedia(it));
    queries.forEach((it) => it.addEventListener('change', again));
    const themes = new MutationObserver(again);
    themes.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      queries.forEach((it) => it.removeEventListener('change', again));
      themes.disconnect();
    };
  }, []);

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    const { width, height, toPx } = plot;
    const ratio = devicePixelRatio || 1;
    context.canvas.width = width * ratio;
    context.canvas.height = height * ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const paints = new Map<string, string | CanvasPattern>();
    for (const { x, y, width: wide, status } of barsOf(timeline, plot)) {
      if (x > width || x + wide < 0) continue;
      const color = colorOf(status);
      if (!paints.has(status)) paints.set(status, paintOf(context, status, color));
      context.fillStyle = paints.get(status)!;
      context.strokeStyle = color;
      context.fillRect(x, y, wide, BAR);
      context.strokeRect(x + 0.5, y + 0.5, Math.max(1, wide - 1), BAR - 1);
    }
    // Where ticks are many, how dark it is says how many.
    context.globalAlpha = 0.5;
    context.fillStyle = colorOf('tick');
    for (const { at_ms: at } of timeline.revisions) {
      const x = at === null ? -1 : toPx(positionOf(timeline.segments, at));
      if (x >= 0 && x <= width) context.fillRect(x, AXIS + 6, 1, TICKS - 12);
    }
  }, [timeline, plot.width, plot.height, plot.toX(0), plot.toX(1), scheme]);

  return (
    <canvas
      ref={canvas}
      class="drawing"
      style={{ width: `${plot.width}px`, height: `${plot.height}px` }}
      aria-hidden="true"
    />
  );
}

/** The text of a tick: the revision, its time, its change. */
export function revisionText({ revision, at_ms: at, headline }: Revision): string {
  return `Revision ${revision}${at === null ? '' : `, ${date(at)} ${clock(at)}`}: ${headline}`;
}
