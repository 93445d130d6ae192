// OpenAI's Agents SDK with `MilepostSession`: the runs of its own runner, with a model that answers from a list, and
// beside the SDK's session in memory.

import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import test from 'node:test';

import { Agent, MemorySession, Runner, Usage, setTracingDisabled, tool } from '@openai/agents-core';
import { MilepostSession } from 'milepost/session-store';

setTracingDisabled(true);

/** A model that answers with these items, one list a call, and keeps what it was given. */
function modelOf(...answers) {
  const given = [];
  return {
    given,
    async getResponse({ input }) {
      given.push(structuredClone(input));
      return { usage: new Usage(), output: answers.shift() };
    },
    getStreamedResponse() {
      throw new Error('no run of these tests streams');
    },
  };
}

const said = (text) => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const called = (callId, city) => ({
  type: 'function_call',
  name: 'weather',
  callId,
  status: 'completed',
  arguments: JSON.stringify({ city }),
});
const answers = () => [[said('Hello 🚒.')], [called('call-1', 'Łódź')], [said('It rains there.')], [said('Bye.')]];

/** Three runs, the second of which calls a tool; what the model was given, and what the session has then. */
async function runs(sessionOf) {
  const model = modelOf(...answers());
  const weather = tool({
    name: 'weather',
    description: 'The weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false },
    strict: true,
    execute: ({ city }) => ({ city, rain: true }),
  });
  const agent = new Agent({ name: 'clerk', instructions: 'Be short.', model, tools: [weather] });
  for (const text of ['Hi', 'And the weather?', 'Bye']) {
    // Another object each time, as in another process.
    await new Runner().run(agent, text, { session: sessionOf() });
  }
  return { given: model.given, items: await sessionOf().getItems() };
}

/** Ids of the SDK itself, which are made by chance. */
const plain = (value) => JSON.parse(JSON.stringify(value, (key, it) => (key === 'id' ? undefined : it)));

test('a runner goes on with a stored session as with one in memory', async (t) => {
  const inMemory = new MemorySession({ sessionId: 'support' });
  const expected = await runs(() => inMemory);
  assert.equal(expected.items.length, 8);
  const storagePath = fs.mkdtempSync(path.join(os.tmpdir(), 'milepost-session-'));
  t.after(() => fs.rmSync(storagePath, { recursive: true }));
  const found = await runs(() => new MilepostSession({ sessionId: 'support', storagePath }));
  assert.deepEqual(plain(found), plain(expected));
  assert.equal(found.given.at(-1).length, 7);
});

test('a session of the SDK and a stored one answer each call alike', async () => {
  const items = (await runs(((session) => () => session)(new MemorySession()))).items;
  const both = [new MemorySession({ sessionId: 's' }), new MilepostSession({ sessionId: 's' })];
  const steps = [
    (it) => it.getSessionId(),
    (it) => it.popItem(),
    (it) => it.addItems(items.slice(0, 3)),
    (it) => it.getItems(2),
    (it) => it.getItems(0),
    (it) => it.addItems([]),
    (it) => it.addItems(items.slice(3)),
    (it) => it.getItems(),
    (it) => it.popItem(),
    (it) => it.getItems(100),
    (it) => it.clearSession(),
    (it) => it.getItems(),
  ];
  for (const [at, step] of steps.entries()) {
    const [expected, found] = await Promise.all(both.map(step));
    assert.deepEqual(found, expected, `step ${at}`);
  }
});
