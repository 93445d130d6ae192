// The place and the arguments of requests, checked, and the names in their answers.

import { MilepostError } from '../base/error.js';
import { sentence } from '../base/messages.js';
import { membersOf } from '../wasm/wire.js';
import * as check from './arguments.js';
import { unexpected } from './reply.js';

/** @typedef {import('../../types/index.js').StoreOptions} StoreOptions */
/** @typedef {Record<string, unknown>} Options */

/**
 * The location that the process works on: what `place` of a host answers.
 *
 * @typedef {{git_root: string | null, working: string, dir?: string, storage?: 'records'}} Here
 */

const DURABILITIES = /** @type {const} */ (['durable', 'lazy']);

/** The options of a place. */
export const PLACE_OPTIONS = ['root', 'dir', 'durability', 'onWarning'];

/**
 * The options of a place, each of them checked.
 *
 * @param {Record<string, any>} options of {@link PLACE_OPTIONS}
 * @param {StoreOptions['history']} history
 * @returns {StoreOptions}
 */
export function placeOptions({ root, dir, durability = 'durable', onWarning }, history) {
  if (onWarning !== undefined && typeof onWarning !== 'function') {
    throw unexpected('onWarning', 'a function', onWarning);
  }
  return {
    root: check.optionalText('root', root),
    dir: check.optionalText('dir', dir),
    durability: check.choice('durability', durability, DURABILITIES),
    history,
    onWarning,
  };
}

/**
 * The location of checkpoints, at the time of the call.
 *
 * @param {{place: () => Here}} host
 * @param {StoreOptions} options
 */
export function placeOf(host, { root, dir, durability, history }) {
  let here;
  try {
    here = host.place();
  } catch (cause) {
    // Node's sentence up to the system call: `ENOENT: no such file or directory`.
    const [reason] = sentence(cause).split(', ', 1);
    throw new MilepostError('io', `The working folder is gone, or may not be read: ${reason}`, { cause });
  }
  return {
    root: root ?? null,
    git_root: here.git_root,
    working: here.working,
    dir: dir ?? here.dir ?? null,
    durability: durability ?? 'durable',
    history: history ?? null,
    ...(here.storage && { storage: here.storage }),
  };
}

/**
 * The members of a request that are an operation's own, as JSON text.
 *
 * @param {Options} which the checkpoint
 * @param {Options | null} options further arguments, plain values each
 * @param {Record<string, string>} documents arguments that are JSON text already
 * @returns {string} with a comma before each
 */
export function fieldsOf(which, options, documents) {
  let fields = membersOf(Object.fromEntries(Object.entries(which).filter(([, value]) => value !== null)));
  // The core knows the valid ones.
  for (const [name, value] of Object.entries(check.plain('options', options))) fields += membersOf({ [snake(name)]: value });
  for (const [name, text] of Object.entries(documents)) fields += `,"${name}":${text}`;
  return fields;
}

/**
 * An answer, or a list of them, with members in camelCase. What they hold stays as it is.
 *
 * @param {any} answer
 * @returns {any}
 */
export function camel(answer) {
  if (Array.isArray(answer)) return answer.map(camel);
  if (typeof answer !== 'object' || answer === null) return answer;
  /** @type {Record<string, unknown>} */
  const named = {};
  for (const [name, value] of Object.entries(answer)) {
    named[camelName(name)] = value;
  }
  return named;
}

/** @type {Map<string, string>} answers have few names, and a list of thousands has each as often */
const names = new Map();

/** @param {string} name */
function camelName(name) {
  let named = names.get(name);
  if (named === undefined) {
    named = name.replace(/_./g, ([, letter]) => letter.toUpperCase());
    names.set(name, named);
  }
  return named;
}

/**
 * The name of an option as requests have it.
 *
 * @param {string} name
 */
function snake(name) {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
