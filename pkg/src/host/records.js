// The host adapter on records in memory: for what lives as long as its process.

import * as border from '../border.js';

/** @typedef {import('../../types/operation.js').Beside} Beside */

/**
 * Records of its own. A host of records asks for no files.
 *
 * @returns {import('../operation.js').Host & {storage: 'records'}}
 */
export function recordsInMemory() {
  const records = new Records();
  return {
    perform: (effect, text, textLength, more, moreLength, number) =>
      records.perform(effect, border.text(text, textLength), more, moreLength, number),
    place: () => ({ git_root: null, working: '/' }),
    storage: 'records',
  };
}

class Records {
  /** @type {Map<string, Uint8Array>} */
  #records = new Map();

  /**
   * @param {number} effect by its number
   * @param {string} text
   * @param {number} at
   * @param {number} length
   * @param {number} number
   * @returns {number}
   */
  perform(effect, text, at, length, number) {
    switch (border.EFFECTS[effect]) {
      case 'clock':
        return border.answerClock(Date.now(), performance.now());
      case 'random':
        return border.answerBytes(crypto.getRandomValues(new Uint8Array(number)));
      case 'readRecord': {
        const bytes = this.#records.get(text);
        return bytes ? border.answerBytes(bytes) : border.answerFault('notFound', 'no such record');
      }
      case 'swapRecord':
        return this.#swap(JSON.parse(text), at, length);
      case 'listRecords':
        return this.#list(`${text}/`, number);
      default:
        return border.answerFault('unsupported', 'there are no files in memory');
    }
  }

  /**
   * @param {{record: string, expected: number | null, bytes: number | null, keep: string | null, beside: {record: string, mustBeNew: boolean, bytes: number | null}[]}} line
   *   with the lengths of its bytes
   * @param {number} at
   * @param {number} length
   */
  #swap({ record, expected, bytes, keep, beside }, at, length) {
    const all = new Uint8Array(border.part(at, length));
    let from = 0;
    /** @param {number | null} count */
    const next = (count) => (count === null ? null : all.subarray(from, (from += count)));
    const before = next(expected);
    const replaced = this.#records.get(record);
    if (!isSame(before, replaced)) return border.answerFault('changed', 'the record is another one');
    if (beside.some((other) => other.mustBeNew && this.#records.has(other.record))) {
      return border.answerFault('changed', 'a record beside it is there already');
    }
    if (replaced && keep) this.#records.set(`${record}/${keep}`, replaced);
    for (const other of [{ record, bytes }, ...beside]) {
      const content = next(other.bytes);
      if (content) this.#records.set(other.record, content);
      else this.#records.delete(other.record);
    }
    return border.DONE;
  }

  /**
   * @param {string} under
   * @param {number} limit
   */
  #list(under, limit) {
    const names = [];
    for (const record of this.#records.keys()) {
      if (!record.startsWith(under)) continue;
      const name = record.slice(under.length);
      if (name.includes('/')) continue;
      if (names.length === limit) return border.answerNames(names, false);
      names.push(name);
    }
    return border.answerNames(names, true);
  }
}

/**
 * @param {Uint8Array | null} expected
 * @param {Uint8Array | undefined} found
 */
function isSame(expected, found) {
  if (!expected || !found) return !expected && !found;
  return expected.length === found.length && expected.every((byte, at) => byte === found[at]);
}
