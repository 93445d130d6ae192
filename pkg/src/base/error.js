import { isMilepostError } from './brand.js';

/** A failure with a stable `code`; see docs/reference/errors.md. */
export class MilepostError extends Error {
  /**
   * An error of any copy of the package is one: exact tokens are counted by a package of their own. A class that
   * extends this one inherits this method, and has its own instances alone.
   *
   * @param {unknown} value
   * @returns {boolean}
   */
  static [Symbol.hasInstance](value) {
    return this === MilepostError ? isMilepostError(value) : Function.prototype[Symbol.hasInstance].call(this, value);
  }

  /**
   * @param {import('../../types/index.js').ErrorCode} code
   * @param {string} message
   * @param {import('../../types/index.js').ErrorDetails} [more]
   */
  constructor(code, message, more = {}) {
    const { written = 'no', problems = [], fields = [], cause } = more;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'MilepostError';
    this.code = code;
    this.written = written;
    this.problems = problems;
    this.fields = fields;
    this.at = more.at ?? null;
    this.path = more.path ?? null;
    this.effect = more.effect ?? null;
    this.lastGood = more.lastGood ?? null;
    this.advice = more.advice ?? null;
  }
}
