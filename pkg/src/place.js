// A place where checkpoints are, and requests to it.

import * as check from './arguments.js';
import { operate, placeOf } from './operation.js';
import { unexpected } from './reply.js';

/** @typedef {import('../types/index.js').Warning} Warning */
/** @typedef {import('../types/index.js').StoreOptions} StoreOptions */
/** @typedef {Record<string, unknown>} Options */

const DURABILITIES = /** @type {const} */ (['durable', 'lazy']);

/** What a place is opened with. */
export const PLACE_OPTIONS = ['root', 'dir', 'durability', 'onWarning'];

export class Place {
  /** @type {StoreOptions} */
  #options;
  #host;

  /** @type {Warning[]} */
  warnings = [];

  /**
   * @param {Record<string, any>} options of {@link PLACE_OPTIONS}
   * @param {import('./operation.js').Host} host
   * @param {StoreOptions['history']} [history]
   */
  constructor({ root, dir, durability = 'durable', onWarning }, host, history = null) {
    if (onWarning !== undefined && typeof onWarning !== 'function') {
      throw unexpected('onWarning', 'a function', onWarning);
    }
    this.#options = {
      root: check.optionalText('root', root),
      dir: check.optionalText('dir', dir),
      durability: check.choice('durability', durability, DURABILITIES),
      history,
      onWarning,
    };
    this.#host = host;
  }

  /**
   * Asks for an operation; its answer gets the names that JavaScript has.
   *
   * @param {string} operation
   * @param {Options} [which] the checkpoint
   * @param {Options | null} [options] further arguments, plain values each
   * @param {Record<string, string>} [documents] arguments that are JSON text already
   * @returns {any}
   */
  ask(operation, which = {}, options = {}, documents = {}) {
    let fields = '';
    for (const [name, value] of Object.entries(which)) {
      if (value !== null) fields += `,"${name}":${JSON.stringify(value)}`;
    }
    // Which of them there are, the core knows.
    for (const [name, value] of Object.entries(check.plain('options', options))) {
      fields += `,${JSON.stringify(snake(name))}:${JSON.stringify(value)}`;
    }
    for (const [name, text] of Object.entries(documents)) fields += `,"${name}":${text}`;
    return camel(this.run(operation, fields));
  }

  /**
   * @param {string} operation
   * @param {string} fields further members of the request, as JSON text
   * @param {string} [text] the argument `text`, if it has one
   * @returns {any}
   */
  run(operation, fields, text) {
    this.warnings = [];
    const place = JSON.stringify(placeOf(this.#host, this.#options));
    const request = `{"operation":"${operation}","place":${place}${fields}}`;
    const whole = text === undefined ? request : `\0${request}\0${text}`;
    return operate(this.#host, operation, whole, (warning) => {
      this.warnings.push(warning);
      this.#options.onWarning?.(warning);
    });
  }
}

/**
 * An answer, or a list of them, with members in camelCase. What they hold stays as it is.
 *
 * @param {any} answer
 * @returns {any}
 */
function camel(answer) {
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
