// Arguments of a call against the schema of its tool. What a name may be, and what goes with what, is the core's to
// say.

import { quote } from '../../base/quote.js';
import { unexpected } from '../../client/reply.js';

/** @typedef {import('./shape.js').Shape} Shape */

/** @type {Record<string, {is: (value: any) => boolean, word: string}>} */
const TYPES = {
  string: { is: (value) => typeof value === 'string', word: 'a string' },
  boolean: { is: (value) => typeof value === 'boolean', word: 'true or false' },
  integer: { is: (value) => Number.isSafeInteger(value) && value >= 0, word: 'a whole number, 0 or more' },
  array: { is: Array.isArray, word: 'a list' },
  object: {
    is: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    word: 'an object',
  },
};

/**
 * The arguments without those that are null, which stands for one that was left out.
 *
 * @param {Shape} expected
 * @param {any} given
 * @param {(message: string) => Error} refusal
 * @returns {Record<string, any>}
 */
export function checked(expected, given, refusal) {
  const known = Object.keys(expected.properties);
  /** @type {Record<string, any>} */
  const taken = {};
  for (const [name, value] of Object.entries(given)) {
    if (!known.includes(name)) {
      throw refusal(`There is no argument ${quote(name, 'of that name')}; known are ${known.join(', ') || 'none'}`);
    }
    if (value === null) continue;
    const problem = problemOf(name, expected.properties[name], value);
    if (problem !== undefined) throw refusal(problem);
    taken[name] = value;
  }
  const missing = expected.required?.find((name) => !(name in taken));
  if (missing !== undefined) throw refusal(`The argument \`${missing}\` is missing`);
  return taken;
}

/**
 * @param {string} name
 * @param {any} schema
 * @param {unknown} value
 * @returns {string | undefined}
 */
function problemOf(name, schema, value) {
  const { is, word } = TYPES[schema.type];
  if (!is(value)) return unexpected(name, word, value).message;
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return unexpected(name, `one of ${schema.enum.join(', ')}`, value).message;
  }
  if (!Array.isArray(value)) return undefined;
  const problems = value.map((item, at) => problemOf(`${name}[${at}]`, schema.items, item));
  return problems.find((problem) => problem !== undefined);
}
