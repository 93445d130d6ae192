// Printed from the table of operations; a test holds the file to it.

/** A snapshot that was made. */
export interface CreatedSession {
  /** Its id. */
  id: string;
  /** Its file, relative to the root. */
  path: string;
  /** The number of texts that had secrets in them, which were taken out. */
  redacted: number;
  /** The part of the context that had no room in its summary. */
  summaryLeftOut: string | null;
  /** The number of paths in its snapshot; null without one. */
  files: number | null;
  /** The paths that differed from HEAD, or may have, and are not kept. */
  leftOut: LeftOutOfSession[];
  /** The ids of older ones that were removed, as the settings say. */
  removed: string[];
  /** The command of the run that it was made of; null where there was none. */
  command: string | null;
  /** The feature of that run, if it has one. */
  feature: string | null;
  /** The other unfinished runs, where none was named. */
  others: CheckpointName[];
}

/** One snapshot of a list. */
export interface ListedSession {
  /** Its id. */
  id: string;
  /** The time at which it was made. */
  createdAt: string | null;
  /** The occasion. */
  reason: string | null;
  /** The remarks of its maker. */
  message: string | null;
  /** The task's id. */
  task: string | null;
  /** The number of completed phases, and one more where one is in progress. */
  currentPhase: number | null;
  /** The number of phases. */
  totalPhases: number | null;
  /** True if it is never removed. */
  pinned: boolean;
  /** True if the work that it belongs to is complete. */
  archived: boolean;
  /** Why it cannot be read, if it cannot. */
  problem: string | null;
}

/** A snapshot as it is stored. */
export interface LoadedSession {
  /** Its id. */
  id: string;
  /** Its file, relative to the root. */
  path: string;
  /** True if it is never removed. */
  pinned: boolean;
  /** True if the work that it belongs to is complete. */
  archived: boolean;
  /** The YAML, exactly as it is stored. */
  text: string;
  /** The document, parsed. */
  document: { [field: string]: unknown };
}

/** The work tree beside a checkpoint. */
export interface VerifiedSession {
  /** Its id. */
  id: string;
  /** True if the commit and every file are the same. */
  matches: boolean;
  /** True if another commit is checked out. */
  headMoved: boolean;
  /** The commit that was checked out, if there was one. */
  recordedHead: string | null;
  /** The commit that is checked out, if there is one. */
  presentHead: string | null;
  /** Every path that is recorded or differs from HEAD, sorted. */
  files: VerifiedFile[];
  /** True if files were kept with it; without them only the commit is compared. */
  hasSnapshot: boolean;
}

/** The information to carry on with. */
export interface RestoredSession {
  /** Its id. */
  id: string;
  /** The next steps, decisions, files and summary, as a text that is marked as data. */
  resume: string;
  /** True if anything is left to do. */
  canResume: boolean;
  /** The paths that would be touched, or were; null where no files were asked for. */
  plan: RestorePlan | null;
  /** True if every file of the plan was restored. */
  restored: boolean;
  /** The checkpoint that brings back what was there; null where nothing was touched. */
  undo: string | null;
}

/** A snapshot that was removed, or would be. */
export interface CleanedUpSession {
  /** Its id. */
  id: string;
  /** Its file, relative to the root. */
  path: string;
  /** Why. */
  reason: string;
  /** Of what is kept for rewinds, the bytes that nothing else needs; null for any other snapshot. */
  bytes: number | null;
}

/** A snapshot that was archived, or would be. */
export interface ArchivedSession {
  /** Its id. */
  id: string;
  /** Its file, relative to the root. */
  path: string;
}

/** A snapshot and its pin. */
export interface PinnedSession {
  /** Its id. */
  id: string;
  /** True if it is pinned now. */
  pinned: boolean;
  /** True if it was otherwise before. */
  changed: boolean;
}

/** The difference between two snapshots. */
export interface SessionDiff {
  /** The values that differ, in the order of the documents. */
  changes: SessionChange[];
  /** The files whose state differs, sorted by path. */
  files: SessionFileChange[];
}

/** A prompt before which the files were kept. */
export interface ListedPrompt {
  /** Its place in the list: 1 for the newest. */
  number: number;
  /** The id of the snapshot. */
  id: string;
  /** The time. */
  createdAt: string;
  /** The agent. */
  agent: string;
  /** The session of the agent. */
  session: string;
  /** Its first 200 characters, without secrets. */
  prompt: string;
  /** True if the files can go back to it. */
  complete: boolean;
  /** The number of files that were created since; null where another commit is checked out. */
  created: number | null;
  /** The number of files that were changed since. */
  changed: number | null;
  /** The number of files that were deleted since. */
  deleted: number | null;
}

/** The rewind. */
export interface RewoundFiles {
  /** The id of the snapshot whose files are back. */
  id: string;
  /** The beginning of the prompt; null where a rewind is undone. */
  prompt: string | null;
  /** The session whose changes are taken back. */
  session: string | null;
  /** The commits that stay, where another one is checked out than then, such as `1a2b3c4..5d6e7f8`, or `up to 5d6e7f8` where there was none. */
  commits: string | null;
  /** The paths that would be touched, or were, and those that stay. */
  plan: RestorePlan | null;
  /** True if every file of the plan is back. */
  restored: boolean;
  /** The snapshot of what was there, which `undo` brings back; null where nothing was touched. */
  undo: string | null;
}

/** A path that is not kept. */
export interface LeftOutOfSession {
  /** Relative to the root. */
  path: string;
  /** Why, as it goes on after the path. */
  reason: string;
}

/** The name of a checkpoint. */
export interface CheckpointName {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
}

/** A path. */
export interface VerifiedFile {
  /** Relative to the root. */
  path: string;
  /** The comparison with what was recorded. */
  answer: "same" | "changed" | "missing" | "unexpected";
}

/** The paths that a restore of files would touch, or touched. */
export interface RestorePlan {
  /** Stands for this very plan, so that it can be asked for. */
  id: string;
  /** Every path that is touched, sorted. */
  changes: RestoreChange[];
  /** Paths that differ and cannot be restored. */
  left: LeftByRestore[];
  /** Why it is not done; where there is a reason, nothing is touched. */
  refusals: string[];
  /** The run that is restored, as a new revision. */
  state: string | null;
  /** The revision that the run goes back to; null where no run is restored. */
  run: RunRestore | null;
}

/** A value that differs. */
export interface SessionChange {
  /** Its position, as a JSON pointer; for an item of a list, the list. */
  path: string;
  /** The value in the first one; null for nothing. */
  before: unknown;
  /** The value in the second one; null for nothing. */
  after: unknown;
}

/** A file whose state differs. */
export interface SessionFileChange {
  /** Relative to the root. */
  path: string;
  /** The side that has it: only the second one, only the first one, or both otherwise. */
  change: "added" | "removed" | "changed";
}

/** The change of one path. */
export interface RestoreChange {
  /** Relative to the root. */
  path: string;
  /** The change: the content is written, the file deleted, or only the mode of a file or folder set. */
  act: "write" | "delete" | "set_mode";
  /** The comparison with what was recorded: `changed`, `missing`, `unexpected`. */
  answer: string;
}

/** A path that stays as it is. */
export interface LeftByRestore {
  /** Relative to the root. */
  path: string;
  /** Why, as it goes on after the path. */
  reason: string;
}

/** The change of a run by a restore. */
export interface RunRestore {
  /** The revision whose content comes back; null where the snapshot does not say it. */
  revision: number | null;
  /** The present revision; null where the run does not exist. */
  present: number | null;
  /** The changes of the phases, a line each. */
  phases: string[];
}

/** The methods whose arguments and answers hold no documents. Each throws a `MilepostError`. */
export interface SessionOperations {
  /** All snapshots, the newest first. */
  list(options?: { archived?: boolean | null; limit?: number | null }): ListedSession[];
  /** Compares the worktree with a snapshot. */
  verify(options?: { id?: string | null; latest?: boolean | null }): VerifiedSession;
  /** Returns the content of a snapshot to carry on from; with `files`, restores its files. */
  restore(options?: { id?: string | null; latest?: boolean | null; files?: boolean | null; dryRun?: boolean | null; plan?: string | null; lose?: string[] | null; force?: boolean | null; state?: boolean | null }): RestoredSession;
  /** Removes snapshots beyond the configured number. */
  cleanUp(options?: { dryRun?: boolean | null; archivedDays?: number | null }): CleanedUpSession[];
  /** Archives one snapshot, or all snapshots of complete runs. */
  archive(options?: { id?: string | null; dryRun?: boolean | null }): ArchivedSession[];
  /** Pins a snapshot, so that it is never removed, or takes the pin away. */
  pin(options: { id: string; remove?: boolean | null }): PinnedSession;
  /** The difference between two snapshots. */
  diff(options: { from: string; to: string }): SessionDiff;
  /** The prompts on this branch before which the files were kept, the newest first. */
  listPrompts(options?: { limit?: number | null }): ListedPrompt[];
  /** Takes back what an agent changed since a prompt, in the worktree alone. */
  rewind(options?: { to?: string | null; undo?: boolean | null; files?: string[] | null; all?: boolean | null; lose?: string[] | null; dryRun?: boolean | null; plan?: string | null; state?: boolean | null; stateOnly?: boolean | null }): RewoundFiles;
}
