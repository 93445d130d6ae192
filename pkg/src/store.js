// The store: every operation on command checkpoints, throwing.

import * as check from './core.js';
import { operate, placeOf } from './operation.js';

/** @typedef {import('../types/index.js').Warning} Warning */
/** @typedef {import('../types/index.js').StoreOptions} StoreOptions */
/** @typedef {import('../types/index.js').Saved} Saved */
/** @typedef {import('../types/index.js').SavedDocument} SavedDocument */
/** @typedef {import('../types/index.js').Restored} Restored */
/** @typedef {import('../types/index.js').Recovered} Recovered */
/** @typedef {import('../types/index.js').Trimmed} Trimmed */
/** @typedef {import('../types/index.js').Store} StoreType */

const DURABILITIES = /** @type {const} */ (['durable', 'lazy']);

/** @implements {StoreType} */
export class Store {
  /** @type {StoreOptions} */
  #options;
  #host;

  /** @type {Warning[]} */
  warnings = [];

  /**
   * @param {StoreOptions} options
   * @param {import('./operation.js').Host} host
   */
  constructor({ root, dir, durability = 'durable', history, onWarning }, host) {
    if (onWarning !== undefined && typeof onWarning !== 'function') {
      throw check.unexpected('onWarning', 'a function', onWarning);
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

  /**
   * @param {string} command
   * @param {string | null} [feature]
   * @param {{revision?: number | null}} [which]
   */
  load(command, feature, which) {
    const text = this.loadText(command, feature, which);
    return text === null ? null : JSON.parse(text);
  }

  /**
   * @param {string} command
   * @param {string | null} [feature]
   * @param {{revision?: number | null}} [which]
   * @returns {string | null}
   */
  loadText(command, feature, { revision } = {}) {
    const fields = {
      ...target(command, feature),
      revision: check.optionalWhole('revision', revision),
    };
    return this.#operate('load', fields)?.text ?? null;
  }

  /**
   * @param {string} command
   * @param {object} checkpoint
   * @param {string | null} [feature]
   * @returns {SavedDocument}
   */
  save(command, checkpoint, feature) {
    return this.saveText(command, check.json('checkpoint', checkpoint), feature);
  }

  /**
   * @param {string} command
   * @param {string} text
   * @param {string | null} [feature]
   * @returns {SavedDocument}
   */
  saveText(command, text, feature) {
    const fields = { ...target(command, feature), text: check.text('text', text) };
    return this.#operate('save', fields);
  }

  /**
   * @param {string} command
   * @param {string} phase
   * @param {import('../types/index.js').PhasePatch} patch
   * @param {string | null} [feature]
   * @returns {Saved}
   */
  updatePhase(command, phase, patch, feature) {
    return this.#operate('update_phase', {
      ...target(command, feature),
      phase: check.text('phase', phase),
      patch: check.json('patch', patch),
    });
  }

  /**
   * @param {string} command
   * @param {string | null} [feature]
   * @returns {Saved}
   */
  complete(command, feature) {
    return this.#operate('complete', target(command, feature));
  }

  /**
   * @param {string} command
   * @param {string | null} [feature]
   */
  resumePoint(command, feature) {
    return this.#operate('resume_point', target(command, feature));
  }

  /**
   * @param {string} command
   * @param {string | null} [feature]
   */
  gate(command, feature) {
    return this.#operate('gate', target(command, feature));
  }

  latest() {
    return this.#operate('latest');
  }

  list() {
    return this.#operate('list');
  }

  /**
   * @param {string} command
   * @param {string | null} [feature]
   */
  log(command, feature) {
    return this.#operate('log', target(command, feature));
  }

  /**
   * @param {string} command
   * @param {string | null} [feature]
   * @param {{from?: number, to?: number}} [revisions]
   */
  diff(command, feature, { from, to } = {}) {
    return this.#operate('diff', {
      ...target(command, feature),
      from: check.optionalWhole('from', from),
      to: check.optionalWhole('to', to),
    });
  }

  /**
   * @param {string} command
   * @param {string | null} [feature]
   * @param {{to?: number | null, revision?: number | null, seal?: string | null}} [which]
   * @returns {Restored}
   */
  undo(command, feature, { to, revision, seal } = {}) {
    return this.#operate('undo', {
      ...target(command, feature),
      to: check.optionalWhole('to', to),
      revision: check.optionalWhole('revision', revision),
      seal: check.optionalText('seal', seal),
    });
  }

  /**
   * @param {string} command
   * @param {string | null} [feature]
   * @param {{to?: number | null}} [which]
   * @returns {Recovered}
   */
  recover(command, feature, { to } = {}) {
    const fields = { ...target(command, feature), to: check.optionalWhole('to', to) };
    return this.#operate('recover', fields);
  }

  /**
   * @param {string} command
   * @param {string | null} [feature]
   * @param {{revisions?: number | null, days?: number | null}} [retention]
   * @returns {Trimmed}
   */
  trim(command, feature, { revisions, days } = {}) {
    return this.#operate('trim', {
      ...target(command, feature),
      revisions: check.optionalWhole('revisions', revisions),
      days: check.optionalWhole('days', days),
    });
  }

  loadIntegrations() {
    return this.#operate('load_integrations');
  }

  /**
   * @param {string} operation
   * @param {object} [fields]
   */
  #operate(operation, fields = {}) {
    this.warnings = [];
    const place = placeOf(this.#host, this.#options);
    return operate(this.#host, { operation, place, ...fields }, (warning) => {
      this.warnings.push(warning);
      this.#options.onWarning?.(warning);
    });
  }
}

/**
 * @param {string} command
 * @param {string | null | undefined} feature
 */
function target(command, feature) {
  return {
    command: check.text('command', command),
    feature: check.optionalText('feature', feature),
  };
}
