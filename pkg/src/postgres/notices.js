// What tells followers that something changed: NOTIFY after the commit, because inside it would make one
// commit wait for another, and LISTEN on a connection of its own. A notice may be lost; whoever follows
// also looks by itself.

import { sha256 } from './digest.js';

/** The longest text of a notice, with room to spare; a longer one says that anything may have changed. */
const MOST_BYTES = 7000;

/** The first change is told of at once, those of the next moment together. */
const TELL_EVERY_MS = 250;

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
  #telling;
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
   * Tells of a change, soon, and of those that come meanwhile together. No commit waits for it.
   *
   * @param {string} record
   */
  tell(record) {
    this.#waiting.add(Buffer.byteLength(record) > MOST_BYTES ? '' : record);
    this.#telling ??= this.#tellAll();
  }

  async #tellAll() {
    const channel = await channelOf(this.#schema);
    while (this.#waiting.size > 0) {
      const records = [...this.#waiting];
      this.#waiting.clear();
      const text = `
        SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, record)
        FROM unnest($2::text[]) AS record`;
      await this.#database.query(text, [channel, records]).catch(() => {});
      // Whoever changes something all the time tells of it at intervals, or writers would wait for it.
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, TELL_EVERY_MS);
        this.#hurry = () => resolve(clearTimeout(timer));
      });
    }
    this.#telling = undefined;
  }

  /**
   * Calls with each record that is told of, and with an empty text where any may have changed.
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
    if (this.#telling === undefined) return;
    // A pool that its owner has ended drops what waits in it, without an answer.
    /** @type {NodeJS.Timeout | undefined} */
    let timer;
    const late = new Promise((resolve) => (timer = setTimeout(resolve, CLOSE_WITHIN_MS)));
    await Promise.race([this.#telling, late]);
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

  /** Until nobody follows any more. */
  async #listen() {
    let pause = FIRST_PAUSE_MS;
    while (this.#followers.size > 0) {
      try {
        await this.#connected(() => (pause = FIRST_PAUSE_MS));
      } catch {
        // Followers look by themselves meanwhile.
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
   * Listens until the connection ends. What was told before it came about is lost.
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
      // One that is ended while it comes about says nothing of it.
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
