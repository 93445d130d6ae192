import type { UnifiedCheckpoint } from './schema.js';
import type { ResumePoint } from './store-operations.js';

export type { ResumePoint };


/** Fields of a phase to change; null removes one. Others are kept as they are. */
export interface PhasePatch {
  /** The status of the phase. A new phase without one is pending. */
  status?: 'pending' | 'in_progress' | 'complete' | 'failed' | 'skipped';
  /** The facts that the next phase must know: at most 500 words and 64 KiB. */
  context_summary?: string | null;
  /** Paths that the phase created. */
  files_created?: string[] | null;
  /** Paths that the phase changed. */
  files_modified?: string[] | null;
  /** Why the phase failed. */
  error?: string | null;
  /** Anything else is stored as it is. */
  [field: string]: unknown;
}

/**
 * Loads a checkpoint. A warning, such as that it was saved at another HEAD, is one line on
 * standard error. Silent-fail: null, as for one that is absent.
 */
export declare function loadCheckpoint(
  command: string,
  feature?: string | null,
): UnifiedCheckpoint | null;

/**
 * Saves a whole checkpoint; missing `command`, `feature`, `version`, times and lists are filled
 * in. The object is then brought up to what is stored, `revision` and `seal` included, so that it
 * can be changed and saved again; one that cannot take over another writer's changes keeps its
 * revision, and the next save merges again. An object that is no document, such as a Map, a Buffer or
 * an array, is `invalid_document`. Silent-fail: false, and nothing was written.
 */
export declare function saveCheckpoint(
  command: string,
  checkpoint: object,
  feature?: string | null,
): boolean;

/**
 * Changes one phase and the state that follows from it; makes a checkpoint that is absent.
 * Silent-fail: false, and nothing was written.
 *
 * @example
 * ```ts
 * import { getResumePoint, updatePhase } from 'milepost/checkpoint-manager';
 *
 * updatePhase('implement', 'tests', { status: 'complete', context_summary: 'All 12 pass.' });
 * const { phase, summary } = getResumePoint('implement');
 * ```
 */
export declare function updatePhase(
  command: string,
  phase: string,
  patch: PhasePatch,
  feature?: string | null,
): boolean;

/**
 * The state folder for the present root, as an absolute path: that of `GIT_ROOT`, else of the nearest
 * repository, else of the working folder. Nothing is made, and nothing has to be there. Silent-fail:
 * null.
 */
export declare function getStateDir(): string | null;

/**
 * Marks a checkpoint as complete; phases that are still to be done stay so, and a warning names them. Silent-fail:
 * false, as for one that is absent.
 */
export declare function completeCheckpoint(command: string, feature?: string | null): boolean;

/** The resume point. Silent-fail: both null, as where there is nothing to do. */
export declare function getResumePoint(
  command: string,
  feature?: string | null,
): Pick<ResumePoint, 'phase' | 'summary'>;
