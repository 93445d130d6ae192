/** The record of one moment of the work: one file each, which never changes. */
export interface SessionCheckpoint {
  /** Its name, and that of its file: `chk-YYYYMMDD-HHMMSS` in UTC, a further one of the same second with `-2` and so on behind it. */
  id: string;
  /** The time at which it was made, by the clock of its host. */
  created_at: string;
  /** The occasion. */
  reason:
    | "phase_complete"
    | "handoff"
    | "error"
    | "mode_switch"
    | "user_requested";
  /** The remarks of its maker. */
  message?: string;
  /** The subject of the work. */
  task: SessionTask;
  /** The progress of the work. */
  progress: SessionProgress;
  /** The decisions, the latest last. */
  decisions?: SessionDecision[];
  /** The files that the work touched. */
  files?: SessionFiles;
  /** The traps for the next session. */
  gotchas?: string[];
  /** The proof that the work does what it should, beyond the evidence of each phase. */
  evidence?: string[];
  /** The differences from HEAD, as git prints them. */
  git_diff?: string;
  /** The facts for the next session: at most 500 words and 64 KiB. */
  context_summary: string;
  /** The tokens that the session had used. */
  tokens_used?: number;
  /** The resume point. */
  resume: SessionResume;
  /** The commit that was checked out; null where there was none. */
  head_commit?: string | null;
  /** The checkpoint before whose restore this one was made. */
  undo_of?: string;
  /** The hook that made it; absent where a user asked for it. */
  made_by?: SessionMadeBy;
  /** The run that it was made of. */
  checkpoint?: SessionCommandCheckpoint;
  /** The budget that the context summary was checked against, beside the 500 words; absent where words alone were counted. */
  token_budget?: TokenBudget;
  /** The files that differed from the commit, which can be brought back. */
  snapshot?: SessionSnapshot;
}

/** The subject of the work. */
export interface SessionTask {
  /** The task's id, or its command and feature; null where nothing names it. */
  id: string | null;
  /** The request, in the words of its author. */
  input?: string;
  /** The way of working, such as `DIRECT` or `ORCHESTRATED`. */
  mode?: string;
}

/** The progress of the work. */
export interface SessionProgress {
  /** The number of completed phases, and one more where one is in progress. */
  current_phase: number;
  /** The number of phases. */
  total_phases: number;
  /** The completed phases, in the order of completion. */
  completed: SessionCompletedPhase[];
  /** The names of the phases that are left, the one to carry on with first. */
  remaining?: string[];
}

/** One decision. */
export interface SessionDecision {
  /** The question to decide. */
  question: string;
  /** The decision. */
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

/** The resume point. */
export interface SessionResume {
  /** True if anything is left to do. */
  can_resume: boolean;
  /** The next thing to do. */
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

/** Names a revision of a run. */
export interface SessionCommandCheckpoint {
  /** Its command. */
  command: string;
  /** Its feature; null where it has none. */
  feature: string | null;
  /** Its revision. */
  revision: number;
  /** The content that it had, among those that are kept. */
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
  /** True if something that differed is not in it. */
  partial: boolean;
  /** Every path that differed and that can be brought back. */
  files: SessionFile[];
  /** The permission bits of the folders on the way to these files, and of other files that a restore touched, where the host knows modes. */
  modes?: SessionMode[];
  /** The paths that differed, or may have, and are not kept. */
  left_out?: SessionLeftOut[];
  /** The things that the host could not see. */
  notes?: string[];
}

/** A completed phase. */
export interface SessionCompletedPhase {
  /** Its number, from 1. */
  phase: number;
  /** Its name. */
  name: string;
  /** The proof that it succeeded. */
  evidence?: string;
}

/** A path that differed from the commit. */
export interface SessionFile {
  /** Relative to the root, with `/`. */
  path: string;
  /** The difference from the commit. */
  change: "added" | "modified" | "deleted";
  /** Its kind; absent where nothing was there. The content of a link is the path in it. */
  kind?: "file" | "link";
  /** True if a file was executable, where the host knows modes. */
  executable?: boolean;
  /** The permission bits of a file in octal, such as `0640`, where the host knows modes. */
  mode?: string;
  /** Bytes. */
  size?: number;
  /** The SHA-256 of the bytes, in lower-case hex. */
  sha256?: string;
  /** True if some of it was staged. */
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
