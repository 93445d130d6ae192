// The two moments that are picked for compare. They are in the address of every view, as `a` and `b`.

import { computed } from '@preact/signals';

import type { Moment } from '../work/protocol';
import { address, fromMoment, go, href, toMoment, withQuery } from './address';
import { announce } from './announce';

export const picks = computed(() => ({
  a: toMoment(address.value.query.get('a')),
  b: toMoment(address.value.query.get('b')),
}));

/** The letter under which a moment is picked for compare. */
export function pickOf(moment: Moment): 'a' | 'b' | null {
  const text = fromMoment(moment);
  const { query } = address.value;
  if (query.get('a') === text) return 'a';
  return query.get('b') === text ? 'b' : null;
}

/** Picks a moment where there is room, B after A; a picked one is cleared. A third one replaces B. */
export function pick(moment: Moment, title: string): void {
  const text = fromMoment(moment);
  const held = pickOf(moment);
  if (held !== null) {
    go(withQuery({ [held]: null }), 'replace');
    announce(`${title} is no longer picked`);
    return;
  }
  const side = picks.value.a === null ? 'a' : 'b';
  go(withQuery({ [side]: text }), 'replace');
  announce(`${title} is picked as ${side.toUpperCase()}`);
}

/** The query that carries the picks along to another view. */
export function pickQuery(): Record<string, string> {
  const { a, b } = picks.value;
  return { ...(a && { a: fromMoment(a) }), ...(b && { b: fromMoment(b) }) };
}

/** Where the picked moments are compared; `null` unless both are there. */
export function comparison(): string | null {
  const { a, b } = picks.value;
  return a === null || b === null ? null : href('compare', null, pickQuery());
}
