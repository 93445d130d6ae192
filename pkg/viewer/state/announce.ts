// The text for a screen reader when something has changed that it does not stand on.

import { signal } from '@preact/signals';

export const said = signal('');

/** While the user types, nothing is said. */
const PAUSE_MS = 400;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Says a sentence, once nothing newer has come for a moment. */
export function announce(sentence: string): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    said.value = sentence;
  }, PAUSE_MS);
}
