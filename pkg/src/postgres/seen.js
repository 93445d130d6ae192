// What this process has last committed: a writer who is alone on its checkpoint finds it as it left it, and
// need not ask. Nobody is answered with it who does not swap it: the swap compares.

/** So many records are remembered, and none that is larger. */
const MOST_RECORDS = 256;
const MOST_BYTES = 64 * 1024;

/**
 * A record, and the names of those below it.
 *
 * @typedef {{bytes: Uint8Array, names: string[]}} State
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

/**
 * The names below a record after it was swapped; null where that cannot be told.
 *
 * @param {string[]} names
 * @param {import('../../types/operation.js').Effect & {effect: 'swapRecord'}} swap
 */
export function namesAfter(names, { record, keep, beside }) {
  const after = new Set(names);
  if (keep !== null) after.add(keep);
  for (const other of beside) {
    if (!other.record.startsWith(`${record}/`)) continue;
    const name = other.record.slice(record.length + 1);
    if (name.includes('/')) continue;
    if (other.bytes) after.add(name);
    else after.delete(name);
  }
  return [...after];
}
