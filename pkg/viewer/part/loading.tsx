import { progress } from '../work/client';

/** The progress of the index, while it is not whole. */
export function Loading() {
  const { indexed, total, pending } = progress.value;
  if (pending === 0 || total === 0) return null;
  return (
    <div class="loading">
      <progress max={total} value={indexed} aria-label="Reading runs" />
      <span>
        {indexed} of {total} read
      </span>
    </div>
  );
}
