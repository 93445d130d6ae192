// The store: every operation on checkpoints, throwing. What an operation takes and answers is its
// row in the core's table; the types of these methods are printed from there.

import * as check from './arguments.js';
import { operate, placeOf } from './operation.js';
import { unexpected } from './reply.js';

/** @typedef {import('../types/index.js').Warning} Warning */
/** @typedef {import('../types/index.js').StoreOptions} StoreOptions */
/** @typedef {import('../types/index.js').SavedDocument} SavedDocument */
/** @typedef {import('../types/index.js').Store} StoreType */
/** @typedef {string | null | undefined} Feature */
/** @typedef {Record<string, unknown>} Options */

const DURABILITIES = /** @type {const} */ (['durable', 'lazy']);

/** What a store is opened with. */
export const OPTIONS = ['root', 'dir', 'durability', 'history', 'onWarning'];

/** @implements {StoreType} */
export class Store {
  /** @type {StoreOptions} */
  #options;
  #host;

  /** @type {Warning[]} */
  warnings = [];

  /**
   * @param {Record<string, any>} options of {@link OPTIONS}
   * @param {import('./operation.js').Host} host
   */
  constructor({ root, dir, durability = 'durable', history, onWarning }, host) {
    if (onWarning !== undefined && typeof onWarning !== 'function') {
      throw unexpected('onWarning', 'a function', onWarning);
    }
    this.#options = {
      root: check.optionalText('root', root),
      dir: check.optionalText('dir', dir),
      durability: check.choice('durability', durability, DURABILITIES),
      history: check.optionalRetention('history', history),
      onWarning,
    };
    this.#host = host;
  }

  /** @type {StoreType['load']} */
  load(command, feature, options) {
    const text = this.loadText(command, feature, options);
    return text === null ? null : JSON.parse(text);
  }

  /** @type {StoreType['loadText']} */
  loadText(command, feature, options) {
    return this.#ask('load', target(command, feature), options)?.text ?? null;
  }

  /** @type {StoreType['save']} */
  save(command, checkpoint, feature) {
    const document = check.json('checkpoint', checkpoint);
    return this.#ask('save', target(command, feature), {}, { document });
  }

  /** @type {StoreType['saveText']} */
  saveText(command, text, feature) {
    return this.#ask('save', target(command, feature), { text: check.text('text', text) });
  }

  /** @type {StoreType['updatePhase']} */
  updatePhase(command, phase, patch, feature) {
    const options = { phase: check.text('phase', phase) };
    const json = check.json('patch', patch);
    return this.#ask('update_phase', target(command, feature), options, { patch: json });
  }

  /** @type {StoreType['complete']} */
  complete(command, feature) {
    return this.#ask('complete', target(command, feature));
  }

  /** @type {StoreType['resumePoint']} */
  resumePoint(command, feature) {
    return this.#ask('resume_point', target(command, feature));
  }

  /** @type {StoreType['gate']} */
  gate(command, feature, options) {
    const { close, ...plain } = options ?? {};
    /** @type {Record<string, string>} */
    const documents = {};
    if (close !== undefined && close !== null) documents.close = check.texts('close', close);
    return this.#ask('gate', target(command, feature), plain, documents);
  }

  /** @type {StoreType['latest']} */
  latest() {
    return this.#ask('latest');
  }

  /** @type {StoreType['list']} */
  list() {
    return this.#ask('list');
  }

  /** @type {StoreType['log']} */
  log(command, feature) {
    return this.#ask('log', target(command, feature));
  }

  /** @type {StoreType['diff']} */
  diff(command, feature, options) {
    return this.#ask('diff', target(command, feature), options);
  }

  /** @type {StoreType['undo']} */
  undo(command, feature, options) {
    return this.#ask('undo', target(command, feature), options);
  }

  /** @type {StoreType['redo']} */
  redo(command, feature, options) {
    return this.#ask('redo', target(command, feature), options);
  }

  /** @type {StoreType['recover']} */
  recover(command, feature, options) {
    return this.#ask('recover', target(command, feature), options);
  }

  /** @type {StoreType['trim']} */
  trim(command, feature, options) {
    return this.#ask('trim', target(command, feature), options);
  }

  /** @type {StoreType['rename']} */
  rename(command, feature, options) {
    return this.#ask('rename', target(command, feature), options);
  }

  /** @type {StoreType['remove']} */
  remove(command, feature) {
    return this.#ask('remove', target(command, feature));
  }

  /** @type {StoreType['loadIntegrations']} */
  loadIntegrations() {
    return this.#run('load_integrations', '');
  }

  /** @type {StoreType['location']} */
  location() {
    return this.#ask('location');
  }

  /** @type {StoreType['init']} */
  init() {
    return this.#ask('init');
  }

  /** @type {StoreType['doctor']} */
  doctor(options) {
    return this.#ask('doctor', {}, options);
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
  #ask(operation, which = {}, options = {}, documents = {}) {
    let fields = '';
    for (const [name, value] of Object.entries(which)) {
      if (value !== null) fields += `,"${name}":${JSON.stringify(value)}`;
    }
    // Which of them there are, the core knows.
    for (const [name, value] of Object.entries(check.plain('options', options))) {
      fields += `,${JSON.stringify(name)}:${JSON.stringify(value)}`;
    }
    for (const [name, text] of Object.entries(documents)) fields += `,"${name}":${text}`;
    return camel(this.#run(operation, fields));
  }

  /**
   * @param {string} operation
   * @param {string} fields further members of the request, as JSON text
   * @returns {any}
   */
  #run(operation, fields) {
    this.warnings = [];
    const place = JSON.stringify(placeOf(this.#host, this.#options));
    const request = `{"operation":"${operation}","place":${place}${fields}}`;
    return operate(this.#host, operation, request, (warning) => {
      this.warnings.push(warning);
      this.#options.onWarning?.(warning);
    });
  }
}

/**
 * @param {unknown} command
 * @param {unknown} feature
 */
function target(command, feature) {
  return {
    command: check.text('command', command),
    feature: check.optionalText('feature', feature),
  };
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
    named[name.replace(/_./g, ([, letter]) => letter.toUpperCase())] = value;
  }
  return named;
}
