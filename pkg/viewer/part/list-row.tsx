// A row of a list of snapshots or threads: a link with a name, badges, an age, and a line about it.

import type { ComponentChildren } from 'preact';

import type { Key, Time } from '../work/protocol';
import { Timestamp } from './time';

interface Props {
  href: string;
  /** The key that is picked for compare; absent where the row has no such version. */
  pickKey?: Key;
  name: string;
  badges: ComponentChildren;
  at: Time | null;
  /** The line about it. */
  children: ComponentChildren;
}

export function ListRow({ href, pickKey, name, badges, at, children }: Props) {
  return (
    <a class="session" href={href} data-key={pickKey}>
      <span class="name">{name}</span>
      <span class="badges">{badges}</span>
      <span class="age dim small">
        <Timestamp at={at} />
      </span>
      <span class="about dim small">{children}</span>
    </a>
  );
}
