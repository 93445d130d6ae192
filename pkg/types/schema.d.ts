/** The record of one command run: one file for each command and feature. */
export interface UnifiedCheckpoint {
  /** The command whose run this is. */
  command:
    | "start"
    | "design"
    | "reconcile"
    | "research"
    | "implement"
    | "ship"
    | "review";
  /** The feature it works on; null or absent for a run without one. */
  feature?: string | null;
  /** The version of this schema. */
  version: 1;
  /** The commit that HEAD named at the last save; null or absent outside a repository. */
  head_commit?: string | null;
  /** The time at which the run began. */
  started_at: string;
  /** The time at which it was last saved. */
  updated_at: string;
  /** The time at which it was completed; absent until then. */
  completed_at?: string;
  /** The state of the run. */
  state: CheckpointState;
  /** The phases by name. */
  phases: { [name: string]: CheckpointPhase };
  /** The verdict on whether the run may be shipped; used by `ship`. */
  gate?: CheckpointGate;
  /** The seal of the revision that it had under a former name; written by a rename. */
  renamed_from?: string;
  /** The feature that the checkpoint has moved to: this document stands for none. */
  renamed_to?: string;
  /** The time at which the checkpoint went from here: this document stands for none. */
  removed_at?: string;
  /** The revision that this one has the content of, after an undo, a redo or a recovery. */
  restores?: number;
  /** The branch that it belongs to, null for a detached HEAD; written by hooks. */
  branch?: string | null;
  /** The worktree that it was recorded in, as git names it: `main-worktree`, or `worktrees/NAME`; written by hooks. */
  worktree?: string;
  /** The plan that the user approved; written by hooks. */
  plan?: string;
  /** Files that its sessions wrote outside of its repository; written by hooks. */
  files_outside?: string[];
  /** The sessions of coding agents that work on it, by their ids; written by hooks. */
  agent_sessions?: { [name: string]: AgentSession };
  /** The budget that the context summaries written last were checked against, beside the 500 words; absent where words alone were counted. */
  token_budget?: TokenBudget;
  /** Counts the committed changes; written by the store. */
  revision?: number;
  /** Tells this write from every other, and hand edits from writes; written by the store. */
  seal?: string;
}

/** The state of a run. */
export interface CheckpointState {
  /** The phase in progress, or the failed one to retry; null between phases. */
  current_phase: string | null;
  /** The completed phases, in the order of completion. */
  completed_phases: string[];
  /** The phases still to do, in order. */
  pending_phases: string[];
  /** The id of the current task, such as `T002`. */
  current_task?: string;
  /** The facts of the whole run for the next process: at most 500 words and 64 KiB. */
  context_summary?: string;
}

/** One phase of a run. */
export interface CheckpointPhase {
  /** The status of the phase. */
  status: "pending" | "in_progress" | "complete" | "failed" | "skipped";
  /** The time at which it was first touched. */
  started_at?: string;
  /** The time at which it was last changed. */
  updated_at?: string;
  /** The facts for the next phase: at most 500 words and 64 KiB. */
  context_summary?: string;
  /** Paths that the phase created. */
  files_created?: string[];
  /** Paths that the phase changed. */
  files_modified?: string[];
  /** Why the phase failed. */
  error?: string;
  /** `auto` where the summary is an agent's last message and none was recorded; written by hooks. */
  summary_source?: string;
  /** The item of an agent's plan that the phase is; written by hooks. */
  agent_task?: AgentTask;
  /** The last messages of subagents that worked in it; written by hooks. */
  subagent_summaries?: SubagentSummary[];
}

/** The verdict on whether the run may be shipped. */
export interface CheckpointGate {
  /** True if shipping is allowed at all. */
  ship_allowed: boolean;
  /** The reasons against it; empty when there are none. */
  blockers: string[];
  /** The only commit for which this holds, when given. */
  head_commit?: string;
}

/** A session of a coding agent. */
export interface AgentSession {
  /** The agent, such as `claude-code`. */
  agent: string;
  /** The time at which it was last heard of, to the minute. */
  seen_at: string;
  /** The time at which it ended, or went on to another run. */
  ended_at?: string;
  /** The session that took the run over, until the one before knows it. */
  replaced_by?: string;
  /** The session that took the run over, once the one before knows it. */
  displaced_by?: string;
  /** The work of its turn, from the first file or plan on. */
  turn?: AgentTurn;
}

/** A limit in exact tokens, as a model of OpenAI counts them. */
export interface TokenBudget {
  /** The encoding in which they are counted. */
  encoding: "o200k" | "cl100k";
  /** The most tokens of a summary. */
  limit: number;
}

/** An item of an agent's plan. */
export interface AgentTask {
  /** The session whose plan it is. */
  session: string;
  /** Its id there, if it has one. */
  id?: string;
  /** Its text, where that is not the name of the phase. */
  text?: string;
  /** The call of the tool that created it, as the agent numbers them. */
  call?: string;
  /** True if the plan does not have it any more. */
  dropped?: boolean;
}

/** The report of a subagent. */
export interface SubagentSummary {
  /** The purpose of the subagent. */
  agent_type?: string;
  /** The time at which it ended. */
  ended_at: string;
  /** Its last message. */
  summary: string;
}

/** The work of an agent's turn so far. */
export interface AgentTurn {
  /** The phases that it completed. */
  completed?: string[];
  /** The new files that it was seen to have made. */
  created?: string[];
}
