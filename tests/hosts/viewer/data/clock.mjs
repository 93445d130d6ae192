// The clock of a maker of data: what it makes has the same times in every run.

/** Stands in place of the wall clock until it is put back. */
export class Clock {
  #real = Date.now;

  /** @param {string} begin as RFC 3339 */
  constructor(begin) {
    this.ms = Date.parse(begin);
    // Each look takes a millisecond, so that what follows each other has times that do so too.
    Date.now = () => this.ms++;
  }

  /** @param {string} moment as RFC 3339 */
  at(moment) {
    this.ms = Date.parse(moment);
  }

  minutes(count) {
    this.ms += count * 60_000;
  }

  putBack() {
    Date.now = this.#real;
  }
}
