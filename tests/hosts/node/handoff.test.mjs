import assert from 'node:assert/strict';
import test from 'node:test';
import { checkHandoffRequest, checkHandoffResponse } from 'milepost';

const LONG = 'word '.repeat(501);

test('a request needs a mode', () => {
  assert.equal(checkHandoffRequest({ mode: 'plan', context: {} }).valid, true);
  const { valid, problems } = checkHandoffRequest('{"context":{}}');
  assert.equal(valid, false);
  assert.deepEqual(problems.map(({ at }) => at), ['/mode']);
});

test('the former name of the previous summary is settled, with a warning', () => {
  const request = { mode: 'code', context: { previous_findings: 'known' } };
  const { valid, warnings, document } = checkHandoffRequest(request);
  assert.equal(valid, true);
  assert.deepEqual(warnings.map(({ code }) => code), ['legacy_name']);
  assert.equal(document.context.previous_summary, 'known');
});

test('the caller chooses what becomes of a long summary', () => {
  const response = { context_summary: LONG };
  assert.equal(checkHandoffResponse(response).valid, false);
  assert.equal(checkHandoffResponse(response, 'warn').document.context_summary, LONG);
  const { document } = checkHandoffResponse(response, 'truncate');
  assert.equal(document.context_summary.split(' ').length, 500);
});

test('an invalid handoff throws usage', () => {
  assert.throws(() => checkHandoffResponse({}, 'cut'), { code: 'usage' });
  assert.throws(() => checkHandoffRequest(null), { code: 'usage' });
  assert.throws(() => checkHandoffRequest('{ torn'), { code: 'usage' });
});
