// Runs a bundle with what every browser has and nothing more: a script that asks for a file, a
// module or `process` fails.
//
//   node run-page.mjs FILE

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as vm from 'node:vm';

const page = { TextDecoder, TextEncoder, atob, console, crypto, performance };
vm.runInNewContext(fs.readFileSync(process.argv[2], 'utf8'), page, { filename: process.argv[2] });

// Its objects come from another realm.
assert.deepEqual(JSON.parse(JSON.stringify(page.answers)), {
  tokens: 3,
  verdict: {
    valid: false,
    tokenCount: 3,
    limit: 2,
    error: 'Context summary exceeds 2 token limit (actual: 3 tokens)',
  },
  load: { isMilepostError: true, code: 'io' },
  resume: { phase: null, phaseSummary: null, summary: 'planned', alongside: [] },
  name: { isMilepostError: true, code: 'invalid_name' },
  early: 'usage',
  estimate: 4,
});
assert.equal(await page.later, 6);
