// Silent-fail, for hook scripts: a default, and the reason on request.

import { library } from 'milepost:library';

/** @type {Error | null} */
let last = null;

/**
 * Why the latest silent-fail call failed; null when it did not.
 *
 * @returns {Error | null}
 */
export function lastError() {
  return last;
}

/**
 * Runs an action; a failure is reported in one line and answered with a default.
 *
 * @template T
 * @param {T} otherwise
 * @param {() => T} action
 * @returns {T}
 */
export function silently(otherwise, action) {
  try {
    const value = action();
    last = null;
    return value;
  } catch (thrown) {
    last = library().reportThrown(thrown);
    return otherwise;
  }
}
