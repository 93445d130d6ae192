// Estimates for models whose tokenizer is not public: from what their makers say, and never without saying so.

import * as check from '../../client/arguments.js';

/** @typedef {import('../../../types/exact-tokens.js').Family} Family */

/**
 * @type {Record<Family, {characters: number, calibration: string}>}
 */
const FAMILIES = {
  claude: {
    characters: 2.5,
    calibration:
      'Anthropic, models overview: 1M tokens is roughly 2.5M Unicode characters on the tokenizer introduced with ' +
      'Claude Opus 4.7; code and languages other than English differ. Not measured by Milepost',
  },
  'claude-4.6': {
    characters: 3.5,
    calibration:
      'Anthropic, glossary: a token is approximately 3.5 English characters; for Claude up to Opus 4.6 and models of ' +
      'its time, and other languages differ. Not measured by Milepost',
  },
  gemini: {
    characters: 4,
    calibration:
      'Google, Gemini API on tokens: a token is equivalent to about 4 characters; code and languages other than ' +
      'English differ. Not measured by Milepost',
  },
};

/** @type {typeof import('../../../types/exact-tokens.js').estimate} */
export function estimate(text, family) {
  const known = /** @type {Family[]} */ (Object.keys(FAMILIES));
  const { characters, calibration } = FAMILIES[check.choice('family', family, known)];
  const tokens = Math.ceil(charactersOf(check.text('text', text)) / characters);
  return { tokens, isEstimate: true, calibration };
}

/**
 * Characters of Unicode: a surrogate pair is one.
 *
 * @param {string} text
 */
function charactersOf(text) {
  let count = text.length;
  for (let at = 0; at + 1 < text.length; at++) {
    if (/** @type {number} */ (text.codePointAt(at)) > 0xffff) {
      count--;
      at++;
    }
  }
  return count;
}
