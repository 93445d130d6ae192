// `milepost/snapshots`: moments of the work, to carry on from. `milepost/sessions` is its earlier name.

import * as check from './arguments.js';
import { local } from './local-host.js';
import { inMemory } from './memory-host.js';
import { PLACE_OPTIONS, Workspace } from './workspace.js';

/** @typedef {import('../../types/snapshots.js').Snapshots} SnapshotsType */

/**
 * Opens the snapshots of a place. Nothing is read or made before the first operation.
 *
 * @param {import('../../types/snapshots.js').SnapshotsOptions} [options]
 * @returns {SnapshotsType}
 * @throws {MilepostError} `usage`
 */
export function openSnapshots(options) {
  const { files, ...rest } = check.options('openSnapshots', options, [...PLACE_OPTIONS, 'files']);
  return new Snapshots(rest, files === undefined ? local : inMemory(files));
}

/** The earlier name. */
export { openSnapshots as openSessions };

/** @implements {SnapshotsType} */
class Snapshots {
  #place;

  /**
   * @param {Record<string, unknown>} options of {@link PLACE_OPTIONS}
   * @param {import('./operation.js').Host} host
   */
  constructor(options, host) {
    this.#place = new Workspace(options, host);
  }

  get warnings() {
    return this.#place.warnings;
  }

  /** @type {SnapshotsType['create']} */
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

  /** @type {SnapshotsType['list']} */
  list(options) {
    return this.#place.ask('list_sessions', {}, options);
  }

  /** @type {SnapshotsType['load']} */
  load(options) {
    return this.#place.ask('load_session', {}, options);
  }

  /** @type {SnapshotsType['verify']} */
  verify(options) {
    return this.#place.ask('verify_session', {}, options);
  }

  /** @type {SnapshotsType['restore']} */
  restore(options) {
    return this.#place.ask('restore_session', {}, options);
  }

  /** @type {SnapshotsType['cleanUp']} */
  cleanUp(options) {
    return this.#place.ask('clean_up_sessions', {}, options);
  }

  /** @type {SnapshotsType['archive']} */
  archive(options) {
    return this.#place.ask('archive_sessions', {}, options);
  }

  /** @type {SnapshotsType['pin']} */
  pin(options) {
    return this.#place.ask('pin_session', {}, options);
  }

  /** @type {SnapshotsType['listPrompts']} */
  listPrompts(options) {
    return this.#place.ask('list_prompts', {}, options);
  }

  /** @type {SnapshotsType['rewind']} */
  rewind(options) {
    return this.#place.ask('rewind', {}, options);
  }

  /** @type {SnapshotsType['diff']} */
  diff(options) {
    return this.#place.ask('diff_sessions', {}, options);
  }
}
