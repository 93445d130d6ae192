// Following a checkpoint: what it is now, then each state that is seen after that.

import * as check from '../arguments.js';
import { tagOf } from '../../base/brand.js';
import { unexpected } from '../reply.js';

/** The time that a lost notice stays unnoticed, in ms, by default. */
const LOOK_EVERY_MS = 5000;

/** Longer than this no timer runs. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * @template T
 * @param {{listen: (onChange: () => void) => () => void}} host
 * @param {() => Promise<T>} look reads the present state
 * @param {import('../../../types/postgres.js').FollowOptions} [options]
 * @returns {AsyncIterableIterator<T>}
 * @throws {MilepostError} `usage`
 */
export function follow(host, look, options) {
  const { signal, interval = LOOK_EVERY_MS } = /** @type {import('../../../types/postgres.js').FollowOptions} */ (
    check.options('follow', options, ['signal', 'interval'])
  );
  const every = Math.min(check.whole('interval', interval), LONGEST_MS);
  if (signal !== undefined && tagOf(signal) !== 'AbortSignal') {
    throw unexpected('signal', 'an AbortSignal', signal);
  }
  const ending = new AbortController();
  const any = AbortSignal.any([ending.signal, ...(signal ? [signal] : [])]);
  const states = changes(host, look, every, any);
  return {
    next: () => states.next(),
    // A caller that waits for the next state is not kept waiting.
    return: (value) => {
      ending.abort();
      return states.return(value);
    },
    throw: (error) => {
      ending.abort();
      return states.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * @template T
 * @param {{listen: (onChange: () => void) => () => void}} host
 * @param {() => Promise<T>} look
 * @param {number} every so many milliseconds, regardless of notices
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<T, void, undefined>}
 */
async function* changes(host, look, every, signal) {
  let isNotified = false;
  let wake = () => {};
  const notified = () => {
    isNotified = true;
    wake();
  };
  // Before the first look: changes after it bring a notice.
  const endListening = host.listen(notified);
  signal.addEventListener('abort', notified);
  /** @type {string | undefined} */
  let seen;
  try {
    while (!signal.aborted) {
      isNotified = false;
      const state = await looked(look, seen !== undefined);
      if (signal.aborted) return;
      const text = state ? JSON.stringify(state.value) : seen;
      if (state && text !== seen) {
        seen = text;
        yield state.value;
      }
      if (isNotified) continue;
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, every);
        wake = () => resolve(clearTimeout(timer));
      });
    }
  } finally {
    endListening();
    signal.removeEventListener('abort', notified);
  }
}

/**
 * The present state; null where a database that was there is away, which the next look may find again.
 *
 * @template T
 * @param {() => Promise<T>} look
 * @param {boolean} wasThere
 * @returns {Promise<{value: T} | null>}
 */
async function looked(look, wasThere) {
  try {
    return { value: await look() };
  } catch (error) {
    if (wasThere && /** @type {any} */ (error)?.code === 'io') return null;
    throw error;
  }
}
