import { visible } from '../../src/visible.js';
import type { Moment } from '../work/protocol';
import { go, withQuery } from '../state/address';
import { comparison, pins } from '../state/pins';

/** A moment in short: `implement-auth @3`. */
export function momentText({ key, revision }: Moment): string {
  const name = visible(key.replace(/^[cst]\//, '').split('/').map(decoded).join(' / '));
  return revision === null ? name : `${name} @${revision}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The picks for compare, and the button that compares them. */
export function Pins({ onCompare }: { onCompare: () => void }) {
  const { a, b } = pins.value;
  return (
    <div class="pins" role="group" aria-label="Pinned for comparing">
      <Pin side="A" moment={a} />
      <Pin side="B" moment={b} />
      <button type="button" disabled={comparison() === null} onClick={onCompare} aria-keyshortcuts="d">
        Compare
      </button>
    </div>
  );
}

function Pin({ side, moment }: { side: 'A' | 'B'; moment: Moment | null }) {
  if (moment === null) return <span class="pin hint">{side}: none yet, pin it with x</span>;
  const text = momentText(moment);
  return (
    <span class="pin">
      <b>{side}</b> <bdi title={text}>{text}</bdi>
      <button
        type="button"
        class="quiet"
        aria-label={`Let go of ${side}, ${text}`}
        onClick={() => go(withQuery({ [side.toLowerCase()]: null }), 'replace')}
      >
        ×
      </button>
    </span>
  );
}
