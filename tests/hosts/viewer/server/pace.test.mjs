// The pace at which the copy of a database follows it, on a clock of the test.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import test from 'node:test';

// In the clone, or in its `target/milepost/project`, where these tests run on a copy.
const places = ['../../../../', '../../../../../../../'].map((up) => new URL(`${up}pkg/src/verb/view/pace.js`, import.meta.url));
const source = fs.readFileSync(places.find((place) => fs.existsSync(place)), 'utf8');
const { Pace } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

test('a database that is away is left alone for a while, and asked again after it', () => {
  const pace = new Pace();
  assert.equal(pace.mayAsk(0), true);
  pace.failed(5_000);
  assert.equal(pace.mayAsk(6_000), false);
  assert.equal(pace.mayAsk(34_999), false);
  assert.equal(pace.mayAsk(35_000), true);
});

test('announced changes are read together, and without one the copy is refreshed seldom', () => {
  const pace = new Pace();
  assert.equal(pace.isDue(0, false), true);
  pace.refreshed(1_000);
  assert.equal(pace.isDue(2_000, true), false);
  assert.equal(pace.isDue(4_000, true), true);
  assert.equal(pace.isDue(30_000, false), false);
  assert.equal(pace.isDue(31_000, false), true);
});
