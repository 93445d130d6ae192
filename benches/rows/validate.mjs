// From the text of a 12 KB checkpoint to a verdict: parsed, every rule, every summary.

import { alternate } from '../measure.mjs';
import { fasterThan } from '../report.mjs';
import { largeCheckpointText } from '../sample.mjs';

export const name = 'validate';
const PLAN = { rounds: 400, warmups: 100 };
// One validation takes tens of microseconds: too short for a clock on its own.
const BATCH = 20;
// Beside the schema, because ajv counts code points one by one: slower than the peer need be.
const MAX_SUMMARY_UNITS = 65_536;

/** @param {import('../fixture.mjs').Fixture} fixture */
export function measure(fixture) {
  const { validateCheckpoint } = fixture.require('milepost');
  const contestants = {
    ours: (text) => validateCheckpoint(text).valid,
    peer: plainValidator(fixture),
  };
  for (const [judge, isValid] of Object.entries(contestants)) expectRules(judge, isValid);

  const text = largeCheckpointText();
  const samples = alternate(
    PLAN,
    Object.fromEntries(
      Object.entries(contestants).map(([judge, isValid]) => [judge, batch(isValid, text)]),
    ),
  );
  return [
    fasterThan({
      what: `parse, all rules, summaries of a ${Math.round(text.length / 1000)} KB checkpoint`,
      peerName: 'JSON.parse, ajv, split',
      ours: samples.ours,
      peer: samples.peer,
      atLeast: 1.6,
      aim: 2.5,
    }),
  ];
}

function batch(isValid, text) {
  return () => {
    const begun = process.hrtime.bigint();
    for (let time = 0; time < BATCH; time++) isValid(text);
    return Number(process.hrtime.bigint() - begun) / 1e6 / BATCH;
  };
}

function plainValidator(fixture) {
  const Ajv = fixture.require('ajv/dist/2020').default;
  const schema = fixture.require(fixture.plain('checkpoint.schema.json'));
  const { validateContextSummary } = fixture.require(fixture.plain('token-counter.cjs'));
  const satisfiesSchema = new Ajv({ allErrors: true }).compile(schema);
  return (text) => {
    const checkpoint = JSON.parse(text);
    if (!satisfiesSchema(checkpoint)) return false;
    return [checkpoint.state, ...Object.values(checkpoint.phases)]
      .map((holder) => holder.context_summary)
      .filter((summary) => summary !== undefined)
      .every(
        (summary) => summary.length <= MAX_SUMMARY_UNITS && validateContextSummary(summary).valid,
      );
  };
}

// A validator that lets everything through would win.
function expectRules(judge, isValid) {
  const altered = (change) => {
    const checkpoint = JSON.parse(largeCheckpointText());
    change(checkpoint);
    return JSON.stringify(checkpoint);
  };
  const cases = [
    [true, () => {}],
    [false, (checkpoint) => (checkpoint.phases.design.status = 'done')],
    [false, (checkpoint) => (checkpoint.version = 2)],
    [false, (checkpoint) => (checkpoint.updated_at = 'yesterday')],
    [false, (checkpoint) => (checkpoint.phases.design.files_created = [1])],
    [false, (checkpoint) => (checkpoint.phases.design.context_summary = 'word '.repeat(501))],
  ];
  for (const [expected, change] of cases) {
    if (isValid(altered(change)) !== expected) {
      throw new Error(`${judge} judges wrongly: ${change} should be ${expected}`);
    }
  }
}
