// Every view by its name in the address. The list is there from the start; what shows one checkpoint is loaded once the
// list can be used, so that it can be used sooner.

import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';

import type { Key } from '../work/protocol';
import { Overview } from './overview';

export interface View {
  /** Its name in the address. */
  name: string;
  /** In the navigation and the window's title. */
  title: string;
  /** Of one checkpoint, which the address names: only then is it in that one's navigation. */
  of: 'all' | 'one' | 'pair';
}

export type Page = FunctionComponent<{ of: Key | null }>;

/** In the order of the navigation. A view is a file beside this one, its row here, and its page in `pages.ts`. */
export const VIEWS = [
  { name: 'overview', title: 'Runs', of: 'all' },
  { name: 'compare', title: 'Compare', of: 'pair' },
  { name: 'sessions', title: 'Snapshots', of: 'all' },
  { name: 'tasks', title: 'Tasks', of: 'all' },
  { name: 'threads', title: 'Threads', of: 'all' },
  { name: 'doctor', title: 'Doctor', of: 'all' },
  { name: 'timeline', title: 'Timeline', of: 'one' },
  { name: 'revision', title: 'Revision', of: 'one' },
  { name: 'blame', title: 'Blame', of: 'one' },
] as const satisfies View[];

export type Name = (typeof VIEWS)[number]['name'];

const pages = signal<Partial<Record<Name, Page>>>({ overview: Overview });

/** Why the other views could not be loaded. */
export const missing = signal<string | null>(null);

/** The page of a view; `undefined` while that is loaded. */
export function pageOf(name: Name): Page | undefined {
  return pages.value[name];
}

/** Loads what was not loaded at the start: a server that ends later leaves a whole page behind. */
export async function loadPages(): Promise<void> {
  missing.value = null;
  try {
    const { PAGES } = await import('./pages');
    const others: Record<Exclude<Name, 'overview'>, Page> = PAGES;
    pages.value = { ...pages.value, ...others };
  } catch (error) {
    missing.value = error instanceof Error ? error.message : String(error);
  }
}
