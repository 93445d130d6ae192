// The two moments that are pinned for comparing. They stand in the address of every view, as `a` and `b`.

import { computed } from '@preact/signals';

import type { Moment } from '../work/protocol';
import { address, fromMoment, go, href, toMoment, withQuery } from './address';
import { announce } from './announce';

export const pins = computed(() => ({
  a: toMoment(address.value.query.get('a')),
  b: toMoment(address.value.query.get('b')),
}));

/** The letter under which a moment is picked for compare. */
export function pinOf(moment: Moment): 'a' | 'b' | null {
  const text = fromMoment(moment);
  const { query } = address.value;
  if (query.get('a') === text) return 'a';
  return query.get('b') === text ? 'b' : null;
}

/** Pins a moment where there is room, B after A; one that is pinned is let go. A third one takes the place of B. */
export function pin(moment: Moment, title: string): void {
  const text = fromMoment(moment);
  const held = pinOf(moment);
  if (held !== null) {
    go(withQuery({ [held]: null }), 'replace');
    announce(`${title} is not pinned any more`);
    return;
  }
  const side = pins.value.a === null ? 'a' : 'b';
  go(withQuery({ [side]: text }), 'replace');
  announce(`${title} is pinned as ${side.toUpperCase()}`);
}

/** The query that carries the pins along to another view. */
export function pinned(): Record<string, string> {
  const { a, b } = pins.value;
  return { ...(a && { a: fromMoment(a) }), ...(b && { b: fromMoment(b) }) };
}

/** Where the pinned moments are compared; `null` unless both are there. */
export function comparison(): string | null {
  const { a, b } = pins.value;
  return a === null || b === null ? null : href('compare', null, pinned());
}
