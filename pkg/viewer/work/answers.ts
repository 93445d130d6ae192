// Printed from the answers in `src/view`; a test holds the file to it.

/** The state of reading. */
export interface Tick {
  /** The number of checkpoints that are still to be read. */
  pending: number;
  /** The number of those that are known. */
  indexed: number;
  /** The number of all of them. */
  total: number;
  /** True if every checkpoint of the folder is known. */
  whole: boolean;
  /** The number of changes that a page may see. */
  version: number;
}

/** All checkpoints that a filter leaves, as far as they are asked for. */
export interface Overview {
  /** The number of changes that a page may see. */
  version: number;
  /** The number of checkpoints that are still to be read. */
  pending: number;
  /** The number of all checkpoints. */
  total: number;
  /** The number of those that the filter leaves. */
  matching: number;
  /** The choices that a filter has. */
  facets: Facets;
  /** The rows. */
  rows: Row[];
  /** The origin of the checkpoints, as the source says it. */
  place: { [field: string]: unknown };
}

/** The place of a checkpoint among the rows. */
export interface Position {
  /** Its row, from 0; null where it is in none. */
  at: number | null;
}

/** A run from its oldest kept revision to the present. */
export interface Timeline {
  /** The command and the feature, to be shown. */
  title: string;
  /** The revisions, the newest first. */
  revisions: Revision[];
  /** The phases. */
  lanes: Lane[];
  /** The axis. */
  segments: Segment[];
  /** The distance of HEAD from the recorded commit, in words, where the source gives it. */
  since_recorded?: string;
  /** The resume point; null where the run cannot be read. */
  resume: RunResume | null;
}

/** A version that can be read. */
export interface RevisionPage {
  /** Its name, to be shown. */
  title: string;
  /** Its kind: `command`, `session` or `task`. */
  kind: string;
  /** Its revision, of a run. */
  revision: number | null;
  /** The revisions of the run that are kept, the oldest first. */
  revisions: number[];
  /** The newest of them. */
  newest: number | null;
  /** The commands that show it, and that go back to it. */
  commands: LabelledCommand[];
  /** The time at which it was saved. */
  at: string | null;
  /** Always null: it can be read. */
  problem: null;
  /** The status of a run; null for any other document. */
  status: string | null;
  /** The fields. */
  fields: (TextField | ListField)[];
  /** The phases of a run. */
  phases: RevisionPhase[];
  /** The files that it names or keeps. */
  files: RevisionFile[];
  /** As it is stored: raw. */
  raw: string;
  /** The resume point. */
  resume: RunVersionResume | SnapshotResume | null;
  /** The snapshot in sentences. */
  prose: string | null;
  /** The verdict of the gate. */
  gate: GateVerdict | null;
  /** True if the gate of a run was ever opened or closed. */
  is_gate_recorded?: boolean;
}

/** A version that cannot be read, in a chain of which others can. */
export interface UnreadVersion {
  /** Its name, to be shown. */
  title: string;
  /** Its kind: `command`, `session` or `task`. */
  kind: string;
  /** Its revision, of a run. */
  revision: number | null;
  /** The revisions of the run that are kept, the oldest first. */
  revisions: number[];
  /** The newest of them. */
  newest: number | null;
  /** The commands that show it, and that go back to it. */
  commands: LabelledCommand[];
  /** Why it cannot be read. */
  problem: Problem;
}

/** Two versions beside each other. */
export interface Comparison {
  /** The first one. */
  a: Side;
  /** The second one. */
  b: Side;
  /** The fields that differ. */
  changes: Change[];
  /** The files that differ. */
  files: FileChange[];
  /** True if nothing differs. */
  same: boolean;
  /** The command line's comparison of the same two; nothing where it compares no such two. */
  cli: string[];
  /** The commands to type for this comparison. */
  commands: LabelledCommand[];
}

/** A file that snapshots keep. */
export interface FilePage {
  /** Its path. */
  path: string;
  /** Its lines, or the difference of the two sides; null where there is nothing to show. */
  lines: (TextLine | FoldedLines)[] | null;
  /** True if a side is no text. */
  binary: boolean;
  /** The size of each side in bytes. */
  size: [number | null, number | null];
  /** Why there is nothing to show of a side. */
  notes: [string | null, string | null];
}

/** The fields of the present document, each with the revision that gave it its value. */
export interface Blame {
  /** The command and the feature, to be shown. */
  title: string;
  /** The fields, in order. */
  fields: BlameField[];
}

/** The snapshots that a filter leaves, as far as they are asked for. */
export interface Sessions {
  /** The number of all of them. */
  total: number;
  /** The number of those that the filter leaves. */
  matching: number;
  /** The rows, the newest first. */
  rows: SessionRow[];
}

/** The tasks that a filter leaves, as far as they are asked for. */
export interface Tasks {
  /** The number of all of them. */
  total: number;
  /** The number of those that the filter leaves. */
  matching: number;
  /** The rows, in the order of their names. */
  rows: TaskRow[];
}

/** The threads that a filter leaves, as far as they are asked for. */
export interface Threads {
  /** The number of all of them. */
  total: number;
  /** The number of those that the filter leaves. */
  matching: number;
  /** The rows, the threads with the newest steps first. */
  rows: ThreadRow[];
}

/** The newest steps of a thread. */
export interface ThreadPage {
  /** The thread. */
  thread_id: string;
  /** The newest first. */
  steps: ThreadStep[];
  /** True where there are older ones. */
  more: boolean;
}

/** Each value of each kind, with how many checkpoints have it that the rest of the filter leaves. */
export interface Facets {
  /** The commands. */
  command: FacetValue[];
  /** The statuses of runs. */
  status: FacetValue[];
  /** The phases to go on with. */
  phase: FacetValue[];
  /** The badges. */
  badge: FacetValue[];
}

/** One checkpoint. */
export interface Row {
  /** The key that questions about it have. */
  key: string;
  /** The command. */
  command: string;
  /** The feature, if it has one. */
  feature: string | null;
  /** The command and the feature, to be shown. */
  title: string;
  /** One word for how it stands. */
  status: string;
  /** True if the run is complete. */
  complete: boolean;
  /** True if there is something to do. */
  has_work: boolean;
  /** The number of phases that are done: complete or skipped. */
  done: number;
  /** The number of all phases. */
  total: number;
  /** The phases, in order. */
  phases: RowPhase[];
  /** The number of phases of each status. */
  progress: Progress;
  /** The phase to go on with. */
  current_phase: string | null;
  /** The time at which it was last saved. */
  updated_at: string | null;
  /** That time in milliseconds since 1970. */
  updated_ms: number | null;
  /** The time at which it was completed. */
  completed_at: string | null;
  /** Its revision; 0 where it cannot be read. */
  revision: number;
  /** Its warnings. */
  badges: Badge[];
  /** Why it cannot be read, if it cannot. */
  problem: Problem | null;
  /** The beginning of the last summary. */
  summary: string;
  /** The phase that failed and its error, where the run has failed. */
  error: string | null;
  /** The branch that hooks recorded, if they did. */
  branch?: string;
}

/** A revision of a run. */
export interface Revision {
  /** Its number. */
  revision: number;
  /** The time at which it was saved, in milliseconds since 1970. */
  at_ms: number | null;
  /** The time at which it was saved, as it says itself. */
  at: string | null;
  /** Its line of `milepost log`. */
  headline: string;
  /** All that it changed, a line each. */
  changes: string[];
  /** The earlier revision, not the one before it, with the same content. */
  same_as: number | null;
  /** The revision that the changes start from. */
  compared_with: number | null;
  /** So many revisions after this one only renewed the time. */
  heartbeats: number;
  /** Why it cannot be read. */
  problem: string | null;
}

/** A phase. */
export interface Lane {
  /** Its name. */
  phase: string;
  /** Its status. */
  status: string;
  /** The times in which it was worked on. */
  bars: Bar[];
}

/** A stretch of time, drawn evenly. */
export interface Segment {
  /** Its beginning, in milliseconds since 1970. */
  from_ms: number;
  /** Its end. */
  to_ms: number;
  /** True if nothing happened in it. */
  idle: boolean;
  /** Its beginning and end on an axis from 0 to 1. */
  x: [number, number];
}

/** The resume point of a run as it is now, and what stopped there. */
export interface RunResume {
  /** The phase to go on with. */
  phase: string | null;
  /** The status of the phase. */
  status: string | null;
  /** The error that the phase failed with. */
  error: string | null;
  /** The files that the phase created. */
  created: string[];
  /** The files that the phase modified. */
  modified: string[];
  /** The summary of the phase itself. */
  phase_summary: string | null;
  /** That of the last completed phase which has one. */
  summary: string | null;
  /** The other phases in progress. */
  alongside: string[];
  /** The other pending phases. */
  pending: string[];
  /** The status of the run. */
  run: string;
  /** The command that prints the same in a terminal. */
  command: string;
  /** Other unfinished runs, the latest first. */
  others: OtherRun[];
  /** The number of the others. */
  more: number;
}

/** A command and what it is for. */
export interface LabelledCommand {
  /** Its purpose. */
  label: string;
  /** The command. */
  text: string;
}

/** A field that has one text. */
export interface TextField {
  /** Its place, a JSON pointer. */
  path: string;
  /** The place in words. */
  label: string;
  /** The value. */
  value: string;
  /** The kind of the text. */
  kind: "text" | "value" | "time";
}

/** A field that is a list. */
export interface ListField {
  /** Its place, a JSON pointer. */
  path: string;
  /** The place in words. */
  label: string;
  /** The items. */
  value: string[];
  /** Tells it from a text. */
  kind: "list";
}

/** A phase. */
export interface RevisionPhase {
  /** Its name. */
  name: string;
  /** Its status. */
  status: string;
  /** The time at which it was begun. */
  started_at: string | null;
  /** The time at which it was last saved. */
  updated_at: string | null;
  /** Its context summary. */
  summary: string | null;
  /** The words of the summary. */
  tokens: number | null;
  /** The error that it failed with. */
  error: string | null;
  /** The files that it created. */
  created: string[];
  /** The files that it modified. */
  modified: string[];
}

/** A file that a version names, or that a snapshot keeps. */
export interface RevisionFile {
  /** Its path. */
  path: string;
  /** The list that it is in. */
  list: "created" | "modified" | "deleted" | "left_out";
  /** The phases that name it. */
  phases: string[];
  /** In bytes, of a snapshot's file whose content is kept. */
  size?: number | null;
  /** The difference of a snapshot's file from the commit; null where that is not kept as text. */
  lines?: (TextLine | FoldedLines)[] | null;
  /** Why a snapshot did not keep it. */
  reason?: string;
}

/** The resume point of a run, and the text for the context of an agent that begins. */
export interface RunVersionResume {
  /** The phase to go on with. */
  phase: string | null;
  /** The status of the phase. */
  status: string | null;
  /** The error that the phase failed with. */
  error: string | null;
  /** The files that the phase created. */
  created: string[];
  /** The files that the phase modified. */
  modified: string[];
  /** The summary of the phase itself. */
  phase_summary: string | null;
  /** That of the last completed phase which has one. */
  summary: string | null;
  /** The other phases in progress. */
  alongside: string[];
  /** The other pending phases. */
  pending: string[];
  /** The text for the context of an agent. */
  text: string | null;
}

/** The text for an agent that resumes with a snapshot. */
export interface SnapshotResume {
  /** Null: the text says where it stopped. */
  phase: string | null;
  /** Its context summary. */
  summary: string | null;
  /** The text for the context of an agent. */
  text: string;
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

/** Why a checkpoint cannot be read. */
export interface Problem {
  /** The code of the error. */
  code: string;
  /** The sentence of it. */
  message: string;
}

/** A version that is compared. */
export interface Side {
  /** Its key. */
  key: string;
  /** Its kind: `command`, `session` or `task`. */
  kind: string;
  /** Its name, to be shown. */
  title: string;
  /** Its revision, of a run. */
  revision: number | null;
  /** The time at which it was saved. */
  at: string | null;
}

/** A difference as a page shows it. */
export interface Change {
  /** Its place, a JSON pointer. */
  path: string;
  /** The place in words. */
  label: string;
  /** The kind of the change. */
  kind: "added" | "removed" | "changed" | "reordered";
  /** The change as a sentence. */
  sentence: string;
  /** The value before, or its beginning. */
  before: string | null;
  /** The value after. */
  after: string | null;
  /** The difference of a long text. */
  lines: (TextLine | FoldedLines)[] | null;
  /** The items that only one of two lists has. */
  items: ShownItem[] | null;
}

/** A file that differs. */
export interface FileChange {
  /** Its path. */
  path: string;
  /** The side that has it: only the second one, only the first one, or both otherwise. */
  change: "added" | "removed" | "changed";
  /** The place where its content is kept, and can be asked for. */
  key?: string;
}

/** A line of a text's difference. */
export interface TextLine {
  /** The side that has it. */
  op: "=" | "-" | "+";
  /** Its number in the first text, from 1; null where that lacks it. */
  a: number | null;
  /** Its number in the second text. */
  b: number | null;
  /** The text. */
  parts: LinePiece[];
}

/** Unchanged lines that are folded. */
export interface FoldedLines {
  /** Tells them from a line. */
  op: "…";
  /** The number of lines. */
  count: number;
}

/** A field of the present document. */
export interface BlameField {
  /** Its place, a JSON pointer. */
  path: string;
  /** The place in words. */
  label: string;
  /** The beginning of its value. */
  value: string;
  /** The revision that set it, where one did. */
  revision: number | null;
  /** The time of that revision. */
  at: string | null;
  /** The session that wrote it. */
  session: string | null;
  /** The agent of that session. */
  agent: string | null;
  /** The oldest kept revision, if it has it already and none is named. */
  before?: number;
  /** Revisions from this one on cannot be read, and it may have been set in one of them. */
  since?: number | null;
}

/** One snapshot. */
export interface SessionRow {
  /** The key that questions about it have. */
  key: string;
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
  /** True if it is never removed. */
  pinned: boolean;
  /** True if the work that it belongs to is complete. */
  archived: boolean;
  /** The number of files that it keeps; null without such. */
  files: number | null;
  /** Its warnings. */
  badges: Badge[];
  /** Why it cannot be read, if it cannot. */
  problem: Problem | null;
}

/** One task. */
export interface TaskRow {
  /** Its id. */
  task: string;
  /** Why it cannot be read, if it cannot. */
  problem: Problem | null;
  /** Its checkpoints, in the order in which they were first saved. */
  checkpoints: TaskRowCheckpoint[];
}

/** One thread. */
export interface ThreadRow {
  /** The thread of the question `thread`. */
  key: string;
  /** The thread by its newest step. */
  thread: ThreadSummary;
}

/** One step: a checkpoint beside the one that it follows from. */
export interface ThreadStep {
  /** The namespace of its checkpoint. */
  namespace: string;
  /** The id of its checkpoint. */
  id: string;
  /** The one that it follows from. */
  parent: string | null;
  /** The time of the checkpoint, as its maker wrote it. */
  at: string | null;
  /** The cause of the checkpoint, such as `input` or `loop`. */
  source: string | null;
  /** Its number in the run of the graph, unchanged. */
  step: number | null;
  /** The channels whose values differ from those of the checkpoint that it follows from. */
  changes: ChannelChange[];
  /** The writes of its tasks, in the order in which a superstep applies them. */
  writes: StepWrite[];
  /** True while these writes are pending: no checkpoint follows from this one yet. */
  pending: boolean;
}

/** A value that a filter can choose. */
export interface FacetValue {
  /** The value. */
  value: string;
  /** The number of checkpoints that have it. */
  count: number;
}

/** A phase by its name. */
export interface RowPhase {
  /** The name. */
  name: string;
  /** The status. */
  status: string;
}

/** The number of phases of each status. */
export interface Progress {
  /** Complete. */
  completed: number;
  /** In progress. */
  in_progress: number;
  /** Failed, and to be retried. */
  failed: number;
  /** Not yet begun. */
  pending: number;
  /** Left out on purpose. */
  skipped: number;
}

/** A warning of a row. */
export interface Badge {
  /** The name that a page filters by. */
  code: string;
  /** The text of it for people. */
  text: string;
}

/** A time in which a phase was worked on. */
export interface Bar {
  /** Its beginning, in milliseconds since 1970. */
  from_ms: number;
  /** Its end; null while it is in progress. */
  to_ms: number | null;
  /** The status that it ended with, or that of work in progress. */
  status: string;
}

/** An unfinished run beside the one that is shown. */
export interface OtherRun {
  /** The key that questions about it have. */
  key: string;
  /** The command and the feature, to be shown. */
  title: string;
}

/** An item of a list. */
export interface ShownItem {
  /** The side that has it. */
  op: "=" | "-" | "+";
  /** The item. */
  text: string;
}

/** A piece of a line, made visible. */
export interface LinePiece {
  /** The text. */
  text: string;
  /** True if the other line lacks it. */
  mark: boolean;
}

/** One checkpoint of a task. */
export interface TaskRowCheckpoint {
  /** The key that questions about it have. */
  key: string;
  /** Its id. */
  id: string;
  /** The time at which it was last saved. */
  saved_at: string;
  /** The number of the step that it is at. */
  step: number | null;
  /** The number of all steps. */
  total_steps: number | null;
  /** Its size in bytes. */
  size: number;
}

/** A thread by its newest step. */
export interface ThreadSummary {
  /** The thread. */
  thread_id: string;
  /** The newest step of the root namespace, or of all if it has none; null before the first one. */
  latest: StepHead | null;
  /** The number of its pending writes. */
  pending: number;
}

/** The change of one channel in a step. */
export interface ChannelChange {
  /** The channel. */
  channel: string;
  /** The kind of the change. */
  kind: "added" | "removed" | "changed";
  /** The value before the step. */
  before: SizedValue | null;
  /** The value after it. */
  after: SizedValue | null;
  /** The members or items that differ, where both values are objects or both are lists. */
  parts: PartChange[];
  /** The number of parts beyond those. */
  more_parts: number;
}

/** One write of a task. */
export interface StepWrite {
  /** The task. */
  task: string;
  /** The channel. */
  channel: string;
  /** The value. */
  value: SizedValue;
}

/** The name of a step, and its maker's words on it. */
export interface StepHead {
  /** The namespace of its checkpoint. */
  namespace: string;
  /** The id of its checkpoint. */
  id: string;
  /** The one that it follows from. */
  parent: string | null;
  /** The time of the checkpoint, as its maker wrote it. */
  at: string | null;
  /** The cause of the checkpoint, such as `input` or `loop`. */
  source: string | null;
  /** Its number in the run of the graph, unchanged. */
  step: number | null;
}

/** A value, as far as it is shown. */
export interface SizedValue {
  /** Its size. */
  bytes: number;
  /** The text of a small one, without its secrets. */
  text: string | null;
}

/** A member or an item of a value that differs. */
export interface PartChange {
  /** Its place in the value, a JSON pointer, without its secrets. */
  at: string;
  /** The kind of the change. */
  kind: "added" | "removed" | "changed";
  /** Its value before the step. */
  before: SizedValue | null;
  /** Its value after it. */
  after: SizedValue | null;
}

/** Every question by its name, with its answer. */
export interface Answers {
  tick: Tick;
  overview: Overview;
  position: Position;
  timeline: Timeline;
  revision: RevisionPage | UnreadVersion;
  compare: Comparison;
  file: FilePage;
  blame: Blame;
  sessions: Sessions;
  tasks: Tasks;
  threads: Threads;
  thread: ThreadPage;
  operation: unknown;
  shown: unknown;
}
