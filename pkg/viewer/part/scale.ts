// The place of a time on a timeline whose idle stretches the core has folded, and the times that its axis names.

import type { Segment } from '../work/protocol';

/** The part of the timeline that is shown, between 0 and 1. */
export type Range = readonly [number, number];

export const WHOLE: Range = [0, 1];

/** No shorter part than this is shown: below it, numbers lose their precision. */
const SHORTEST = 1e-6;

/** The position of `ms` between 0 and 1. */
export function positionOf(segments: Segment[], ms: number): number {
  if (!segments.length) return 0;
  const within = segments.find((it) => ms <= it.to_ms) ?? segments[segments.length - 1]!;
  const { from_ms: from, to_ms: to, x } = within;
  const share = to > from ? (ms - from) / (to - from) : 0;
  return x[0] + Math.max(0, Math.min(1, share)) * (x[1] - x[0]);
}

/** The time at `x`. */
export function timeAt(segments: Segment[], x: number): number {
  const within = segments.find((it) => x <= it.x[1]) ?? segments[segments.length - 1];
  if (!within) return 0;
  const [from, to] = within.x;
  const share = to > from ? (x - from) / (to - from) : 0;
  return within.from_ms + Math.max(0, Math.min(1, share)) * (within.to_ms - within.from_ms);
}

/** The range between two positions, in order, inside the whole and not too short. */
export function rangeBetween(a: number, b: number): Range {
  const from = Math.max(0, Math.min(a, b));
  const to = Math.min(1, Math.max(a, b));
  if (to - from >= SHORTEST) return [from, to];
  const middle = Math.min(1 - SHORTEST / 2, Math.max(SHORTEST / 2, (from + to) / 2));
  return [middle - SHORTEST / 2, middle + SHORTEST / 2];
}

const SECOND = 1000;

/** Distances between the times that an axis names. */
const STEPS = [
  0.1, 0.5, 1, 5, 15, 30, 60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800, 2_592_000,
  31_536_000,
].map((seconds) => seconds * SECOND);

/** A label of the drawing is about so wide for each of its characters, in px. */
export const CHARACTER = 8;

/** Of a time on the axis: where it stands in px, and what its label says. */
export interface Mark {
  x: number;
  text: string;
}

/**
 * The beginning and round times after it, at least `apart` px from each other. No label reaches into the next one, or
 * beyond the end.
 *
 * @param toPx from a position between 0 and 1 to px
 * @param label the text for the time since the beginning, in ms
 */
export function marksOf(
  segments: Segment[],
  toPx: (x: number) => number,
  width: number,
  apart: number,
  label: (passed: number) => string,
): Mark[] {
  const marks: Mark[] = [];
  const start = segments[0]?.from_ms ?? 0;
  let free = -Infinity;
  for (const { from_ms: from, to_ms: to, idle, x } of segments) {
    const [left, right] = [toPx(x[0]), toPx(x[1])];
    if (idle || right < 0 || left > width || to <= from) continue;
    const perMs = (right - left) / (to - from);
    const step = STEPS.find((it) => it * perMs >= apart) ?? STEPS[STEPS.length - 1]!;
    const begin = Math.max(from, from + (0 - left) / perMs);
    const end = Math.min(to, from + (width - left) / perMs);
    for (let ms = start + Math.ceil((begin - start) / step) * step; ms <= end; ms += step) {
      const at = left + (ms - from) * perMs;
      const text = label(ms - start);
      const wide = text.length * CHARACTER;
      if (at < free || at + wide > width) continue;
      marks.push({ x: at, text });
      free = at + Math.max(apart, wide);
    }
  }
  return marks;
}
