// Hosts that take effects as objects and answer with objects: a caller's own, and files in memory.

import { bytesOf } from '../base/brand.js';
import * as ffi from '../wasm/ffi.js';

/** @typedef {import('../../types/operation.js').Effect} Effect */
/** @typedef {import('../../types/operation.js').Outcome} Outcome */

/** The permission bits of a mode; more than these stand for none. */
const NINE_BITS = 0o777;

/**
 * A host of objects as one of numbers.
 *
 * @param {(effect: Effect) => Outcome} perform
 * @returns {ffi.Perform}
 */
export function ofObjects(perform) {
  return (number, ...rest) => {
    const effect = effectOf(number, ...rest);
    return answer(perform(effect), effect.effect);
  };
}

/**
 * Returns the effect that the wasm asks for, as an object.
 *
 * @type {(...call: Parameters<ffi.Perform>) => Effect}
 */
export function effectOf(effect, textAt, textLength, more, moreLength, number, flag) {
  const name = ffi.EFFECTS[effect];
  const text = ffi.text(textAt, textLength);
  const second = () => ffi.text(more, moreLength);
  switch (name) {
    case 'clock':
      return { effect: name };
    case 'random':
      return { effect: name, length: number };
    case 'wait':
      return { effect: name, ms: number };
    case 'ascend':
      return { effect: name, from: text, name: second() };
    case 'inspect':
      return { effect: name, paths: ffi.texts(textAt, textLength) };
    case 'read':
      return { effect: name, path: text, limit: number, links: links(flag) };
    case 'readStart':
      return { effect: name, path: text, limit: number };
    case 'part': {
      const offset = ffi.float(more);
      return { effect: name, path: text, offset, length: number, links: links(flag) };
    }
    case 'makeFolder':
      return { effect: name, path: text, access: access(flag) };
    case 'create': {
      const bytes = copied(more, moreLength);
      return { effect: name, path: text, bytes, sync: sync(number), access: access(flag) };
    }
    case 'append':
      return { effect: name, path: text, bytes: copied(more, moreLength), sync: sync(flag) };
    case 'symlink':
      return { effect: name, path: text, target: copied(more, moreLength) };
    case 'rename':
    case 'link':
      return { effect: name, from: text, to: second() };
    case 'readLink':
    case 'remove':
    case 'removeFolder':
    case 'restrict':
    case 'syncFolder':
      return { effect: name, path: text };
    case 'setMode':
      return { effect: name, path: text, isExecutable: flag !== 0, permissions: number <= NINE_BITS ? number : null };
    case 'list':
      return { effect: name, path: text, limit: number };
    case 'readRecord':
      return { effect: name, record: text };
    case 'swapRecord':
      return swap(JSON.parse(text), more);
    case 'listRecords':
      return { effect: name, under: text, limit: number };
    case 'git':
      return { effect: name, folder: text, arguments: ffi.texts(more, moreLength) };
    case 'print':
      return { effect: name, stream: flag ? 'error' : 'output', text };
    case 'input':
      return { effect: name, limit: number, until: flag ? 'line' : 'end' };
    case 'survey':
      return { effect: name, folder: text, names: ffi.texts(more, moreLength) };
    case 'scan':
      return { effect: name, folder: text, limit: number };
    case 'countTokens':
      return { effect: name, encoding: /** @type {any} */ (second()), text, limit: number };
  }
}

/**
 * The host may keep bytes for longer than the memory stands still.
 *
 * @param {number} at
 * @param {number} length
 */
function copied(at, length) {
  return new Uint8Array(ffi.part(at, length));
}

/** @param {number} flag */
function links(flag) {
  return flag ? 'refuse' : 'follow';
}

/** @param {number} flag */
function sync(flag) {
  return flag ? 'durable' : 'lazy';
}

/** @param {number} flag */
function access(flag) {
  return flag ? 'shared' : 'owner';
}

/**
 * @param {{record: string, expected: number | null, bytes: number | null, keep: string | null, beside: {record: string, mustBeNew: boolean, bytes: number | null}[]}} line
 *   with the lengths of its bytes
 * @param {number} at where their places are: of what is expected, then what takes its place, then what is beside it
 * @returns {Effect}
 */
function swap({ record, expected, bytes: next, keep, beside }, at) {
  /** @param {number | null} length */
  const part = (length) => {
    if (length === null) return null;
    const bytes = copied(ffi.place(at), length);
    at += 4;
    return bytes;
  };
  return {
    effect: 'swapRecord',
    record,
    expected: part(expected),
    bytes: part(next),
    keep,
    beside: beside.map((other) => ({ ...other, bytes: part(other.bytes) })),
  };
}

/** The answer to each effect, where that is not `done`. */
const ANSWERS = /** @type {Record<string, Outcome['outcome'] | undefined>} */ ({
  clock: 'clock',
  random: 'bytes',
  ascend: 'found',
  inspect: 'entries',
  read: 'bytes',
  readStart: 'bytes',
  part: 'bytes',
  readLink: 'bytes',
  list: 'names',
  readRecord: 'bytes',
  listRecords: 'names',
  git: 'bytes',
  input: 'bytes',
  survey: 'names',
  scan: 'scanned',
  countTokens: 'counted',
});

/**
 * Hands an outcome over.
 *
 * @param {any} outcome as a caller's host gave it
 * @param {string} effect
 * @returns {number}
 * @throws {TypeError} for anything that is not an outcome
 */
export function answer(outcome, effect) {
  const name = outcome?.outcome;
  if (name === 'failed') {
    const { fault, detail } = outcome;
    usable(ffi.FAULTS.includes(fault), 'fault');
    usable(typeof detail === 'string', 'detail');
    return ffi.answerFault(fault, detail);
  }
  usable(OUTCOMES.has(name), 'outcome');
  if (name !== (ANSWERS[effect] ?? 'done')) {
    return ffi.answerFault('other', `the host gave an unfitting answer: ${name}`);
  }
  switch (name) {
    case 'bytes':
      usable(bytesOf(outcome.bytes) !== null, 'bytes');
      return ffi.answerBytes(outcome.bytes);
    case 'clock':
      usable(typeof outcome.wallMs === 'number', 'wallMs');
      usable(typeof outcome.monotonicMs === 'number', 'monotonicMs');
      return ffi.answerClock(outcome.wallMs, outcome.monotonicMs);
    case 'entries':
      usable(Array.isArray(outcome.entries), 'entries');
      outcome.entries.forEach(checkEntry);
      return ffi.answerEntries(outcome.entries);
    case 'found':
      usable(typeof outcome.folder === 'string', 'folder');
      usable(typeof outcome.below === 'string', 'below');
      usable(ffi.KINDS.includes(outcome.kind), 'kind');
      return ffi.answerFound(outcome.folder, outcome.below, outcome.kind);
    case 'names': {
      const { names, complete } = outcome;
      usable(Array.isArray(names) && names.every((it) => typeof it === 'string'), 'names');
      return ffi.answerNames(names, complete === true);
    }
    case 'scanned':
      usable(Array.isArray(outcome.entries), 'entries');
      return scanned(outcome.entries, outcome.complete === true);
    case 'counted':
      usable(isCount(outcome.tokens), 'tokens');
      usable(isCount(outcome.kept), 'kept');
      return ffi.answerCounted(outcome.tokens, outcome.kept);
    default:
      return ffi.DONE;
  }
}

/** @param {unknown} value */
function isCount(value) {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** @param {any} entry */
function checkEntry({ kind, size }) {
  usable(ffi.KINDS.includes(kind), 'kind');
  usable(typeof size === 'number', 'size');
}

/**
 * @param {import('../../types/operation.js').ScannedEntry[]} entries
 * @param {boolean} complete
 * @returns {number}
 */
function scanned(entries, complete) {
  const numbers = entries.flatMap((entry) => {
    checkEntry(entry);
    const { name, kind, size, mode = ffi.NO_MODE, modifiedMs, changedMs = NaN, number = 0 } = entry;
    usable(typeof name === 'string', 'name');
    usable(typeof modifiedMs === 'number', 'modifiedMs');
    return [ffi.KINDS.indexOf(kind), size, mode, modifiedMs, changedMs, number];
  });
  return ffi.answerScan(entries.map(({ name }) => name), numbers, complete);
}

const OUTCOMES = new Set(['done', ...Object.values(ANSWERS)]);

/**
 * A host that gives no outcome is a mistake in the host.
 *
 * @param {boolean} isUsable
 * @param {string} member
 */
function usable(isUsable, member) {
  if (!isUsable) throw new TypeError(`the host's outcome has no usable \`${member}\``);
}
