// The store: every operation on checkpoints, throwing, or with promises where its place answers later.
// What an operation takes and answers is its row in the core's table; the types of these methods are
// printed from there.

import * as check from './arguments.js';
import { PLACE_OPTIONS } from './request.js';

/** @typedef {import('../../types/index.js').SavedDocument} SavedDocument */
/** @typedef {import('../../types/index.js').Store} StoreType */
/** @typedef {import('../../types/index.js').Warning} Warning */
/** @typedef {string | null | undefined} Feature */

/** The options of a store. */
export const OPTIONS = [...PLACE_OPTIONS, 'history'];

/** @implements {StoreType} */
export class Store {
  #place;

  /** @param {{ask: (...request: any[]) => any, run: (...request: any[]) => any, warnings: Warning[]}} place */
  constructor(place) {
    this.#place = place;
  }

  get warnings() {
    return this.#place.warnings;
  }

  /** @type {StoreType['load']} */
  load(command, feature, options) {
    const text = this.loadText(command, feature, options);
    return text === null ? null : JSON.parse(text);
  }

  /** @type {StoreType['loadText']} */
  loadText(command, feature, options) {
    return this.loaded(command, feature, options)?.text ?? null;
  }

  /**
   * @protected
   * @type {(...which: Parameters<StoreType['loadText']>) => any}
   */
  loaded(command, feature, options) {
    return this.#place.ask('load', target(command, feature), options);
  }

  /** @type {StoreType['save']} */
  save(command, checkpoint, feature, options) {
    const document = check.json('checkpoint', checkpoint);
    return this.#place.ask('save', target(command, feature), options, { document });
  }

  /** @type {StoreType['saveText']} */
  saveText(command, text, feature, options) {
    return this.#place.ask('save', target(command, feature), { ...options, text: check.text('text', text) });
  }

  /** @type {StoreType['begin']} */
  begin(command, feature, options) {
    return this.#place.ask('begin', target(command, feature), options);
  }

  /** @type {StoreType['updatePhase']} */
  updatePhase(command, phase, patch, feature, options) {
    const which = { ...options, phase: check.text('phase', phase) };
    const json = check.json('patch', patch);
    return this.#place.ask('update_phase', target(command, feature), which, { patch: json });
  }

  /** @type {StoreType['removePhase']} */
  removePhase(command, feature, options) {
    return this.#place.ask('remove_phase', target(command, feature), options);
  }

  /** @type {StoreType['complete']} */
  complete(command, feature, options) {
    return this.#place.ask('complete', target(command, feature), options);
  }

  /** @type {StoreType['resumePoint']} */
  resumePoint(command, feature) {
    return this.#place.ask('resume_point', target(command, feature));
  }

  /** @type {StoreType['gate']} */
  gate(command, feature, options) {
    const { close, ...plain } = options ?? {};
    /** @type {Record<string, string>} */
    const documents = {};
    if (close !== undefined && close !== null) documents.close = check.texts('close', close);
    return this.#place.ask('gate', target(command, feature), plain, documents);
  }

  /** @type {StoreType['latest']} */
  latest() {
    return this.#place.ask('latest');
  }

  /** @type {StoreType['list']} */
  list() {
    return this.#place.ask('list');
  }

  /** @type {StoreType['log']} */
  log(command, feature) {
    return this.#place.ask('log', target(command, feature));
  }

  /** @type {StoreType['diff']} */
  diff(command, feature, options) {
    return this.#place.ask('diff', target(command, feature), options);
  }

  /** @type {StoreType['undo']} */
  undo(command, feature, options) {
    return this.#place.ask('undo', target(command, feature), options);
  }

  /** @type {StoreType['redo']} */
  redo(command, feature, options) {
    return this.#place.ask('redo', target(command, feature), options);
  }

  /** @type {StoreType['recover']} */
  recover(command, feature, options) {
    return this.#place.ask('recover', target(command, feature), options);
  }

  /** @type {StoreType['prune']} */
  prune(command, feature, options) {
    return this.#place.ask('prune', target(command, feature), options);
  }

  /** @type {StoreType['trim']} */
  trim(command, feature, options) {
    return this.prune(command, feature, options);
  }

  /** @type {StoreType['rename']} */
  rename(command, feature, options) {
    return this.#place.ask('rename', target(command, feature), options);
  }

  /** @type {StoreType['remove']} */
  remove(command, feature) {
    return this.#place.ask('remove', target(command, feature));
  }

  /** @type {StoreType['loadIntegrations']} */
  loadIntegrations() {
    return this.#place.run('load_integrations', '');
  }

  /** @type {StoreType['location']} */
  location() {
    return this.#place.ask('location');
  }

  /** @type {StoreType['init']} */
  init() {
    return this.#place.ask('init');
  }

  /** @type {StoreType['doctor']} */
  doctor(options) {
    return this.#place.ask('doctor', {}, options);
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
