// The difference between what a database has and what takes its place: pieces of the one, and bytes that are new. Only
// those travel.

/**
 * A piece of content: so many bytes of the source, from an offset on, and behind them what is new.
 *
 * @typedef {{offset: number, length: number, added: Uint8Array}} Piece
 */

/** So many bytes are looked for in the source together. */
const BLOCK = 48;

/** The factor of the rolling hash, and its power that the byte that leaves a block has. */
const FACTOR = 0x01000193;
const LEAVING = power(BLOCK - 1);

/** The content that a database has, where blocks of other content are looked for. */
export class Source {
  #bytes;
  /** @type {Map<number, number>} the offset of each block, by its hash */
  #blocks = new Map();

  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.#bytes = bytes;
    for (let at = bytes.length - (bytes.length % BLOCK) - BLOCK; at >= 0; at -= BLOCK) {
      this.#blocks.set(hashOf(bytes, at), at);
    }
  }

  /**
   * Returns how another content is made of this one.
   *
   * @param {Uint8Array} next
   * @returns {Piece[]} one after the other
   */
  difference(next) {
    /** @type {Piece[]} */
    const made = [];
    let [offset, length, done] = [0, this.#common(0, next, 0), 0];
    const add = (/** @type {number} */ until) => {
      made.push({ offset, length, added: next.subarray(done + length, until) });
    };
    let at = length;
    let hash = hashOf(next, at);
    while (at + BLOCK <= next.length) {
      const found = this.#at(hash, next, at, offset + (at - done));
      if (found === null) {
        hash = Math.imul(hash - Math.imul(next[at], LEAVING), FACTOR) + (next[at + BLOCK] ?? 0);
        hash |= 0;
        at += 1;
        continue;
      }
      const before = this.#before(found, next, at, done + length);
      add(at - before);
      done = at - before;
      offset = found - before;
      length = before + this.#common(found, next, at);
      at = done + length;
      hash = hashOf(next, at);
    }
    add(next.length);
    return made;
  }

  /**
   * Returns where the source has a block of the content: at best where it goes on.
   *
   * @param {number} hash
   * @param {Uint8Array} next
   * @param {number} at
   * @param {number} expected
   */
  #at(hash, next, at, expected) {
    const found = this.#blocks.get(hash);
    for (const offset of [expected, found]) {
      if (offset !== undefined && this.#common(offset, next, at, BLOCK) === BLOCK) return offset;
    }
    return null;
  }

  /**
   * The number of bytes from these offsets on that both have, at most so many.
   *
   * @param {number} offset
   * @param {Uint8Array} next
   * @param {number} at
   * @param {number} [most]
   */
  #common(offset, next, at, most = next.length) {
    const bytes = this.#bytes;
    const end = Math.min(most, bytes.length - offset, next.length - at);
    let length = 0;
    while (length < end && bytes[offset + length] === next[at + length]) length += 1;
    return length;
  }

  /**
   * The number of bytes before these offsets that both have.
   *
   * @param {number} offset
   * @param {Uint8Array} next
   * @param {number} at
   * @param {number} from where the content is not made yet
   */
  #before(offset, next, at, from) {
    const bytes = this.#bytes;
    const end = Math.min(offset, at - from);
    let length = 0;
    while (length < end && bytes[offset - 1 - length] === next[at - 1 - length]) length += 1;
    return length;
  }
}

/**
 * The hash of a block; 0 without one.
 *
 * @param {Uint8Array} bytes
 * @param {number} at
 */
function hashOf(bytes, at) {
  if (at + BLOCK > bytes.length) return 0;
  let hash = 0;
  for (let end = at + BLOCK; at < end; at += 1) hash = (Math.imul(hash, FACTOR) + bytes[at]) | 0;
  return hash;
}

/** @param {number} exponent */
function power(exponent) {
  let result = 1;
  for (let left = exponent; left > 0; left -= 1) result = Math.imul(result, FACTOR);
  return result;
}
