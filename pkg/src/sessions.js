// `milepost/sessions`: moments of the work, to carry on from.

import * as host from 'milepost:host';
import * as check from './arguments.js';
import { ofObjects } from './host/objects.js';
import { PLACE_OPTIONS, Place } from './place.js';
import { unexpected } from './reply.js';

/** @typedef {import('../types/sessions.js').Sessions} SessionsType */

/**
 * Opens the session checkpoints of a place. Nothing is read or made before the first operation.
 *
 * @param {import('../types/sessions.js').SessionsOptions} [options]
 * @returns {SessionsType}
 * @throws {MilepostError} `usage`
 */
export function openSessions(options) {
  const { files, ...rest } = check.options('openSessions', options, [...PLACE_OPTIONS, 'files']);
  return new Sessions(rest, files === undefined ? host : inMemory(files));
}

/**
 * @param {any} files
 * @returns {import('./operation.js').Host}
 */
function inMemory(files) {
  if (typeof files?.perform !== 'function') {
    throw unexpected('files', 'files in memory, as `new MemoryFiles()`', files);
  }
  return {
    perform: ofObjects((effect) => files.perform(effect)),
    place: () => ({ git_root: null, working: '/' }),
  };
}

/** @implements {SessionsType} */
class Sessions {
  #place;

  /**
   * @param {Record<string, unknown>} options of {@link PLACE_OPTIONS}
   * @param {import('./operation.js').Host} host
   */
  constructor(options, host) {
    this.#place = new Place(options, host);
  }

  get warnings() {
    return this.#place.warnings;
  }

  /** @type {SessionsType['create']} */
  create({ given, command, feature, ...options }) {
    const which = {
      command: check.optionalText('command', command),
      feature: check.optionalText('feature', feature),
    };
    /** @type {Record<string, string>} */
    const documents = {};
    if (given !== undefined && given !== null) documents.given = check.json('given', given);
    return this.#place.ask('create_session', which, options, documents);
  }

  /** @type {SessionsType['list']} */
  list(options) {
    return this.#place.ask('list_sessions', {}, options);
  }

  /** @type {SessionsType['load']} */
  load(options) {
    return this.#place.ask('load_session', {}, options);
  }

  /** @type {SessionsType['verify']} */
  verify(options) {
    return this.#place.ask('verify_session', {}, options);
  }

  /** @type {SessionsType['restore']} */
  restore(options) {
    return this.#place.ask('restore_session', {}, options);
  }

  /** @type {SessionsType['cleanUp']} */
  cleanUp(options) {
    return this.#place.ask('clean_up_sessions', {}, options);
  }

  /** @type {SessionsType['archive']} */
  archive(options) {
    return this.#place.ask('archive_sessions', {}, options);
  }

  /** @type {SessionsType['pin']} */
  pin(options) {
    return this.#place.ask('pin_session', {}, options);
  }

  /** @type {SessionsType['diff']} */
  diff(options) {
    return this.#place.ask('diff_sessions', {}, options);
  }
}
