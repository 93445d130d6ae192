// What a person is told: one line, in which nothing is hidden.

/**
 * What was thrown as an error with a sentence, which is reported.
 *
 * @param {unknown} thrown
 * @returns {Error}
 */
export function told(thrown) {
  const message = sentence(thrown);
  const isTold = thrown instanceof Error && thrown.message === message;
  const error = isTold ? thrown : new Error(message, { cause: thrown });
  report(error);
  return error;
}

/**
 * What was thrown, as a sentence: whoever throws may throw anything, or nothing.
 *
 * @param {unknown} thrown
 * @returns {string} never empty
 */
export function sentence(thrown) {
  try {
    if (thrown instanceof WebAssembly.RuntimeError) {
      return `WebAssembly stopped (${thrown.message}): it ran out of memory, or there is a bug in milepost`;
    }
  } catch {
    // No WebAssembly here.
  }
  try {
    if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) {
      const { message } = thrown;
      return message ? String(message) : `${thrown} was thrown, without a message`;
    }
    const shown = String(thrown);
    return shown === '' ? 'An empty text was thrown' : `${shown} was thrown, which is no error`;
  } catch {
    return 'Something was thrown that cannot be shown';
  }
}

/**
 * What a terminal acts on, what reorders text, and what nobody sees: shown instead. A variation
 * selector stays as the only one after a character. `src/text.rs` of the core has the same.
 */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<![^\s\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu;

/**
 * One line to standard error.
 *
 * @param {{message: string}} what
 */
export function report({ message }) {
  try {
    console.error(`[milepost] ${visible(message)}`);
  } catch {
    // Nobody listens. The answer and `lastError` still speak.
  }
}

/** @param {string} text */
export function visible(text) {
  return text.replace(
    INVISIBLE,
    (hidden) => `\\u${braced(hidden.codePointAt(0)?.toString(16) ?? '')}`,
  );
}

/** @param {string} digits of a code point: four of them need no braces */
function braced(digits) {
  return digits.length > 4 ? `{${digits}}` : digits.padStart(4, '0');
}
