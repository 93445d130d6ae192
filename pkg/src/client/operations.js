// The operations of the core: what they answer, what they refuse, and the exit code that says it.

import { visible } from '../base/visible.js';
import { membersOf, requestOf, valueOf } from '../wasm/wire.js';

/** sysexits.h, and 1 for an answer that is no. */
export const EXIT = { done: 0, no: 1, usage: 64, data: 65, io: 74, again: 75 };

/** Exit codes that are not those of wrong data. */
const OF_CODE = /** @type {Record<string, number>} */ ({
  not_found: EXIT.no,
  usage: EXIT.usage,
  invalid_name: EXIT.usage,
  io: EXIT.io,
  conflict: EXIT.again,
  busy: EXIT.again,
});

/** @typedef {{place: object, operate(request: string): string, program?: string}} Host */

/** A refusal of an operation. */
export class Refusal extends Error {
  /** @param {Record<string, any>} error as replies have it */
  constructor(error) {
    super(textOf(error));
    this.error = error;
  }

  /** The exit code that says it. */
  get exit() {
    return OF_CODE[this.error.code] ?? EXIT.data;
  }
}

/** The core at a place. */
export class Core {
  #host;
  #report;

  /**
   * @param {Host} host
   * @param {(warning: {message: string}) => void} report
   */
  constructor(host, report) {
    this.#host = host;
    this.#report = report;
  }

  /**
   * Runs an operation and returns its value.
   *
   * @param {string} operation
   * @param {Record<string, unknown>} [members] its arguments
   * @param {object | null} [place] where it works; `null` for one that asks for nothing but its arguments
   * @returns {any}
   * @throws {Refusal}
   */
  ask(operation, members = {}, place = this.#host.place) {
    const reply = this.#host.operate(requestOf(operation, place, membersOf(members)));
    return valueOf(reply, (error) => new Refusal(error), this.#report);
  }
}

/** @param {Record<string, any>} error */
function textOf({ message, problems = [] }) {
  if (problems.length < 2) return message;
  const lines = problems.map((/** @type {{at: string, message: string}} */ it) => `${it.at || '/'}: ${it.message}`);
  return [`The settings are invalid, ${problems.length} problems:`, ...lines].map(visible).join('\n  ');
}
