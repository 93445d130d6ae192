// The workspace of a store on a host that answers later.

import { requestOf } from '../wasm/wire.js';
import { operate } from './deferred.js';
import { camel, fieldsOf, placeOf, placeOptions } from './request.js';

/** @typedef {import('../../types/index.js').Warning} Warning */
/** @typedef {import('../../types/index.js').StoreOptions} StoreOptions */

/**
 * The host that performs effects, and its place. `operation` gives the performer of one operation alone, which may
 * turn out unfounded: then the operation runs again, without its name. An operation ends with the rejection of `ready`
 * before it begins. Where files are `here`, the host is asked for effects on records alone.
 *
 * @typedef {{
 *   perform: (effect: import('../../types/operation.js').Effect) =>
 *     Promise<import('../../types/operation.js').Outcome>,
 *   operation?: (name?: string) => {perform: Parameters<typeof operate>[1], isUnfounded: () => boolean},
 *   place: () => import('./request.js').Here,
 *   ready?: () => Promise<void>,
 *   files?: 'here' | 'elsewhere',
 *   isUnfounded?: undefined,
 * }} Host
 */

/** An operation with more bytes of text does not run on what it may assume: it could have to run again. */
const MOST_ASSUMING = 1024 * 1024;

export class AsyncWorkspace {
  #options;
  #host;

  /** @type {Warning[]} of the operation that ended last */
  warnings = [];

  /**
   * @param {Record<string, any>} options of `PLACE_OPTIONS`
   * @param {Host} host
   * @param {StoreOptions['history']} [history]
   */
  constructor(options, host, history = null) {
    this.#options = placeOptions(options, history);
    this.#host = host;
  }

  /**
   * Asks for an operation; its answer gets the names that JavaScript has.
   *
   * @param {string} operation
   * @param {import('./request.js').Options} [which] the checkpoint
   * @param {import('./request.js').Options | null} [options] further arguments, plain values each
   * @param {Record<string, string>} [documents] arguments that are JSON text already
   * @returns {Promise<any>}
   */
  async ask(operation, which = {}, options = {}, documents = {}) {
    return camel(await this.run(operation, fieldsOf(which, options, documents)));
  }

  /**
   * @param {string} operation
   * @param {string} fields further members of the request, as JSON text
   * @param {string | Uint8Array[]} [text] the argument `text`, if it has one, or its bytes
   * @returns {Promise<any>}
   */
  async run(operation, fields, text) {
    const bytes = typeof text === 'object' ? text : undefined;
    const inline = typeof text === 'object' ? '' : text;
    const request = requestOf(operation, placeOf(this.#host, this.#options), fields, inline);
    await this.#host.ready?.();
    const isLarge = (bytes ?? []).reduce((sum, { length }) => sum + length, 0) > MOST_ASSUMING;
    // Bytes that are handed over are gone: a large text is held by nothing else then, and runs once.
    const first = await (isLarge ? this.#attempt(request, bytes) : this.#attempt(request, bytes?.slice(), operation));
    const { value, error, warnings } = first.isUnfounded ? await this.#attempt(request, bytes) : first;
    this.warnings = warnings;
    for (const warning of warnings) this.#options.onWarning?.(warning);
    if (error !== undefined) throw error;
    return value;
  }

  /**
   * @param {string} request
   * @param {Uint8Array[]} [bytes] of text behind it
   * @param {string} [name]
   */
  async #attempt(request, bytes, name) {
    const { perform, isUnfounded } = this.#host.operation?.(name) ?? this.#host;
    /** @type {Warning[]} */
    const warnings = [];
    const noticed = (/** @type {Warning} */ warning) => void warnings.push(warning);
    const ended = await operate(request, perform, noticed, this.#host.files, bytes).then(
      (value) => ({ value }),
      (error) => ({ error }),
    );
    return { value: undefined, error: undefined, ...ended, warnings, isUnfounded: isUnfounded?.() ?? false };
  }
}
