// Chance with a seed (xorshift32): the same in every run.

export class Chance {
  #state;

  /** @param {number} seed not 0 */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From 0 to `below` - 1. */
  number(below) {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % below;
  }

  /** @template T @param {readonly T[]} list @returns {T} */
  of(list) {
    return list[this.number(list.length)];
  }

  /** @param {number} count of words */
  words(count) {
    return Array.from({ length: count }, () => this.of(WORDS)).join(' ');
  }
}

const WORDS = (
  'the parser keeps every comment and the printer writes it back where it stood before so that a file ' +
  'without changes stays byte for byte what was found in review is fixed tests cover the grammar but not ' +
  'yet errors of the reader which come with line and column next are benchmarks of large files'
).split(' ');
