// `milepost/session-store`: the transcripts of agents' sessions, as two SDKs for agents store them. What is in an entry
// is the SDK's business, and what becomes of it the core's.

import { MilepostError, THREAD_OPTIONS, openThreads } from 'milepost:threads';
import { describe, quote } from '../base/quote.js';
import { carried } from '../client/tasks/carried.js';

/** @typedef {import('../../types/session-store.js').SessionKey} SessionKey */

/** The project of a session that names none. */
const PROJECT = 'agents';

/** Transcripts in one place; the calls on a session of one process take effect in their order. */
class Transcripts {
  #ask;
  /** @type {Map<string, Promise<any>>} the latest call on each session that is not done */
  #latest = new Map();

  /**
   * @param {string} name of the class
   * @param {Record<string, any>} options
   * @param {string[]} more options that the class has
   */
  constructor(name, options, more) {
    const known = [...THREAD_OPTIONS, ...more];
    const unknown = Object.keys(options).find((key) => !known.includes(key));
    if (unknown !== undefined) {
      const said = `\`${name}\` has no option ${quote(unknown, 'of that name')}`;
      throw new MilepostError('usage', `${said}; known are ${known.join(', ')}`);
    }
    const { storagePath, postgres, durability, onWarning } = options;
    this.#ask = openThreads({ storagePath, postgres, durability, onWarning });
  }

  /**
   * Adds entries, whose texts are made now: what the caller changes later is not in them.
   *
   * @param {Record<string, string>} place
   * @param {readonly unknown[]} entries
   */
  async append(place, entries) {
    if (!Array.isArray(entries)) throw unexpected('the entries', 'an array', entries);
    const texts = entries.map((entry) => carried(entry));
    if (texts.length > 0) await this.run('append_transcript', { ...place, entries: texts });
  }

  /**
   * @param {Record<string, string>} place
   * @param {number} [limit]
   * @returns {Promise<any[] | null>}
   */
  async load(place, limit) {
    const { entries } = await this.run('load_transcript', limit === undefined ? place : { ...place, limit });
    return entries === null ? null : entries.map((/** @type {string} */ text) => JSON.parse(text));
  }

  /**
   * Runs an operation after those of the same session that began earlier.
   *
   * @param {string} operation
   * @param {Record<string, any>} fields
   * @returns {Promise<any>}
   */
  async run(operation, fields) {
    const session = JSON.stringify([fields['project'], fields['session']]);
    const before = this.#latest.get(session);
    const run = async () => this.#ask(operation, fields);
    const running = before === undefined ? run() : before.then(run, run);
    this.#latest.set(session, running);
    try {
      return await running;
    } finally {
      if (this.#latest.get(session) === running) this.#latest.delete(session);
    }
  }
}

export class MilepostSessionStore {
  #transcripts;

  /** @param {import('../../types/session-store.js').MilepostSessionStoreOptions} [options] */
  constructor(options = {}) {
    this.#transcripts = new Transcripts('MilepostSessionStore', options, []);
  }

  /**
   * @param {SessionKey} key
   * @param {import('../../types/session-store.js').SessionStoreEntry[]} entries
   */
  async append(key, entries) {
    await this.#transcripts.append(placeOf(key), entries);
  }

  /** @param {SessionKey} key */
  async load(key) {
    return this.#transcripts.load(placeOf(key));
  }

  /** @param {string} projectKey */
  async listSessions(projectKey) {
    const project = text('projectKey', projectKey);
    const { sessions } = await this.#transcripts.run('list_transcripts', { project });
    return sessions.map((/** @type {any} */ it) => ({ sessionId: it.session, mtime: it.mtime }));
  }

  /** @param {SessionKey} key */
  async delete(key) {
    await this.#transcripts.run('delete_transcript', placeOf(key));
  }

  /** @param {{projectKey: string, sessionId: string}} key */
  async listSubkeys(key) {
    const { project, session } = placeOf(key);
    const { subpaths } = await this.#transcripts.run('list_subpaths', { project, session });
    return subpaths;
  }
}

export class MilepostSession {
  #transcripts;
  #place;

  /** @param {import('../../types/session-store.js').MilepostSessionOptions} [options] */
  constructor(options = {}) {
    this.#transcripts = new Transcripts('MilepostSession', options, ['sessionId', 'project']);
    const { sessionId = crypto.randomUUID(), project = PROJECT } = options;
    this.#place = { project: text('project', project), session: text('sessionId', sessionId) };
  }

  async getSessionId() {
    return this.#place.session;
  }

  /** @param {number} [limit] */
  async getItems(limit) {
    const most = limit === undefined || limit === Infinity ? undefined : Math.max(0, Math.trunc(limit));
    if (most === 0) return [];
    if (Number.isNaN(most)) throw unexpected('`limit`', 'a number', limit);
    return (await this.#transcripts.load(this.#place, most)) ?? [];
  }

  /** @param {readonly unknown[]} items */
  async addItems(items) {
    await this.#transcripts.append(this.#place, items);
  }

  async popItem() {
    const { entry } = await this.#transcripts.run('pop_transcript', this.#place);
    return entry === null ? undefined : JSON.parse(entry);
  }

  async clearSession() {
    await this.#transcripts.run('delete_transcript', this.#place);
  }
}

/**
 * @param {SessionKey} key
 * @returns {{project: string, session: string, subpath?: string}}
 */
function placeOf(key) {
  const { projectKey, sessionId, subpath } = key ?? {};
  const place = { project: text('projectKey', projectKey), session: text('sessionId', sessionId) };
  if (subpath === undefined) return place;
  if (subpath === '') throw unexpected('`subpath`', 'left out for the transcript of the session itself', subpath);
  return { ...place, subpath: text('subpath', subpath) };
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {string}
 */
function text(name, value) {
  if (typeof value === 'string') return value;
  throw unexpected(`\`${name}\``, 'a string', value);
}

/**
 * @param {string} what
 * @param {string} expected
 * @param {unknown} found
 */
function unexpected(what, expected, found) {
  return new MilepostError('usage', `Expected ${what} to be ${expected}, got ${describe(found)}`);
}
