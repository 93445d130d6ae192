// Arguments of a caller in a message. A secret may stand where a name should, so that only short plain words are quoted.

// A digit behind a letter stands in passwords as well: `hunter2`.
const PLAIN = /^(?:[A-Za-z_.-]{1,24}|(?!.*[A-Za-z]\d)[\w.-]{1,7})$/;

/**
 * Returns a text between quotes where it is a plain word, and else another description.
 *
 * @param {string} text
 * @param {string} [otherwise]
 */
export function quote(text, otherwise = `a string of ${text.length} characters`) {
  return PLAIN.test(text) ? `"${text}"` : otherwise;
}

/**
 * Describes an argument.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function describe(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return quote(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
