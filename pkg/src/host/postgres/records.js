// Effects on records, as statements.

import { CHUNK_BYTES, Chunks } from './chunks.js';
import { reasonOf } from './database.js';
import { Source } from './difference.js';
import { sha256 } from './digest.js';
import { Parts } from './parts.js';
import { ISOLATED, NOT_NEW, OTHER_CONTENT, quoted, rightsOn, withRights } from './schema.js';
import { Seen } from './seen.js';

/** @typedef {import('../../../types/operation.js').Effect} Effect */
/** @typedef {Effect & {effect: 'swapRecord'}} Swap */
/** @typedef {import('../../../types/operation.js').Fault} Fault */
/** @typedef {import('../../../types/operation.js').Outcome} Outcome */

/** A row that others hold for too long: the operation looks again, until it gives up. */
const LOCKED = '55P03';
const UNIQUE = '23505';
const FULL = '53100';

/** An applied operation is known for so long; a statement is retried for seconds. */
const KNOWN_FOR = '1 hour';
/** So many changes pass between two looks for what may be forgotten. */
const FORGET_EVERY = 1000;

/** Less than this travels as it is. */
const LEAST_FOR_DIFFERENCE = 4 * 1024;
/** A piece takes about so many bytes of a statement. */
const PIECE_BYTES = 16;
/** Larger content is not compared, which would hold up the process. */
const MOST_FOR_DIFFERENCE = CHUNK_BYTES;

/** With fewer keys below a name than this, all of them are looked at. */
const FEW = 500;

const NOTHING = new Uint8Array();

/**
 * The difference that a swap sends instead of contents. Large ones were sent before: their chunks are among the sources,
 * and go with the swap.
 *
 * @typedef {{expected: string | null, digests: (string | null)[], sources: string[], pieces: number[], fresh: Uint8Array,
 *   staged: string[]}} SwapDifference
 */

/** @type {Outcome} */
const DONE = { outcome: 'done' };

export class Records {
  #database;
  #schema;
  #onChange;
  #swapping;
  #changing;
  #seen = new Seen();
  #parts = new Parts();
  #chunks;
  #isIsolated = false;
  #changes = 0;

  /**
   * @param {import('./database.js').Database} database
   * @param {string} schema
   * @param {(record: string) => void} onChange after it is committed
   */
  constructor(database, schema, onChange) {
    this.#database = database;
    this.#schema = quoted(schema);
    this.#onChange = onChange;
    this.#chunks = new Chunks((text, values) => this.#query(text, values), this.#schema);
    // The text of `prepared` is short: it is the name too.
    this.#swapping = `SELECT ${this.#schema}.swap($1,$2,$3,$4,$5,$6,$7,$8)`;
    this.#changing = `SELECT ${this.#schema}.swap(${list(10)})`;
  }

  /**
   * Performs the effects of one operation, and only of one.
   *
   * @param {boolean} mayAssume whether the record that it begins with may be the one that this process
   *   has left; an operation that is unfounded in the end runs again without that
   */
  operation(mayAssume) {
    return new Operation(this, this.#seen, mayAssume);
  }

  /**
   * @param {string} record
   * @returns {Promise<Uint8Array | null>}
   */
  async read(record) {
    const known = this.#parts.get(record);
    if (known) return known;
    const bytes = await this.#chunks.read(record);
    this.#parts.keep(record, bytes);
    return bytes;
  }

  /**
   * The names below a record, and the record: a caller that asks for the ones wants the other next.
   *
   * @param {string} under
   * @param {number} limit
   */
  async list(under, limit) {
    const text = `
      SELECT array_to_json(ARRAY(
          SELECT substr(key, $5) FROM ${this.#schema}.records
          WHERE key > $1 AND key < $2 ORDER BY key LIMIT $4
        )),
        (SELECT encode(bytes, 'base64') FROM ${this.#schema}.records WHERE key = $3)`;
    const values = [`${under}/`, `${under}0`, under, FEW, [...under].length + 2];
    const [[found, base64]] = await this.#query(text, values);
    /** @type {string[]} */
    const all = JSON.parse(found);
    const names = all.length < FEW ? all.filter((name) => !name.includes('/')) : await this.#names(under, limit);
    return { names: names.slice(0, limit), complete: names.length < limit, bytes: bytesOf(base64) };
  }

  /**
   * The names below a record. Among many, those that are deeper are passed over.
   *
   * @param {string} under
   * @param {number} limit
   */
  async #names(under, limit) {
    const text = `SELECT array_to_json(ARRAY(SELECT ${this.#schema}.names($1, $2)))`;
    const [[names]] = await this.#query(text, [`${under}/`, limit]);
    return JSON.parse(names);
  }

  /**
   * @param {Swap} swap
   * @returns {Promise<boolean>} false where there is another state
   */
  async swap(swap) {
    const { record, beside } = swap;
    const operation = crypto.randomUUID();
    /** @type {string[]} */
    const staged = [];
    let isSwapped = false;
    try {
      const difference = await this.#difference(operation, swap, staged);
      isSwapped = difference
        ? await this.#change(operation, swap, difference)
        : await this.#replace(operation, swap);
    } catch (error) {
      if (codeOf(error) === FULL) await this.#chunks.dropOld().catch(() => {});
      throw error;
    } finally {
      if (!isSwapped) await this.#chunks.drop(staged).catch(() => {});
    }
    if (!isSwapped) return false;
    for (const other of beside) {
      if (other.bytes) this.#parts.keep(other.record, other.bytes);
      else this.#parts.drop(other.record);
    }
    this.#onChange(record);
    this.#changes += 1;
    if (this.#changes % FORGET_EVERY === 1) this.#forget();
    return true;
  }

  /**
   * @param {string} operation
   * @param {Swap} swap
   * @returns {Promise<boolean>}
   */
  async #replace(operation, { record, expected, bytes, keep, beside }) {
    const values = [
      operation,
      record,
      expected && (await digestOf(expected)),
      bytes && asBuffer(bytes),
      keep === null ? null : `${record}/${keep}`,
      beside.map((other) => other.record),
      beside.map((other) => other.mustBeNew),
      beside.map((other) => other.bytes && asBuffer(other.bytes)),
    ];
    const [[isSwapped]] = await this.#once(this.#swapping, values);
    return isSwapped;
  }

  /**
   * A swap of which the difference alone is sent.
   *
   * @param {string} operation
   * @param {Swap} swap
   * @param {SwapDifference} difference
   * @returns {Promise<boolean>}
   */
  async #change(operation, swap, { expected, digests, sources, pieces, fresh, staged }) {
    const { record, keep, beside } = swap;
    const values = [
      operation,
      record,
      expected,
      keep === null ? null : `${record}/${keep}`,
      [...beside.map((other) => other.record), ...staged],
      [...beside.map((other) => other.mustBeNew), ...staged.map(() => false)],
      [...digests, ...staged.map(() => null)],
      [...sources, ...staged],
      ...[pieces, fresh],
    ];
    try {
      const [[isSwapped]] = await this.#once(this.#changing, values);
      return isSwapped;
    } catch (error) {
      if (codeOf(error) !== OTHER_CONTENT) throw error;
      await this.#chunks.drop(staged).catch(() => {});
      return this.#replace(operation, swap);
    }
  }

  /**
   * The difference between the state that is expected, with the parts that go, and what takes their place; null where
   * sending that costs less. Large contents are new as a whole.
   *
   * @param {string} operation
   * @param {Swap} swap
   * @param {string[]} staged takes the names of chunks
   * @returns {Promise<SwapDifference | null>}
   */
  async #difference(operation, { expected, bytes, beside }, staged) {
    if (!bytes) return null;
    const made = [bytes, ...beside.map((other) => other.bytes)];
    const all = made.reduce((sum, it) => sum + (it?.length ?? 0), 0);
    if (all < LEAST_FOR_DIFFERENCE) return null;
    const dropped = beside.filter((other) => other.bytes === null && this.#parts.get(other.record));
    const held = dropped.map((other) => this.#parts.get(other.record) ?? NOTHING);
    const from = held.reduce((sum, it) => sum + it.length, expected?.length ?? 0);
    const isLarge = Math.max(all, from) > MOST_FOR_DIFFERENCE;
    if (!expected && !isLarge) return null;
    const source = new Source(isLarge || !expected ? NOTHING : Buffer.concat([expected, ...held]));
    /** @type {number[]} */
    const pieces = [];
    /** @type {Uint8Array[]} */
    const fresh = [];
    let end = expected?.length ?? 0;
    for (const [number, content] of made.entries()) {
      if (!content) continue;
      if (content.length > CHUNK_BYTES) {
        await this.#chunks.stage(`${operation}/${number}`, content, staged);
        pieces.push(number, end, content.length, 0);
        end += content.length;
        continue;
      }
      const found = isLarge ? [{ offset: 0, length: 0, added: content }] : source.difference(content);
      for (const { offset, length, added } of found) {
        pieces.push(number, offset, length, added.length);
        fresh.push(added);
      }
    }
    const sent = fresh.reduce((sum, it) => sum + it.length, (pieces.length / 4) * PIECE_BYTES);
    if (!isLarge && sent > all / 2) return null;
    return {
      expected: expected && (await digestOf(expected)),
      digests: await Promise.all(made.map((it) => it && digestOf(it))),
      sources: isLarge ? [] : dropped.map((other) => other.record),
      pieces,
      fresh: Buffer.concat(fresh),
      staged,
    };
  }

  /**
   * @param {string} text
   * @param {unknown[]} values
   */
  #query(text, values) {
    return this.#database.query(text, values).catch((error) => {
      throw withRights(error, rightsOn(this.#schema));
    });
  }

  /**
   * One statement is a transaction of its own, of the isolation that the database, the role or the pool
   * begins one with. Where that is another one, it is named, in two more statements.
   *
   * @param {string} text
   * @param {unknown[]} values
   */
  #once(text, values) {
    const isolated = () => this.#database.within((query) => query(text, values));
    if (this.#isIsolated) return isolated();
    return this.#database.prepared(text, values).catch((error) => {
      if (codeOf(error) !== ISOLATED) throw withRights(error, rightsOn(this.#schema));
      this.#isIsolated = true;
      return isolated();
    });
  }

  /** Not waited for: another one comes. */
  #forget() {
    const text = `DELETE FROM ${this.#schema}.operations WHERE at < now() - $1::interval`;
    this.#database.query(text, [KNOWN_FOR]).catch(() => {});
    this.#chunks.dropOld().catch(() => {});
  }
}

/**
 * A record that was looked at: its bytes, and the names below it; `some` of them only where it was assumed.
 *
 * @typedef {{record: string, limit: number, names: string[], complete: boolean, some: boolean,
 *   bytes: Uint8Array | null}} Listed
 */

/** The effects of one operation, one after the other. */
class Operation {
  #records;
  #seen;
  /** Only what an operation begins with may be assumed. */
  #isBeginning;
  /** @type {string | undefined} the record that was assumed, as long as no swap has compared it */
  #unfounded;
  /** @type {Listed | undefined} the record that was looked at last, and nothing has happened since */
  #listed;

  /**
   * @param {Records} records
   * @param {Seen} seen
   * @param {boolean} mayAssume
   */
  constructor(records, seen, mayAssume) {
    this.#records = records;
    this.#seen = seen;
    this.#isBeginning = mayAssume;
  }

  /** Returns whether it rests on a state that no swap has compared. */
  isUnfounded() {
    return this.#unfounded !== undefined;
  }

  /**
   * Performs an effect on records; null where it is another one.
   *
   * @param {Effect} effect
   * @returns {Outcome | Promise<Outcome> | null}
   */
  perform(effect) {
    const listed = this.#listed;
    this.#listed = undefined;
    switch (effect.effect) {
      case 'readRecord':
        return this.#read(effect.record, listed);
      case 'swapRecord':
        return this.#swap(effect, listed).catch(failure);
      case 'listRecords':
        return this.#list(effect.under, effect.limit, listed);
      default:
        return null;
    }
  }

  /**
   * Reads a record. One that came with the list a moment ago was there while the operation was in flight.
   *
   * @param {string} record
   * @param {Listed} [listed]
   * @returns {Outcome | Promise<Outcome>}
   */
  #read(record, listed) {
    if (listed?.record !== record) return this.#other(record, listed).then(contentOf, failure);
    this.#listed = listed;
    return contentOf(listed.bytes);
  }

  /**
   * Reads another record than the one that was looked at. As long as it is there, as a part of that, the caller goes on
   * with the same state.
   *
   * @param {string} record
   * @param {Listed} [listed]
   */
  async #other(record, listed) {
    const bytes = await this.#records.read(record);
    if (bytes && listed && record.startsWith(`${listed.record}/`)) this.#listed = listed;
    return bytes;
  }

  /**
   * Lists records. A caller that looks twice, with nothing in between, gets the first answer again.
   *
   * @param {string} under
   * @param {number} limit
   * @param {Listed} [listed]
   * @returns {Outcome | Promise<Outcome>}
   */
  #list(under, limit, listed) {
    if (listed?.record === under && listed.limit === limit && !listed.some) return this.#namesOf(listed);
    const assumed = this.#isBeginning ? this.#seen.get(under) : undefined;
    this.#isBeginning = false;
    if (assumed === undefined) {
      const found = this.#records.list(under, limit);
      return found.then((it) => this.#namesOf({ ...it, record: under, limit, some: false }), failure);
    }
    this.#unfounded = under;
    const { bytes, kept } = assumed;
    const names = kept === null ? [] : [kept];
    return this.#namesOf({ record: under, limit, names, complete: true, some: kept !== null, bytes });
  }

  /**
   * @param {Listed} listed
   * @returns {Outcome}
   */
  #namesOf(listed) {
    this.#listed = listed;
    return { outcome: 'names', names: listed.names, complete: listed.complete };
  }

  /**
   * @param {Swap} swap
   * @param {Listed} [listed]
   * @returns {Promise<Outcome>}
   */
  async #swap(swap, listed) {
    const { record, bytes, keep: kept } = swap;
    if (this.#unfounded === record) this.#unfounded = undefined;
    // The outcome is not known before its answer.
    this.#seen.drop(record);
    for (const other of swap.beside) this.#seen.drop(other.record);
    if (!(await this.#records.swap(swap))) return failed('changed', 'another state');
    // Only what is listed first is ever begun with.
    if (bytes && listed?.record === record) this.#seen.keep(record, { bytes, kept });
    return DONE;
  }
}

/**
 * @param {string | null} base64
 * @returns {Uint8Array | null}
 */
function bytesOf(base64) {
  return base64 === null ? null : Buffer.from(base64, 'base64');
}

/**
 * @param {Uint8Array | null} bytes
 * @returns {Outcome}
 */
function contentOf(bytes) {
  return bytes ? { outcome: 'bytes', bytes } : failed('notFound', 'no such record');
}

/**
 * @param {unknown} error
 * @returns {Outcome}
 */
function failure(error) {
  switch (codeOf(error)) {
    case LOCKED:
    case NOT_NEW:
    case UNIQUE:
      return failed('changed', reasonOf(error));
    case FULL:
      return failed('noSpace', reasonOf(error));
    default:
      return failed('other', reasonOf(error));
  }
}

/** @param {any} error */
function codeOf(error) {
  return error?.code;
}

/**
 * The SHA-256 of bytes, as `pg` takes bytes in text.
 *
 * @param {Uint8Array} bytes
 */
async function digestOf(bytes) {
  return `\\x${await sha256(bytes)}`;
}

/** @param {number} count */
function list(count) {
  return Array.from({ length: count }, (_, at) => `$${at + 1}`).join(',');
}

/**
 * `pg` takes a `Uint8Array` in a list for one of numbers.
 *
 * @param {Uint8Array} bytes
 */
function asBuffer(bytes) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * @param {Fault} fault
 * @param {string} detail
 * @returns {Outcome}
 */
function failed(fault, detail) {
  return { outcome: 'failed', fault, detail };
}
