// Large contents in chunks: `pg` holds what it sends and what it gets several times over, so that no statement has all
// of one. What is written waits in records of its own, outside of every project, until a swap makes it one.

import { isPart } from './parts.js';

/** A larger content goes in chunks of so many bytes. */
export const CHUNK_BYTES = 8 * 1024 * 1024;

/** The keys of projects begin with a slash. */
const STAGED = 'staged/';

/** Chunks that a process staged and left, because it died, are removed after so long. */
const STAGED_FOR = '1 hour';

/**
 * A time as keys have it. The clock is that of the database: the ones of processes may differ by more than an hour.
 *
 * @param {string} time in SQL
 */
const inKey = (time) => `to_char((${time}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** @typedef {import('./database.js').Query} Query */

export class Chunks {
  #query;
  #records;

  /**
   * @param {Query} query
   * @param {string} schema quoted
   */
  constructor(query, schema) {
    this.#query = query;
    this.#records = `${schema}.records`;
  }

  /**
   * Stores a content under names that are used once.
   *
   * @param {string} operation
   * @param {Uint8Array} content
   * @param {string[]} names takes the name of each chunk, in their order, before it is stored
   */
  async stage(operation, content, names) {
    const text = `INSERT INTO ${this.#records} (key, bytes) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING`;
    const [[time]] = await this.#query(`SELECT ${inKey('now()')}`, []);
    const under = `${STAGED}${time}/${operation}`;
    for (let at = 0; at < content.length; at += CHUNK_BYTES) {
      const name = `${under}/${at / CHUNK_BYTES}`;
      names.push(name);
      const chunk = content.subarray(at, at + CHUNK_BYTES);
      await this.#query(text, [name, Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)]);
    }
  }

  /**
   * Removes what no swap has taken.
   *
   * @param {string[]} names
   */
  async drop(names) {
    if (names.length > 0) await this.#query(`DELETE FROM ${this.#records} WHERE key = ANY($1)`, [names]);
  }

  /** Removes what processes that died have left. */
  async dropOld() {
    const until = `$1::text || ${inKey('now() - $2::interval')}`;
    await this.#query(`DELETE FROM ${this.#records} WHERE key > $1::text AND key < ${until}`, [STAGED, STAGED_FOR]);
  }

  /**
   * Reads a record. A part never changes, so that chunks of a large one belong together.
   *
   * @param {string} record
   * @returns {Promise<Uint8Array | null>} null where it is not there
   */
  async read(record) {
    const bytes = isPart(record) ? 'substr(bytes, $2, $3)' : 'bytes';
    const text = `SELECT encode(${bytes}, 'base64'), octet_length(bytes) FROM ${this.#records} WHERE key = $1`;
    const chunk = async (/** @type {number} */ at) => {
      const [row] = await this.#query(text, [record, ...(isPart(record) ? [at + 1, CHUNK_BYTES] : [])]);
      return row;
    };
    const first = await chunk(0);
    if (first === undefined) return null;
    const length = Number(first[1]);
    if (!isPart(record) || length <= CHUNK_BYTES) return Buffer.from(first[0], 'base64');
    const content = Buffer.allocUnsafeSlow(length);
    let at = content.write(first[0], 0, 'base64');
    while (at < length) {
      const next = await chunk(at);
      // It was removed, and another one may be in its place.
      if (next === undefined || Number(next[1]) !== length) return null;
      const written = content.write(next[0], at, 'base64');
      if (written === 0) throw new Error(`the database sent nothing of ${record} from byte ${at} of ${length}`);
      at += written;
    }
    return content;
  }
}
