// The page's own reactions to keys.

import { signal } from '@preact/signals';

import { copy } from '../part/copy';
import { source, send } from '../work/client';
import { START, address, back, go, href } from './address';
import { announce } from './announce';
import type { Handlers } from './shortcuts';
import { comparison, pickQuery } from './picks';
import { nextTheme, theme } from './theme';

export const helpIsOpen = signal(false);

/** A hosted page shows what can be opened, though something is open. */
export const isChoosing = signal(false);

/** The checkpoint that is looked at: the view's own one, or the selected row of a list. */
export const selectedKey = signal<string | null>(null);

function goTo(view: string): void {
  go(href(view, null, pickQuery()));
}

/** To a view of one checkpoint: of the one that is looked at. */
function goToOne(view: string): void {
  const key = address.value.key ?? selectedKey.value;
  if (key === null) announce('Select a run first');
  else go(href(view, key, pickQuery()));
}

export function compare(): void {
  const to = comparison();
  if (to === null) announce('Pick two versions with x first');
  else go(to);
}

export function toggleLive(): void {
  const { connection } = source.value;
  if (connection !== 'live' && connection !== 'still') return;
  const on = connection === 'still';
  send({ do: 'live', on });
  announce(on ? 'Live: changes are shown as they come' : 'Not live: changes are not shown');
}

export async function copyLink(): Promise<void> {
  announce((await copy(location.href)) ? 'The link to this page is copied' : 'The link could not be copied');
}

export const pageActions: Handlers = {
  'go-overview': () => goTo('overview'),
  'go-sessions': () => goTo('sessions'),
  'go-tasks': () => goTo('tasks'),
  'go-threads': () => goTo('threads'),
  'go-doctor': () => goTo('doctor'),
  'go-compare': () => goTo('compare'),
  'go-timeline': () => goToOne('timeline'),
  'go-revision': () => goToOne('revision'),
  'go-blame': () => goToOne('blame'),
  compare,
  live: toggleLive,
  'copy-link': () => void copyLink(),
  theme() {
    nextTheme();
    announce(`Theme: ${theme.value === 'auto' ? 'as the system has it' : theme.value}`);
  },
  help() {
    helpIsOpen.value = true;
  },
  back() {
    if (isChoosing.value) isChoosing.value = false;
    else if (address.value.view !== START) back();
    else return false;
    return undefined;
  },
};
