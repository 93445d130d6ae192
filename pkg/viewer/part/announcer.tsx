import { said } from '../state/announce';

/** The announcement, for screen readers alone. */
export function Announcer() {
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  );
}
