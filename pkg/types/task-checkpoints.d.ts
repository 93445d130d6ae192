// Printed from the table of operations; a test holds the file to it.

/** One execution snapshot of a task. */
export interface CheckpointState {
  /** Its name, free text: no other task has one of the same name. */
  id: string;
  /** The task's name, free text. */
  taskId: string;
  /** The agent that works on it. */
  agentId: string;
  /** The steps done: a whole number from 0 to `totalSteps`. */
  stepIndex: number;
  /** The number of its steps. */
  totalSteps: number;
  /** Any data that its agent needs to carry on. */
  context: { [field: string]: unknown };
  /** The steps that are done, in their order. */
  completedSteps: CompletedStep[];
  /** The steps that remain, in their order. */
  pendingSteps: string[];
  /** The time at which its maker made it. */
  createdAt: string;
  /** The remarks of its maker. */
  metadata?: { [field: string]: unknown };
}

/** A checkpoint that was saved. */
export interface SavedTask {
  /** Its id. */
  id: string;
  /** Its task. */
  taskId: string;
  /** The revision of the task now: what the next save can expect. */
  revision: number;
  /** Its size in bytes. */
  bytes: number;
  /** True if it took the place of one of the same id. */
  updated: boolean;
  /** The ids of others that went, the oldest first. */
  evicted: string[];
}

/** A task that has checkpoints. */
export interface TaskOverview {
  /** Its id. */
  taskId: string;
  /** Its revision: what a save can expect. */
  revision: number;
  /** The number of its checkpoints. */
  checkpoints: number;
  /** Their size together. */
  bytes: number;
  /** The id of the latest. */
  latest: string;
  /** The time at which that was last saved. */
  savedAt: string;
}

/** Files that were left behind for more than a minute, or were deleted and are not gone yet; none of it in a database. Paths are relative to the root. */
export interface CleanedUpTasks {
  /** Files of checkpoints that no task has. */
  parts: string[];
  /** Files that say of an id which task has it, and are wrong. */
  marks: string[];
  /** Folders of tasks that were deleted. */
  folders: string[];
}

/** One step that is done. */
export interface CompletedStep {
  /** Its name, free text. */
  stepId: string;
  /** Its name for people. */
  name: string;
  /** Its result, if it has one. */
  result: unknown;
  /** Its duration, in ms. */
  durationMs: number;
  /** The time at which it was done. */
  completedAt: string;
}
