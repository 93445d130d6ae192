// The phases of a checkpoint, side by side.

import { words } from './badge';

const ORDER = ['completed', 'in_progress', 'failed', 'pending', 'skipped'] as const;

/** `2 of 5 phases completed, 1 failed`: what the bar shows, in words. */
export function progressText(phases: { status: string }[]): string {
  if (phases.length === 0) return 'no phases';
  const counts = new Map<string, number>();
  for (const { status } of phases) {
    const word = status === 'complete' ? 'completed' : status;
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const others = ORDER.slice(1).flatMap((word) => (counts.has(word) ? [`${counts.get(word)} ${words(word)}`] : []));
  const noun = phases.length === 1 ? 'phase' : 'phases';
  return [`${counts.get('completed') ?? 0} of ${phases.length} ${noun} completed`, ...others].join(', ');
}

/** As many as can be told apart in a row of a list; the words tell all. */
const MOST = 24;

export function PhaseBar({ phases }: { phases: { name: string; status: string }[] }) {
  return (
    <span class="phases" role="img" aria-label={progressText(phases)}>
      {phases.slice(0, MOST).map(({ name, status }) => (
        <span key={name} class="phase" data-status={status} title={`${name}: ${words(status)}`} />
      ))}
    </span>
  );
}
