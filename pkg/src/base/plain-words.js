// The part of a message that holds no secret and hides nothing, for where no core is there to look through it.

/** A word of letters, with the punctuation of a sentence around it, or a path of such words. */
const PLAIN = /^[`'(./-]*[A-Za-z]{1,20}(?:[./()-]+[A-Za-z]{1,20})*[`'(),.:;]*$/;

/** The punctuation of a sentence behind a word. */
const END = /[,.:;]*$/;

/**
 * Returns a message with `?` in place of each word that is not plain.
 *
 * @param {string} message
 */
export function plainWords(message) {
  return message
    .split(' ')
    .map((word) => (PLAIN.test(word) ? word : `?${END.exec(word)?.[0] ?? ''}`))
    .join(' ');
}
