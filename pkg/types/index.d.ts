import type { PhasePatch } from './checkpoint-manager.js';
import type { UnifiedCheckpoint } from './schema.js';
import type {
  Problem,
  Pruned,
  SavedDocument,
  SavedPhase,
  StoreOperations,
  Validation,
} from './store-operations.js';

export * from './checkpoint-manager.js';
export * from './schema.js';
export * from './store-operations.js';
export * from './token-counter.js';

/** Why an operation failed. */
export type ErrorCode =
  | 'invalid_name'
  | 'invalid_document'
  | 'summary_too_long'
  | 'not_found'
  | 'corrupt'
  | 'conflict'
  | 'busy'
  | 'unsafe_path'
  | 'too_large'
  | 'unsupported_version'
  | 'io'
  | 'usage';

/** Facts that an operation noticed on the way. */
export type WarningCode =
  | 'stale'
  | 'untrusted_origin'
  | 'edited_by_hand'
  | 'duplicate_key'
  | 'text_replaced'
  | 'head_unreadable'
  | 'legacy_name'
  | 'summary_too_long'
  | 'invalid_document'
  | 'open_phases'
  | 'redacted'
  | 'repeated_step'
  | 'lost_changes'
  | 'held_back'
  | 'missing_file'
  | 'outside_repository'
  | 'vanished'
  | 'corrupt'
  | 'too_large'
  | 'unsafe_path'
  | 'io';

/** Something that the user should know and that changed nothing. */
export interface Warning {
  /** The stable code. */
  code: WarningCode;
  /** One sentence. */
  message: string;
  /** The advice, where there is any. */
  advice?: Advice;
}

/**
 * The effect of a failed call on the disk: `no`, nothing was written; `yes`, it is written, and a power loss may
 * still take it; `unknown`, the host does not know, so read it again.
 */
export type Written = 'no' | 'yes' | 'unknown';

/** Advice after a failure. */
export type Advice =
  /**
   * Bring this checkpoint back, go back to its revision before, do either, look which of its
   * revisions are kept, read it as it is now, or complete it without the phases that are left.
   */
  | {
      kind: 'recover' | 'undo' | 'restore' | 'log' | 'show' | 'complete';
      command: string;
      feature: string | null;
    }
  /**
   * Examine the state folder, name the root, check what named it (`root` or `GIT_ROOT`), or name the
   * folder that a symbolic link leads to.
   */
  | { kind: 'doctor' | 'name_root' | 'check_root' | 'check_git_root' | 'name_dir' }
  /**
   * A restore of files: allow it to lose a present content (`lose`, `force`), have it write onto another commit
   * (`force`), or remove the cause that the message names.
   */
  | { kind: 'allow_loss' | 'force_restore' | 'remove_cause' }
  /** Put back what is stored of this task or thread, or delete it; null where its id is not known. */
  | { kind: 'delete_task'; task: string | null }
  | { kind: 'delete_thread'; thread: string | null }
  /** Bring this thread back as far as it can be read; null where its id is not known. */
  | { kind: 'recover_thread'; thread: string | null };

/** The facts of a failure beyond its sentence. */
export interface ErrorDetails {
  /** The effect of the call on the disk; `no` by default. */
  written?: Written;
  /** `invalid_document`: everything that is wrong. */
  problems?: readonly Problem[];
  /** `conflict`: JSON pointers to the fields that both sides changed. */
  fields?: readonly string[];
  /** `summary_too_long`: JSON pointer to the summary. */
  at?: string;
  /** The file or folder that it is about, relative to the root. */
  path?: string;
  /** `io`: the effect that failed, such as `rename`. */
  effect?: string;
  /** `corrupt`: the newest whole revision in the history. */
  lastGood?: number | null;
  /** The advice. */
  advice?: Advice;
  /** The cause of the failure. */
  cause?: unknown;
}

/** A failure. `written` says whether anything was written all the same. */
export declare class MilepostError extends Error {
  constructor(code: ErrorCode, message: string, more?: ErrorDetails);
  /** The stable code. */
  readonly code: ErrorCode;
  /** `invalid_document`: everything that is wrong; otherwise empty. */
  readonly problems: readonly Problem[];
  /** `conflict`: JSON pointers to the fields that both sides changed; otherwise empty. */
  readonly fields: readonly string[];
  /** `summary_too_long`: JSON pointer to the summary; otherwise null. */
  readonly at: string | null;
  /** The effect of the call on the disk. */
  readonly written: Written;
  /** `io`, `corrupt`, `busy`, `unsafe_path`: the file or folder, relative to the root. */
  readonly path: string | null;
  /** `io`: the effect that failed, such as `rename`; otherwise null. */
  readonly effect: string | null;
  /** `corrupt`: the newest whole revision in the history; null without one. */
  readonly lastGood: number | null;
  /** The advice, where there is any. */
  readonly advice: Advice | null;
}

/**
 * The part of a checkpoint's history that is kept. Each save prunes: of several programs on one folder,
 * the one that keeps least decides.
 */
export interface Retention {
  /** The number of replaced revisions, 10 to 9,000; 50 by default. */
  revisions?: number | null;
  /** None that is older than so many days; any age by default. */
  days?: number | null;
}

/** Options of a store. */
export interface StoreOptions {
  /** The root; otherwise `GIT_ROOT`, the nearest repository, or the working folder. */
  root?: string | null;
  /** The state folder, instead of `.claude/state` below the root. */
  dir?: string | null;
  /**
   * `durable`, the default, has a save wait for stable storage; `lazy` does not. A durable save that
   * finds nothing to change does not wait for what a lazy one wrote.
   */
  durability?: 'durable' | 'lazy';
  /** The part of a checkpoint's history that is kept; the newest ten revisions always are. */
  history?: Retention | null;
  /** Called with each warning, before the operation returns. */
  onWarning?: (warning: Warning) => void;
}

/** `.claude/config/integrations.json`, with defaults filled in. */
export interface Integrations {
  /** Linear. */
  linear: {
    enabled: boolean;
    team: string;
    branch_prefix: string;
    use_native_automation: boolean;
    [field: string]: unknown;
  };
  /** Vercel. */
  vercel: {
    enabled: boolean;
    wait_for_preview: boolean;
    preview_timeout_ms: number;
    require_preview_success: boolean;
    [field: string]: unknown;
  };
  /** The rules by which secrets are taken out of texts. */
  redaction?: {
    /** Rules whose findings stay in texts, names and paths, such as `named_secret`. */
    allow?: string[];
    [field: string]: unknown;
  };
  /** Snapshots. Omitted members take their defaults. */
  sessions?: {
    /** The number of newest snapshots to keep; 10 by default. */
    keep?: number;
    /** A larger file is left out of a snapshot; 268435456 (256 MiB) without it. */
    max_file_bytes?: number;
    /** The most bytes of files in a snapshot; 4294967296 (4 GiB) by default. */
    max_snapshot_bytes?: number;
    /** A longer `git_diff` is cut, up to 262144 (256 KiB); 65536 (64 KiB) without it, and 0 leaves it out. */
    max_diff_bytes?: number;
    /** Paths of files that are kept though they look like files of secrets, or are large. */
    allow?: string[];
    [field: string]: unknown;
  };
  /** A limit of context summaries in exact tokens, beside the 500 words; without it, words alone count. */
  tokens?: {
    /** The encoding of OpenAI in which they are counted. */
    encoding: 'o200k' | 'cl100k' | 'o200k_base' | 'cl100k_base';
    /** The most tokens of a summary, from 1 to 65536; 500 without it. */
    limit?: number;
    [field: string]: unknown;
  };
  [field: string]: unknown;
}

/** Options of a change for a checkpoint or phase that is not there. */
export interface ChangeOptions {
  /** True to change only what exists: a missing run or phase fails with `not_found`, which lists the existing ones. */
  existing?: boolean | null;
}

/** The earlier name of {@link Pruned}. */
export type Trimmed = Pruned;

/**
 * Checkpoints below one root: {@link StoreOperations}, and those methods that carry documents. Every
 * method throws {@link MilepostError}. Members are in camelCase; documents are as they are stored.
 */
export interface Store extends StoreOperations {
  /** The warnings of the latest operation. */
  readonly warnings: readonly Warning[];
  /**
   * The checkpoint, or null where it is absent. With a `revision`, its state then: `not_found` where
   * that is not kept, `corrupt` where it is altered.
   */
  load(
    command: string,
    feature?: string | null,
    options?: { revision?: number | null },
  ): UnifiedCheckpoint | null;
  /** As {@link Store.load}: its exact text. */
  loadText(
    command: string,
    feature?: string | null,
    options?: { revision?: number | null },
  ): string | null;
  /**
   * Saves a whole checkpoint. With `revision` and `seal` it is a compare-and-swap that merges with
   * what others changed since; `conflict` where both changed the same field. An object that is no
   * document, such as a Map, a Buffer or an array, is `invalid_document`.
   */
  save(command: string, checkpoint: object, feature?: string | null, options?: ChangeOptions): SavedDocument;
  /** As {@link Store.save}, from JSON text, numbers and order of keys as written. */
  saveText(command: string, text: string, feature?: string | null, options?: ChangeOptions): SavedDocument;
  /** Changes one phase; makes a checkpoint that is absent. The answer says what is new. */
  updatePhase(
    command: string,
    phase: string,
    patch: PhasePatch,
    feature?: string | null,
    options?: ChangeOptions,
  ): SavedPhase;
  /** The earlier name of `prune`. */
  trim: StoreOperations['prune'];
  /** The integrations' configuration, with defaults filled in. */
  loadIntegrations(): Integrations;
}

/**
 * Opens a store; nothing is read or made before its first operation.
 *
 * @throws {MilepostError} `usage`, for an option that it does not know as well
 *
 * @example
 * ```ts
 * import { openStore } from 'milepost';
 *
 * const store = openStore({ durability: 'lazy' });
 * store.updatePhase('implement', 'tests', { status: 'complete', context_summary: 'All 12 pass.' });
 * const { phase, summary } = store.resumePoint('implement');
 * ```
 */
export declare function openStore(options?: StoreOptions): Store;

/** The integrations' configuration, with defaults filled in. Silent-fail: null. */
export declare function loadIntegrations(): Integrations | null;

/** Why the latest silent-fail call failed; null after a success. */
export declare function lastError(): Error | null;

/**
 * The longest beginning of a summary that keeps to a limit of tokens, cut after a token; all of it
 * with `Infinity`.
 * Silent-fail: the empty string.
 */
export declare function truncateContextSummary(summary: unknown, maxTokens?: number): string;

/**
 * Checks a checkpoint against its schema and the limits of its summaries.
 *
 * @param checkpoint JSON text, or an object
 * @param options `commands` that the project adds to the seven
 * @throws {MilepostError} `usage`; `invalid_document` for an object that is no object as JSON, such as a Map
 */
export declare function validateCheckpoint(
  checkpoint: string | object,
  options?: { commands?: string[] | null },
): Validation;

/** The treatment of a response whose context summary is above its limit. */
export type SummaryPolicy = 'reject' | 'truncate' | 'warn';

/** The findings in a handoff. */
export interface HandoffVerdict extends Validation {
  /** Warnings of what was settled, or let through. */
  warnings: Warning[];
  /** The handoff to pass on: former names and, by `truncate`, the summary are settled. */
  document: unknown;
}

/**
 * Checks a request to a sub-agent: its mode, and the limit of the previous summary. It knows no project, so that
 * the limit is the 500 words, regardless of a project's budget; `milepost handoff check` knows that.
 *
 * @param request JSON text, or an object
 * @throws {MilepostError} `usage`, also for text that is not valid JSON
 */
export declare function checkHandoffRequest(request: string | object): HandoffVerdict;

/**
 * Checks a sub-agent's response: the limit of its context summary. As of {@link checkHandoffRequest}, that is the
 * 500 words.
 *
 * @param response JSON text, or an object
 * @param policy what becomes of a summary above its limit; `reject` makes it a problem
 * @throws {MilepostError} `usage`, also for text that is not valid JSON
 */
export declare function checkHandoffResponse(
  response: string | object,
  policy?: SummaryPolicy,
): HandoffVerdict;
