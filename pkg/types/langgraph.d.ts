import type { RunnableConfig } from '@langchain/core/runnables';
import type {
  BaseCheckpointSaver,
  ChannelVersions,
  Checkpoint,
  CheckpointListOptions,
  CheckpointMetadata,
  CheckpointTuple,
  DeltaChannelHistory,
  PendingWrite,
  SerializerProtocol,
} from '@langchain/langgraph-checkpoint';

import type { Warning } from './index.js';
import type { PostgresHost } from './postgres.js';

/** The storage of a saver's threads, and its durability. */
export interface MilepostSaverOptions {
  /**
   * A folder, which is made with the first checkpoint: threads are in its subfolder `threads`, for any number of
   * processes. Without it they are kept in memory. A relative path counts from the working folder.
   */
  storagePath?: string;
  /** A database instead, as `postgresHost()` of `milepost/postgres` opens it; the caller that opened it closes it. */
  postgres?: PostgresHost;
  /** The durability of checkpoints in files: `durable`, the default, waits for stable storage. */
  durability?: 'durable' | 'lazy';
  /** Is called with each warning. */
  onWarning?: (warning: Warning) => void;
  /**
   * `allow` lets a checkpoint follow from one that another follows from already. By default it is refused, as a
   * `conflict`, unless the older one was asked for by its id, or the checkpoint's metadata has `fork`.
   */
  forks?: 'refuse' | 'allow';
  /**
   * `true` lets a run of this saver wait, before it reads a thread, for the run that is at work there: at most a minute,
   * or `limit` milliseconds, then it is `busy`. Without it, one of two runs on a thread is a `conflict`.
   */
  queue?: boolean | { limit: number };
  /**
   * The serializer of values to text or bytes. By default texts are as LangGraph's own writes them, and what that
   * would replace without notice is refused.
   */
  serde?: SerializerProtocol;
  /**
   * Classes of LangChain that are stored and revived beside its messages, by their ids: the parts of `lc_id`, joined by
   * `/`. An object of any other class is refused, and a text that names one is data. Not beside `serde`.
   *
   * @example ['langchain_core/prompts/prompt/PromptTemplate']
   */
  allow?: string[];
  /** Encrypts what is stored, and refuses what was changed or moved; without it texts are stored as they are. */
  encryption?: SaverEncryption;
}

/**
 * Authenticated encryption of a saver's checkpoints, metadata, values and writes: AES-256-GCM, each text bound to its
 * thread, namespace, channel and version, or checkpoint.
 */
export interface SaverEncryption {
  /** The id of the key that new texts are encrypted with. It is stored with each of them. */
  keyId: string;
  /**
   * Gives the key of an id, 32 random bytes or a `CryptoKey` of HKDF; is called once for each id. Older keys are asked
   * for as long as something that they encrypted is read.
   */
  key(id: string): Uint8Array | CryptoKey | Promise<Uint8Array | CryptoKey>;
  /** `read` accepts what was stored without encryption, as of a thread from before; `refuse`, the default, does not. */
  unencrypted?: 'refuse' | 'read';
}

/** The extent of a prune. */
export interface PruneOptions {
  /** `keep_latest`, the default, keeps the newest checkpoints of each namespace; `delete` removes the threads. */
  strategy?: 'keep_latest' | 'delete';
  /** So many checkpoints of each namespace are kept, from 1 on; 1 by default. */
  keep?: number;
}

/** The result of the recovery of a thread. */
export interface RecoveredThread {
  /** The number of its checkpoints. */
  checkpoints: number;
  /** The number of changes since its document was last written that are in it. */
  kept: number;
  /** At least so many of them are not: they cannot be read any more. */
  lost: number;
  /** The number of checkpoints that are left out because a value of theirs goes on from one that is lost. */
  dropped: number;
  /** The number of files with older checkpoints that are gone or cannot be read. */
  lostParts: number;
  /** The folder with copies of what is damaged, relative to the root. */
  quarantined: string[];
}

/**
 * Keeps the checkpoints of LangGraph.js: in memory, or for any number of processes in a folder or a database.
 *
 * @example
 * ```ts
 * import { MilepostSaver } from 'milepost/langgraph';
 *
 * const checkpointer = new MilepostSaver({ storagePath: '.claude/state' });
 * ```
 */
export declare class MilepostSaver extends BaseCheckpointSaver {
  /**
   * Nothing is read or made before the first call.
   *
   * @throws {MilepostError} `usage`
   */
  constructor(options?: MilepostSaverOptions);
  /**
   * The latest checkpoint of a thread's namespace, or the one whose `checkpoint_id` is given.
   *
   * @throws {MilepostError} `busy` with a `queue`, for a run whose turn does not come in time
   */
  getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined>;
  /** The checkpoints of a thread, or of all threads, the newest of each first. */
  list(config: RunnableConfig, options?: CheckpointListOptions): AsyncGenerator<CheckpointTuple>;
  /**
   * Stores a checkpoint: values that did not change are those of its parent, and of one that grew what is new.
   *
   * @throws {MilepostError} `conflict` where another checkpoint follows from the same parent and no fork is asked for,
   *   and where the run was cancelled and another one of this saver has read the head since; `invalid_document` where a
   *   value would be replaced by another one, such as a BigInt, a function or a symbol, with its channel and its path in
   *   `problems`; `too_large` for a value that could not be read again
   */
  put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions?: ChannelVersions,
  ): Promise<RunnableConfig>;
  /**
   * Stores what a task wrote to a checkpoint, before there is a next one.
   *
   * @throws {MilepostError} `invalid_document`, `too_large`, as `put`
   */
  putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void>;
  /**
   * Returns whether a run of this saver is at work on a thread, or a change of it is not stored yet. Other savers and
   * other processes do not count.
   */
  busy(threadId: string): boolean;
  /**
   * Removes a thread with all its checkpoints, in all namespaces. A run of it that is going on fails at its next
   * checkpoint, with `conflict`; a new run begins a new thread.
   */
  deleteThread(threadId: string): Promise<void>;
  /**
   * Keeps the newest checkpoints of each namespace of threads. A kept one reads as before: the values and writes of
   * others that it goes on from stay, those of delta channels as well. Each thread is one commit.
   *
   * @throws {MilepostError} `usage`
   */
  prune(threadIds: string | string[], options?: PruneOptions): Promise<void>;
  /**
   * Removes the threads whose newest checkpoint is older than some days, as `deleteThread` does, and resolves to their
   * ids; with `dryRun` it only says which.
   *
   * @throws {MilepostError} `usage`
   */
  pruneThreads(options: { days: number; dryRun?: boolean }): Promise<string[]>;
  /**
   * Copies a thread with all its checkpoints, in all namespaces. Both go on by themselves.
   *
   * @throws {MilepostError} `not_found` where there is no such thread, `conflict` where there is one under the other id
   */
  copyThread(sourceThreadId: string, targetThreadId: string): Promise<void>;
  /**
   * Removes the checkpoints of runs from all threads, by the `run_id` of their configuration or metadata. Those of other
   * runs read as before.
   */
  deleteForRuns(runIds: string[]): Promise<void>;
  /** The version after this one; with `encryption` one that no fork has. */
  getNextVersion(current: number | undefined): number;
  /**
   * Brings a thread back that cannot be read (`corrupt`), as far as its files can: what is damaged is kept in
   * quarantine, and the thread goes on from the rest.
   *
   * @throws {MilepostError} `not_found` where nothing of it is damaged, and with a database
   */
  recoverThread(threadId: string): Promise<RecoveredThread>;
  /** For each channel the nearest value that an ancestor has, and what was written to it since. */
  getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>>;
}
