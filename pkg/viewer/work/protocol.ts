// The protocol between the page and the core: the types of every question and answer. Texts that come
// from documents have been made visible by the core, except where a member is said to be raw.

/** A checkpoint: `c/STEM` of a run, `s/ID` of a snapshot, `t/TASK/ID` of a task, each part percent-encoded. */
export type Key = string;

/** A time in RFC 3339, as it is stored. */
export type Time = string;

/** A checkpoint at a revision of it; `null` is the present one. */
export interface VersionRef {
  key: Key;
  revision: number | null;
}

export interface Warning {
  code: string;
  message: string;
}

export interface Problem {
  code: string;
  message: string;
}

export interface Badge {
  code: string;
  text: string;
}

/** The filter of a list; a member that is absent filters nothing. */
export interface Filter {
  text?: string;
  command?: string[];
  status?: string[];
  phase?: string[];
  badge?: string[];
  file?: string;
  after?: Time | null;
  before?: Time | null;
}

export type Sort = 'attention' | 'name' | 'updated';

export type Facet = 'command' | 'status' | 'phase' | 'badge';

export interface FacetValue {
  value: string;
  count: number;
}

/** The number of phases of each status. */
export interface Progress {
  completed: number;
  in_progress: number;
  failed: number;
  pending: number;
  skipped: number;
}

export interface Row {
  key: Key;
  command: string;
  feature: string | null;
  title: string;
  status: string;
  /** True if the run is complete. */
  complete: boolean;
  /** True if there is something to do. */
  has_work: boolean;
  /** The number of phases that are done: complete or skipped. */
  done: number;
  /** The number of all phases. */
  total: number;
  phases: { name: string; status: string }[];
  progress: Progress;
  current_phase: string | null;
  updated_at: Time | null;
  updated_ms: number | null;
  completed_at: Time | null;
  revision: number | null;
  badges: Badge[];
  problem: Problem | null;
  summary: string;
  /** The phase that failed and its error, where the run has failed. */
  error: string | null;
  /** The branch that hooks recorded, if they did. */
  branch?: string;
}

/** The origin of the checkpoints. */
export interface Place {
  root: string;
  head: string | null;
  shape: Shape;
  [member: string]: unknown;
}

export type Shape = 'server' | 'folder' | 'export';

export interface Overview {
  version: number;
  pending: number;
  total: number;
  matching: number;
  facets: Record<Facet, FacetValue[]>;
  rows: Row[];
  place: Place;
}

export interface Revision {
  revision: number;
  at: Time | null;
  at_ms: number | null;
  /** Its line of `milepost log`. */
  headline: string;
  /** All that it changed, a line each. */
  changes: string[];
  heartbeats: number;
  /** Why it cannot be read. */
  problem: string | null;
}

export interface Lane {
  phase: string;
  status: string;
  bars: { from_ms: number; to_ms: number | null; status: string }[];
}

/** A stretch of time, and its place between 0 and 1. */
export interface Segment {
  from_ms: number;
  to_ms: number;
  idle: boolean;
  x: [number, number];
}

/** The resume point of a run as it is now, and what stopped there. */
export interface RunResume {
  phase: string | null;
  /** The status of the phase. */
  status: string | null;
  /** The error that the phase failed with. */
  error: string | null;
  /** The files of the phase. */
  created: string[];
  modified: string[];
  /** The summary of the phase itself. */
  phase_summary: string | null;
  /** That of the last completed phase which has one. */
  summary: string | null;
  /** The other phases in progress. */
  alongside: string[];
  pending: string[];
  /** The status of the run. */
  run: string;
  /** The command that prints the same in a terminal. */
  command: string;
  /** Other unfinished runs, the latest first. */
  others: { key: Key; title: string }[];
  /** The number of the others. */
  more: number;
}

export interface Timeline {
  title: string;
  /** `null` where the run cannot be read. */
  resume: RunResume | null;
  /** The distance of HEAD from the recorded commit, in words, where the source gives it. */
  since_recorded?: string;
  revisions: Revision[];
  lanes: Lane[];
  segments: Segment[];
}

export interface Field {
  path: string;
  label: string;
  value: string | string[];
  kind: 'text' | 'value' | 'list' | 'time';
}

export interface RevisionPhase {
  name: string;
  status: string;
  started_at: Time | null;
  updated_at: Time | null;
  summary: string | null;
  tokens: number | null;
  error: string | null;
  created: string[];
  modified: string[];
}

export interface RevisionFile {
  path: string;
  list: 'created' | 'modified' | 'deleted' | 'left_out';
  phases: string[];
  /** In bytes, of a snapshot's file whose content is kept. */
  size?: number | null;
  /** Why a snapshot did not keep it. */
  reason?: string;
  /** The difference of a snapshot's file from the commit; `null` where that is not kept as text. */
  lines?: DiffLine[] | null;
}

interface AnyVersion {
  title: string;
  kind: string;
  revision: number | null;
  revisions: number[];
  newest: number | null;
  commands: { label: string; text: string }[];
}

/** A version that cannot be read, in a chain of which others can. */
export interface UnreadVersion extends AnyVersion {
  problem: Problem;
}

export interface RevisionPage extends AnyVersion {
  problem: null;
  at: Time | null;
  /** `null` where it is no run. */
  status: string | null;
  fields: Field[];
  phases: RevisionPhase[];
  files: RevisionFile[];
  /** As it is stored: raw. */
  raw: string;
  resume: { phase: string | null; summary: string | null; text: string | null } | null;
  /** The snapshot in sentences. */
  prose: string | null;
  /** `head_commit` is the commit that it holds for; `null` where none was recorded. */
  gate: { open: boolean; blockers: string[]; head_commit: string | null } | null;
  /** True if the gate of a run was ever opened or closed. */
  is_gate_recorded?: boolean;
}

/** A line of a text's difference, or how many unchanged ones are folded here. */
export type DiffLine =
  | {
      op: '=' | '-' | '+';
      a: number | null;
      b: number | null;
      parts: { text: string; mark: boolean }[];
    }
  | { op: '…'; count: number };

export interface Change {
  path: string;
  label: string;
  kind: 'added' | 'removed' | 'changed' | 'reordered';
  sentence: string;
  before: string | null;
  after: string | null;
  lines: DiffLine[] | null;
  items: { op: '=' | '-' | '+'; text: string }[] | null;
}

export interface Side {
  key: Key;
  title: string;
  revision: number | null;
  at: Time | null;
}

export interface FileChange {
  path: string;
  change: 'added' | 'removed' | 'changed';
  /** The place where its content is kept, and can be asked for. */
  key?: Key;
}

export interface Comparison {
  a: Side;
  b: Side;
  changes: Change[];
  files: FileChange[];
  same: boolean;
  /** The command line's comparison of the same two; nothing where it compares no such two. */
  cli: string[];
  commands: { label: string; text: string }[];
}

export interface FilePage {
  path: string;
  lines: DiffLine[] | null;
  binary: boolean;
  size: [number | null, number | null];
  /** Why there is nothing to show of a side. */
  notes: [string | null, string | null];
}

export interface Blame {
  title: string;
  fields: {
    path: string;
    label: string;
    value: string;
    revision: number | null;
    at: Time | null;
    session: string | null;
    agent: string | null;
    /** The oldest kept revision, if it has it already and none is named. */
    before?: number;
    /** Revisions from this one on cannot be read, and it may have been set in one of them. */
    since?: number | null;
  }[];
}

export interface SessionRow {
  key: Key;
  id: string;
  created_at: Time | null;
  reason: string | null;
  message: string | null;
  pinned: boolean;
  archived: boolean;
  files: number;
  badges: Badge[];
  problem: Problem | null;
}

export interface Sessions {
  total: number;
  matching: number;
  rows: SessionRow[];
}

export interface TaskRow {
  task: string;
  problem: Problem | null;
  checkpoints: {
    key: Key;
    id: string;
    saved_at: Time | null;
    step: number | null;
    total_steps: number | null;
    size: number;
  }[];
}

export interface Tasks {
  total: number;
  matching: number;
  rows: TaskRow[];
}

/** A step of a thread: a checkpoint beside the one that it follows from. */
export interface StepHead {
  namespace: string;
  id: string;
  parent: string | null;
  at: Time | null;
  source: string | null;
  step: number | null;
}

export interface ThreadRow {
  /** The thread of the question `thread`. */
  key: Key;
  /** `latest` is its newest step, and `pending` how many writes wait there. */
  thread: { thread_id: string; latest: StepHead | null; pending: number };
}

export interface Threads {
  total: number;
  matching: number;
  rows: ThreadRow[];
}

/** A value of which a small one alone has its text. */
export interface SizedValue {
  bytes: number;
  text: string | null;
}

export interface ValueChange {
  kind: 'added' | 'removed' | 'changed';
  before: SizedValue | null;
  after: SizedValue | null;
}

export interface ThreadStep extends StepHead {
  changes: (ValueChange & { channel: string; parts: (ValueChange & { at: string })[]; more_parts: number })[];
  writes: { task: string; channel: string; value: SizedValue }[];
  /** True if the writes wait for the next step. */
  pending: boolean;
}

export interface ThreadPage {
  thread_id: string;
  steps: ThreadStep[];
  more: boolean;
}

/** One of `milepost doctor --json`; members in quotes are stored names that the glossary replaces elsewhere. */
export interface Finding {
  check: string;
  level: 'ok' | 'note' | 'warning' | 'error';
  path: string | null;
  found: string;
  why: string | null;
  "mend": string | null;
  "mended": boolean;
}

/** Every question by its name: what goes with it, and what is answered. */
export interface Queries {
  tick: [{ ms: number }, { pending: number; indexed: number; total: number; whole: boolean; version: number }];
  overview: [{ filter: Filter; sort: Sort; from: number; count: number; now: number }, Overview];
  position: [{ key: Key; filter: Filter; sort: Sort }, { at: number | null }];
  timeline: [{ key: Key }, Timeline];
  revision: [{ moment: VersionRef }, RevisionPage | UnreadVersion];
  compare: [{ a: VersionRef; b: VersionRef }, Comparison];
  file: [{ a: VersionRef | null; b: VersionRef | null; path: string }, FilePage];
  blame: [{ key: Key }, Blame];
  sessions: [{ filter: { text?: string }; from: number; count: number }, Sessions];
  tasks: [{ filter: { text?: string }; from: number; count: number }, Tasks];
  threads: [{ filter: { text?: string }; from: number; count: number }, Threads];
  thread: [{ key: Key; count: number }, ThreadPage];
  operation: [{ request: Record<string, unknown> }, unknown];
  /** Answered by the local server, and by an export that has them: no question for the core. */
  doctor: [unknown, Finding[]];
}

export type Name = keyof Queries;

/** A question as the page puts it: the worker adds the time. */
export type Query<N extends Name = Name> = {
  [name in N]: { query: name } & Omit<Queries[name][0], 'now'>;
}[N];

export type Answer<A extends { query: Name }> = Queries[A['query']][1];

export interface Failure {
  code: string;
  message: string;
  [member: string]: unknown;
}

export interface FileRequest {
  path: string;
  id?: string;
  kind: 'file' | 'folder';
}

/** The core's answer to a question. */
export interface CoreReply {
  value?: unknown;
  warnings?: Warning[];
  error?: Failure;
  wants?: FileRequest[];
}
