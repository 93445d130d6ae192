const path = require('node:path');

const output = (folder) => ({ path: path.join(__dirname, 'dist', folder) });

module.exports = [
  {
    mode: 'production',
    target: 'node20',
    entry: { esm: './source/server.mjs', cjs: './source/server.cjs' },
    output: output('server'),
  },
  {
    mode: 'production',
    target: 'web',
    entry: { page: './source/page.mjs' },
    // One script, for a page that cannot fetch another one.
    output: { ...output('page'), asyncChunks: false },
    // The wasm and a vocabulary are a megabyte of text each.
    performance: { hints: false },
  },
];
