// A button that copies a text, and says that it did.

import { useState } from 'preact/hooks';

import { announce } from '../state/announce';

/** The time that the button says what it did, in ms. */
const SAID_MS = 1600;

/** Copies a text where the browser lets pages do that; the page of a file is let by a selection alone. */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

function copySelected(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'unseen';
  document.body.append(field);
  const before = document.activeElement;
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

/** @param what is copied, as the end of "Copy …" */
export function CopyButton({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) {
  const [said, setSaid] = useState<string | null>(null);
  const onClick = async () => {
    const outcome = (await copy(text)) ? 'Copied' : 'Could not copy';
    setSaid(outcome);
    announce(`${outcome} ${what}`);
    setTimeout(() => setSaid(null), SAID_MS);
  };
  return (
    <button type="button" class="quiet" aria-label={`${label} ${what}`} onClick={() => void onClick()}>
      {said ?? label}
    </button>
  );
}
