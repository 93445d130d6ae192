// Parts of documents, which are written once under a name that never has other bytes: what a process has
// read or written of them it need not read again, as long as there is room.

/** So much is remembered. */
const MOST_BYTES = 16 * 1024 * 1024;

/** A part's key ends in its token, and no token is used twice. */
const PART = /\/parts\/[0-9a-f]+-[0-9a-f]{32}$/;

/** @param {string} record */
export function isPart(record) {
  return PART.test(record);
}

export class Parts {
  /** @type {Map<string, Uint8Array>} the latest used last */
  #parts = new Map();
  #bytes = 0;
  #most;

  /** @param {number} [most] bytes */
  constructor(most = MOST_BYTES) {
    this.#most = most;
  }

  /** @param {string} record */
  get(record) {
    const bytes = this.#parts.get(record);
    if (bytes) this.#put(record, bytes);
    return bytes;
  }

  /**
   * Remembers a record, if it is a part.
   *
   * @param {string} record
   * @param {Uint8Array | null} bytes
   */
  keep(record, bytes) {
    if (bytes && bytes.length <= this.#most && isPart(record)) this.#put(record, bytes);
  }

  /** @param {string} record */
  drop(record) {
    this.#bytes -= this.#parts.get(record)?.length ?? 0;
    this.#parts.delete(record);
  }

  /**
   * @param {string} record
   * @param {Uint8Array} bytes
   */
  #put(record, bytes) {
    this.drop(record);
    this.#parts.set(record, bytes);
    this.#bytes += bytes.length;
    for (const [oldest] of this.#parts) {
      if (this.#bytes <= this.#most) break;
      this.drop(oldest);
    }
  }
}
