'use strict';

// The time that a fresh process waits for `require`, and for its first call or calls. Timed from inside,
// so that the start of Node itself is not in it.
//
//   start.cjs ENTRY CALL[, CALL]

const CALLS = {
  countTokens: (entry) => entry.countTokens('hello world') === 2,
  getResumePoint: (entry) => entry.getResumePoint('implement').phase !== null,
  updatePhase: ({ updatePhase }) => updatePhase('implement', 'writer', { status: 'in_progress' }),
};

const [, , name, call] = process.argv;
const calls = call.split(', ');
const begun = process.hrtime.bigint();
const entry = require(name);
const required = process.hrtime.bigint();
const answered = calls.every((call) => CALLS[call](entry));
const called = process.hrtime.bigint();

if (!answered) throw new Error(`${call} of ${name} did not do its work`);
const milliseconds = (from, to) => Number(to - from) / 1e6;
const times = { required: milliseconds(begun, required), called: milliseconds(begun, called) };
console.log(JSON.stringify(times));
