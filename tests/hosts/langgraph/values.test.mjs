// Values of channels: bytes, those that are refused, and the classes that are revived.

import * as fs from 'node:fs';
import { runInNewContext } from 'node:vm';

import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { PromptTemplate } from '@langchain/core/prompts';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { JsonPlusSerializer, emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { MilepostSaver } from 'milepost/langgraph';
import { expect, it, vi } from 'vitest';

import { folder } from './savers.mjs';

const config = { configurable: { thread_id: 'thread', checkpoint_ns: '' } };
const metadata = { source: 'loop', step: 0, parents: {} };

/** A checkpoint with one value, or without one. */
function checkpoint(...values) {
  const [value] = values;
  const channels = values.length === 0 ? {} : { value };
  return { ...emptyCheckpoint(), id: uuid6(0), channel_values: channels, channel_versions: { value: 1 } };
}

const put = (saver, value, more = {}) =>
  saver.put(config, checkpoint(value), { ...metadata, ...more }, { value: 1 });

const valueIn = async (saver) => (await saver.getTuple(config)).checkpoint.channel_values.value;

/** Returns what a saver makes of a value. */
async function carried(value, options) {
  const saver = new MilepostSaver(options);
  await put(saver, value);
  return valueIn(saver);
}

const prompt = () => new PromptTemplate({ template: 'one {two}', inputVariables: ['two'] });
const circular = { list: [] };
circular.list.push(circular);

const symbol = Symbol('s');
const { proxy, revoke } = Proxy.revocable({}, {});
revoke();

const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7) & 255);

it('bytes come back unchanged, also within a value and from a Buffer', async () => {
  for (const value of [bytes, bytes.subarray(3, 8), new Uint8Array()]) {
    expect(await carried(value)).toEqual(value);
  }
  const buffer = Buffer.from(bytes);
  expect(await carried(buffer)).toEqual(bytes);
  const found = await carried({ bytes, list: [buffer], map: new Map([['part', bytes.subarray(9, 99)]]) });
  expect(found).toEqual({ bytes, list: [bytes], map: new Map([['part', bytes.subarray(9, 99)]]) });
});

it('bytes of a subclass and of another realm come back as bytes', async () => {
  class Own extends Uint8Array {}
  const of = [Own.of(1, 255), runInNewContext('Uint8Array.of(1, 255)'), Buffer.from([1, 255])];
  for (const value of of) {
    expect(await carried(value)).toEqual(Uint8Array.of(1, 255));
    expect(await carried({ value: [value] })).toEqual({ value: [Uint8Array.of(1, 255)] });
  }
});

it('bytes within a value take a third more than they are', async () => {
  const saver = new MilepostSaver();
  const [, text] = await saver.serde.dumpsTyped({ bytes });
  expect(text.length).toBeLessThan(bytes.length * 1.34 + 200);
});

it('bytes that LangGraph wrote as a list of numbers are read', async () => {
  const [kind, text] = await new JsonPlusSerializer().dumpsTyped({ bytes });
  expect(await new MilepostSaver().serde.loadsTyped(kind, text)).toEqual({ bytes });
});

it('bytes are those at the time of the put', async () => {
  const saver = new MilepostSaver();
  for (const text of ['ab', '\u00ff\u00fe']) {
    const value = Uint8Array.from(text, (it) => it.charCodeAt(0));
    const before = value.slice();
    const putting = put(saver, value);
    await Promise.resolve();
    await putting;
    value.fill(0);
    expect(await valueIn(saver)).toEqual(before);
  }
});

it('bytes are decoded without a list of numbers in between', async () => {
  const saver = new MilepostSaver();
  await put(saver, bytes);
  const lists = [vi.spyOn(Uint8Array, 'from'), vi.spyOn(Array, 'from'), vi.spyOn(globalThis, 'atob')];
  try {
    expect(await valueIn(saver)).toEqual(bytes);
    const lengths = lists.flatMap(({ mock }) => mock.calls.map(([from]) => from?.length ?? Infinity));
    expect(Math.max(0, ...lengths)).toBeLessThan(1000);
  } finally {
    for (const list of lists) list.mockRestore();
  }
});

// More than the elements that an array may have.
if (process.env.MILEPOST_TEST_RANGE === 'all') {
  it('150 MB of bytes are read back from files', async () => {
    const storagePath = folder();
    const value = new Uint8Array(150_000_000).fill(255);
    const found = await carried(value, { storagePath });
    expect(Buffer.compare(found, value)).toBe(0);
    fs.rmSync(storagePath, { recursive: true });
  }, 120_000);
}

it('texts are those of LangGraph, so that its own saver and this one agree', async () => {
  const message = new AIMessage({
    content: 'é',
    tool_calls: [{ name: 'look', args: { at: 1, lc: 2 }, id: '1' }],
    additional_kwargs: { some_key: { lc: 1, other: 2 }, none: undefined },
  });
  const values = [
    ...[null, undefined, 1, 'x', [undefined, 1], { none: undefined, list: [1, { is: true }] }],
    ...[new Set([1, { two: 2 }]), new Map([['a', new Map([[1, 2]])]]), /a.b/gi, new Error('no'), new Date(0)],
    ...[message, [message, new HumanMessage('?')], { lg_name: 'Send', node: 'next', args: { at: 1 } }],
  ];
  const [ours, theirs] = [new MilepostSaver().serde, new JsonPlusSerializer()];
  for (const value of values) {
    const [kind, text] = await ours.dumpsTyped(value);
    const [, expected] = await theirs.dumpsTyped(value);
    expect(new TextDecoder().decode(text)).toBe(new TextDecoder().decode(expected));
    expect(await ours.loadsTyped(kind, text)).toEqual(await theirs.loadsTyped(kind, text));
  }
});

it.each([
  ['a BigInt', 10n, '', 'a bigint'],
  ['a BigInt within', { list: [1, { at: 10n }] }, '/list/1/at', 'a bigint'],
  ['a function', { 'a/b': () => 1 }, '/a~1b', 'a function'],
  ['a symbol', [Symbol('a')], '/0', 'a symbol'],
  ['NaN', { at: NaN }, '/at', 'NaN'],
  ['a cycle', circular, '/list/0', 'an object that it is in'],
  ['floats', { at: new Float64Array(1) }, '/at', 'an object of the kind Float64Array'],
  ['a promise', { at: Promise.resolve() }, '/at', 'an object of the kind Promise'],
  ['a generator', { at: (function* () {})() }, '/at', 'an object of the kind Generator'],
  ['a blob', { at: [new Blob(['a'])] }, '/at/0', 'an object of the kind Blob'],
  ['a BigInt of another realm in a Map', runInNewContext('new Map([["a", 1n]])'), '/0/1', 'a bigint'],
  ['a function of another realm in a Set', runInNewContext('new Set([() => 1])'), '/0', 'a function'],
  ['no date', { at: new Date(NaN) }, '/at', 'an object of the kind Date that is nothing in JSON'],
  ['a date in a message', new AIMessage({ content: '', additional_kwargs: { at: new Date() } }), '/additional_kwargs/at', 'an object of the kind Date'],
  ['bytes in a message', new AIMessage({ content: [{ type: 'image', data: bytes }] }), '/content/0/data', 'an object of the kind Uint8Array'],
  ['a member that a symbol names', { list: [{ [symbol]: 1 }] }, '/list/0', 'a member with a symbol as its name'],
  ['a symbol that names a member of a list', Object.assign([1], { [symbol]: 1 }), '', 'a member with a symbol as its name'],
  ['a symbol in a message', new AIMessage({ content: '', additional_kwargs: { a: { [symbol]: 1 } } }), '/additional_kwargs/a', 'a member with a symbol as its name'],
  ['a revoked proxy', proxy, '', 'an object that cannot be read'],
  ['a revoked proxy within', { list: [1, proxy] }, '/list/1', 'an object that cannot be read'],
  ['a member that throws', { list: [{ get at() { throw new Error('not now'); } }] }, '/list/0', 'not now'],
  ['another class of LangChain', { prompt: prompt() }, '/prompt', 'an object of the class langchain_core/prompts/prompt/PromptTemplate'],
])('%s is refused with its channel and path', async (_, value, at, found) => {
  const saver = new MilepostSaver();
  const parent = await put(saver, 1);
  const refusal = { name: 'MilepostError', code: 'invalid_document', written: 'no' };
  const message = expect.stringContaining(found);
  const problems = [{ at: `/channel_values/value${at}`, code: 'type', message }];
  const writes = saver.putWrites(parent, [['value', value]], 'task');
  await expect(writes).rejects.toMatchObject({ ...refusal, message: expect.stringMatching(/channel "value"/), problems });
  await expect(put(saver, value)).rejects.toMatchObject({ ...refusal, problems });
  expect(await valueIn(saver)).toBe(1);
  expect((await saver.getTuple(parent)).pendingWrites).toEqual([]);
});

it('metadata that cannot be carried is refused', async () => {
  const refused = put(new MilepostSaver(), 1, { writes: { at: 10n } });
  const problems = [expect.objectContaining({ at: '/metadata/writes/at' })];
  await expect(refused).rejects.toMatchObject({ code: 'invalid_document', problems });
});

it('a serializer of LangGraph that gives a sentence for a value is not believed', async () => {
  const saver = new MilepostSaver({ serde: new JsonPlusSerializer() });
  await expect(put(saver, { at: 10n })).rejects.toMatchObject({ code: 'invalid_document' });
  const sentence = '[unable to serialize, circular reference is too complex to analyze]';
  expect(await carried(sentence)).toBe(sentence);
});

it('a graph whose node answers with a BigInt fails at that, and goes on from before', async () => {
  const saver = new MilepostSaver();
  let answer = 10n;
  const graph = new StateGraph(Annotation.Root({ value: Annotation(), last: Annotation() }))
    .addNode('first', () => ({ value: 'kept' }))
    .addNode('second', () => ({ last: answer }))
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .addEdge('second', END)
    .compile({ checkpointer: saver });
  const thread = { ...config, durability: 'sync' };
  await expect(graph.invoke({}, thread)).rejects.toMatchObject({ code: 'invalid_document' });
  expect((await graph.getState(config)).values).toEqual({ value: 'kept' });
  answer = 'text';
  expect(await graph.invoke(null, thread)).toEqual({ value: 'kept', last: 'text' });
});

/** The text of an object of a class, as a user may put it into a state. */
const record = (...path) => ({ lc: 1, type: 'constructor', id: ['langchain_core', ...path], kwargs: {} });

it('a text that names a class is data, unless it is a message or allowed', async () => {
  const named = { ...record('prompts', 'prompt', 'PromptTemplate'), kwargs: { template: 'one', input_variables: [] } };
  expect(await carried({ named })).toEqual({ named });
  const message = { ...record('messages', 'AIMessage'), kwargs: { content: 'a', additional_kwargs: { named } } };
  const found = await carried(message);
  expect(found).toBeInstanceOf(AIMessage);
  expect(found.additional_kwargs).toEqual({ named });
  const allow = ['langchain_core/prompts/prompt/PromptTemplate'];
  expect((await carried({ named }, { allow })).named).toBeInstanceOf(PromptTemplate);
  const again = await carried({ prompt: prompt() }, { allow });
  expect(await again.prompt.format({ two: 'two' })).toBe('one two');
});

it('a value above its limit is refused with the limit and the channel', async () => {
  const storagePath = folder();
  const saver = new MilepostSaver({ storagePath });
  const value = new Uint8Array(201_326_593).fill(255);
  const refused = await put(saver, value).then(expect.fail, (error) => error);
  expect(refused).toMatchObject({ code: 'too_large', written: 'no', path: '/channel_values/value' });
  expect(refused.message).toMatch(/"value".*201326593 bytes, which is more than 201326592/);
  expect(fs.readdirSync(storagePath)).toEqual([]);
  fs.rmSync(storagePath, { recursive: true });
});

it('`allow` is a list of ids, and not beside a serializer of the caller', () => {
  for (const [options, said] of [
    [{ allow: 'all' }, /`allow` to be ids of classes/],
    [{ allow: ['PromptTemplate'] }, /`allow` to be ids of classes/],
    [{ allow: [], serde: new JsonPlusSerializer() }, /`allow` to be left out beside `serde`/],
  ]) {
    expect(() => new MilepostSaver(options)).toThrow(said);
  }
});
