// The expected answer of a step, as src/expect.rs compares it.

import assert from 'node:assert/strict';
import { bytes, string } from './text.mjs';

/**
 * Compares what came of an operation with what its step says.
 *
 * @param {{value?: unknown, error?: Error & {code?: string}, warnings: {code: string, message: string}[]}} found
 */
export function assertReply({ value, error, warnings }, step) {
  const { error: expected, warnings: noticed = [], says = [], text_has = [], text_lacks = [] } = step;
  if (!step.may_fail) {
    assertCoded(error, expected);
    assert.deepEqual(warnings.map(({ code }) => code), noticed.map((it) => it.code ?? it));
    warnings.forEach((warning, at) => assertCoded(warning, noticed[at]));
  }
  const said = [...warnings, error ?? { message: '' }].map(({ message }) => message).join('\n');
  for (const part of says) assert.ok(said.includes(string(part)), `${said} lacks ${part}`);
  if ('value' in step) assertCovers(value, step.value, 'value');
  for (const part of text_has) {
    assert.ok(value.text.includes(string(part)), `${value.text} lacks ${part}`);
  }
  for (const part of text_lacks) {
    assert.ok(!value.text.includes(string(part)), `${value.text} has ${part}`);
  }
}

/** Compares a file in the end with what a scenario says: a text, the members that matter, or null. */
export function assertFile(path, found, expected) {
  if (expected === null || found === null) return assert.equal(found, expected, path);
  if (typeof expected === 'string') return assert.deepEqual(found, bytes(expected), path);
  assertCovers(JSON.parse(new TextDecoder().decode(found)), expected, path);
}

/** Returns whether a value has at least the members that are expected, at every level. */
export function assertCovers(value, expected, where) {
  if (typeof expected !== 'object' || expected === null) {
    return assert.deepEqual(value, expected, where);
  }
  assert.equal(typeof value, 'object', where);
  if (Array.isArray(expected)) assert.equal(value.length, expected.length, where);
  for (const key of Object.keys(expected)) {
    assertCovers(member(value, key), expected[key], `${where}.${key}`);
  }
}

/** An error or a warning: a code alone, or the members that matter. */
function assertCoded(found, expected) {
  const code = expected?.code ?? expected;
  assert.equal(found?.code, code, found?.stack ?? found?.message);
  const { message = '', ...members } = typeof expected === 'object' ? expected : {};
  // A host goes on with what would help, in words of its own.
  assert.ok(found === undefined || found.message.startsWith(message), found?.message);
  assertCovers(found ?? {}, members, code);
}

/** Replies are snake_case; what the package returns is camelCase, but for documents. */
function member(value, key) {
  if (Object.hasOwn(value, key)) return value[key];
  const camel = key.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  return Object.hasOwn(value, camel) ? value[camel] : undefined;
}
