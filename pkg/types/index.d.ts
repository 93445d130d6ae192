import type { PhasePatch, ResumePoint } from './checkpoint-manager.js';
import type { UnifiedCheckpoint } from './schema.js';

export * from './checkpoint-manager.js';
export * from './schema.js';
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

/** What an operation noticed on the way. */
export type WarningCode =
  | 'stale'
  | 'untrusted_origin'
  | 'edited_by_hand'
  | 'duplicate_key'
  | 'text_replaced'
  | 'head_unreadable'
  | 'legacy_name'
  | 'summary_too_long'
  | 'invalid_document';

/** One thing that is wrong with a document. */
export interface Problem {
  /** JSON pointer to the place. */
  at: string;
  /** The kind of problem, such as `type`. */
  code: string;
  /** One sentence. */
  message: string;
}

/** Something that the user should know and that changed nothing. */
export interface Warning {
  /** The stable code. */
  code: WarningCode;
  /** One sentence. */
  message: string;
}

/**
 * Whether a failed call wrote anything: `no`, nothing; `yes`, it is written, and a power loss may
 * still take it; `unknown`, the host cannot tell, so read it again.
 */
export type Written = 'no' | 'yes' | 'unknown';

/** What would help after a failure. */
export type Advice =
  /** Bring this checkpoint back, or look which of its revisions are kept. */
  | { kind: 'recover' | 'log'; command: string; feature: string | null }
  /** Examine the state folder, or name the root. */
  | { kind: 'doctor' | 'name_root' };

/** What a failure says beyond its sentence. */
export interface ErrorDetails {
  /** Whether anything was written; nothing by default. */
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
  /** What would help. */
  advice?: Advice;
  /** What the failure came from. */
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
  /** Whether anything was written. */
  readonly written: Written;
  /** `io`, `corrupt`, `busy`, `unsafe_path`: the file or folder, relative to the root. */
  readonly path: string | null;
  /** `io`: the effect that failed, such as `rename`; otherwise null. */
  readonly effect: string | null;
  /** `corrupt`: the newest whole revision in the history; null where there is none. */
  readonly lastGood: number | null;
  /** What would help, where that is known. */
  readonly advice: Advice | null;
}

/**
 * How much of a checkpoint's history is kept. Whoever saves trims: of several programs on one folder,
 * the one that keeps least decides.
 */
export interface Retention {
  /** So many replaced revisions, 10 to 9,000; 50 by default. */
  revisions?: number | null;
  /** None that is older than so many days; any age by default. */
  days?: number | null;
}

/** How a store works. */
export interface StoreOptions {
  /** The root; otherwise `GIT_ROOT`, the nearest repository, or the working folder. */
  root?: string | null;
  /** The state folder, instead of `.claude/state` below the root. */
  dir?: string | null;
  /**
   * Whether a save waits for stable storage, which it does unless this is `lazy`. A durable save that
   * finds nothing to change does not wait for what a lazy one wrote.
   */
  durability?: 'durable' | 'lazy';
  /** How much of a checkpoint's history is kept; the newest ten revisions always are. */
  history?: Retention | null;
  /** Called with each warning, before the operation returns. */
  onWarning?: (warning: Warning) => void;
}

/** A committed change. */
export interface Saved {
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
  /** Whether another writer's change was merged in. */
  merged: boolean;
  /** Whether the document differs from the one stored before. */
  changed: boolean;
}

/** A committed save of a whole document. */
export interface SavedDocument extends Saved {
  /** The document as it is stored. */
  text: string;
}

/** A checkpoint that has the content of an earlier revision. */
export interface Restored {
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
  /** The revision that it has the content of. */
  restored: number;
  /** Whether anything was written. */
  changed: boolean;
}

/** A checkpoint that was corrupt or gone. */
export interface Recovered extends Restored {
  /** Where the corrupt file is kept, relative to the root; null where there was none. */
  quarantined: string | null;
}

/** What trimming removed from a history. */
export interface Trimmed {
  /** The revisions that are gone, the oldest first. */
  removed: number[];
  /** How many are left, the present one among them. */
  kept: number;
}

/** Whether the work may go on. */
export interface GateVerdict {
  /** Whether nothing stands in the way. */
  open: boolean;
  /** What stands in the way. */
  blockers: string[];
}

/** The most recently updated unfinished checkpoint. */
export interface Latest extends ResumePoint {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
}

/** One checkpoint of a list. */
export interface Listed {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
  /** The phase in progress. */
  current_phase: string | null;
  /** How many phases are complete. */
  completed: number;
  /** How many phases are still to do. */
  pending: number;
  /** When it was last saved. */
  updated_at: string | null;
  /** When it was completed. */
  completed_at: string | null;
  /** Its revision. */
  revision: number;
  /** Why it cannot be read, if it cannot. */
  problem: string | null;
}

/** One revision of a checkpoint. */
export interface LogEntry {
  /** The revision. */
  revision: number;
  /** When it was saved. */
  updated_at: string | null;
  /** What changed, a line each. */
  changes: string[];
  /** The earlier revision, not the one before it, with the same content: what an undo restored. */
  same_as: number | null;
  /** Whether its bytes are not the ones that were saved. */
  altered: boolean;
  /** So many revisions after this one only renewed the time, and are left out. */
  heartbeats: number;
}

/** What changed between two revisions. */
export interface Diff {
  /** The older revision. */
  from: number;
  /** The newer revision. */
  to: number;
  /** What changed, a line each. */
  changes: string[];
  /** The same as a JSON Patch (RFC 6902). */
  patch: { op: 'add' | 'remove' | 'replace'; path: string; value?: unknown }[];
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
  [field: string]: unknown;
}

/** Command checkpoints below one root. Every method throws {@link MilepostError}. */
export interface Store {
  /** The warnings of the latest operation. */
  readonly warnings: readonly Warning[];
  /**
   * The checkpoint, or null where there is none. With a `revision`, as it was then: `not_found` where
   * that is not kept, `corrupt` where it is altered.
   */
  load(
    command: string,
    feature?: string | null,
    which?: { revision?: number | null },
  ): UnifiedCheckpoint | null;
  /** As {@link Store.load}: its exact text. */
  loadText(
    command: string,
    feature?: string | null,
    which?: { revision?: number | null },
  ): string | null;
  /**
   * Saves a whole checkpoint. With `revision` and `seal` it is a compare-and-swap that merges with
   * what others changed since; `conflict` where both changed the same field.
   */
  save(command: string, checkpoint: object, feature?: string | null): SavedDocument;
  /** As {@link Store.save}, from JSON text, numbers and order of keys as written. */
  saveText(command: string, text: string, feature?: string | null): SavedDocument;
  /** Changes one phase; makes the checkpoint where there is none. */
  updatePhase(command: string, phase: string, patch: PhasePatch, feature?: string | null): Saved;
  /** Marks the checkpoint as complete; `not_found` where there is none. */
  complete(command: string, feature?: string | null): Saved;
  /** Where to carry on; both null where there is nothing to do. */
  resumePoint(command: string, feature?: string | null): ResumePoint;
  /** Whether the work may be shipped. */
  gate(command: string, feature?: string | null): GateVerdict;
  /** Where to carry on when the command is not known; null where nothing is unfinished. */
  latest(): Latest | null;
  /** All checkpoints. */
  list(): Listed[];
  /** The revisions that are kept, the newest first. */
  log(command: string, feature?: string | null): LogEntry[];
  /** What changed between two revisions: by default, in the newest one. */
  diff(
    command: string,
    feature?: string | null,
    revisions?: { from?: number; to?: number },
  ): Diff;
  /**
   * Writes the content before the present revision, or of the revision `to`, as the next revision, so
   * that an undo can be undone. With the `revision` and `seal` of the state that was seen, or without
   * them of the present one, it is a compare-and-swap: `conflict` where somebody else was faster.
   * `not_found` where there is nothing to go back to.
   */
  undo(
    command: string,
    feature?: string | null,
    which?: { to?: number | null; revision?: number | null; seal?: string | null },
  ): Restored;
  /**
   * Brings a corrupt or vanished checkpoint back from its last good revision, or from the revision
   * `to`; a corrupt file is kept in quarantine. `not_found` where there is nothing to recover, or
   * nothing to recover it from.
   */
  recover(command: string, feature?: string | null, which?: { to?: number | null }): Recovered;
  /** Removes old revisions now, as the store's `history` has it or as given here. */
  trim(command: string, feature?: string | null, retention?: Retention): Trimmed;
  /** The integrations' configuration, with defaults filled in. */
  loadIntegrations(): Integrations;
}

/**
 * Opens a store; nothing is read or made before its first operation.
 *
 * @throws {MilepostError} `usage`
 */
export declare function openStore(options?: StoreOptions): Store;

/** The integrations' configuration, with defaults filled in. Silent-fail: null. */
export declare function loadIntegrations(): Integrations | null;

/** Why the latest silent-fail call failed; null after a success. */
export declare function lastError(): Error | null;

/**
 * The longest beginning of a summary that keeps to a limit of tokens, cut after a token.
 * Silent-fail: the empty string.
 */
export declare function truncateContextSummary(summary: unknown, maxTokens?: number): string;

/** Everything that is wrong with a document. */
export interface Validation {
  /** Whether nothing is. */
  valid: boolean;
  /** Each problem with its place. */
  problems: Problem[];
}

/**
 * Checks a checkpoint against its schema and the limits of its summaries.
 *
 * @param checkpoint JSON text, or an object
 * @throws {MilepostError} `usage`
 */
export declare function validateCheckpoint(checkpoint: string | object): Validation;

/** What becomes of a response whose context summary is above its limit. */
export type SummaryPolicy = 'reject' | 'truncate' | 'warn';

/** What was found in a handoff. */
export interface HandoffVerdict extends Validation {
  /** What was settled, or let through. */
  warnings: Warning[];
  /** The handoff to pass on: former names and, by `truncate`, the summary are settled. */
  document: unknown;
}

/**
 * Checks a request to a sub-agent: its mode, and the limit of the previous summary.
 *
 * @param request JSON text, or an object
 * @throws {MilepostError} `usage`, for text that is no JSON as well
 */
export declare function checkHandoffRequest(request: string | object): HandoffVerdict;

/**
 * Checks a sub-agent's response: the limit of its context summary.
 *
 * @param response JSON text, or an object
 * @param policy what becomes of a summary above its limit; `reject` makes it a problem
 * @throws {MilepostError} `usage`, for text that is no JSON as well
 */
export declare function checkHandoffResponse(
  response: string | object,
  policy?: SummaryPolicy,
): HandoffVerdict;
