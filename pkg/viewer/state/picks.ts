// The two versions that are picked for compare. They are in the address of every view, as `a` and `b`.

import { computed } from '@preact/signals';

import type { VersionRef } from '../work/protocol';
import { address, formatVersion, go, href, parseVersion, withQuery } from './address';
import { announce } from './announce';

export const picks = computed(() => ({
  a: parseVersion(address.value.query.get('a')),
  b: parseVersion(address.value.query.get('b')),
}));

/** The letter under which a version is picked for compare. */
export function pickOf(version: VersionRef): 'a' | 'b' | null {
  const text = formatVersion(version);
  const { query } = address.value;
  if (query.get('a') === text) return 'a';
  return query.get('b') === text ? 'b' : null;
}

/** Picks a version where there is room, B after A; a picked one is cleared. A third one replaces B. */
export function pick(version: VersionRef, title: string): void {
  const text = formatVersion(version);
  const picked = pickOf(version);
  if (picked !== null) {
    go(withQuery({ [picked]: null }), 'replace');
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
  return { ...(a && { a: formatVersion(a) }), ...(b && { b: formatVersion(b) }) };
}

/** The address that compares the picked versions; `null` unless both are there. */
export function comparison(): string | null {
  const { a, b } = picks.value;
  return a === null || b === null ? null : href('compare', null, pickQuery());
}
