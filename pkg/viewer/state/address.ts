// The address of the page: all of it stands in the fragment, so that a link holds view, selection, filter and pair.

import { signal } from '@preact/signals';

import type { Key, VersionRef } from '../work/protocol';

export interface Address {
  /** The name of a view. */
  view: string;
  /** The object of the view, where it shows one thing. */
  key: Key | null;
  query: URLSearchParams;
}

export const START = 'overview';

/** `#/timeline/c%2Fdesign?at=3`; anything else is the overview. */
export function parse(fragment: string): Address {
  const [path = '', query = ''] = split(fragment.replace(/^#\/?/, ''), '?');
  const [view = '', key = ''] = split(path, '/');
  return { view: view || START, key: key === '' ? null : decoded(key), query: new URLSearchParams(query) };
}

/** The fragment of an address; `parse` of it is that address. */
export function href(view: string, key: Key | null = null, query: Record<string, string> | URLSearchParams = {}): string {
  const path = key === null ? view : `${view}/${encodeURIComponent(key)}`;
  const text = new URLSearchParams(query).toString();
  return text === '' ? `#/${path}` : `#/${path}?${text}`;
}

/** The beginning of the local server's link: it is no address of the page. */
export const TOKEN = '#token=';

const here = (): string => (location.hash.startsWith(TOKEN) ? '' : location.hash);

export const address = signal<Address>(parse(here()));

window.addEventListener('hashchange', () => {
  // The link of another server was opened in the page of this one.
  if (location.hash.startsWith(TOKEN)) location.reload();
  else address.value = parse(location.hash);
});

/** The address that the page was opened at: entries before it are not of this page. */
const first = location.hash;

/** Back to the last view; to the list, where the user came from elsewhere. */
export function back(): void {
  if (location.hash === first) go(href(START));
  else history.back();
}

export type Step = 'push' | 'replace';

/** Goes to an address: as a new one, or in place of the present one, which "back" then does not know. */
export function go(to: string, step: Step = 'push'): void {
  if (to === location.hash) return;
  if (step === 'replace') {
    history.replaceState(history.state, '', to);
    address.value = parse(to);
    return;
  }
  location.hash = to;
}

/** The address of this view with other values in its query; `null` takes one away. */
export function withQuery(changes: Record<string, string | null>): string {
  const { view, key, query } = address.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  }
  return href(view, key, next);
}

/** A version as one word of a query: `c/design@3`, without a number the present one. */
export function formatVersion({ key, revision }: VersionRef): string {
  return revision === null ? key : `${key}@${revision}`;
}

export function parseVersion(text: string | null): VersionRef | null {
  if (text === null || text === '') return null;
  const match = /^(.*)@(\d{1,15})$/s.exec(text);
  if (match === null) return { key: text, revision: null };
  return { key: match[1] ?? '', revision: Number(match[2]) };
}

/** Before and after the first separator. */
function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** A link that was cut in the middle of a sign is still a link. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
