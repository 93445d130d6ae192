// A time with its age, for readers; as it is stored, for machines.

import { age, clock, dateTime } from '../state/time';
import type { Time } from '../work/protocol';

/** Its age alone, the time of day before it, or the whole time. Pointed at, it says what it leaves out. */
export function Timestamp({ at, how = 'age' }: { at: Time | null; how?: 'age' | 'clock' | 'whole' }) {
  if (at === null) return <span class="dim">no time</span>;
  const ms = Date.parse(at);
  if (!Number.isFinite(ms)) return <span>{at}</span>;
  return (
    <time dateTime={at} title={how === 'whole' ? at : dateTime(at)}>
      {how === 'age' ? age(ms) : `${(how === 'clock' ? clock : dateTime)(at)} · ${age(ms)}`}
    </time>
  );
}
