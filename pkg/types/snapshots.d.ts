import type { StoreOptions, Warning } from './index.js';
import type { MemoryFiles } from './memory.js';
import type { CreatedSession, LoadedSession, SessionOperations } from './session-operations.js';

export * from './session-operations.js';

/** The occasion of a snapshot. */
export type SnapshotReason =
  | 'phase_complete'
  | 'handoff'
  | 'error'
  | 'mode_switch'
  | 'user_requested';

/** Options of a new snapshot. */
export interface CreateSnapshotOptions {
  /** The occasion. */
  reason: SnapshotReason;
  /** A message of its maker. */
  message?: string | null;
  /** Fields of the document, which stand in place of what would be filled in. */
  given?: object | null;
  /** The command of the run to make it of; without it, the run that was updated last. */
  command?: string | null;
  /** Its feature, if it has one. */
  feature?: string | null;
  /** False to keep no files; by default, the files that differ from HEAD are kept. */
  files?: boolean | null;
  /** Paths of files that are kept though they look like files of secrets or are large. */
  allow?: readonly string[] | null;
}

/**
 * The snapshots of one place: {@link SessionOperations}, and those methods that carry documents. Every
 * method throws a `MilepostError`. Members are in camelCase; documents are as they are stored.
 *
 * `listPrompts` and `rewind` are there for files on a disk, on Node, Deno and Bun; elsewhere they throw `usage`.
 */
export interface Snapshots extends SessionOperations {
  /** The warnings of the latest operation. */
  readonly warnings: readonly Warning[];
  /** Makes a snapshot of what the runs know and of what is given. */
  create(options: CreateSnapshotOptions): CreatedSession;
  /** One snapshot: that of an id, or the newest one, except archived ones and those a restore made. */
  load(options: { id?: string | null; latest?: boolean | null }): LoadedSession;
}

/** The folder of snapshots. */
export interface SnapshotsOptions extends Omit<StoreOptions, 'history'> {
  /** Files in memory, instead of those of the host. */
  files?: MemoryFiles;
}

/**
 * Opens the snapshots of a place; nothing is read or made before its first operation.
 *
 * @throws {MilepostError} `usage`, for an option that it does not know as well
 *
 * @example
 * ```ts
 * import { openSnapshots } from 'milepost/snapshots';
 *
 * const snapshots = openSnapshots();
 * const { id } = snapshots.create({ reason: 'handoff', message: 'The tests are next.' });
 * const snapshot = snapshots.load({ id });
 * ```
 */
export declare function openSnapshots(options?: SnapshotsOptions): Snapshots;
