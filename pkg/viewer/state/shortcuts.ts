// The keys: one table, which the help shows. A view says what an action does while it is there.

import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

import { readPreference, savePreference } from './preference';

export type Group = 'Move' | 'Look' | 'Compare' | 'Go to' | 'Page';

export interface Shortcut {
  /** As `KeyboardEvent.key` has it; two with a space between are pressed one after the other. */
  keys: string[];
  action: string;
  text: string;
  group: Group;
}

export const SHORTCUTS = [
  { keys: ['j', 'ArrowDown'], action: 'next', text: 'Next row', group: 'Move' },
  { keys: ['k', 'ArrowUp'], action: 'previous', text: 'Previous row', group: 'Move' },
  { keys: ['Home'], action: 'first', text: 'First row', group: 'Move' },
  { keys: ['End'], action: 'last', text: 'Last row', group: 'Move' },
  { keys: ['Enter'], action: 'open', text: 'Open', group: 'Move' },
  { keys: ['Escape'], action: 'back', text: 'Back, or close', group: 'Move' },
  { keys: ['/'], action: 'search', text: 'Search', group: 'Look' },
  { keys: ['f'], action: 'facets', text: 'Filters', group: 'Look' },
  { keys: ['['], action: 'older', text: 'Previous revision', group: 'Look' },
  { keys: [']'], action: 'newer', text: 'Next revision', group: 'Look' },
  { keys: ['x'], action: 'pick', text: 'Pick as A or B, or clear', group: 'Compare' },
  { keys: ['d'], action: 'compare', text: 'Compare A with B', group: 'Compare' },
  { keys: ['n'], action: 'next-change', text: 'Next change', group: 'Compare' },
  { keys: ['p'], action: 'previous-change', text: 'Previous change', group: 'Compare' },
  { keys: ['s'], action: 'swap', text: 'Swap A and B', group: 'Compare' },
  { keys: ['g l'], action: 'go-overview', text: 'All runs', group: 'Go to' },
  { keys: ['g t'], action: 'go-timeline', text: 'Timeline', group: 'Go to' },
  { keys: ['g r'], action: 'go-revision', text: 'Revision', group: 'Go to' },
  { keys: ['g c'], action: 'go-compare', text: 'Compare', group: 'Go to' },
  { keys: ['g b'], action: 'go-blame', text: 'Blame', group: 'Go to' },
  { keys: ['g s'], action: 'go-sessions', text: 'Snapshots', group: 'Go to' },
  { keys: ['g k'], action: 'go-tasks', text: 'Tasks', group: 'Go to' },
  { keys: ['g h'], action: 'go-threads', text: 'Threads', group: 'Go to' },
  { keys: ['g d'], action: 'go-doctor', text: 'Doctor', group: 'Go to' },
  { keys: ['c'], action: 'copy-link', text: 'Copy a link to this page', group: 'Page' },
  { keys: ['l'], action: 'live', text: 'Live on or off', group: 'Page' },
  { keys: ['t'], action: 'theme', text: 'Theme: automatic, light, dark', group: 'Page' },
  { keys: ['?'], action: 'help', text: 'These keys', group: 'Page' },
] as const satisfies Shortcut[];

export type Action = (typeof SHORTCUTS)[number]['action'];

/** The work of actions; `false` leaves the key to the browser and to older handlers. */
export type Handlers = Partial<Record<Action, (event: KeyboardEvent) => void | false>>;

/** Actions that lead elsewhere, or take the address along. */
const LEAVING = SHORTCUTS.filter(
  ({ group, action }) => group === 'Go to' || action === 'compare' || action === 'copy-link',
);

/** Does something before an action that leads elsewhere or takes the address along, which is left to its own handler. */
export function beforeLeaving(act: () => void): Handlers {
  const handler = (): false => {
    act();
    return false;
  };
  return Object.fromEntries(LEAVING.map(({ action }) => [action, handler]));
}

/** The newest comes first: a dialog before the view before the page. */
const layers: { current: Handlers }[] = [];

/** Says what actions do as long as the component is there. */
export function useActions(handlers: Handlers): void {
  const layer = useRef(handlers);
  layer.current = handlers;
  useEffect(() => {
    layers.unshift(layer);
    return () => {
      layers.splice(layers.indexOf(layer), 1);
    };
  }, []);
}

const PREFERENCE = 'milepost-single-keys';

/** True if letters alone do something: speech input would press them by chance. */
export const singleKeys = signal(readPreference(PREFERENCE) !== 'off');

export function setSingleKeys(on: boolean): void {
  singleKeys.value = on;
  savePreference(PREFERENCE, on ? 'on' : 'off');
}

/** Longer than this between two keys, and the first does not count. */
const CHORD_MS = 1500;

let begun: { key: string; at: number } | null = null;

/** Listens to the keys of the whole page. */
export function listen(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const action = actionOf(event);
    if (action === null || (action !== 'back' && document.querySelector('dialog[open]') !== null)) return;
    for (const { current } of layers) {
      const handler = current[action];
      if (handler === undefined || handler(event) === false) continue;
      event.preventDefault();
      return;
    }
  });
}

function actionOf(event: KeyboardEvent): Action | null {
  const { key } = event;
  if (isTyping(event.target)) return key === 'Escape' ? 'back' : null;
  if (key.length === 1 && !singleKeys.value) return null;
  const before = begun !== null && event.timeStamp - begun.at < CHORD_MS ? begun.key : null;
  begun = null;
  const pressed = before === null ? key : `${before} ${key}`;
  const found = SHORTCUTS.find(({ keys }) => (keys as readonly string[]).includes(pressed));
  if (found !== undefined) return isUsedThere(event) ? null : found.action;
  if (SHORTCUTS.some(({ keys }) => keys.some((it) => it.startsWith(`${key} `)))) begun = { key, at: event.timeStamp };
  return null;
}

/** A field for text takes all keys but Escape. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button', 'file'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target.isContentEditable;
}

/** Keys that a control has a use for are its own. */
function isUsedThere({ key, target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLSelectElement) return key !== 'Escape';
  if (key === 'Enter') return target.closest('a, button, summary, input') !== null;
  if (target instanceof HTMLInputElement) return target.type === 'radio' && key.startsWith('Arrow');
  return false;
}
