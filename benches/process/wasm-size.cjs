'use strict';

// The wasm behind one entry of the package: its size, and its size after gzip.

const { gzipSync } = require('node:zlib');
const witness = require('./witness.cjs');

const { countTokens, getResumePoint } = require(process.argv[2]);
if (countTokens) countTokens('hello world');
else getResumePoint('implement');

const modules = witness.modules();
if (modules.length === 0) throw new Error('the first call compiled no wasm');
const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);
console.log(
  JSON.stringify({
    raw: sum(modules.map((bytes) => bytes.length)),
    gzip: sum(modules.map((bytes) => gzipSync(bytes, { level: 9 }).length)),
  }),
);
