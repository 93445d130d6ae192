// Printed from the table of operations; a test holds the file to it.

/** A checkpoint as it is stored. */
export interface Loaded {
  /** The document as JSON text, exactly as it is stored. */
  text: string;
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
}

/** A committed save of a whole document. */
export interface SavedDocument {
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
  /** True if another writer's change was merged in. */
  merged: boolean;
  /** True if the document differs from the one stored before. */
  changed: boolean;
  /** True if a run or a phase was made that was not there. */
  created: boolean;
  /** True if there was no such run before. */
  newRun: boolean;
  /** The phases that the run did not have. */
  newPhases: string[];
  /** True if the run was complete, and is open again. */
  reopened: boolean;
  /** The document as it is stored, as JSON text. */
  text: string;
}

/** A command that was begun, and where to go on with it. */
export interface Begun {
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
  /** True if the document differs from the one stored before. */
  changed: boolean;
  /** True if a run or a phase was made that was not there. */
  created: boolean;
  /** True if there was no such run before. */
  newRun: boolean;
  /** The phases that the run did not have. */
  newPhases: string[];
  /** True if the run was complete, and is open again. */
  reopened: boolean;
  /** The phase to go on with; null where there is nothing to do. */
  phase: string | null;
  /** The context summary of that phase itself, if it has one. */
  phaseSummary: string | null;
  /** The context summary of the last completed phase that has one. */
  summary: string | null;
  /** The other phases in progress. */
  alongside: string[];
}

/** A committed change of a phase. */
export interface SavedPhase {
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
  /** True if another writer's change was merged in. */
  merged: boolean;
  /** True if the document differs from the one stored before. */
  changed: boolean;
  /** True if a run or a phase was made that was not there. */
  created: boolean;
  /** True if there was no such run before. */
  newRun: boolean;
  /** The phases that the run did not have. */
  newPhases: string[];
  /** True if the run was complete, and is open again. */
  reopened: boolean;
}

/** A committed change. */
export interface Saved {
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
  /** True if another writer's change was merged in. */
  merged: boolean;
  /** True if the document differs from the one stored before. */
  changed: boolean;
}

/** The resume point. */
export interface ResumePoint {
  /** The phase to go on with; null where there is nothing to do. */
  phase: string | null;
  /** The context summary of that phase itself, if it has one. */
  phaseSummary: string | null;
  /** The context summary of the last completed phase that has one. */
  summary: string | null;
  /** The other phases in progress. */
  alongside: string[];
}

/** The most recently updated unfinished checkpoint. */
export interface Latest {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
  /** The phase to go on with; null where there is nothing to do. */
  phase: string | null;
  /** The context summary of that phase itself, if it has one. */
  phaseSummary: string | null;
  /** The context summary of the last completed phase that has one. */
  summary: string | null;
  /** The other phases in progress. */
  alongside: string[];
  /** The other unfinished checkpoints. */
  others: CheckpointName[];
}

/** One checkpoint of a list. */
export interface Listed {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
  /** True if its run is complete. */
  complete: boolean;
  /** True if there is something to do: a phase, or a plan without phases. */
  hasWork: boolean;
  /** The number of phases that are done: complete or skipped. */
  done: number;
  /** The number of phases. */
  total: number;
  /** The phase to resume, if it is in progress or has failed. */
  currentPhase: string | null;
  /** The number of phases that are complete. */
  completed: number;
  /** The number of phases in progress. */
  inProgress: number;
  /** The number of phases that have failed, and are to be retried. */
  failed: number;
  /** The number of phases that are not yet begun. */
  pending: number;
  /** The number of phases that were left out on purpose. */
  skipped: number;
  /** The time at which it was last saved. */
  updatedAt: string | null;
  /** The time at which it was completed. */
  completedAt: string | null;
  /** Its revision; 0 where it cannot be read. */
  revision: number;
  /** The branch that hooks recorded, null for a detached HEAD; absent where none was recorded. */
  branch?: string | null;
  /** Why it cannot be read, if it cannot. */
  problem: string | null;
  /** True if it was changed by hand since it was last saved; absent otherwise. */
  editedByHand?: boolean | null;
  /** True if its file was deleted and its history is kept, so that it can be recovered; absent otherwise. */
  deleted?: boolean | null;
}

/** The verdict on whether the run may be shipped. */
export interface GateVerdict {
  /** True if nothing stands in the way. */
  open: boolean;
  /** The reasons that stand in the way. */
  blockers: string[];
  /** The commit that it holds for; null where none was recorded, so that it holds for all. */
  headCommit: string | null;
}

/** One revision of a checkpoint. */
export interface LogEntry {
  /** The revision. */
  revision: number;
  /** The time at which it was saved. */
  updatedAt: string | null;
  /** The changes, a line each. */
  changes: string[];
  /** The revision that the changes start from: the nearest one before it that can be read. */
  comparedWith: number | null;
  /** The changes as a JSON Patch (RFC 6902) of that revision; empty without one. */
  patch: PatchStep[];
  /** The earlier revision, not the one before it, with the same content. */
  sameAs: number | null;
  /** So many revisions after this one only renewed the time, and are left out. */
  heartbeats: number;
  /** True if its bytes are not the ones that were saved. */
  altered: boolean;
  /** Why it cannot be read, if it cannot: altered, or no file, for example. */
  problem: string | null;
}

/** The difference between two revisions. */
export interface Diff {
  /** The older revision. */
  from: number;
  /** The newer revision. */
  to: number;
  /** The changes, a line each. */
  changes: string[];
  /** The changes as a JSON Patch (RFC 6902). */
  patch: PatchStep[];
}

/** A checkpoint that has the content of an earlier revision. */
export interface Restored {
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
  /** The revision that it has the content of. */
  restored: number;
  /** True if something was written. */
  changed: boolean;
}

/** A checkpoint that was corrupt or gone. */
export interface Recovered {
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
  /** The revision that it has the content of. */
  restored: number;
  /** True if something was written. */
  changed: boolean;
  /** The path of the kept corrupt file, relative to the root; null where there was none. */
  quarantined: string | null;
}

/** The revisions that were removed from a history. */
export interface Pruned {
  /** The revisions that are gone, the oldest first. */
  removed: number[];
  /** The number of revisions that are left, the present one among them. */
  kept: number;
}

/** A checkpoint under its new name. */
export interface Renamed {
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
}

/** The folder of checkpoints. */
export interface Location {
  /** The root, as the host names it. */
  root: string;
  /** The state folder, as the host names it. */
  stateFolder: string;
  /** True if the root is known: the host may see no `.git`, nor every folder that may hold one. */
  isKnown: boolean;
}

/** The outcome for one file or folder. */
export interface Made {
  /** Relative to the root. */
  path: string;
  /** The outcome: it was made, was there, was there without something that it needs, or is no folder, since the host keeps records. */
  outcome: "created" | "kept" | "missing_section" | "in_records";
  /** All that is not in it and is to be added, as Markdown. */
  section?: string | null;
  /** The names of what is not in it: `mode`, `previous_summary`, `enforcement`. */
  missing?: string[] | null;
}

/** One thing that an examination found. */
export interface Finding {
  /** The check, such as `modes`. */
  check: string;
  /** Its weight. */
  level: "ok" | "note" | "warning" | "error";
  /** The location, relative to the root. */
  path?: string | null;
  /** The result. */
  found: string;
  /** Why it matters. */
  why?: string | null;
  /** The steps that fix it, in their order; absent where none is known. */
  mend?: MendStep[] | null;
  /** True if it was fixed just now. */
  mended?: boolean | null;
}

/** The result. */
export interface Validation {
  /** True if nothing is wrong. */
  valid: boolean;
  /** Each problem with its place. */
  problems: Problem[];
}

/** The findings about a handoff. */
export interface Checked {
  /** True if nothing is wrong. */
  valid: boolean;
  /** Each problem with its place. */
  problems: Problem[];
  /** The document to pass on, as JSON text. */
  text: string;
}

/** The name of a checkpoint. */
export interface CheckpointName {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
}

/** One operation of a JSON Patch. */
export interface PatchStep {
  /** The operation. */
  op: "add" | "remove" | "replace";
  /** JSON pointer to the place. */
  path: string;
  /** The new value. */
  value?: unknown | null;
}

/** One step that fixes a finding. Paths are relative to the root. */
export interface MendStep {
  /** The step; `fix` is an examination that may fix. */
  kind:
    | "fix"
    | "recover"
    | "recover_thread"
    | "validate"
    | "move"
    | "remove"
    | "restrict"
    | "permit_file"
    | "permit_folder"
    | "untrack"
    | "clear";
  /** The file or folder that it is done to. */
  path?: string | null;
  /** The name that it has, for `move`. */
  from?: string | null;
  /** The name that it gets, for `move`. */
  to?: string | null;
  /** The command, for `recover`. */
  command?: string | null;
  /** The feature, for `recover`. */
  feature?: string | null;
  /** The thread, for `recover_thread`. */
  thread?: string | null;
  /** Patterns of the names that stay, for `clear`. */
  kept?: string[] | null;
}

/** One thing that is wrong with a document. */
export interface Problem {
  /** JSON pointer to the place. */
  at: string;
  /** The kind of problem, such as `type`. */
  code: string;
  /** One sentence. */
  message: string;
}

/** The methods whose arguments and answers hold no documents. Each throws a `MilepostError`. */
export interface StoreOperations {
  /** Begins a command with the phases of its plan, as one revision; phases that it has stay as they are. */
  begin(command: string, feature: string | null, options: { phases: string[]; task?: string | null; existing?: boolean | null }): Begun;
  /** Takes back a phase that was added by mistake; its history stays, and an undo brings it back. */
  removePhase(command: string, feature: string | null, options: { phase: string }): Saved;
  /** Marks a checkpoint as complete, unless phases are still to be done; completing again changes nothing. */
  complete(command: string, feature?: string | null, options?: { force?: boolean | null; keepOpen?: boolean | null }): Saved;
  /** The resume point of a run. */
  resumePoint(command: string, feature?: string | null): ResumePoint;
  /** The unfinished checkpoint that was updated last, of those that have something to do if there is one; null where nothing is unfinished. */
  latest(): Latest | null;
  /** All checkpoints, sorted by command and feature. */
  list(): Listed[];
  /** Tells whether the work may be shipped; with `open` or `close`, sets that first. */
  gate(command: string, feature?: string | null, options?: { open?: boolean | null; close?: string[] | null }): GateVerdict;
  /** The revisions of a checkpoint that are kept, the newest first. */
  log(command: string, feature?: string | null): LogEntry[];
  /** The difference between two revisions; by default, of the newest one. */
  diff(command: string, feature?: string | null, options?: { from?: number | null; to?: number | null }): Diff;
  /** Writes the content of an earlier revision as the next one; again, of the one before that. */
  undo(command: string, feature?: string | null, options?: { to?: number | null; revision?: number | null; seal?: string | null }): Restored;
  /** Writes what an undo took back as the next revision. */
  redo(command: string, feature?: string | null, options?: { revision?: number | null; seal?: string | null }): Restored;
  /** Brings a corrupt or vanished checkpoint back from its history. */
  recover(command: string, feature?: string | null, options?: { to?: number | null }): Recovered;
  /** Removes old revisions of a checkpoint immediately. */
  prune(command: string, feature?: string | null, options?: { revisions?: number | null; days?: number | null }): Pruned;
  /** Gives a checkpoint another feature name, its history with it. */
  rename(command: string, feature: string | null, options: { to: string }): Renamed;
  /** Takes a checkpoint away; its history is kept, and `recover` brings it back. */
  remove(command: string, feature?: string | null): Saved;
  /** The root, and the state folder below it; nothing is made. */
  location(): Location;
  /** Makes the state folder and, where they are absent, the configuration and the protocol pages. */
  init(): Made[];
  /** Examines the state folder and its file system, and says how to fix each problem. */
  doctor(options?: { fix?: boolean | null; lookOnly?: boolean | null }): Finding[];
}
