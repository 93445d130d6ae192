'use strict';

// How many bytes of memory the wasm of exact tokens has, once it has counted in these encodings.
//
//   exact-tokens-memory.cjs ENCODING …

const witness = require('./witness.cjs');
const { countTokens } = require('milepost/exact-tokens');

for (const encoding of process.argv.slice(2)) {
  if (countTokens('hello world', encoding) !== 2) throw new Error('the count is wrong');
}
console.log(witness.memoryBytes());
