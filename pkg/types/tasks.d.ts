import type { Warning } from './index.js';
import type { PostgresHost } from './postgres.js';
import type { CheckpointState, CleanedUpTasks, SavedTask, TaskOverview } from './task-checkpoints.js';

export * from './task-checkpoints.js';

/** The place where task checkpoints are kept, and how many of them. */
export interface CheckpointStorageOptions {
  /**
   * A folder, which is made with the first save: task checkpoints are in its subfolder `tasks`, for any number of
   * processes. Without it they are kept in memory. A relative path counts from the working folder.
   */
  storagePath?: string;
  /** A database instead, as `postgresHost()` of `milepost/postgres` opens it. */
  postgres?: PostgresHost;
  /** So many checkpoints of a task are kept; counts where the outer one is not given. */
  maxPerTask?: number;
  /** True to remove a task's other checkpoints once one with empty `pendingSteps` is saved; false by default. */
  autoCleanup?: boolean;
  /** The most bytes of one checkpoint as JSON; 16 MiB by default. */
  maxBytes?: number;
  /** The most bytes of a task's checkpoints together; 1 GiB by default. */
  maxTaskBytes?: number;
  /**
   * The most bytes of all checkpoints together, about; not limited by default. In files a save then reads the
   * index of every task.
   */
  maxStoreBytes?: number;
  /** The durability of a save in files: `durable`, the default, waits for stable storage. */
  durability?: 'durable' | 'lazy';
}

/** Options of a manager. */
export interface CheckpointManagerConfig {
  /** The storage of checkpoints; memory by default. */
  storage?: CheckpointStorageOptions;
  /** So many checkpoints of a task are kept, the oldest go first: 1 or more, 10 by default. */
  maxPerTask?: number;
  /** Called with each warning. */
  onWarning?: (warning: Warning) => void;
}

/** A checkpoint to carry on from, or the reason for its absence. */
export interface RestoreResult {
  /** True if there is one. */
  success: boolean;
  /** The checkpoint, a copy of the caller's own. */
  checkpoint?: CheckpointState;
  /** The reason for its absence. */
  error?: string;
  /** The steps that remain: a copy of its `pendingSteps`, empty where there is no checkpoint. */
  remainingSteps: string[];
  /** The revision of its task: what a save that follows from it can expect. */
  revision?: number;
}

/** Conditions of a save. */
export interface SaveOptions {
  /**
   * The revision of the task that the checkpoint follows from, 0 for a task without any. Where the task is at
   * another one, another process has saved before: the save is refused with `conflict`, and nothing is written.
   */
  expectedRevision?: number;
}

/** Saves, restores and lists the execution snapshots of tasks. */
export interface ICheckpointManager {
  /** Saves a copy: one of a known id is updated in its place, a new one comes last. */
  save(state: CheckpointState): Promise<void>;
  /** The latest checkpoint of a task, which is the one that was first saved last. */
  restore(taskId: string): Promise<RestoreResult>;
  /** The checkpoint of an id. */
  restoreById(checkpointId: string): Promise<RestoreResult>;
  /** The checkpoints of a task in the order in which they were first saved. */
  list(taskId: string): Promise<CheckpointState[]>;
  /** Removes one; whether it was there. */
  delete(checkpointId: string): Promise<boolean>;
  /** Removes those of a task; how many there were. */
  deleteAll(taskId: string): Promise<number>;
}

/**
 * The manager of task checkpoints. What fails is thrown as a `MilepostError`: `invalid_document` with the place of
 * each problem, also of a value that JSON cannot carry; `conflict` where another task has the id, or the task is at
 * another revision than expected; `too_large`; and in files `busy`, `corrupt`, `unsafe_path`, `io` and the like.
 * Where a call fails, nothing of it is stored.
 */
export declare class CheckpointManager implements ICheckpointManager {
  /** @throws {MilepostError} `usage`, for an option that it does not know as well */
  constructor(config?: CheckpointManagerConfig);
  /** The warnings of the latest call. */
  readonly warnings: readonly Warning[];
  /** Saves a copy: one of a known id is updated in its place, a new one comes last. */
  save(state: CheckpointState): Promise<void>;
  /** Saves a checkpoint that follows from a revision, and resolves to what was saved. */
  save(state: CheckpointState, options: SaveOptions): Promise<SavedTask>;
  restore(taskId: string): Promise<RestoreResult>;
  restoreById(checkpointId: string): Promise<RestoreResult>;
  list(taskId: string): Promise<CheckpointState[]>;
  delete(checkpointId: string): Promise<boolean>;
  deleteAll(taskId: string): Promise<number>;
  /**
   * Removes what writers that died have left behind in files, for more than a minute; with `dryRun` it only says
   * what. No checkpoint goes, and the call is optional: what is left behind is never read.
   */
  cleanUp(options?: { dryRun?: boolean }): Promise<CleanedUpTasks>;
  /**
   * Removes the tasks whose latest checkpoint was saved more than some days ago, and resolves to their ids and the number
   * of their checkpoints; with `dryRun` it only says which.
   *
   * @throws {MilepostError} `usage`
   */
  prune(options: { days: number; dryRun?: boolean }): Promise<{ tasks: string[]; checkpoints: number }>;
  /** All tasks that have checkpoints, in an order that does not change with what is saved. */
  tasks(): AsyncGenerator<TaskOverview, void, undefined>;
}

/**
 * Makes a manager. Nothing is read or made in files before its first call.
 *
 * @throws {MilepostError} `usage`, for an option that it does not know as well
 *
 * @example
 * ```ts
 * import { createCheckpointManager } from 'milepost/tasks';
 *
 * const manager = createCheckpointManager({ storage: { storagePath: '.claude/state' } });
 * const { success, checkpoint, remainingSteps } = await manager.restore('Fix the login');
 * if (success && checkpoint !== undefined) await manager.save({ ...checkpoint, id: 'cp-8' });
 * ```
 */
export declare function createCheckpointManager(config?: CheckpointManagerConfig): CheckpointManager;
