// The operations of the core, for one call of a tool: what they are asked and what they answer stays as it is on the
// wire, snake_case as stored documents are.

import { Refusal } from '../../client/operations.js';
import { membersOf, requestOf, valueOf } from '../../wasm/wire.js';
import { command, help } from './advice.js';

/** @typedef {Record<string, any>} Members */
/** @typedef {{code: string, message: string, advice?: any}} Warning */
/**
 * The location that a call works on, whether the caller named that, and the words that start the program.
 *
 * @typedef {{place: Members, isNamed: boolean, program: string}} Project
 */
/**
 * The location of operations; `store` is the database that the place is in, if it is in one.
 *
 * @typedef {Project & {
 *   store?: import('../../host/database/reach.js').Named,
 *   operate(request: string): string,
 *   validateSummary(text: string, limit: number): any,
 *   withoutSecrets(message: string): string,
 * }} Host
 */

/** One call. */
export class Work {
  #host;

  /** @type {Warning[]} */
  warnings = [];

  /** @param {Host} host */
  constructor(host) {
    this.#host = host;
  }

  /**
   * Runs an operation and returns its value.
   *
   * @param {string} operation
   * @param {Members} [members] its arguments
   * @returns {any}
   * @throws {Refusal}
   */
  ask(operation, members = {}) {
    const reply = this.#host.operate(requestOf(operation, this.#host.place, membersOf(members)));
    return valueOf(reply, (error) => this.refusal(error), (warning) => this.#warn(warning));
  }

  /**
   * The root and the branch that the call works on.
   *
   * @returns {{root: string, branch: string | null}}
   * @throws {Refusal} where nothing says that there is a project
   */
  project() {
    const { root, branch, isThere } = this.#look();
    if (isThere) return { root, branch };
    const message =
      'The project is unknown: the client names no root, and there is neither a repository at or above ' +
      `the working folder ${root} nor a run or snapshot in it`;
    throw this.refusal({ code: 'usage', message, advice: { kind: 'name_project' } });
  }

  /** True if the place is in a database. */
  get isStored() {
    return this.#host.store !== undefined;
  }

  /** Returns whether a project is named, or one shows. */
  hasProject() {
    return this.#look().isThere;
  }

  #look() {
    const { root, branch, has_repository, has_state } = this.ask('project');
    return { root, branch, isThere: this.#host.isNamed || has_repository || has_state };
  }

  /**
   * Counts the tokens of a text.
   *
   * @param {string} text
   * @param {number} limit
   */
  count(text, limit) {
    const { tokenCount, ...verdict } = this.#host.validateSummary(text, limit);
    return { ...verdict, token_count: tokenCount };
  }

  /** The words that start the program, and the options that name the place, for commands. */
  get #start() {
    const { place, program, store } = this.#host;
    if (store === undefined) return { ...place, program };
    return { root: place.root, store: `env:${store.variable ?? ''}`, project: store.project, program };
  }

  /**
   * A command on the place of the call.
   *
   * @param {string} verb
   * @param {{command: string, feature: string | null}} target
   */
  command(verb, target) {
    return command(verb, target, this.#start);
  }

  /**
   * A failure with what would help.
   *
   * @param {Members} error
   */
  refusal(error) {
    const hint = help(error, this.#start);
    const refused = { ...error, written: error.written ?? 'no' };
    return new Refusal(hint === '' ? refused : { ...refused, hint });
  }

  /** @param {Warning} warning */
  #warn({ code, message, advice }) {
    const hint = help({ advice }, this.#start);
    const warning = hint === '' ? { code, message } : { code, message, hint };
    const text = JSON.stringify(warning);
    // A tool that first looks for the latest checkpoint reads it twice.
    if (!this.warnings.some((known) => JSON.stringify(known) === text)) this.warnings.push(warning);
  }
}
