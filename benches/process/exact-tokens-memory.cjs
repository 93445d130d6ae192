'use strict';

// The bytes of memory that the wasm of exact tokens has, once it has counted in these encodings.
//
//   exact-tokens-memory.cjs ENCODING …

const witness = require('./witness.cjs');
const { countTokens } = require('milepost/exact-tokens');

// As much that has to be merged as makes every table: no such word is a token.
const CONSONANTS = 'bcdfghjklmnpqrstvwxz';
const letter = (number, place) => CONSONANTS[Math.floor(number / CONSONANTS.length ** place) % CONSONANTS.length];
const words = Array.from({ length: 8000 }, (_, at) => `zx${letter(at, 0)}${letter(at, 1)}${letter(at, 2)}qj`);

for (const encoding of process.argv.slice(2)) {
  if (countTokens('hello world', encoding) !== 2) throw new Error('the count is wrong');
  if (countTokens(words.join(' '), encoding) < 2 * words.length) throw new Error('nothing was merged');
}
console.log(witness.memoryBytes());
