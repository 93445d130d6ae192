// The last commits of this process: a writer who is alone on its checkpoint finds it as it left it, and
// need not ask. Only an operation that swaps the record is answered with it: the swap compares.

/** So many records are remembered, and none that is larger. */
const MOST_RECORDS = 256;
const MOST_BYTES = 64 * 1024;

/**
 * A record in its committed state, and the name below it that the commit kept the replaced state under: the
 * newest one. An operation that begins with this needs none of the older ones, and asks for them otherwise.
 *
 * @typedef {{bytes: Uint8Array, kept: string | null}} State
 */

export class Seen {
  /** @type {Map<string, State>} the latest used last */
  #states = new Map();

  /** @param {string} record */
  get(record) {
    const state = this.#states.get(record);
    if (state) this.keep(record, state);
    return state;
  }

  /**
   * @param {string} record
   * @param {State} state
   */
  keep(record, state) {
    this.#states.delete(record);
    if (state.bytes.length > MOST_BYTES) return;
    this.#states.set(record, state);
    if (this.#states.size <= MOST_RECORDS) return;
    const [oldest] = this.#states.keys();
    this.#states.delete(oldest);
  }

  /** @param {string} record */
  drop(record) {
    this.#states.delete(record);
  }
}
