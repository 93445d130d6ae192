// Printed from the table of operations; a test holds the file to it.

/** A session checkpoint that was made. */
export interface CreatedSession {
  /** Its id. */
  id: string;
  /** Its file, relative to the root. */
  path: string;
  /** How many texts had secrets in them, which were taken out. */
  redacted: number;
  /** What of the context had no room in its summary. */
  summaryLeftOut: string | null;
  /** The ids of older ones that were removed, as the settings say. */
  removed: string[];
}

/** One session checkpoint of a list. */
export interface ListedSession {
  /** Its id. */
  id: string;
  /** When it was made. */
  createdAt: string | null;
  /** The occasion. */
  reason: string | null;
  /** What its maker says of it. */
  message: string | null;
  /** The task's id. */
  task: string | null;
  /** How many phases are completed, and one more where one is in progress. */
  currentPhase: number | null;
  /** How many phases there are. */
  totalPhases: number | null;
  /** Whether it is never removed. */
  pinned: boolean;
  /** Whether the work that it belongs to is complete. */
  archived: boolean;
  /** Why it cannot be read, if it cannot. */
  problem: string | null;
}

/** A session checkpoint as it is stored. */
export interface LoadedSession {
  /** Its id. */
  id: string;
  /** Its file, relative to the root. */
  path: string;
  /** Whether it is never removed. */
  pinned: boolean;
  /** Whether the work that it belongs to is complete. */
  archived: boolean;
  /** The YAML, exactly as it is stored. */
  text: string;
  /** The same, read. */
  document: { [field: string]: unknown };
}

/** What to carry on with. */
export interface RestoredSession {
  /** Its id. */
  id: string;
  /** What to do next, decisions, files and summary, as a text that is marked as data. */
  resume: string;
  /** Whether anything is left to do. */
  canResume: boolean;
  /** The whole of it. */
  document: { [field: string]: unknown };
}

/** A session checkpoint that was removed, or would be. */
export interface CleanedUpSession {
  /** Its id. */
  id: string;
  /** Its file, relative to the root. */
  path: string;
  /** Why. */
  reason: string;
}

/** A session checkpoint that was archived, or would be. */
export interface ArchivedSession {
  /** Its id. */
  id: string;
  /** Its file, relative to the root. */
  path: string;
}

/** A session checkpoint and its pin. */
export interface PinnedSession {
  /** Its id. */
  id: string;
  /** Whether it is pinned now. */
  pinned: boolean;
  /** Whether it was otherwise before. */
  changed: boolean;
}

/** What differs between two session checkpoints. */
export interface SessionDiff {
  /** The values that differ, in the order of the documents. */
  changes: SessionChange[];
  /** The files whose state differs, sorted by path. */
  files: SessionFileChange[];
}

/** A value that differs. */
export interface SessionChange {
  /** Where it stands, as a JSON pointer; for an item of a list, the list. */
  path: string;
  /** What the first one has; null for nothing. */
  before: unknown;
  /** What the second one has; null for nothing. */
  after: unknown;
}

/** A file whose state differs. */
export interface SessionFileChange {
  /** Relative to the root. */
  path: string;
  /** Whether only the second one has it, only the first one, or both otherwise. */
  change: "added" | "removed" | "changed";
}

/** The methods whose arguments and answers hold no documents. Each throws a `MilepostError`. */
export interface SessionOperations {
  /** All session checkpoints, the newest first. */
  list(options?: { archived?: boolean | null; limit?: number | null }): ListedSession[];
  /** What a session checkpoint says to whoever carries on. */
  restore(options?: { id?: string | null; latest?: boolean | null }): RestoredSession;
  /** Removes older session checkpoints, which the settings do not keep. */
  cleanUp(options?: { dryRun?: boolean | null; archivedDays?: number | null }): CleanedUpSession[];
  /** Puts session checkpoints into the archive: one of them, or all of work that is complete. */
  archive(options?: { id?: string | null; dryRun?: boolean | null }): ArchivedSession[];
  /** Pins a session checkpoint, so that it is never removed, or takes the pin away. */
  pin(options: { id: string; remove?: boolean | null }): PinnedSession;
  /** What differs between two session checkpoints. */
  diff(options: { from: string; to: string }): SessionDiff;
}
