// Silent-fail, for hook scripts: one line to standard error, a default, and the reason for
// whoever asks.

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
 * Runs an action; a failure is reported and answered with a default.
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
  } catch (error) {
    last = error instanceof Error ? error : new Error(String(error));
    report(last);
    return otherwise;
  }
}

/** Line breaks, escape sequences and bidi controls: shown, never acted on. */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * One line to standard error.
 *
 * @param {{message: string}} what
 */
export function report({ message }) {
  const visible = message.replace(
    INVISIBLE,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  console.error(`[milepost] ${visible}`);
}
