import { said } from '../state/announce';

/** What is announced, for screen readers alone. */
export function Announcer() {
  return (
    <p class="unseen" role="status">
      {said}
    </p>
  );
}
