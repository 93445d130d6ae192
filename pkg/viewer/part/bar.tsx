// The phases of a checkpoint, side by side.

import type { Row } from '../work/protocol';
import { words } from './badge';

const OTHERS = ['in_progress', 'failed', 'pending', 'skipped'] as const;

/** `2 of 5 phases done, 1 failed`: what the bar shows, in words. It is the core that counts. */
export function progressText({ done, total, progress }: Pick<Row, 'done' | 'total' | 'progress'>): string {
  if (total === 0) return 'no phases';
  const others = OTHERS.flatMap((word) => (progress[word] > 0 ? [`${progress[word]} ${words(word)}`] : []));
  return [`${done} of ${total} ${total === 1 ? 'phase' : 'phases'} done`, ...others].join(', ');
}

/** As many as can be distinguished in a row of a list; the words name all. */
const MOST = 24;

export function PhaseBar({ row }: { row: Row }) {
  return (
    <span class="phases" role="img" aria-label={progressText(row)}>
      {row.phases.slice(0, MOST).map(({ name, status }) => (
        <span key={name} class="phase" data-status={status} title={`${name}: ${words(status)}`} />
      ))}
    </span>
  );
}
