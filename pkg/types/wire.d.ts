// Printed from the table of operations; a test holds the file to it.

/** The location that an operation works on. */
export interface Place {
  /** The root that the caller chose. */
  root?: string | null;
  /** The value of `GIT_ROOT`. */
  git_root?: string | null;
  /** The working folder; `.` by default. */
  working?: string | null;
  /** Another name of the working folder, or of one above it. */
  alias?: FolderAlias | null;
  /** The state folder, relative to the root or absolute. */
  dir?: string | null;
  /** The durability of a change; `durable` by default. */
  durability?: "durable" | "lazy" | null;
  /** The storage that the host keeps documents in; files by default. */
  storage?: "files" | "records" | null;
  /** The limits of the history that is kept. */
  history?: History | null;
}

/** The checkpoint, and one of its revisions. */
export interface LoadArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** Its content at this revision. */
  revision?: number | null;
}

/** A checkpoint as it is stored. */
export interface Loaded {
  /** The document as JSON text, exactly as it is stored. */
  text: string;
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
}

/** The checkpoint, and its document in one of two forms. */
export interface SaveArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** The document, as JSON. */
  document?: { [field: string]: unknown } | null;
  /** The document as text, of which it is not known whether it is JSON. */
  text?: string | null;
  /** True to change only what is there: a run or a phase that is not is `not_found`. */
  existing?: boolean | null;
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
  new_run: boolean;
  /** The phases that the run did not have. */
  new_phases: string[];
  /** True if the run was complete, and is open again. */
  reopened: boolean;
  /** The document as it is stored, as JSON text. */
  text: string;
}

/** The checkpoint, and its plan. */
export interface BeginArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** The phases to do, in order; at least one. */
  phases: string[];
  /** The task that is being worked on from now on, such as T002. */
  task?: string | null;
  /** True to change only what is there: a run or a phase that is not is `not_found`. */
  existing?: boolean | null;
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
  new_run: boolean;
  /** The phases that the run did not have. */
  new_phases: string[];
  /** True if the run was complete, and is open again. */
  reopened: boolean;
  /** The phase to go on with; null where there is nothing to do. */
  phase: string | null;
  /** The context summary of that phase itself, if it has one. */
  phase_summary: string | null;
  /** The context summary of the last completed phase that has one. */
  summary: string | null;
  /** The other phases in progress. */
  alongside: string[];
}

/** The checkpoint, and what changes in it. */
export interface UpdatePhaseArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** The phase's name. */
  phase: string;
  /** Fields of the phase: those that are given replace, and null removes. */
  patch: { [field: string]: unknown };
  /** The task that is being worked on from now on, such as T002. */
  task?: string | null;
  /** Items for lists of the phase, which keep what they have. */
  add?: AddedToPhase | null;
  /** True to change only what is there: a run or a phase that is not is `not_found`. */
  existing?: boolean | null;
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
  new_run: boolean;
  /** The phases that the run did not have. */
  new_phases: string[];
  /** True if the run was complete, and is open again. */
  reopened: boolean;
}

/** The checkpoint, and one of its phases. */
export interface RemovePhaseArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** The phase's name. */
  phase: string;
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

/** The checkpoint, and what becomes of its phases that are still to be done. */
export interface CompleteArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** Complete it all the same: phases that are still to be done are skipped. */
  force?: boolean | null;
  /** Complete it all the same: such phases stay as they are, and a warning names them. */
  keep_open?: boolean | null;
}

/** The checkpoint. */
export interface TargetArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
}

/** The resume point. */
export interface ResumePoint {
  /** The phase to go on with; null where there is nothing to do. */
  phase: string | null;
  /** The context summary of that phase itself, if it has one. */
  phase_summary: string | null;
  /** The context summary of the last completed phase that has one. */
  summary: string | null;
  /** The other phases in progress. */
  alongside: string[];
}

/** Nothing. */
export interface NoArguments {
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
  phase_summary: string | null;
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
  has_work: boolean;
  /** The number of phases that are done: complete or skipped. */
  done: number;
  /** The number of phases. */
  total: number;
  /** The phase to resume, if it is in progress or has failed. */
  current_phase: string | null;
  /** The number of phases that are complete. */
  completed: number;
  /** The number of phases in progress. */
  in_progress: number;
  /** The number of phases that have failed, and are to be retried. */
  failed: number;
  /** The number of phases that are not yet begun. */
  pending: number;
  /** The number of phases that were left out on purpose. */
  skipped: number;
  /** The time at which it was last saved. */
  updated_at: string | null;
  /** The time at which it was completed. */
  completed_at: string | null;
  /** Its revision; 0 where it cannot be read. */
  revision: number;
  /** The branch that hooks recorded, null for a detached HEAD; absent where none was recorded. */
  branch?: string | null;
  /** Why it cannot be read, if it cannot. */
  problem: string | null;
  /** True if it was changed by hand since it was last saved; absent otherwise. */
  edited_by_hand?: boolean | null;
  /** True if its file was deleted and its history is kept, so that it can be recovered; absent otherwise. */
  deleted?: boolean | null;
}

/** The checkpoint, and what becomes of its gate. */
export interface GateArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** Open it, at the present commit. */
  open?: boolean | null;
  /** Why it is to be closed, at the present commit. */
  close?: string[] | null;
}

/** The verdict on whether the run may be shipped. */
export interface GateVerdict {
  /** True if nothing stands in the way. */
  open: boolean;
  /** The reasons that stand in the way. */
  blockers: string[];
  /** The commit that it holds for; null where none was recorded, so that it holds for all. */
  head_commit: string | null;
}

/** One revision of a checkpoint. */
export interface LogEntry {
  /** The revision. */
  revision: number;
  /** The time at which it was saved. */
  updated_at: string | null;
  /** The changes, a line each. */
  changes: string[];
  /** The revision that the changes start from: the nearest one before it that can be read. */
  compared_with: number | null;
  /** The changes as a JSON Patch (RFC 6902) of that revision; empty without one. */
  patch: PatchStep[];
  /** The earlier revision, not the one before it, with the same content. */
  same_as: number | null;
  /** So many revisions after this one only renewed the time, and are left out. */
  heartbeats: number;
  /** True if its bytes are not the ones that were saved. */
  altered: boolean;
  /** Why it cannot be read, if it cannot: altered, or no file, for example. */
  problem: string | null;
}

/** The checkpoint, and two of its revisions. */
export interface DiffArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** The older one; without it, the nearest one before `to` that can be read. */
  from?: number | null;
  /** The newer one; without it, the present one. */
  to?: number | null;
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

/** The checkpoint, what to go back to, and from where. */
export interface UndoArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** The revision to go back to; without it, the newest good one before the present one, or before the one that the present one restores. */
  to?: number | null;
  /** The revision that was seen; without it, the present one. */
  revision?: number | null;
  /** The seal of the revision that was seen. */
  seal?: string | null;
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

/** The checkpoint, and the state of it that was seen. */
export interface RedoArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** The revision that was seen; without it, the present one. */
  revision?: number | null;
  /** The seal of the revision that was seen. */
  seal?: string | null;
}

/** The checkpoint, and what to bring back. */
export interface RecoverArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** This revision instead of the last good one. */
  to?: number | null;
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

/** The checkpoint, and how much of its history is kept. */
export interface PruneArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** The number of replaced revisions to keep. */
  revisions?: number | null;
  /** Remove those that are older as well. */
  days?: number | null;
}

/** The revisions that were removed from a history. */
export interface Pruned {
  /** The revisions that are gone, the oldest first. */
  removed: number[];
  /** The number of revisions that are left, the present one among them. */
  kept: number;
}

/** The checkpoint, and its new name. */
export interface RenameArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** The new feature name, which no checkpoint has. */
  to: string;
}

/** A checkpoint under its new name. */
export interface Renamed {
  /** The revision that is stored now. */
  revision: number;
  /** Its seal: with the revision, the base of a compare-and-swap. */
  seal: string;
}

/** The occasion, and what is to be in it. */
export interface CreateSessionArguments {
  /** `phase_complete`, `handoff`, `error`, `mode_switch` or `user_requested`. */
  reason: string;
  /** The remarks of its maker. */
  message?: string | null;
  /** Fields of the document, which stand in place of what would be filled in. */
  given?: { [field: string]: unknown } | null;
  /** The command whose run is captured; by default that of the run updated last. */
  command?: string | null;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** Keep the files that differ from HEAD; they are kept, unless this is false. */
  files?: boolean | null;
  /** Paths of files that are kept though they look like files of secrets or are large. */
  allow?: string[] | null;
}

/** A snapshot that was made. */
export interface CreatedSession {
  /** Its id. */
  id: string;
  /** Its file, relative to the root. */
  path: string;
  /** The number of texts that had secrets in them, which were taken out. */
  redacted: number;
  /** The part of the context that had no room in its summary. */
  summary_left_out: string | null;
  /** The number of paths in its snapshot; null without one. */
  files: number | null;
  /** The paths that differed from HEAD, or may have, and are not kept. */
  left_out: LeftOutOfSession[];
  /** The ids of older ones that were removed, as the settings say. */
  removed: string[];
  /** The command of the run that it was made of; null where there was none. */
  command: string | null;
  /** The feature of that run, if it has one. */
  feature: string | null;
  /** The other unfinished runs, where none was named. */
  others: CheckpointName[];
}

/** The checkpoints. */
export interface ListSessionsArguments {
  /** Also the archived ones. */
  archived?: boolean | null;
  /** At most so many, the newest. */
  limit?: number | null;
}

/** One snapshot of a list. */
export interface ListedSession {
  /** Its id. */
  id: string;
  /** The time at which it was made. */
  created_at: string | null;
  /** The occasion. */
  reason: string | null;
  /** The remarks of its maker. */
  message: string | null;
  /** The task's id. */
  task: string | null;
  /** The number of completed phases, and one more where one is in progress. */
  current_phase: number | null;
  /** The number of phases. */
  total_phases: number | null;
  /** True if it is never removed. */
  pinned: boolean;
  /** True if the work that it belongs to is complete. */
  archived: boolean;
  /** Why it cannot be read, if it cannot. */
  problem: string | null;
}

/** The checkpoint: one of the two. */
export interface LoadSessionArguments {
  /** The checkpoint of this id. */
  id?: string | null;
  /** The newest snapshot, except archived ones and those a restore made. */
  latest?: boolean | null;
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

/** The checkpoint: one of the two. */
export interface VerifySessionArguments {
  /** The checkpoint of this id. */
  id?: string | null;
  /** The newest snapshot, except archived ones and those a restore made. */
  latest?: boolean | null;
}

/** The work tree beside a checkpoint. */
export interface VerifiedSession {
  /** Its id. */
  id: string;
  /** True if the commit and every file are the same. */
  matches: boolean;
  /** True if another commit is checked out. */
  head_moved: boolean;
  /** The commit that was checked out, if there was one. */
  recorded_head: string | null;
  /** The commit that is checked out, if there is one. */
  present_head: string | null;
  /** Every path that is recorded or differs from HEAD, sorted. */
  files: VerifiedFile[];
  /** True if files were kept with it; without them only the commit is compared. */
  has_snapshot: boolean;
}

/** The checkpoint, one of the two, and what becomes of the files. */
export interface RestoreSessionArguments {
  /** The checkpoint of this id. */
  id?: string | null;
  /** The newest snapshot, except archived ones and those a restore made. */
  latest?: boolean | null;
  /** Bring the files back; without it nothing is written. */
  files?: boolean | null;
  /** Only makes the plan. */
  dry_run?: boolean | null;
  /** Carry out only the plan with this id. */
  plan?: string | null;
  /** Paths whose present content may be lost for good. */
  lose?: string[] | null;
  /** Allow any present content to be lost, and another commit to be checked out. */
  force?: boolean | null;
  /** Restore the run as well; true by default. */
  state?: boolean | null;
}

/** The information to carry on with. */
export interface RestoredSession {
  /** Its id. */
  id: string;
  /** The next steps, decisions, files and summary, as a text that is marked as data. */
  resume: string;
  /** True if anything is left to do. */
  can_resume: boolean;
  /** The paths that would be touched, or were; null where no files were asked for. */
  plan: RestorePlan | null;
  /** True if every file of the plan was restored. */
  restored: boolean;
  /** The checkpoint that brings back what was there; null where nothing was touched. */
  undo: string | null;
}

/** The checkpoints to remove. */
export interface CleanUpSessionsArguments {
  /** Only says what would be removed. */
  dry_run?: boolean | null;
  /** Also those archived ones that were made more than so many days ago. */
  archived_days?: number | null;
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

/** The snapshots; without an id, all whose run is complete. */
export interface ArchiveSessionsArguments {
  /** The checkpoint of this id. */
  id?: string | null;
  /** Only says what would be archived. */
  dry_run?: boolean | null;
}

/** A snapshot that was archived, or would be. */
export interface ArchivedSession {
  /** Its id. */
  id: string;
  /** Its file, relative to the root. */
  path: string;
}

/** The checkpoint. */
export interface PinSessionArguments {
  /** Its id. */
  id: string;
  /** Take the pin away. */
  remove?: boolean | null;
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

/** The checkpoints. */
export interface DiffSessionsArguments {
  /** The id of the first one. */
  from: string;
  /** The id of the second one. */
  to: string;
}

/** The difference between two snapshots. */
export interface SessionDiff {
  /** The values that differ, in the order of the documents. */
  changes: SessionChange[];
  /** The files whose state differs, sorted by path. */
  files: SessionFileChange[];
}

/** The prompts. */
export interface ListPromptsArguments {
  /** At most so many, the newest. */
  limit?: number | null;
}

/** A prompt before which the files were kept. */
export interface ListedPrompt {
  /** Its place in the list: 1 for the newest. */
  number: number;
  /** The id of the snapshot. */
  id: string;
  /** The time. */
  created_at: string;
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

/** The prompt, and what is taken back. */
export interface RewindArguments {
  /** The prompt: its number in the list of prompts, its id, or a part of its text. */
  to?: string | null;
  /** Take back the last rewind instead; done again, it is done again. */
  undo?: boolean | null;
  /** Only these files and folders. */
  files?: string[] | null;
  /** Also what other sessions changed since. */
  all?: boolean | null;
  /** Files and folders that are taken back regardless of who changed them. */
  lose?: string[] | null;
  /** Only makes the plan. */
  dry_run?: boolean | null;
  /** Carry out only the plan with this id. */
  plan?: string | null;
  /** Take the run back as well; by default true, unless files are named. */
  state?: boolean | null;
  /** Leave the files as they are. */
  state_only?: boolean | null;
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

/** The checkpoint in one of two forms, and what is kept of its task. */
export interface SaveTaskArguments {
  /** The checkpoint, as JSON. */
  state?: unknown;
  /** The checkpoint as JSON text, which is not read where it is too long. */
  text?: string | null;
  /** The revision of the task that the checkpoint follows from, 0 for none: another one is a conflict. */
  expected_revision?: number | null;
  /** So many checkpoints of a task are kept; 10 by default. */
  max_per_task?: unknown;
  /** The limit of the storage, where `max_per_task` is not given. */
  storage_max_per_task?: unknown;
  /** Remove all others of a task once one without pending steps is saved. */
  auto_cleanup?: unknown;
  /** The most bytes of a checkpoint; 16 MiB by default. */
  max_bytes?: unknown;
  /** The most bytes of a task's checkpoints together; 1 GiB by default. */
  max_task_bytes?: unknown;
  /** The most bytes of all checkpoints together; without it they are not counted, which takes a look at every task. */
  max_store_bytes?: unknown;
}

/** A checkpoint that was saved. */
export interface SavedTask {
  /** Its id. */
  id: string;
  /** Its task. */
  task_id: string;
  /** The revision of the task now: what the next save can expect. */
  revision: number;
  /** Its size in bytes. */
  bytes: number;
  /** True if it took the place of one of the same id. */
  updated: boolean;
  /** The ids of others that went, the oldest first. */
  evicted: string[];
}

/** The checkpoint: of the two, one. */
export interface LoadTaskArguments {
  /** The latest one of this task. */
  task_id?: string | null;
  /** The one of this id. */
  id?: string | null;
}

/** A checkpoint as it is stored. */
export interface LoadedTask {
  /** Its id. */
  id: string;
  /** The time at which it was last saved. */
  saved_at: string;
  /** Its size in bytes. */
  bytes: number;
  /** The steps that remain: its pending ones. */
  remaining_steps: string[];
  /** The checkpoint, exactly as saved. */
  state: { [field: string]: unknown };
  /** Its task. */
  task_id: string;
  /** The revision of the task: what a save can expect. */
  revision: number;
}

/** The task, and where its list goes on. */
export interface ListTaskArguments {
  /** The task. */
  task_id: string;
  /** The id of the checkpoint that the list goes on after; where that is gone, a conflict. */
  after?: string | null;
  /** Checkpoints of so many bytes together are a page; 64 MiB by default. */
  page_bytes?: number | null;
}

/** The checkpoints of a task, all of one moment. */
export interface ListedTask {
  /** The task. */
  task_id: string;
  /** Its revision, 0 without a checkpoint: what a save can expect. */
  revision: number;
  /** In the order in which they were first saved. */
  checkpoints: ListedTaskCheckpoint[];
  /** The checkpoint after which the list goes on; null where it ends. */
  next: string | null;
}

/** The page. */
export interface ListTasksArguments {
  /** The task that the page begins after; it need not be there any more. */
  after?: string | null;
  /** At most so many tasks, 1 at least; 100 by default. */
  limit?: number | null;
}

/** Some of the tasks. */
export interface TaskPage {
  /** In an order that does not change with what is saved; not that of their ids. */
  tasks: TaskOverview[];
  /** The place after which the next page begins; null on the last page. */
  next: string | null;
}

/** The checkpoint. */
export interface DeleteTaskCheckpointArguments {
  /** Its id. */
  id: string;
}

/** The outcome. */
export interface DeletedTaskCheckpoint {
  /** True if it was there. */
  deleted: boolean;
}

/** The task. */
export interface DeleteTaskArguments {
  /** The task. */
  task_id: string;
}

/** The outcome. */
export interface DeletedTask {
  /** The number of checkpoints that it had; 0 for an unknown task. */
  deleted: number;
}

/** The age. */
export interface PruneTasksArguments {
  /** The number of days, from 1 on. */
  days: number;
  /** Only says which would go. */
  dry_run?: boolean | null;
}

/** The outcome. */
export interface PrunedTasks {
  /** The tasks that went. */
  tasks: string[];
  /** The number of their checkpoints. */
  checkpoints: number;
}

/** The values that a caller has set. */
export interface TaskLimitsArguments {
  /** So many checkpoints of a task are kept; 10 by default. */
  max_per_task?: unknown;
  /** The limit of the storage, where `max_per_task` is not given. */
  storage_max_per_task?: unknown;
  /** Remove all others of a task once one without pending steps is saved. */
  auto_cleanup?: unknown;
  /** The most bytes of a checkpoint; 16 MiB by default. */
  max_bytes?: unknown;
  /** The most bytes of a task's checkpoints together; 1 GiB by default. */
  max_task_bytes?: unknown;
  /** The most bytes of all checkpoints together; without it they are not counted, which takes a look at every task. */
  max_store_bytes?: unknown;
}

/** The limits of what is kept. */
export interface TaskLimits {
  /** So many checkpoints of a task. */
  max_per_task: number;
  /** Remove all others once one without pending steps is saved. */
  auto_cleanup: boolean;
  /** Bytes of a checkpoint. */
  max_bytes: number;
  /** Bytes of a task's checkpoints together. */
  max_task_bytes: number;
  /** Bytes of all checkpoints together; null where that is not limited. */
  max_store_bytes: number | null;
}

/** The checkpoint in one of two forms, what the caller keeps, and how much of it. */
export interface PlanTaskSaveArguments {
  /** The checkpoint, as JSON. */
  state?: unknown;
  /** The checkpoint as JSON text, which is not read where it is too long. */
  text?: string | null;
  /** The checkpoints of its task, in the order in which they were first saved. */
  ids: string[];
  /** The size of each of them. */
  bytes: number[];
  /** The number of changes of that task, counted from any number on. */
  changes: number;
  /** The task that has a checkpoint of this id. */
  owner?: string | null;
  /** The bytes of the checkpoints of all other tasks. */
  other_bytes?: number | null;
  /** The revision of the task that the checkpoint follows from, 0 for none: another one is a conflict. */
  expected_revision?: number | null;
  /** So many checkpoints of a task are kept; 10 by default. */
  max_per_task?: unknown;
  /** The limit of the storage, where `max_per_task` is not given. */
  storage_max_per_task?: unknown;
  /** Remove all others of a task once one without pending steps is saved. */
  auto_cleanup?: unknown;
  /** The most bytes of a checkpoint; 16 MiB by default. */
  max_bytes?: unknown;
  /** The most bytes of a task's checkpoints together; 1 GiB by default. */
  max_task_bytes?: unknown;
  /** The most bytes of all checkpoints together; without it they are not counted, which takes a look at every task. */
  max_store_bytes?: unknown;
}

/** The age, and the tasks that the caller keeps. */
export interface PlanTaskPruneArguments {
  /** The number of days, from 1 on. */
  days: number;
  /** The present time, in ms since 1970. */
  now_ms: number;
  /** The time of the latest save of each task, in ms since 1970. */
  saved_ms: number[];
}

/** The outcome. */
export interface TaskPrunePlan {
  /** The places of the tasks that go, in `saved_ms`, from 0 on. */
  old: number[];
}

/** The request to clean up. */
export interface CleanUpTasksArguments {
  /** Only says what would be removed. */
  dry_run?: boolean | null;
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

/** The values to put, in texts of their serializer. */
export interface PutThreadArguments {
  /** The thread, free text. */
  thread_id: string;
  /** The changes, one after the other. One that is refused leaves the others as they are. */
  changes: ThreadChange[];
  /** The texts of all values one after the other, each of which then is the number of its bytes. */
  text?: string | null;
}

/** The outcome. */
export interface PutThread {
  /** Of each change in its place. */
  results: PutThreadResult[];
}

/** The checkpoint. */
export interface LoadThreadArguments {
  /** The thread, free text. */
  thread_id: string;
  /** The namespace: empty, or that of a subgraph. */
  namespace: string;
  /** The checkpoint; the latest of the namespace without. */
  id?: string | null;
}

/** The result. */
export interface LoadedThread {
  /** `namespace`, `id`, `parent`; `checkpoint` and `metadata` as they were put; `values`, pairs of a channel and its value; and `writes`, each a task, a channel and a value, in the order in which a superstep applies them. */
  found: { [field: string]: unknown } | null;
}

/** The checkpoints. */
export interface ListThreadArguments {
  /** The thread, free text. */
  thread_id: string;
  /** Those of one namespace; of all without. */
  namespace?: string | null;
  /** The one of this id. */
  id?: string | null;
  /** Those that come before the one of this id. */
  before?: string | null;
  /** At most so many, from 1 to 1,000; 10 by default. */
  limit?: number | null;
  /** The `next` of the page before. */
  after?: { [field: string]: unknown } | null;
}

/** Some checkpoints of a thread. */
export interface ThreadPage {
  /** `namespace`, `id`, `parent`; `checkpoint` and `metadata` as they were put; `values`, pairs of a channel and its value; and `writes`, each a task, a channel and a value, in the order in which a superstep applies them. */
  checkpoints: { [field: string]: unknown }[];
  /** The checkpoint after which the next page begins; null on the last page. */
  next: { [field: string]: unknown } | null;
}

/** The page. */
export interface ListThreadsArguments {
  /** The thread that the page begins after; it need not be there any more. */
  after?: string | null;
}

/** Some of the threads. */
export interface ThreadsPage {
  /** Their ids, in an order that does not change with what is put; not that of the ids. */
  threads: string[];
  /** The place after which the next page begins; null on the last page. */
  next: string | null;
}

/** The checkpoint and its channels. */
export interface ThreadHistoryArguments {
  /** The thread, free text. */
  thread_id: string;
  /** The namespace: empty, or that of a subgraph. */
  namespace: string;
  /** The checkpoint; the latest of the namespace without. */
  id?: string | null;
  /** The channels. */
  channels: string[];
}

/** The history of the values of channels. */
export interface ThreadHistory {
  /** Of each `channel` its `seed`, or null: a `value`, and the `id`, the `parent` and the `checkpoint` of the one that has it; and its `writes`, the oldest first: each a task, a channel, a value and the id of the checkpoint that it was written to. */
  channels: { [field: string]: unknown }[];
}

/** The thread. */
export interface DeleteThreadArguments {
  /** The thread, free text. */
  thread_id: string;
}

/** The outcome. */
export interface DeletedThread {
  /** True if it was there. */
  deleted: boolean;
}

/** The thread, and how much of it is kept. */
export interface PruneThreadArguments {
  /** The thread, free text. */
  thread_id: string;
  /** So many checkpoints of each namespace, from 1 on; 1 by default. */
  keep?: number | null;
}

/** The outcome. */
export interface PrunedThread {
  /** The number of checkpoints that were kept; 0 for an unknown thread. */
  kept: number;
  /** The number of those that went. */
  removed: number;
}

/** The runs. */
export interface DeleteRunsArguments {
  /** Their ids: `run` of a put, or `run_id` of the metadata. */
  runs: string[];
  /** The thread, free text; all threads without. */
  thread_id?: string | null;
}

/** The outcome. */
export interface DeletedRuns {
  /** The number of checkpoints that went. */
  removed: number;
  /** The threads that had them. */
  threads: string[];
}

/** The age. */
export interface PruneThreadsArguments {
  /** The number of days, from 1 on. */
  days: number;
  /** Only says which would go. */
  dry_run?: boolean | null;
}

/** The outcome. */
export interface PrunedThreads {
  /** The threads that went. */
  threads: string[];
}

/** The two threads. */
export interface CopyThreadArguments {
  /** The thread, free text. */
  thread_id: string;
  /** The id of the copy, under which there is no thread yet. */
  target: string;
  /** The state of the thread, where other texts take the place of its own: as `thread_texts` has it. */
  state?: string | null;
  /** Those texts in the same order, each `[kind, text]` or `[kind, text, encoding]`. */
  texts?: unknown[] | null;
  /** All of them one after the other, each of which then is the number of its bytes. */
  text?: string | null;
}

/** The outcome. */
export interface CopiedThread {
  /** The number of checkpoints that the copy has. */
  checkpoints: number;
}

/** The thread. */
export interface ThreadTextsArguments {
  /** The thread, free text. */
  thread_id: string;
}

/** The texts. */
export interface AllThreadTexts {
  /** The entries of the thread, the oldest first: `namespace`, `id`, `parent`; then the texts, `checkpoint` and `metadata`, null where only what tasks wrote is there; `values`, pairs of a channel and a value that is stored there; and `writes`, each a task, a channel and a value. */
  entries: { [field: string]: unknown }[];
  /** The state that they are of. */
  state: string;
}

/** The thread. */
export interface RecoverThreadArguments {
  /** The thread, free text. */
  thread_id: string;
}

/** The outcome. */
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
  lost_parts: number;
  /** The folder with copies of what is damaged, relative to the root. */
  quarantined: string[];
}

/** The transcript and the entries. */
export interface AppendTranscriptArguments {
  /** The project, free text. */
  project: string;
  /** The session, free text. */
  session: string;
  /** The transcript of a subagent; that of the session itself without. */
  subpath?: string | null;
  /** The entries, each the text of a JSON object. Of those with one `uuid` the first counts. */
  entries: string[];
}

/** The outcome. */
export interface AppendedTranscript {
  /** True if something of it was not there already. */
  changed: boolean;
}

/** The transcript. */
export interface LoadTranscriptArguments {
  /** The project, free text. */
  project: string;
  /** The session, free text. */
  session: string;
  /** The transcript of a subagent; that of the session itself without. */
  subpath?: string | null;
  /** At most so many, the newest; all without. */
  limit?: number | null;
}

/** The entries. */
export interface LoadedTranscript {
  /** Their texts as they were added; null where there is no entry. */
  entries: string[] | null;
}

/** The transcript. */
export interface PopTranscriptArguments {
  /** The project, free text. */
  project: string;
  /** The session, free text. */
  session: string;
  /** The transcript of a subagent; that of the session itself without. */
  subpath?: string | null;
}

/** The outcome. */
export interface PoppedEntry {
  /** The text of the entry; null where there was no entry. */
  entry: string | null;
}

/** The transcript. */
export interface DeleteTranscriptArguments {
  /** The project, free text. */
  project: string;
  /** The session, free text. */
  session: string;
  /** The transcript of a subagent; that of the session itself without. */
  subpath?: string | null;
}

/** The outcome. */
export interface DeletedTranscript {
  /** True if it was there. */
  deleted: boolean;
}

/** The project. */
export interface ListTranscriptsArguments {
  /** The project, free text. */
  project: string;
}

/** The sessions. */
export interface TranscriptList {
  /** Of each its `session`, and its `mtime`: when it was last written to, in milliseconds since 1970. */
  sessions: { [field: string]: unknown }[];
}

/** The session. */
export interface ListSubpathsArguments {
  /** The project, free text. */
  project: string;
  /** The session, free text. */
  session: string;
}

/** The subpaths. */
export interface SubpathList {
  /** Sorted. */
  subpaths: string[];
}

/** The event, as the agent sent it. */
export interface HookArguments {
  /** The agent whose hook this is: `claude-code`, `codex`, `gemini`, `cursor`, `copilot`, `opencode` or `qwen-code`. */
  agent: string;
  /** The event's name, for an agent whose payloads do not say it. */
  event?: string | null;
  /** The hook's payload. */
  payload: { [field: string]: unknown };
  /** The project's folder, as a variable of the agent's environment says it. */
  project?: string | null;
  /** That the database which the hook names could not be used: its `variable`, its `project`, and the `reason`, which is absent where the variable is not set. */
  kept_in_files?: { [field: string]: unknown } | null;
  /** The words of a shell that start the program, for commands that the agent is asked to type; `npx milepost` by default. */
  program?: string | null;
  /** The database that runs are kept in, for the same commands: its `variable` and its `project`. */
  database?: { [field: string]: unknown } | null;
}

/** The answer. */
export interface HookAnswer {
  /** The line to print; null where nothing is to be printed. */
  output: string | null;
}

/** The payload that Claude Code sends to its status line. */
export interface StatusLineArguments {
  /** Its payload. */
  payload: { [field: string]: unknown };
}

/** A status line. */
export interface StatusLine {
  /** The line, such as `implement/dark-mode · printer 3/5 · 62 %`; null where nothing is known. */
  line: string | null;
}

/** The run, and the session that takes it. */
export interface TakeArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** The agent of the session; without it the next session of the branch carries on. */
  agent?: string | null;
  /** The session, by the agent's own id. */
  session?: string | null;
}

/** A run that was taken over. */
export interface Taken {
  /** The number of sessions that worked on it. */
  replaced: number;
}

/** The command. */
export interface RunHereArguments {
  /** The command. */
  command: string;
}

/** A run by its names. */
export interface RunHere {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
}

/** The run to carry on with. */
export interface LatestHere {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
  /** The branch that hooks recorded, null for a detached HEAD; absent where none was recorded. */
  branch?: string | null;
  /** True for a run of another branch or worktree, and absent for one that belongs here. */
  is_elsewhere?: boolean | null;
  /** The phase to go on with; null where there is nothing to do. */
  phase: string | null;
  /** The context summary of that phase itself, if it has one. */
  phase_summary: string | null;
  /** The context summary of the last completed phase that has one. */
  summary: string | null;
  /** The other phases in progress. */
  alongside: string[];
  /** The other unfinished runs. */
  others: UnfinishedRun[];
}

/** The run that was changed, and what the change made. */
export interface SimilarArguments {
  /** The command, such as `design`. */
  command: string;
  /** The feature, if the checkpoint belongs to one. */
  feature?: string | null;
  /** True if the caller named the feature, and did not leave it to the branch. */
  is_feature_named?: boolean | null;
  /** True if the run is new. */
  new_run?: boolean | null;
  /** The phases that are new. */
  new_phases?: string[] | null;
}

/** The names that were probably meant. */
export interface Similar {
  /** True if the feature is new: no other run has it. */
  new_feature: boolean;
  /** A run that may be the one that was meant; one of a feature that another command has may not be there yet. */
  similar_run: SimilarRun | null;
  /** Phases that were there before, and may be those that were meant. */
  similar_phases: SimilarPhase[];
}

/** The run, if it is named. */
export interface ResumeHereArguments {
  /** Its command; without it, the run to carry on with is looked for. */
  command?: string | null;
  /** Its feature, if it has one. */
  feature?: string | null;
}

/** The resume point, and what stopped there. */
export interface ResumeHere {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
  /** The branch that hooks recorded, null for a detached HEAD; absent where none was recorded. */
  branch?: string | null;
  /** True for a run of another branch or worktree, and absent for one that belongs here. */
  is_elsewhere?: boolean | null;
  /** The phase to go on with; null where there is nothing to do. */
  phase: string | null;
  /** The status of that phase; null without a phase. */
  status: string | null;
  /** The error that it failed with, if there is one. */
  error: string | null;
  /** The files that it created. */
  files_created: string[];
  /** The files that it modified. */
  files_modified: string[];
  /** The context summary of that phase itself, if it has one. */
  phase_summary: string | null;
  /** The context summary of the last completed phase that has one. */
  summary: string | null;
  /** The other phases in progress. */
  alongside: string[];
  /** The other pending phases, in the order in which they are to be done. */
  pending: string[];
  /** The distance of HEAD since the run was recorded, in words, or that the repository does not show it; absent where HEAD has not moved. */
  since_recorded?: string | null;
  /** The other unfinished runs. */
  others: UnfinishedRun[];
}

/** The folder of checkpoints. */
export interface Location {
  /** The root, as the host names it. */
  root: string;
  /** The state folder, as the host names it. */
  state_folder: string;
  /** True if the root is known: the host may see no `.git`, nor every folder that may hold one. */
  is_known: boolean;
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

/** The changes that it may make. */
export interface DoctorArguments {
  /** Fix what can be fixed without a risk. */
  fix?: boolean | null;
  /** Leave out trying the file system, so that nothing at all is written. Not with `fix`. */
  look_only?: boolean | null;
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

/** The document, in one of two forms. */
export interface ValidateArguments {
  /** The document, as JSON. */
  document?: unknown | null;
  /** The document as text, of which it is not known whether it is JSON. */
  text?: string | null;
  /** Commands that the project adds to the seven. */
  commands?: string[] | null;
}

/** The result. */
export interface Validation {
  /** True if nothing is wrong. */
  valid: boolean;
  /** Each problem with its place. */
  problems: Problem[];
}

/** The request, in one of two forms. */
export interface CheckHandoffRequestArguments {
  /** The document, as JSON. */
  document?: unknown | null;
  /** The document as text, of which it is not known whether it is JSON. */
  text?: string | null;
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

/** The response, in one of two forms, and what becomes of too long a summary. */
export interface CheckHandoffResponseArguments {
  /** The document, as JSON. */
  document?: unknown | null;
  /** The document as text, of which it is not known whether it is JSON. */
  text?: string | null;
  /** The policy for a summary above its limit. */
  policy: "reject" | "truncate" | "warn";
}

/** The endpoints of notices, and the limits of an attempt. */
export interface NotificationEndpoints {
  /** Every endpoint. */
  endpoints: NotificationEndpoint[];
  /** The time limit of an attempt. */
  timeout_ms: number;
  /** True if addresses of private networks are reached. */
  allow_private_addresses: boolean;
}

/** The request for notices to send. */
export interface DueNoticesArguments {
  /** Of each endpoint a digest of what its variables hold. */
  fingerprints?: EndpointFingerprint[] | null;
  /** Only show what would be sent, and claim and write nothing. */
  preview?: boolean | null;
  /** Begin again, with everything that history still has; without it a first call begins with what was reached since the settings were last changed. */
  since_beginning?: boolean | null;
}

/** The notices to send. */
export interface DueNotices {
  /** True if there was no cursor. */
  is_first: boolean;
  /** The time at which the settings were last changed, from which on a first call sends; null for any other call. */
  since: string | null;
  /** The notices to send now; of a preview, all that are sent from now on, as long as no attempt fails. */
  due: DueNotice[];
  /** The time at which the next one is due; null where nothing else waits. */
  next_at: string | null;
  /** The number of deliveries that wait; of a preview, beside those that would be sent. */
  waiting: number;
  /** Endpoints that said that they are gone. */
  disabled: GoneEndpoint[];
}

/** The outcomes of attempts. */
export interface RecordDeliveriesArguments {
  /** Each attempt. */
  deliveries: AttemptedDelivery[];
}

/** Their treatment. */
export interface RecordedDeliveries {
  /** Of each attempt, in their order. */
  deliveries: DeliveryFate[];
  /** The time at which the next delivery is due; null where nothing waits. */
  next_at: string | null;
  /** The number of deliveries that wait. */
  waiting: number;
}

/** The project that a place belongs to. */
export interface Project {
  /** The root, as the host names it. */
  root: string;
  /** The branch that is checked out; null where HEAD is at none or cannot be read, and without a repository. */
  branch: string | null;
  /** True if there is a repository at or above the root. */
  has_repository: boolean;
  /** True if runs or snapshots were stored there before. */
  has_state: boolean;
}

/** The distance of HEAD since one run was recorded. */
export interface Distance {
  /** The document of the run, as a viewer calls it. */
  document: string;
  /** The commit that it was recorded at. */
  head_commit: string;
  /** The distance in words. */
  text: string;
}

/** The checkpoints to show. */
export interface SourcesArguments {
  /** Checkpoints whose files are to be named; each has to be there. */
  checkpoints?: TargetArguments[] | null;
  /** The place of state in records: an absolute folder that is there, and that nothing else writes to. Its files are brought up to what the records are. */
  mirror?: string | null;
}

/** The places. A `path` has `/` between its parts and is relative to the root; what is elsewhere has its name alone. */
export interface Sources {
  /** The name of the root. */
  name: string;
  /** The state folder. */
  state: Source;
  /** The folder of snapshots. */
  sessions: Source;
  /** Those of work that is complete. */
  archive: Source;
  /** The folder of task checkpoints. */
  tasks: Source;
  /** The folder of threads. */
  threads: Source;
  /** The files of the store beside the documents of the state folder. */
  side: Source;
  /** The project's integrations.json. */
  settings: Source;
  /** The commit that HEAD is at, where it is known. */
  head: string | null;
  /** The git folder of this worktree, as the host names it: something in it changes with HEAD. */
  git: string | null;
  /** The files of the state folder that git tracks, relative to the root. */
  tracked: string[];
  /** The commands that the project adds. */
  commands: string[];
  /** The files of those that were asked for. */
  checkpoints: CheckpointFiles[];
}

/** A file of the state folder, or of that of snapshots. */
export interface RedactFileArguments {
  /** Its name, without a folder. */
  name: string;
  /** Its content. */
  text: string;
}

/** The text that may be handed on in its place. */
export interface RedactedFile {
  /** Its name: another one where that shows the digest of its content. */
  name: string;
  /** Its content, unchanged where nothing was found. */
  text: string;
  /** The number of texts that had a secret. */
  count: number;
}

/** Another name of a folder, which a symbolic link gives it. */
export interface FolderAlias {
  /** The other name, absolute. */
  name: string;
  /** The name by which the rest of the place knows it, absolute. */
  folder: string;
}

/** The limits of the history that is kept. */
export interface History {
  /** So many replaced revisions; 50 by default. */
  revisions?: number | null;
  /** None that is older than so many days. */
  days?: number | null;
}

/** Items for lists of a phase. What is there already is not added again. Paths are absolute, or relative to the working folder; they are kept from the root on, and one outside of it is refused. */
export interface AddedToPhase {
  /** Files that it created. */
  files_created?: string[] | null;
  /** Files that it modified. */
  files_modified?: string[] | null;
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

/** A path that is not kept. */
export interface LeftOutOfSession {
  /** Relative to the root. */
  path: string;
  /** Why, as it goes on after the path. */
  reason: string;
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

/** One checkpoint of a task. */
export interface ListedTaskCheckpoint {
  /** Its id. */
  id: string;
  /** The time at which it was last saved. */
  saved_at: string;
  /** Its size in bytes. */
  bytes: number;
  /** The steps that remain: its pending ones. */
  remaining_steps: string[];
  /** The checkpoint, exactly as saved. */
  state: { [field: string]: unknown };
}

/** A task that has checkpoints. */
export interface TaskOverview {
  /** Its id. */
  task_id: string;
  /** Its revision: what a save can expect. */
  revision: number;
  /** The number of its checkpoints. */
  checkpoints: number;
  /** Their size together. */
  bytes: number;
  /** The id of the latest. */
  latest: string;
  /** The time at which that was last saved. */
  saved_at: string;
}

/** A checkpoint, or with `task` what that wrote to one, which need not be there yet. */
export interface ThreadChange {
  /** The namespace: empty, or that of a subgraph. */
  namespace: string;
  /** The checkpoint. */
  id: string;
  /** The id of the one that it follows from. */
  parent?: string | null;
  /** Allow another one to follow from the same parent, which else is a conflict. */
  fork?: boolean | null;
  /** All but the values of its channels: `[kind, text]` or `[kind, text, encoding]`. */
  checkpoint?: unknown[] | null;
  /** The message of its maker, likewise. */
  metadata?: unknown[] | null;
  /** The channels that have a version. */
  channels?: string[] | null;
  /** The channels that have a new one; one without a value has none any more. */
  changed?: string[] | null;
  /** `values` has those of all channels. Where the parent is not there, they are the whole state; without, the checkpoint is then refused unless all channels changed. */
  whole?: boolean | null;
  /** The checkpoints of outer graphs during which it was made: their ids, by namespace. */
  outer?: { [field: string]: unknown } | null;
  /** The run that it belongs to, by which it can be removed. */
  run?: string | null;
  /** The task that wrote. Of two writes at one place the first counts; of an error, an interrupt and the like the last. */
  task?: string | null;
  /** The position of the task in its graph, by which writes are ordered. */
  path?: string | null;
  /** Pairs of a channel and a value, which is `[kind, text]` or `[kind, text, encoding]`. */
  values: unknown[];
}

/** The outcome of one change. */
export interface PutThreadResult {
  /** True if something of it was not there already. */
  changed: boolean;
  /** Why it was refused: an error as replies have it. */
  error: { [field: string]: unknown } | null;
}

/** An unfinished run by its names. */
export interface UnfinishedRun {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
  /** The branch that hooks recorded, null for a detached HEAD; absent where none was recorded. */
  branch?: string | null;
  /** True for a run of another branch or worktree, and absent for one that belongs here. */
  is_elsewhere?: boolean | null;
}

/** A run by its names. */
export interface SimilarRun {
  /** Its command. */
  command: string;
  /** Its feature, if it has one. */
  feature: string | null;
}

/** A new phase, and one that is called nearly the same. */
export interface SimilarPhase {
  /** The new one. */
  phase: string;
  /** The one that was there before. */
  similar: string;
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

/** An endpoint that gets notices. Its variables are those of the caller's environment. */
export interface NotificationEndpoint {
  /** Its name. */
  id: string;
  /** Its kind. */
  service: "webhook" | "slack" | "linear";
  /** The variable that holds its URL. */
  url_env: string | null;
  /** The variable that holds what messages are signed with. */
  secret_env: string | null;
  /** The variable that holds an API key. */
  api_key_env: string | null;
}

/** A digest of what the variables of an endpoint hold. */
export interface EndpointFingerprint {
  /** The name of the endpoint. */
  endpoint: string;
  /** The digest. */
  fingerprint: string;
}

/** A notice that is to be sent. */
export interface DueNotice {
  /** To whom. */
  endpoint: string;
  /** That of its settings and of what its variables hold. */
  fingerprint: string;
  /** The issue that is commented on. */
  issue: string | null;
  /** The number of this attempt, from 1. */
  attempt: number;
  /** The notice. */
  notice: Notice;
}

/** An endpoint that said that it is gone. */
export interface GoneEndpoint {
  /** The name of the endpoint. */
  endpoint: string;
  /** The time at which it said so. */
  at: string;
}

/** The outcome of an attempt. */
export interface AttemptedDelivery {
  /** To whom. */
  endpoint: string;
  /** As given when it was due. */
  fingerprint: string;
  /** The notice's id. */
  id: string;
  /** As given when it was due. */
  attempt: number;
  /** The outcome. */
  outcome: "delivered" | "failed" | "gone";
  /** The wait that the receiver asks for, in milliseconds. */
  retry_after_ms?: number | null;
}

/** The state of a delivery after an attempt. */
export interface DeliveryFate {
  /** The end of it, or that it goes on; `superseded` is settled by another process. */
  fate: "delivered" | "again" | "given_up" | "disabled" | "superseded";
  /** The time at which it is retried. */
  next_at: string | null;
}

/** A file or folder, there or not. */
export interface Source {
  /** Its name in a viewer. */
  path: string;
  /** Its location, as the host names it. */
  host: string;
  /** The folders that lead to it, outermost first and with it itself where it is one, as the host names them: none of them may be a symbolic link. */
  way: string[];
}

/** The places of the files of a checkpoint. */
export interface CheckpointFiles {
  /** Its document, as a viewer calls it. */
  document: string;
  /** The folder of what the store keeps beside it, likewise. */
  side: string;
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

/** The notice of a milestone that a checkpoint reached. */
export interface Notice {
  /** Its id, equal at each attempt. */
  id: string;
  /** Its type, such as `checkpoint.completed`. */
  type: string;
  /** The time at which it was reached. */
  timestamp: string;
  /** The facts about it. */
  data: { [field: string]: unknown };
}

/** Every operation: what a request has beside its name, and what the value of its reply is. */
export interface Operations {
  /** Loads a checkpoint, or one of its revisions; null where it does not exist. */
  load: { arguments: LoadArguments; place: Place; answer: Loaded | null };
  /** Saves a whole checkpoint; with its revision and seal, changes of others are merged. */
  save: { arguments: SaveArguments; place: Place; answer: SavedDocument };
  /** Begins a command with the phases of its plan, as one revision; phases that it has stay as they are. */
  begin: { arguments: BeginArguments; place: Place; answer: Begun };
  /** Changes one phase, and the state with it; creates a missing checkpoint. */
  update_phase: { arguments: UpdatePhaseArguments; place: Place; answer: SavedPhase };
  /** Takes back a phase that was added by mistake; its history stays, and an undo brings it back. */
  remove_phase: { arguments: RemovePhaseArguments; place: Place; answer: Saved };
  /** Marks a checkpoint as complete, unless phases are still to be done; completing again changes nothing. */
  complete: { arguments: CompleteArguments; place: Place; answer: Saved };
  /** The resume point of a run. */
  resume_point: { arguments: TargetArguments; place: Place; answer: ResumePoint };
  /** The unfinished checkpoint that was updated last, of those that have something to do if there is one; null where nothing is unfinished. */
  latest: { arguments: NoArguments; place: Place; answer: Latest | null };
  /** All checkpoints, sorted by command and feature. */
  list: { arguments: NoArguments; place: Place; answer: Listed[] };
  /** Tells whether the work may be shipped; with `open` or `close`, sets that first. */
  gate: { arguments: GateArguments; place: Place; answer: GateVerdict };
  /** The revisions of a checkpoint that are kept, the newest first. */
  log: { arguments: TargetArguments; place: Place; answer: LogEntry[] };
  /** The difference between two revisions; by default, of the newest one. */
  diff: { arguments: DiffArguments; place: Place; answer: Diff };
  /** Writes the content of an earlier revision as the next one; again, of the one before that. */
  undo: { arguments: UndoArguments; place: Place; answer: Restored };
  /** Writes what an undo took back as the next revision. */
  redo: { arguments: RedoArguments; place: Place; answer: Restored };
  /** Brings a corrupt or vanished checkpoint back from its history. */
  recover: { arguments: RecoverArguments; place: Place; answer: Recovered };
  /** Removes old revisions of a checkpoint immediately. */
  prune: { arguments: PruneArguments; place: Place; answer: Pruned };
  /** Gives a checkpoint another feature name, its history with it. */
  rename: { arguments: RenameArguments; place: Place; answer: Renamed };
  /** Takes a checkpoint away; its history is kept, and `recover` brings it back. */
  remove: { arguments: TargetArguments; place: Place; answer: Saved };
  /** Makes a snapshot of the current run and the given content. */
  create_session: { arguments: CreateSessionArguments; place: Place; answer: CreatedSession };
  /** All snapshots, the newest first. */
  list_sessions: { arguments: ListSessionsArguments; place: Place; answer: ListedSession[] };
  /** One snapshot. */
  load_session: { arguments: LoadSessionArguments; place: Place; answer: LoadedSession };
  /** Compares the worktree with a snapshot. */
  verify_session: { arguments: VerifySessionArguments; place: Place; answer: VerifiedSession };
  /** Returns the content of a snapshot to carry on from; with `files`, restores its files. */
  restore_session: { arguments: RestoreSessionArguments; place: Place; answer: RestoredSession };
  /** Removes snapshots beyond the configured number. */
  clean_up_sessions: { arguments: CleanUpSessionsArguments; place: Place; answer: CleanedUpSession[] };
  /** Archives one snapshot, or all snapshots of complete runs. */
  archive_sessions: { arguments: ArchiveSessionsArguments; place: Place; answer: ArchivedSession[] };
  /** Pins a snapshot, so that it is never removed, or takes the pin away. */
  pin_session: { arguments: PinSessionArguments; place: Place; answer: PinnedSession };
  /** The difference between two snapshots. */
  diff_sessions: { arguments: DiffSessionsArguments; place: Place; answer: SessionDiff };
  /** The prompts on this branch before which the files were kept, the newest first. */
  list_prompts: { arguments: ListPromptsArguments; place: Place; answer: ListedPrompt[] };
  /** Takes back what an agent changed since a prompt, in the worktree alone. */
  rewind: { arguments: RewindArguments; place: Place; answer: RewoundFiles };
  /** Saves a checkpoint of a task: one of a known id is updated in its place, a new one comes last, and the oldest that are too many go. */
  save_task: { arguments: SaveTaskArguments; place: Place; answer: SavedTask };
  /** The latest checkpoint of a task, which is the one that was first saved last, or the one of an id. */
  load_task: { arguments: LoadTaskArguments; place: Place; answer: LoadedTask };
  /** The checkpoints of a task, in the order in which they were first saved, a page at a time; none of an unknown task. */
  list_task: { arguments: ListTaskArguments; place: Place; answer: ListedTask };
  /** The tasks that have checkpoints, a page at a time, in an order that stays as it is. */
  list_tasks: { arguments: ListTasksArguments; place: Place; answer: TaskPage };
  /** Removes one checkpoint of a task, whichever task has it. */
  delete_task_checkpoint: { arguments: DeleteTaskCheckpointArguments; place: Place; answer: DeletedTaskCheckpoint };
  /** Removes a task with all its checkpoints. */
  delete_task: { arguments: DeleteTaskArguments; place: Place; answer: DeletedTask };
  /** Removes the tasks whose latest checkpoint was saved more than some days ago. */
  prune_tasks: { arguments: PruneTasksArguments; place: Place; answer: PrunedTasks };
  /** The limits in force, if those that are given can be limits. */
  check_task_limits: { arguments: TaskLimitsArguments; place: undefined; answer: TaskLimits };
  /** The result of saving a checkpoint for a task that the caller keeps: nothing is stored. */
  plan_task_save: { arguments: PlanTaskSaveArguments; place: undefined; answer: SavedTask };
  /** The tasks that a prune removes, of those that the caller keeps: nothing is removed. */
  plan_task_prune: { arguments: PlanTaskPruneArguments; place: undefined; answer: TaskPrunePlan };
  /** Removes what writers of task checkpoints that died have left behind. No checkpoint goes. */
  clean_up_tasks: { arguments: CleanUpTasksArguments; place: Place; answer: CleanedUpTasks };
  /** Puts checkpoints, and what their tasks wrote, into a thread, all in one commit. Values that did not change are those of the parent, and of one that grew only what is new is stored. */
  put_thread: { arguments: PutThreadArguments; place: Place; answer: PutThread };
  /** The latest checkpoint of a thread's namespace, or the one of an id. */
  load_thread: { arguments: LoadThreadArguments; place: Place; answer: LoadedThread };
  /** The checkpoints of a thread, the newest first, a page at a time. */
  list_thread: { arguments: ListThreadArguments; place: Place; answer: ThreadPage };
  /** The threads, a page at a time, in an order that stays as it is. */
  list_threads: { arguments: ListThreadsArguments; place: Place; answer: ThreadsPage };
  /** For each channel the nearest value that an ancestor of a checkpoint has, and what was written to it since. */
  thread_history: { arguments: ThreadHistoryArguments; place: Place; answer: ThreadHistory };
  /** Removes a thread with all its checkpoints, in all namespaces. What a run that is going on puts after that is refused. */
  delete_thread: { arguments: DeleteThreadArguments; place: Place; answer: DeletedThread };
  /** Keeps the newest checkpoints of each namespace of a thread. A kept one reads as before: the values and writes of others that it goes on from stay. */
  prune_thread: { arguments: PruneThreadArguments; place: Place; answer: PrunedThread };
  /** Removes the checkpoints of runs, from one thread or from all. Those of other runs read as before: the values and writes that they go on from stay. */
  delete_thread_runs: { arguments: DeleteRunsArguments; place: Place; answer: DeletedRuns };
  /** Removes the threads whose newest checkpoint is older than some days. */
  prune_threads: { arguments: PruneThreadsArguments; place: Place; answer: PrunedThreads };
  /** Copies a thread with all its checkpoints, in all namespaces, as it is at that moment. Both go on by themselves. */
  copy_thread: { arguments: CopyThreadArguments; place: Place; answer: CopiedThread };
  /** All texts of a thread, in the place of which `copy_thread` takes others. */
  thread_texts: { arguments: ThreadTextsArguments; place: Place; answer: AllThreadTexts };
  /** Brings a thread back that cannot be read, as far as its files can: what is damaged is kept in quarantine, and the thread goes on from the rest. */
  recover_thread: { arguments: RecoverThreadArguments; place: Place; answer: RecoveredThread };
  /** Adds entries at the end of a transcript, all in one commit. It conflicts with no other addition. */
  append_transcript: { arguments: AppendTranscriptArguments; place: Place; answer: AppendedTranscript };
  /** The entries of a transcript, the oldest first. */
  load_transcript: { arguments: LoadTranscriptArguments; place: Place; answer: LoadedTranscript };
  /** Takes the newest entry out of a transcript. */
  pop_transcript: { arguments: PopTranscriptArguments; place: Place; answer: PoppedEntry };
  /** Removes the transcripts of a session with those of its subagents, or with `subpath` that one alone. */
  delete_transcript: { arguments: DeleteTranscriptArguments; place: Place; answer: DeletedTranscript };
  /** The sessions of a project that have a transcript of their own, in no order. */
  list_transcripts: { arguments: ListTranscriptsArguments; place: Place; answer: TranscriptList };
  /** The subpaths under which subagents of a session have transcripts. */
  list_subpaths: { arguments: ListSubpathsArguments; place: Place; answer: SubpathList };
  /** Takes one event of a coding agent into the checkpoint that its session works on. */
  hook: { arguments: HookArguments; place: Place; answer: HookAnswer };
  /** The work of a session of Claude Code as one line. */
  status_line: { arguments: StatusLineArguments; place: Place; answer: StatusLine };
  /** Takes a run over from the sessions that work on it, to the branch that is checked out. */
  take: { arguments: TakeArguments; place: Place; answer: Taken };
  /** The run that a command means on the branch that is checked out. */
  run_here: { arguments: RunHereArguments; place: Place; answer: RunHere };
  /** The unfinished run to carry on with on the branch that is checked out, as hooks choose it; where none belongs here, the one that was updated last; null where nothing is unfinished. */
  latest_here: { arguments: NoArguments; place: Place; answer: LatestHere | null };
  /** The run and the phases that were probably meant where a change made new ones. */
  similar: { arguments: SimilarArguments; place: Place; answer: Similar };
  /** The resume point, and what stopped there: of the run that is named, else of the one that `latest_here` means; null where nothing is unfinished. */
  resume_here: { arguments: ResumeHereArguments; place: Place; answer: ResumeHere | null };
  /** The run that was updated last, complete or not; null where no run exists. */
  newest_run: { arguments: NoArguments; place: Place; answer: RunHere | null };
  /** The project's integrations: its integrations.json over the defaults. */
  load_integrations: { arguments: NoArguments; place: Place; answer: { [field: string]: unknown } };
  /** The root, and the state folder below it; nothing is made. */
  location: { arguments: NoArguments; place: Place; answer: Location };
  /** Makes the state folder and, where they are absent, the configuration and the protocol pages. */
  init: { arguments: NoArguments; place: Place; answer: Made[] };
  /** Examines the state folder and its file system, and says how to fix each problem. */
  doctor: { arguments: DoctorArguments; place: Place; answer: Finding[] };
  /** Checks a checkpoint document against its schema and the limits of its summaries. */
  validate: { arguments: ValidateArguments; place: undefined; answer: Validation };
  /** Checks a request to a sub-agent: its mode, and the limit of the previous summary. */
  check_handoff_request: { arguments: CheckHandoffRequestArguments; place: undefined; answer: Checked };
  /** Checks a sub-agent's response: the limit of its context summary. */
  check_handoff_response: { arguments: CheckHandoffResponseArguments; place: undefined; answer: Checked };
  /** The endpoints that get notices of what checkpoints reached, by the project's settings. */
  notification_endpoints: { arguments: NoArguments; place: Place; answer: NotificationEndpoints };
  /** Looks for what checkpoints reached, and claims what is to be sent now. */
  due_notices: { arguments: DueNoticesArguments; place: Place; answer: DueNotices };
  /** Takes in how attempts to send notices ended, and says what becomes of them. */
  record_deliveries: { arguments: RecordDeliveriesArguments; place: Place; answer: RecordedDeliveries };
  /** The root and the branch that are worked on, and whether anything shows that a project is there. */
  project: { arguments: NoArguments; place: Place; answer: Project };
  /** The distance of HEAD since unfinished runs were recorded: of the newest hundred, those that were recorded at another commit. */
  since_recorded: { arguments: NoArguments; place: Place; answer: Distance[] };
  /** The places of everything that a viewer shows, and what the repository says of it; nothing is made but a mirror. */
  sources: { arguments: SourcesArguments; place: Place; answer: Sources };
  /** A stored file without its secrets, each replaced by `[REDACTED:rule]`. What was sealed has a seal that holds. */
  redact_file: { arguments: RedactFileArguments; place: undefined; answer: RedactedFile };
}
