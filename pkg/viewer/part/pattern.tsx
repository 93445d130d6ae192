// The look of a status where there is room for a colour only: a pattern beside it, the same in SVG and on a canvas.

import type { JSX } from 'preact';

import type { Timeline } from '../work/protocol';
import { words } from './badge';

/** The side of a pattern's tile, in px. */
const TILE = 8;

const RISING = 'M-2 2l4-4M0 8l8-8M6 10l4-4';
const FALLING = 'M-2 6l4 4M0 0l8 8M6-2l4 4';

/** The strokes of each status; one that is not named here is filled. */
const STROKES: Record<string, string> = {
  pending: '',
  in_progress: RISING,
  failed: RISING + FALLING,
  skipped: 'M1 4h6',
};

/** The share of the colour below the strokes. */
const GROUND = 0.22;

/** The fill of a status in SVG. */
export function fillOf(status: string): string {
  return status in STROKES ? `url(#pattern-${status})` : 'currentColor';
}

/** The patterns; they stand once in an SVG that uses them. */
export function Patterns(): JSX.Element {
  return (
    <defs>
      {Object.entries(STROKES).map(([status, strokes]) => (
        <pattern
          key={status}
          id={`pattern-${status}`}
          data-status={status}
          width={TILE}
          height={TILE}
          patternUnits="userSpaceOnUse"
        >
          <rect width={TILE} height={TILE} fill="currentColor" opacity={GROUND} />
          <path d={strokes} stroke="currentColor" stroke-width="1.5" />
        </pattern>
      ))}
    </defs>
  );
}

/** The fill of a status on a canvas. */
export function paintOf(context: CanvasRenderingContext2D, status: string, color: string): string | CanvasPattern {
  const strokes = STROKES[status];
  if (strokes === undefined) return color;
  const scale = context.getTransform().a;
  const tile = new OffscreenCanvas(TILE * scale, TILE * scale);
  const pen = tile.getContext('2d');
  if (!pen) return color;
  pen.scale(scale, scale);
  pen.globalAlpha = GROUND;
  pen.fillStyle = color;
  pen.fillRect(0, 0, TILE, TILE);
  pen.globalAlpha = 1;
  pen.strokeStyle = color;
  pen.lineWidth = 1.5;
  pen.stroke(new Path2D(strokes));
  const pattern = context.createPattern(tile, 'repeat');
  pattern?.setTransform(new DOMMatrix().scale(1 / scale));
  return pattern ?? color;
}

/** The meaning of the patterns of a timeline. */
export function Legend({ timeline }: { timeline: Timeline }): JSX.Element {
  const statuses = new Set(timeline.lanes.flatMap(({ bars }) => bars.map((bar) => bar.status)));
  return (
    <span class="legend">
      {[...statuses].map((status) => (
        <span key={status}>
          <svg width="22" height="12" aria-hidden="true">
            <rect class="bar" data-status={status} x="1" y="1" width="20" height="10" rx="2" fill={fillOf(status)} />
          </svg>{' '}
          {words(status)}
        </span>
      ))}
    </span>
  );
}
