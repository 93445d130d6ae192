// Words that catch the eye: a status with its mark, a badge with what it means. Never colour alone.

import type { Badge as BadgeData } from '../work/protocol';

/** The mark before a status, for eyes that do not see its colour. */
const MARKS: Record<string, string> = {
  complete: '✓',
  completed: '✓',
  in_progress: '▸',
  pending: '○',
  failed: '✕',
  corrupt: '!',
  skipped: '–',
  idle: '·',
};

/** `in_progress` as people write it. */
export function words(code: string): string {
  return code.replaceAll('_', ' ');
}

export function Status({ status }: { status: string }) {
  return (
    <span class="status" data-status={status}>
      <span class="mark" aria-hidden="true">
        {MARKS[status] ?? '?'}
      </span>
      {words(status)}
    </span>
  );
}

/** Badges that say that something is wrong; the others are worth knowing. */
const BAD = new Set(['corrupt', 'quarantined', 'conflict', 'unsafe_path', 'unsupported_version', 'vanished']);

export function Badge({ badge: { code, text } }: { badge: BadgeData }) {
  return (
    <span class="badge" data-kind={BAD.has(code) ? 'bad' : 'note'} title={text}>
      {words(code)}
      <span class="unseen">: {text}</span>
    </span>
  );
}

export function Badges({ badges }: { badges: BadgeData[] }) {
  return (
    <>
      {badges.map((badge) => (
        <Badge key={badge.code} badge={badge} />
      ))}
    </>
  );
}
