// The placeholder for a missing view, with what to do about it.

import { program, shape } from '../state/shape';
import { source } from '../work/client';

export function Unavailable() {
  const { connection, trouble } = source.value;
  return (
    <section class="notice" role="alert">
      <h1>{connection === 'locked' ? 'This page is not let in' : 'The viewer could not start'}</h1>
      <p>{trouble}</p>
      {shape === 'server' ? (
        <p>
          Open the address that <code>{program} view</code> printed in the terminal: its link is good once. Or run{' '}
          <code>{program} view</code> again.
        </p>
      ) : (
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
      )}
    </section>
  );
}
