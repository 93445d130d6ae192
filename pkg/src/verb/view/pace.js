// The pace at which a copy follows its database: a database that is away would keep the reader waiting each time.

/** A change that was not announced stays unseen for so long, and a database that is away is left alone for it. */
const LATEST_MS = 30_000;
/** Changes that were announced are read together: the whole copy is compared for one. */
const SOONEST_MS = 3_000;

/** Times are those of `performance.now()`. */
export class Pace {
  #refreshed = -Infinity;
  #notBefore = -Infinity;

  /**
   * Returns whether the database is asked at all.
   *
   * @param {number} now
   */
  mayAsk(now) {
    return now >= this.#notBefore;
  }

  /**
   * Returns whether the copy is to be refreshed.
   *
   * @param {number} now
   * @param {boolean} isChanged whether a change was announced
   */
  isDue(now, isChanged) {
    return now - this.#refreshed >= (isChanged ? SOONEST_MS : LATEST_MS);
  }

  /** @param {number} now */
  refreshed(now) {
    this.#refreshed = now;
  }

  /** @param {number} now */
  failed(now) {
    this.#notBefore = now + LATEST_MS;
  }
}
