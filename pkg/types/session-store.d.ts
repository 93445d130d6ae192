import type { Warning } from './index.js';
import type { PostgresHost } from './postgres.js';

/** The storage of transcripts, and its durability. */
export interface MilepostSessionStoreOptions {
  /**
   * A folder, which is made with the first entry: transcripts are in its subfolder `threads`, for any number of
   * processes. Without it they are kept in memory. A relative path counts from the working folder.
   */
  storagePath?: string;
  /** A database instead, as `postgresHost()` of `milepost/postgres` opens it; the caller that opened it closes it. */
  postgres?: PostgresHost;
  /** The durability of entries in files: `durable`, the default, waits for stable storage. */
  durability?: 'durable' | 'lazy';
  /** Is called with each warning. */
  onWarning?: (warning: Warning) => void;
}

/** The place of a transcript, as the Claude Agent SDK names it. */
export interface SessionKey {
  /** The scope of the session; by default the SDK makes it of the working folder. */
  projectKey: string;
  /** The session. */
  sessionId: string;
  /** The transcript of a subagent; left out for that of the session itself. */
  subpath?: string;
}

/** One line of a transcript: of any members that JSON can carry. */
export interface SessionStoreEntry {
  /** The kind of the entry. */
  type: string;
  /** Of several entries with one id the first counts. */
  uuid?: string;
  /** The time of the entry, as its maker wrote it. */
  timestamp?: string;
  /** All else is stored unchanged. */
  [key: string]: unknown;
}

/**
 * The `SessionStore` of the Claude Agent SDK: in memory, or for any number of processes in a folder or a database.
 *
 * @example
 * ```ts
 * import { MilepostSessionStore } from 'milepost/session-store';
 *
 * const sessionStore = new MilepostSessionStore({ storagePath: '.claude/state' });
 * ```
 */
export declare class MilepostSessionStore {
  /**
   * Nothing is read or made before the first call.
   *
   * @throws {MilepostError} `usage`
   */
  constructor(options?: MilepostSessionStoreOptions);
  /**
   * Adds entries at the end of a transcript, all or none; it conflicts with no other writer.
   *
   * @throws {MilepostError} `invalid_document` for what JSON cannot carry; `too_large` where all transcripts of the
   *   session have more than 256 MiB together; `corrupt`, `busy`, `io` and the like
   */
  append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void>;
  /** The entries of a transcript in the order in which they were stored; null where nothing was added. */
  load(key: SessionKey): Promise<SessionStoreEntry[] | null>;
  /** The sessions of a project that have a transcript of their own, and when each was last written to. */
  listSessions(projectKey: string): Promise<Array<{ sessionId: string; mtime: number }>>;
  /** Removes a session with the transcripts of its subagents, or with `subpath` that one alone. */
  delete(key: SessionKey): Promise<void>;
  /** The subpaths of a session, sorted. */
  listSubkeys(key: { projectKey: string; sessionId: string }): Promise<string[]>;
}

/** A session, and the storage of its items. */
export interface MilepostSessionOptions extends MilepostSessionStoreOptions {
  /** The session; a new random id by default. */
  sessionId?: string;
  /** The scope of the session's id; `agents` by default. */
  project?: string;
}

/**
 * The `Session` of OpenAI's Agents SDK: in memory, or for any number of processes in a folder or a database. `Item` is
 * the SDK's `AgentInputItem`.
 *
 * @example
 * ```ts
 * import { MilepostSession } from 'milepost/session-store';
 *
 * const session = new MilepostSession({ sessionId: 'support-42', storagePath: '.claude/state' });
 * ```
 */
export declare class MilepostSession<Item = any> {
  /**
   * Nothing is read or made before the first call.
   *
   * @throws {MilepostError} `usage`
   */
  constructor(options?: MilepostSessionOptions);
  /** The id of the session. */
  getSessionId(): Promise<string>;
  /** The items, the oldest first; with a limit so many of the newest. */
  getItems(limit?: number): Promise<Item[]>;
  /**
   * Adds items at the end, all or none.
   *
   * @throws {MilepostError} `invalid_document` for what JSON cannot carry; `too_large` and the like
   */
  addItems(items: Item[]): Promise<void>;
  /** Takes the newest item out, and resolves to it. */
  popItem(): Promise<Item | undefined>;
  /** Removes all items. */
  clearSession(): Promise<void>;
}
