// A connection that is out of a pool, and the pool itself, with listeners for their `error` events: one without a
// listener ends the process, and a pool listens to a connection only while that is idle.

/**
 * @typedef {{query: (config: object) => Promise<{rows: any[][]}>}} Queries
 * @typedef {(event: 'error', listener: (error: Error) => void) => unknown} Listens
 * @typedef {Queries & {release: (error?: unknown) => void, on?: Listens, removeListener?: Listens}} Client
 * @typedef {Queries & {
 *   connect: (taken: (error: unknown, client?: Client) => void) => Promise<Client | undefined> | undefined,
 *   end: () => Promise<void>, on?: Listens, removeListener?: Listens, options?: any, Client?: any,
 * }} Pool
 */

/**
 * Takes a connection out of a pool.
 *
 * @param {Pool} pool
 * @returns {Promise<PooledConnection>}
 */
export function take(pool) {
  return new Promise((resolve, reject) => {
    /** @type {PooledConnection | undefined} */
    let connection;
    const taken = (/** @type {Client | undefined} */ client) => {
      if (client) resolve((connection ??= new PooledConnection(client)));
    };
    // By callback: a promise is answered later, and the end of a connection may come right behind its beginning.
    const promise = pool.connect((error, client) => (error ? reject(error) : taken(client)));
    // A pool that is wrapped may know promises alone.
    promise?.then(taken, reject);
  });
}

/** A connection as long as it is out of its pool. */
export class PooledConnection {
  #client;
  /** @type {Error | undefined} the first error beside a statement: it is lost, and so is its transaction */
  #lost;
  #onError = (/** @type {Error} */ error) => {
    this.#lost ??= error;
  };

  /** @param {Client} client */
  constructor(client) {
    this.#client = client;
    client.on?.('error', this.#onError);
  }

  /**
   * Runs a statement. On a connection that was lost before, it fails with the reason of that.
   *
   * @type {Queries['query']}
   */
  async query(config) {
    try {
      return await this.#client.query(config);
    } catch (error) {
      throw this.#lost ?? error;
    }
  }

  /**
   * Gives it back. One that failed, or was lost, is closed, and its transaction with it.
   *
   * @param {unknown} [failure]
   */
  release(failure) {
    try {
      this.#client.release(failure ?? this.#lost);
    } finally {
      // The pool listens again.
      this.#client.removeListener?.('error', this.#onError);
    }
  }
}

/** The number of users of each pool that has the listener. @type {WeakMap<Pool, number>} */
const users = new WeakMap();

/** An idle connection that is lost is one that the next statement does not find. */
const ignored = () => {};

/**
 * Listens to the errors of idle connections, with one listener for all users of a pool.
 *
 * @param {Pool} pool
 * @returns {() => void} ends it
 */
export function listenToIdle(pool) {
  const count = users.get(pool) ?? 0;
  users.set(pool, count + 1);
  if (count === 0) pool.on?.('error', ignored);
  return () => {
    const left = (users.get(pool) ?? 1) - 1;
    users.set(pool, left);
    if (left === 0) pool.removeListener?.('error', ignored);
  };
}
