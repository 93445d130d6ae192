// Notices to followers that something changed: NOTIFY after the commit, because inside it would make one
// commit wait for another, and LISTEN on a connection of its own. A notice may be lost; followers
// also look by themselves.

import { sha256 } from './digest.js';

/** The longest text of a notice, with room to spare; a longer one says that anything may have changed. */
const MOST_BYTES = 7000;

/** The first change is sent immediately, those of the next moment together. */
const SEND_EVERY_MS = 250;

/** Followers look by themselves: a store is not kept open for long. */
const CLOSE_WITHIN_MS = 1000;

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5000;

/**
 * The channel of a schema: its name would be cut off at 63 bytes.
 *
 * @param {string} schema
 */
async function channelOf(schema) {
  const digest = await sha256(schema);
  return `milepost_${digest.slice(0, 24)}`;
}

export class Notices {
  #database;
  #schema;
  /** @type {Set<string>} */
  #waiting = new Set();
  /** @type {Promise<void> | undefined} */
  #sending;
  /** @type {Set<(record: string) => void>} */
  #followers = new Set();
  /** @type {any} */
  #client;
  /** @type {Promise<void> | undefined} */
  #listening;

  /**
   * @param {import('./database.js').Database} database
   * @param {string} schema
   */
  constructor(database, schema) {
    this.#database = database;
    this.#schema = schema;
  }

  /**
   * Sends a notice of a change, soon, together with those that follow in the same interval. No commit waits for it.
   *
   * @param {string} record
   */
  notify(record) {
    this.#waiting.add(Buffer.byteLength(record) > MOST_BYTES ? '' : record);
    this.#sending ??= this.#sendAll();
  }

  async #sendAll() {
    const channel = await channelOf(this.#schema);
    while (this.#waiting.size > 0) {
      const records = [...this.#waiting];
      this.#waiting.clear();
      const text = `
        SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, record)
        FROM unnest($2::text[]) AS record`;
      await this.#database.query(text, [channel, records]).catch(() => {});
      // A writer that changes something all the time sends at intervals, or writers would wait for it.
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, SEND_EVERY_MS);
        this.#hurry = () => resolve(clearTimeout(timer));
      });
    }
    this.#sending = undefined;
  }

  /**
   * Calls with each record of a notice, and with an empty text where any may have changed.
   *
   * @param {(record: string) => void} follower
   * @returns {() => void} ends it
   */
  listen(follower) {
    this.#followers.add(follower);
    this.#listening ??= this.#listen();
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#hangUp();
    };
  }

  async close() {
    this.#followers.clear();
    this.#hangUp();
    this.#hurry();
    if (this.#sending === undefined) return;
    // A pool that its owner has ended drops what waits in it, without an answer.
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_WITHIN_MS)));
    await Promise.race([this.#sending, late]);
    clearTimeout(timer);
  }

  #hangUp() {
    const client = this.#client;
    this.#client = undefined;
    client?.end().catch(() => {});
    this.#wake();
  }

  /** Ends the pause between two notices. */
  #hurry = () => {};

  /** @type {() => void} ends a pause */
  #wake = () => {};

  /** Listens until no one follows any more. */
  async #listen() {
    let pause = FIRST_PAUSE_MS;
    while (this.#followers.size > 0) {
      try {
        await this.#connected(() => (pause = FIRST_PAUSE_MS));
      } catch {
        // Followers look by themselves in that time.
      }
      if (this.#followers.size === 0) break;
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pause);
        this.#wake = () => resolve(clearTimeout(timer));
      });
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
    this.#listening = undefined;
  }

  /**
   * Listens until the connection ends. Notices from before it opened are lost.
   *
   * @param {() => void} onListening
   */
  async #connected(onListening) {
    const { Client, options } = await this.#database.pool();
    const client = new Client(options);
    this.#client = client;
    const ended = new Promise((resolve) => {
      client.on('error', resolve);
      client.on('end', resolve);
    });
    client.on('notification', (/** @type {{payload?: string}} */ { payload }) => {
      for (const follower of this.#followers) follower(payload ?? '');
    });
    try {
      // A connection that is ended while it opens says nothing of it.
      await Promise.race([client.connect(), ended]);
      if (this.#client !== client) return;
      await client.query(`LISTEN "${await channelOf(this.#schema)}"`);
      onListening();
      for (const follower of this.#followers) follower('');
      await ended;
    } finally {
      client.end().catch(() => {});
    }
  }
}
