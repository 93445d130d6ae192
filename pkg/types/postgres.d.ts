import type { Store, StoreOptions, UnifiedCheckpoint } from './index.js';
import type { Effect, Outcome } from './operation.js';

/** The members of a `pg` pool that are used here. */
export interface PostgresPool {
  /** Runs one statement on any connection. */
  query(...statement: any[]): Promise<any>;
  /** Takes a connection out of the pool. */
  connect(): Promise<any>;
  /** Ends all connections. */
  end(): Promise<void>;
}

/** Options of {@link postgresHost}. */
export interface PostgresHostOptions {
  /**
   * The name that the checkpoints of this project are stored under, the same on every machine. Projects with
   * other names share the database and see nothing of each other.
   */
  project: string;
  /**
   * A connection string, or the options of a `Pool` of `pg`, TLS among them; without it `pg` reads
   * `PGHOST`, `PGUSER`, `PGPASSWORD` and the others from the environment.
   */
  connection?: string | object;
  /**
   * A pool of your own, in place of `connection`: it is used, and not ended by `close`. Until then an `error` listener is
   * on it, so that the end of an idle connection does not end the process.
   */
  pool?: PostgresPool;
  /** The schema that everything is in, made at the first operation where it is not there; `milepost`, by default. */
  schema?: string;
}

/** Options of {@link openPostgresStore}. */
export interface PostgresStoreOptions
  extends PostgresHostOptions,
    Pick<StoreOptions, 'root' | 'history' | 'onWarning'> {}

/** Options of following a checkpoint. */
export interface FollowOptions {
  /** Ends it. */
  signal?: AbortSignal;
  /** Milliseconds between two looks, regardless of the database's notices; 5000, by default. */
  interval?: number;
}

/** The methods of `Store`, each with a promise of what it returns there. */
type Later<T> = {
  [Name in keyof T]: T[Name] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Answer>
    : T[Name];
};

/** A store whose checkpoints are in a database. Its promises reject with `MilepostError`. */
export interface PostgresStore extends Later<Omit<Store, 'init' | 'doctor'>> {
  /**
   * The checkpoint in its present state, null where it is absent, then each state of it that is seen after
   * that: the latest, where several follow each other fast. Ended by `break`, `return()` or the signal.
   * While the database is away it waits; where it was never there, it throws.
   *
   * @throws MilepostError as `load`
   */
  follow(
    command: string,
    feature?: string | null,
    options?: FollowOptions,
  ): AsyncIterableIterator<UnifiedCheckpoint | null>;
  /** Sends followers the notices of commits, then ends the connections that the store has made. */
  close(): Promise<void>;
}

/** A host whose records are in a database, and whose other effects are of this machine. */
export interface PostgresHost {
  /** Performs one effect. What goes wrong is an outcome. */
  perform(effect: Effect): Promise<Outcome>;
  /** Its location; spread into the `place` of a request. */
  place(): { git_root: string | null; working: string; dir: string; storage: 'records' };
  /**
   * Connects, and makes the schema or brings it up to date.
   *
   * @throws MilepostError `io`, or `unsupported_version` where a newer milepost has made the schema
   */
  ready(): Promise<void>;
  /** Ends the connections that it has made. */
  close(): Promise<void>;
}

/**
 * Opens a store in a PostgreSQL database, by way of the package `pg`. Nothing is connected before the first
 * operation.
 *
 * @throws MilepostError `usage`
 *
 * @example
 * ```ts
 * import { openPostgresStore } from 'milepost/postgres';
 *
 * const store = openPostgresStore({ project: 'shop', connection: 'postgres://localhost/state' });
 * await store.updatePhase('implement', 'tests', { status: 'complete', context_summary: 'All 12 pass.' });
 * await store.close();
 * ```
 */
export declare function openPostgresStore(options: PostgresStoreOptions): PostgresStore;

/**
 * The host of such a store alone, for `runOperation` and all else that takes a host.
 *
 * @throws MilepostError `usage`
 */
export declare function postgresHost(options: PostgresHostOptions): PostgresHost;
