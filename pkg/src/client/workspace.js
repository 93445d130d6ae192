// The workspace that every store has: its place, the operations there, and their warnings; on a host that answers
// before the call returns.

import { requestOf } from '../wasm/wire.js';
import { operate } from './operation.js';
import { camel, fieldsOf, placeOf, placeOptions } from './request.js';

export { PLACE_OPTIONS } from './request.js';

/** @typedef {import('../../types/index.js').Warning} Warning */
/** @typedef {import('../../types/index.js').StoreOptions} StoreOptions */

export class Workspace {
  #options;
  #host;
  #named;

  /** @type {Warning[]} */
  warnings = [];

  /**
   * @param {Record<string, any>} options of `PLACE_OPTIONS`
   * @param {import('./operation.js').Host} host
   * @param {StoreOptions['history']} [history]
   * @param {import('./reply.js').Named} [named]
   */
  constructor(options, host, history = null, named) {
    this.#options = placeOptions(options, history);
    this.#host = host;
    this.#named = named;
  }

  /**
   * Asks for an operation; its answer gets the names that JavaScript has.
   *
   * @param {string} operation
   * @param {import('./request.js').Options} [which] the checkpoint
   * @param {import('./request.js').Options | null} [options] further arguments, plain values each
   * @param {Record<string, string>} [documents] arguments that are JSON text already
   * @returns {any}
   */
  ask(operation, which = {}, options = {}, documents = {}) {
    return camel(this.run(operation, fieldsOf(which, options, documents)));
  }

  /**
   * @param {string} operation
   * @param {string} fields further members of the request, as JSON text
   * @param {string | Uint8Array[]} [text] the argument `text`, if it has one, or its bytes
   * @returns {any}
   */
  run(operation, fields, text) {
    this.warnings = [];
    const bytes = typeof text === 'object' ? text : undefined;
    const inline = typeof text === 'object' ? '' : text;
    const request = requestOf(operation, placeOf(this.#host, this.#options), fields, inline);
    const noticed = (/** @type {Warning} */ warning) => {
      this.warnings.push(warning);
      this.#options.onWarning?.(warning);
    };
    return operate(this.#host, operation, request, noticed, this.#named, bytes);
  }
}
