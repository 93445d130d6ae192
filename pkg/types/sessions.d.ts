import type { StoreOptions, Warning } from './index.js';
import type { MemoryFiles } from './memory.js';
import type { CreatedSession, LoadedSession, SessionOperations } from './session-operations.js';

export * from './session-operations.js';

/** The occasion of a session checkpoint. */
export type SessionReason =
  | 'phase_complete'
  | 'handoff'
  | 'error'
  | 'mode_switch'
  | 'user_requested';

/** Options of a new session checkpoint. */
export interface CreateSessionOptions {
  /** The occasion. */
  reason: SessionReason;
  /** A message of its maker. */
  message?: string | null;
  /** Fields of the document, which stand in place of what would be filled in. */
  given?: object | null;
  /** The command checkpoint to make it of; without it, the one that was updated last. */
  command?: string | null;
  /** Its feature, if it has one. */
  feature?: string | null;
  /** False to keep no files; by default, the files that differ from HEAD are kept. */
  files?: boolean | null;
  /** Paths of files that are kept though they look like files of secrets or are large. */
  allow?: readonly string[] | null;
}

/**
 * The session checkpoints of one place: {@link SessionOperations}, and those methods that carry
 * documents. Every method throws a `MilepostError`. Members are in camelCase; documents are as they
 * are stored.
 */
export interface Sessions extends SessionOperations {
  /** The warnings of the latest operation. */
  readonly warnings: readonly Warning[];
  /** Makes a session checkpoint of what the command checkpoints know and of what is given. */
  create(options: CreateSessionOptions): CreatedSession;
  /** One session checkpoint: that of an id, or the newest one that is not archived, and that no restore made. */
  load(options: { id?: string | null; latest?: boolean | null }): LoadedSession;
}

/** Where session checkpoints are. */
export interface SessionsOptions extends Omit<StoreOptions, 'history'> {
  /** Files in memory, instead of those of the host. */
  files?: MemoryFiles;
}

/**
 * Opens the session checkpoints of a place; nothing is read or made before its first operation.
 *
 * @throws {MilepostError} `usage`, for an option that it does not know as well
 *
 * @example
 * ```ts
 * import { openSessions } from 'milepost/sessions';
 *
 * const sessions = openSessions();
 * const { id } = sessions.create({ reason: 'handoff', message: 'The tests are next.' });
 * const snapshot = sessions.load({ id });
 * ```
 */
export declare function openSessions(options?: SessionsOptions): Sessions;
