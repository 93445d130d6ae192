/** The record of one moment of the work: one file each, which never changes. */
export interface SessionCheckpoint {
  /** Its name, and that of its file: `chk-YYYYMMDD-HHMMSS` in UTC, a further one of the same second with `-2` and so on behind it. */
  id: string;
  /** When it was made, by the clock of its host. */
  created_at: string;
  /** The occasion. */
  reason:
    | "phase_complete"
    | "handoff"
    | "error"
    | "mode_switch"
    | "user_requested";
  /** What its maker says of it. */
  message?: string;
  /** What is being worked on. */
  task: SessionTask;
  /** How far the work is. */
  progress: SessionProgress;
  /** What was decided, the latest last. */
  decisions?: SessionDecision[];
  /** The files that the work touched. */
  files?: SessionFiles;
  /** What the next session would trip over. */
  gotchas?: string[];
  /** What shows that the work does what it should, beyond the evidence of each phase. */
  evidence?: string[];
  /** What differed from HEAD, as git prints it. */
  git_diff?: string;
  /** What the next session must know: at most 500 tokens and 64 KiB. */
  context_summary: string;
  /** How many tokens the session had used. */
  tokens_used?: number;
  /** How to carry on. */
  resume: SessionResume;
  /** The commit that was checked out; null where there was none. */
  head_commit?: string | null;
  /** The checkpoint before whose restore this one was made. */
  undo_of?: string;
  /** The hook that made it; absent where a user asked for it. */
  made_by?: SessionMadeBy;
  /** The command checkpoint that it was made of. */
  checkpoint?: SessionCommandCheckpoint;
  /** The budget that the context summary was checked against, beside the 500 words; absent where words alone were counted. */
  token_budget?: TokenBudget;
  /** The files that differed from the commit, which can be brought back. */
  snapshot?: SessionSnapshot;
}

/** What is being worked on. */
export interface SessionTask {
  /** The task's id, or its command and feature; null where nothing names it. */
  id: string | null;
  /** What was asked for, in the words of who asked. */
  input?: string;
  /** How it is worked on, such as `DIRECT` or `ORCHESTRATED`. */
  mode?: string;
}

/** How far the work is. */
export interface SessionProgress {
  /** How many phases are completed, and one more where one is in progress. */
  current_phase: number;
  /** How many phases there are. */
  total_phases: number;
  /** The completed phases, in the order of completion. */
  completed: SessionCompletedPhase[];
  /** The names of the phases that are left, the one to carry on with first. */
  remaining?: string[];
}

/** One decision. */
export interface SessionDecision {
  /** What was to be decided. */
  question: string;
  /** What was decided. */
  decision: string;
  /** Why. */
  reason?: string;
}

/** The files that the work touched, relative to the root, with `/`. */
export interface SessionFiles {
  /** Paths of files that it created. */
  created?: string[];
  /** Paths of files that it changed. */
  modified?: string[];
}

/** How to carry on. */
export interface SessionResume {
  /** Whether anything is left to do. */
  can_resume: boolean;
  /** What to do next. */
  instructions?: string;
}

/** A hook of a coding agent. */
export interface SessionMadeBy {
  /** The agent, such as `claude-code`. */
  agent: string;
  /** The agent's session. */
  session: string;
  /** A digest of all that it says, so that the next one is made where that has changed. */
  work: string;
}

/** Names a revision of a command checkpoint. */
export interface SessionCommandCheckpoint {
  /** Its command. */
  command: string;
  /** Its feature; null where it has none. */
  feature: string | null;
  /** Its revision. */
  revision: number;
  /** What it was, among the contents that are kept. */
  sha256?: string;
  /** Why what it was is not kept. */
  left_out?: string;
}

/** A limit in exact tokens, as a model of OpenAI counts them. */
export interface TokenBudget {
  /** The encoding in which they are counted. */
  encoding: "o200k" | "cl100k";
  /** The most tokens of a summary. */
  limit: number;
}

/** The files that differed from the commit. */
export interface SessionSnapshot {
  /** Whether something that differed is not in it. */
  partial: boolean;
  /** Every path that differed and that can be brought back. */
  files: SessionFile[];
  /** The permission bits of the folders on the way to these files, and of other files that a restore touched, where the host knows modes. */
  modes?: SessionMode[];
  /** What differed, or may have differed, and is not kept. */
  left_out?: SessionLeftOut[];
  /** What could not be seen on the host. */
  notes?: string[];
}

/** A completed phase. */
export interface SessionCompletedPhase {
  /** Its number, from 1. */
  phase: number;
  /** Its name. */
  name: string;
  /** What shows that it succeeded. */
  evidence?: string;
}

/** A path that differed from the commit. */
export interface SessionFile {
  /** Relative to the root, with `/`. */
  path: string;
  /** How it differed from the commit. */
  change: "added" | "modified" | "deleted";
  /** What stood there; absent where nothing did. The content of a link is the path in it. */
  kind?: "file" | "link";
  /** Whether a file was executable, where the host knows modes. */
  executable?: boolean;
  /** The permission bits of a file in octal, such as `0640`, where the host knows modes. */
  mode?: string;
  /** Bytes. */
  size?: number;
  /** The SHA-256 of the bytes, in lower-case hex. */
  sha256?: string;
  /** Whether some of it was staged. */
  staged?: boolean;
}

/** The permission bits of a folder or a file. */
export interface SessionMode {
  /** Relative to the root, with `/`. */
  path: string;
  /** The nine bits in octal, such as `0700`; never those beyond. */
  mode: string;
}

/** A path that is not kept. */
export interface SessionLeftOut {
  /** Relative to the root, with `/`; a folder ends with one. */
  path: string;
  /** Why. */
  reason: string;
}
