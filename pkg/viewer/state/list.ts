// The filter and order of the list of checkpoints. It follows the address, and is written into it once
// typing has paused for a moment: browsers count how often a page writes into the history.

import { effect, signal } from '@preact/signals';

import type { Facet, Filter, Key, Sort } from '../work/protocol';
import { START, address, go, href } from './address';

export interface List {
  filter: Filter;
  sort: Sort;
  /** The selected row. */
  key: Key | null;
}

const FACETS: Facet[] = ['command', 'status', 'phase', 'badge'];
const SORTS: Sort[] = ['attention', 'name', 'updated'];
const PAUSE_MS = 250;

export const list = signal<List>(parse(address.value.query));

let timer: ReturnType<typeof setTimeout> | undefined;

/** Back, forward and links: the address says what is shown. */
effect(() => {
  const { view, query } = address.value;
  if (view !== START || timer !== undefined) return;
  const parsed = parse(query);
  if (text(parsed) !== text(list.peek())) list.value = parsed;
});

export function change(changes: Partial<List>): void {
  list.value = { ...list.value, ...changes };
  clearTimeout(timer);
  timer = setTimeout(write, PAUSE_MS);
}

export function filterBy(changes: Partial<Filter>): void {
  change({ filter: { ...list.value.filter, ...changes } });
}

export function toggle(facet: Facet, value: string): void {
  const chosen = list.value.filter[facet] ?? [];
  filterBy({ [facet]: chosen.includes(value) ? chosen.filter((it) => it !== value) : [...chosen, value] });
}

export function clear(): void {
  change({ filter: {} });
}

/** Writes what is shown into the address now, before the page goes elsewhere. */
export function write(): void {
  if (timer === undefined) return;
  clearTimeout(timer);
  timer = undefined;
  if (address.value.view !== START) return;
  const query = new URLSearchParams();
  for (const side of ['a', 'b']) {
    const picked = address.value.query.get(side);
    if (picked !== null) query.set(side, picked);
  }
  for (const [name, value] of pairs(list.value)) query.append(name, value);
  go(href(START, null, query), 'replace');
}

// A click anywhere on the page may lead elsewhere.
document.addEventListener('click', write, true);

/** Returns whether anything is hidden. */
export function isFiltered({ filter }: List): boolean {
  return pairs({ filter, sort: 'attention', key: null }).length > 0;
}

/** The filter for the core: without what filters nothing. */
export function activeFilter({ filter }: List): Filter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value != null && value.length > 0));
}

function pairs({ filter, sort, key }: List): [string, string][] {
  const entries: [string, string][] = [];
  if (filter.text) entries.push(['q', filter.text]);
  for (const facet of FACETS) for (const value of filter[facet] ?? []) entries.push([facet, value]);
  if (filter.file) entries.push(['file', filter.file]);
  if (filter.after) entries.push(['after', filter.after]);
  if (filter.before) entries.push(['before', filter.before]);
  if (sort !== 'attention') entries.push(['sort', sort]);
  if (key !== null) entries.push(['at', key]);
  return entries;
}

function text(list: List): string {
  return new URLSearchParams(pairs(list)).toString();
}

function parse(query: URLSearchParams): List {
  const filter: Filter = {};
  const words = query.get('q');
  if (words) filter.text = words;
  for (const facet of FACETS) {
    const values = query.getAll(facet);
    if (values.length > 0) filter[facet] = values;
  }
  for (const name of ['file', 'after', 'before'] as const) {
    const value = query.get(name);
    if (value) filter[name] = value;
  }
  const sort = SORTS.find((it) => it === query.get('sort')) ?? 'attention';
  return { filter, sort, key: query.get('at') };
}
