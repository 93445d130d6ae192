// The protocol between the page and the core: every question, and what no answer of the core has. The answers are
// printed from the core's types, in `answers.ts`. Texts that come from documents have been made visible by the core,
// except where a member is said to be raw.

import type { ListedPrompt, RewoundFiles } from '../../types/wire';
import type * as core from './answers';

export type {
  Badge,
  Blame,
  Change,
  Comparison,
  FacetValue,
  FileChange,
  FilePage,
  Lane,
  Problem,
  Progress,
  Revision,
  RevisionFile,
  RevisionPage,
  RevisionPhase,
  Row,
  RunResume,
  Segment,
  SessionRow,
  Sessions,
  Side,
  SizedValue,
  StepHead,
  TaskRow,
  Tasks,
  ThreadPage,
  ThreadRow,
  Threads,
  ThreadStep,
  Timeline,
  UnreadVersion,
} from './answers';

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

export type Facet = keyof core.Facets;

/** The origin of the checkpoints: the core passes on what the source says. */
export interface Place {
  root: string;
  head: string | null;
  shape: Shape;
  [member: string]: unknown;
}

export type Shape = 'server' | 'folder' | 'export';

export type Overview = Omit<core.Overview, 'place'> & { place: Place };

export type Field = core.TextField | core.ListField;

/** A line of a text's difference, or how many unchanged ones are folded here. */
export type DiffLine = core.TextLine | core.FoldedLines;

export type ValueChange = Pick<core.PartChange, 'kind' | 'before' | 'after'>;

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

/** The plan of a rewind, and the command that carries out exactly that. */
export type PlannedRewind = RewoundFiles & { command: string };

/** Every question by its name: what goes with it. */
interface Questions {
  tick: { ms: number };
  overview: { filter: Filter; sort: Sort; from: number; count: number; now: number };
  position: { key: Key; filter: Filter; sort: Sort };
  timeline: { key: Key };
  revision: { moment: VersionRef };
  compare: { a: VersionRef; b: VersionRef };
  file: { a: VersionRef | null; b: VersionRef | null; path: string };
  blame: { key: Key };
  sessions: { filter: { text?: string }; from: number; count: number };
  tasks: { filter: { text?: string }; from: number; count: number };
  threads: { filter: { text?: string }; from: number; count: number };
  thread: { key: Key; count: number };
  operation: { request: Record<string, unknown> };
  /** Answered by the local server: no questions for the core. */
  doctor: unknown;
  prompts: unknown;
  rewind: { to: string };
}

/** Every answer by the name of its question. */
interface Answers extends Omit<core.Answers, 'overview'> {
  overview: Overview;
  doctor: Finding[];
  prompts: ListedPrompt[];
  rewind: PlannedRewind;
}

export type Name = keyof Questions;

/** A question as the page puts it: the worker adds the time. */
export type Query<N extends Name = Name> = {
  [name in N]: { query: name } & Omit<Questions[name], 'now'>;
}[N];

/** A question that only a process on the machine can answer. */
export type Examination = Query<'doctor' | 'prompts' | 'rewind'>;

export type Answer<A extends { query: Name }> = Answers[A['query']];

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
