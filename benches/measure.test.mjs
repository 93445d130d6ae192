// The sources of the numbers: the processes that are timed, and what is read from reports.

import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import { compiledIn, instructionsIn } from './cost.mjs';
import { alternate, runNode } from './measure.mjs';
import { addedTo, timesItsTime } from './report.mjs';

/** @param {number} median */
const sample = (median) => ({ median, low: median, high: median, least: median, runs: 1 });

test("a bundle of certificates in the user's environment is not loaded by a process that is timed", (t) => {
  process.env.NODE_EXTRA_CA_CERTS = '/etc/ssl/certs/ca-certificates.crt';
  t.after(() => delete process.env.NODE_EXTRA_CA_CERTS);
  const seen = runNode(['-p', 'process.env.NODE_EXTRA_CA_CERTS'], os.tmpdir());
  assert.equal(seen.trim(), 'undefined');
});

test('contestants take turns, and none always follows the same other one', () => {
  const order = [];
  const enter = (name) => () => (order.push(name), 1);
  const samples = alternate({ rounds: 2, warmups: 1 }, { a: enter('a'), b: enter('b'), c: enter('c') });
  assert.equal(order.join(''), 'abcbcacab');
  assert.equal(samples.a.runs, 2, 'warm-up rounds do not count');
});

test('what a process adds to a bare one is judged apart from its share of the time', () => {
  const added = addedTo({ what: '', peerName: '', ours: sample(40), peer: sample(27), atMost: 14 });
  assert.match(added.ours, /^\+13\.0 ms \(least \+13\.0\), in all 40\.0 ms/);
  assert.equal(added.verdict, 'reached');
  const limits = { atMost: 1.25, aim: 1.1 };
  const share = timesItsTime({ what: '', peerName: '', ours: sample(40), peer: sample(27), ...limits });
  assert.equal(share.verdict, 'missed');
  assert.equal(share.target, 'at most 1.25 times; aim 1.1');
});

test('a function that was compiled twice, or by the optimising compiler, is counted once', () => {
  const line = (number, compiler, bytes) =>
    `Compiled function 0x1#${number} using ${compiler}, took 0 ms and 9 bytes; bodysize ${bytes} codesize 7\n`;
  const trace = [line(1, 'Liftoff', 100), line(1, 'TurboFan', 100), line(2, 'Liftoff', 20)].join('');
  assert.deepEqual(compiledIn(trace + line(2, 'Liftoff', 20)), { bytes: 120, functions: 2 });
  assert.throws(() => compiledIn('nothing'), /no compiled function/);
});

test('the instructions of a process are those that callgrind collected', () => {
  assert.equal(instructionsIn('==7== Events    : Ir\n==7== Collected : 127000000\n'), 127_000_000);
  assert.throws(() => instructionsIn('killed'), /counted nothing/);
});
