// A database by way of `pg`: a pool, statements that are retried where the connection was lost, and
// what its errors are for this package.

import { load as loadDriver } from 'milepost:driver';
import { isMilepostError } from '../../base/brand.js';
import { MilepostError } from '../../base/error.js';
import { sentence } from '../../base/messages.js';
import { listenToIdle, take } from './connection.js';
import { bringUpToDate } from './schema.js';

/** A statement is retried for so long: an operation does not wait longer either. */
const RETRY_FOR_MS = 5000;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 500;

/** The time that a connection may take to open, in ms, by default. */
const CONNECT_WITHIN_MS = 5000;

/**
 * Errors that may pass by themselves: a server that ends, begins or is full, a serialization failure, a deadlock. (Of
 * class 08 is every failure of a connection.)
 */
const PASSING = new Set(['57P01', '57P02', '57P03', '53300', '40001', '40P01', '25P02']);

/** Lost connections, by Node's codes. */
const CUT_OFF = new Set([
  ...['ECONNRESET', 'ECONNREFUSED', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOENT', 'EAI_AGAIN'],
]);

/** Errors of `pg` for a lost connection, which have no code. */
const CUT_OFF_TEXT = /terminat|not queryable|closed|timeout/i;

/**
 * Errors of a connection that does not know a statement by its name, or knows another one: one that is not
 * the same from one transaction to the next, or that was made to forget (`DISCARD ALL`). Nothing was done.
 */
const UNKNOWN_NAME = new Set(['26000', '42P05']);

/** So many bytes of a name count to PostgreSQL. */
const LONGEST_NAME = 63;

/** A type of PostgreSQL by its number. */
const BOOL = 16;

/**
 * Answers are read here, so that no setting of a pool says what they look like. Bytes are asked for as
 * text in base64: `pg` takes all input for UTF-8, the binary form of bytes too.
 */
const TYPES = {
  /**
   * @param {number} type
   * @param {string} format
   */
  getTypeParser(type, format) {
    if (format === 'binary') {
      throw new MilepostError('usage', 'Expected a pool of `pg` without `binary`, which loses bytes');
    }
    return type === BOOL ? (/** @type {string} */ value) => value === 't' : String;
  },
};

/**
 * @typedef {import('./connection.js').Pool} Pool
 * @typedef {import('./connection.js').Queries} Queries
 * @typedef {(text: string, values: unknown[]) => Promise<any[][]>} Query the rows, each a list
 */

export class Database {
  #connection;
  #schema;
  #makes;
  #driver;
  /** @type {Pool | undefined} */
  #pool;
  #isOwn;
  /** Ends listening to a pool of the caller's. */
  #leave = () => {};
  /** @type {Promise<Pool> | undefined} */
  #opening;
  /** @type {Promise<void> | undefined} */
  #ready;
  #wasConnected = false;
  #isClosed = false;
  /** True if connections know the statements that they have prepared. */
  #isPrepared = true;

  /**
   * @param {{connection?: string | object, pool?: Pool, schema: string, makes?: boolean, load?: () => any}} options
   */
  constructor({ connection, pool, schema, makes = true, load = loadDriver }) {
    this.#connection = typeof connection === 'string' ? { connectionString: connection } : connection;
    this.#schema = schema;
    this.#makes = makes;
    this.#driver = load;
    this.#pool = pool;
    this.#isOwn = pool === undefined;
    if (pool) this.#leave = listenToIdle(pool);
  }

  /**
   * Loads `pg` where no pool was given, and brings the schema up to date, once.
   *
   * @throws {MilepostError}
   */
  async ready() {
    this.#ready ??= bringUpToDate(this, this.#schema, this.#makes);
    try {
      await this.#ready;
    } catch (cause) {
      this.#ready = undefined;
      if (isMilepostError(cause)) throw cause;
      throw new MilepostError('io', `The database cannot be used: ${reasonOf(cause)}`, { cause });
    }
  }

  /**
   * Runs one statement, again where the connection is lost: it has to come to the same when it was run
   * before.
   *
   * @type {Query}
   */
  query(text, values) {
    return this.#again(async () => rowsOf(this.#current() ?? (await this.pool()), text, values));
  }

  /**
   * Runs a statement that is run often: each connection prepares it, under its own text as its
   * name, so that nothing else is ever meant by it.
   *
   * @type {Query}
   */
  prepared(text, values) {
    if (!this.#isPrepared || Buffer.byteLength(text) > LONGEST_NAME) return this.query(text, values);
    return this.#again(async () => {
      const pool = this.#current() ?? (await this.pool());
      return this.#isPrepared ? this.#preparedRows(pool, text, values) : rowsOf(pool, text, values);
    });
  }

  /** @type {(pool: Pool, text: string, values: unknown[]) => Promise<any[][]>} */
  #preparedRows(pool, text, values) {
    return rowsOf(pool, text, values, text).catch((error) => {
      if (!UNKNOWN_NAME.has(error?.code)) throw error;
      this.#isPrepared = false;
      return rowsOf(pool, text, values);
    });
  }

  /** The pool, where it is there already. */
  #current() {
    return this.#isClosed ? undefined : this.#pool;
  }

  /**
   * Runs statements in one transaction, all of them again where the connection is lost.
   *
   * @template T
   * @param {(query: Query) => Promise<T>} action
   * @returns {Promise<T>}
   */
  within(action) {
    return this.#again(async () => {
      const connection = await take(await this.pool());
      this.#wasConnected = true;
      let failure;
      try {
        await rowsOf(connection, 'BEGIN ISOLATION LEVEL READ COMMITTED', []);
        const done = await action((text, values) => rowsOf(connection, text, values));
        await rowsOf(connection, 'COMMIT', []);
        return done;
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        connection.release(failure);
      }
    });
  }

  /** @returns {Promise<Pool>} */
  async pool() {
    if (this.#isClosed) throw new Error('the store was closed');
    if (this.#pool) return this.#pool;
    this.#opening ??= this.#open();
    try {
      this.#pool = await this.#opening;
    } finally {
      this.#opening = undefined;
    }
    return this.#pool;
  }

  async close() {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#leave();
    if (!this.#isOwn || !this.#pool) return;
    // Idle connections do not keep the process, which would end before they have.
    const kept = setInterval(() => {}, CONNECT_WITHIN_MS);
    try {
      await this.#pool.end();
    } finally {
      clearInterval(kept);
    }
  }

  /** @returns {Promise<Pool>} */
  async #open() {
    const { Pool } = await driver(this.#driver);
    const pool = new Pool({
      application_name: 'milepost',
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      // A script that is done ends, though connections are idle.
      allowExitOnIdle: true,
      ...this.#connection,
    });
    listenToIdle(pool);
    pool.on('connect', () => (this.#wasConnected = true));
    return pool;
  }

  /**
   * @template T
   * @param {() => Promise<T>} action
   * @returns {Promise<T>}
   */
  async #again(action) {
    const end = performance.now() + RETRY_FOR_MS;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        const done = await action();
        this.#wasConnected = true;
        return done;
      } catch (error) {
        if (this.#isClosed || !this.#mayPass(error) || performance.now() + pause > end) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pause * (0.5 + Math.random() / 2)));
    }
  }

  /**
   * A server that was never reached is more likely named wrongly than away.
   *
   * @param {any} error
   */
  #mayPass(error) {
    const code = String(error?.code ?? '');
    if (PASSING.has(code)) return true;
    if (!this.#wasConnected) return false;
    return code.startsWith('08') || CUT_OFF.has(code) || (code === '' && CUT_OFF_TEXT.test(error?.message));
  }
}

/**
 * @param {Queries} on
 * @param {string} text
 * @param {unknown[]} values
 * @param {string} [name] under which a connection prepares it
 * @returns {Promise<any[][]>}
 */
function rowsOf(on, text, values, name) {
  const config = { text, values, rowMode: 'array', types: TYPES, ...(name !== undefined && { name }) };
  return on.query(config).then(({ rows }) => rows);
}

/** The codes of a package that is not there. */
const NOT_INSTALLED = new Set(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND']);

/**
 * `pg` is installed by users of a database.
 *
 * @param {() => any} load
 */
async function driver(load) {
  try {
    const loaded = await load();
    return loaded.default ?? loaded;
  } catch (cause) {
    const { code } = /** @type {any} */ (cause ?? {});
    // Node goes on with the files that required it.
    const [reason] = sentence(cause).split('\n', 1);
    const message =
      code === undefined || NOT_INSTALLED.has(code)
        ? `The package \`pg\` is needed for PostgreSQL: npm install pg (${reason})`
        : `The package \`pg\`, which is needed for PostgreSQL, cannot be loaded: ${reason} (${code})`;
    throw new MilepostError('usage', message, { cause });
  }
}

/**
 * Why the database refused, in its own words. Errors of a connection with several addresses have none.
 *
 * @param {any} error
 */
export function reasonOf(error) {
  const [first] = error?.errors ?? [];
  const code = error?.code ? ` (${error.code})` : '';
  return `${sentence(error?.message ? error : first ?? error)}${code}`;
}
