// A hosted page takes what is dropped on it at any time.

import { signal } from '@preact/signals';

import { visible } from '../../src/base/visible.js';
import { openDropped } from './opening';
import { isChoosing } from './page';

/** Something is held over the page. */
export const isOver = signal(false);

/** Why what was dropped or chosen could not be read. */
export const trouble = signal<string | null>(null);

/** Says why something could not be opened. */
export async function saying(opening: Promise<unknown>): Promise<void> {
  trouble.value = null;
  try {
    await opening;
  } catch (error) {
    // Said where something else can be opened; what was open stays behind that.
    isChoosing.value = true;
    trouble.value = visible(`This could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export function takeDrops(): void {
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    isOver.value = true;
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) isOver.value = false;
  });
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    isOver.value = false;
    if (event.dataTransfer !== null) void saying(openDropped(event.dataTransfer));
  });
}
