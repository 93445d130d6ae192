/** A failure with a stable `code`; see the table in the README. */
export class MilepostError extends Error {
  /**
   * @param {import('../types/index.js').ErrorCode} code
   * @param {string} message
   * @param {import('../types/index.js').ErrorDetails} [more]
   */
  constructor(code, message, { problems = [], fields = [], at, lastGood, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'MilepostError';
    this.code = code;
    this.problems = problems;
    this.fields = fields;
    this.at = at ?? null;
    this.lastGood = lastGood ?? null;
  }
}

/**
 * The check at the door: what the caller passed, against what was expected.
 *
 * @param {string} name of the argument
 * @param {string} expected such as `a string`
 * @param {unknown} value
 */
export function unexpected(name, expected, value) {
  return new MilepostError('usage', `Expected \`${name}\` to be ${expected}, got ${shown(value)}`);
}

/** @param {unknown} value */
function shown(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 40));
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
