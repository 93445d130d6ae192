import { visible } from '../../src/base/visible.js';
import type { VersionRef } from '../work/protocol';
import { go, withQuery } from '../state/address';
import { comparison, picks } from '../state/picks';

/** The label of a version: `implement-auth @3`. */
export function versionLabel({ key, revision }: VersionRef): string {
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
export function Picks({ onCompare }: { onCompare: () => void }) {
  const { a, b } = picks.value;
  return (
    <div class="picks" role="group" aria-label="Picked for compare">
      <PickedSide side="A" version={a} />
      <PickedSide side="B" version={b} />
      <button type="button" disabled={comparison() === null} onClick={onCompare} aria-keyshortcuts="d">
        Compare
      </button>
    </div>
  );
}

function PickedSide({ side, version }: { side: 'A' | 'B'; version: VersionRef | null }) {
  if (version === null) return <span class="pick hint">{side}: none yet, pick one with x</span>;
  const text = versionLabel(version);
  return (
    <span class="pick">
      <b>{side}</b> <bdi title={text}>{text}</bdi>
      <button
        type="button"
        class="quiet"
        aria-label={`Clear ${side}, ${text}`}
        onClick={() => go(withQuery({ [side.toLowerCase()]: null }), 'replace')}
      >
        ×
      </button>
    </span>
  );
}
