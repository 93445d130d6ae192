//! Every agent, and what differs from one to the next.

use crate::json::{Json, Object};

/// A coding agent that runs hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Agent {
    /// Claude Code.
    ClaudeCode,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Cursor.
    Cursor,
    /// Copilot CLI.
    Copilot,
    /// OpenCode, by way of a plugin that sends the payloads of this table.
    OpenCode,
    /// Qwen Code.
    QwenCode,
}

/// The kinds of event, under whichever name an agent has for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventKind {
    SessionStart,
    Prompt,
    AfterTool,
    Stop,
    SubagentStop,
    BeforeCompaction,
    Failure,
    SessionEnd,
}

/// The place in an answer of the text that joins the context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContextAt {
    /// `hookSpecificOutput.additionalContext`, beside the name of the event.
    HookSpecificOutput,
    /// `additional_context`.
    Snake,
    /// `additionalContext`.
    Camel,
}

/// The kinds of tool that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tool {
    /// Writes one file, which a member names.
    Writes(Member),
    /// Applies a patch, which names its files.
    Patches,
    /// Makes one task of the plan.
    MakesTask,
    /// Changes one task of the plan.
    ChangesTask,
    /// Replaces the whole plan: the list, and the text of each of its items.
    Plans { list: Member, text: Member },
    /// Presents a plan that the user approved: its text.
    Presents(Member),
}

/// The name of a member, and whether the tool that has it can make a file.
pub(super) type Member = &'static str;

/// One agent.
pub(super) struct AgentRow {
    pub(super) name: &'static str,
    /// Events by the names of this agent.
    pub(super) events: &'static [(&'static str, EventKind)],
    /// Tools by the names of this agent.
    pub(super) tools: &'static [(&'static str, Tool)],
    /// The members that may hold the id of a session, the first one that is there.
    pub(super) session: &'static [&'static str],
    /// The members that may name what started a subagent, for an agent whose subagents have sessions of their
    /// own: its session, or another subagent.
    pub(super) parent: &'static [Member],
    /// The members that may hold a prompt, the first one that is there.
    pub(super) prompt: &'static [Member],
    /// The member of a stop that names the transcript, for an agent that says its last words only there.
    pub(super) transcript: Option<Member>,
    /// Variables of the environment that name the project, the first one that is there.
    pub(super) project_variables: &'static [&'static str],
    pub(super) context: ContextAt,
    /// The occasions whose answer may give context.
    pub(super) gives_context: &'static [EventKind],
    /// Set where no session starts after a compaction, so that nothing says when the context is a new one.
    pub(super) is_silent_after_compaction: bool,
}

use EventKind::{
    AfterTool, BeforeCompaction, Failure, Prompt, SessionEnd, SessionStart, Stop, SubagentStop,
};

/// Claude's wire format, which Codex has taken over.
const CLAUDE_EVENTS: &[(&str, EventKind)] = &[
    ("SessionStart", SessionStart),
    ("UserPromptSubmit", Prompt),
    ("PostToolUse", AfterTool),
    ("Stop", Stop),
    ("SubagentStop", SubagentStop),
    ("PreCompact", BeforeCompaction),
    ("StopFailure", Failure),
    ("SessionEnd", SessionEnd),
];

const CLAUDE_CODE: AgentRow = AgentRow {
    name: "claude-code",
    events: CLAUDE_EVENTS,
    tools: &[
        ("Write", Tool::Writes("file_path")),
        ("Edit", Tool::Writes("file_path")),
        ("MultiEdit", Tool::Writes("file_path")),
        ("NotebookEdit", Tool::Writes("notebook_path")),
        ("TaskCreate", Tool::MakesTask),
        ("TaskUpdate", Tool::ChangesTask),
        (
            "TodoWrite",
            Tool::Plans {
                list: "todos",
                text: "content",
            },
        ),
        ("ExitPlanMode", Tool::Presents("plan")),
    ],
    session: &["session_id"],
    // Copilot CLI runs the entries of Claude Code as well, in the form of these events.
    parent: &["parent_agent_id"],
    prompt: &["prompt"],
    transcript: Some("transcript_path"),
    project_variables: &["CLAUDE_PROJECT_DIR"],
    context: ContextAt::HookSpecificOutput,
    gives_context: &[SessionStart, Prompt, AfterTool],
    is_silent_after_compaction: false,
};

const CODEX: AgentRow = AgentRow {
    name: "codex",
    events: &[
        ("SessionStart", SessionStart),
        ("UserPromptSubmit", Prompt),
        ("PostToolUse", AfterTool),
        ("Stop", Stop),
        ("SubagentStop", SubagentStop),
        ("PreCompact", BeforeCompaction),
        ("PostModelRequest", Failure),
        ("SessionEnd", SessionEnd),
    ],
    tools: &[
        ("apply_patch", Tool::Patches),
        (
            "update_plan",
            Tool::Plans {
                list: "plan",
                text: "step",
            },
        ),
    ],
    session: &["session_id"],
    parent: &[],
    prompt: &["prompt"],
    transcript: None,
    project_variables: &[],
    context: ContextAt::HookSpecificOutput,
    gives_context: &[SessionStart, Prompt, AfterTool],
    is_silent_after_compaction: false,
};

/// Its `PreCompress` comes before every request to the model, so that it says nothing of compaction.
const GEMINI: AgentRow = AgentRow {
    name: "gemini",
    events: &[
        ("SessionStart", SessionStart),
        ("BeforeAgent", Prompt),
        ("AfterTool", AfterTool),
        ("AfterAgent", Stop),
        ("SessionEnd", SessionEnd),
    ],
    tools: &[
        ("write_file", Tool::Writes("file_path")),
        ("replace", Tool::Writes("file_path")),
        (
            "write_todos",
            Tool::Plans {
                list: "todos",
                text: "description",
            },
        ),
    ],
    session: &["session_id"],
    parent: &[],
    prompt: &["prompt"],
    transcript: None,
    project_variables: &["GEMINI_PROJECT_DIR", "CLAUDE_PROJECT_DIR"],
    context: ContextAt::HookSpecificOutput,
    gives_context: &[SessionStart, Prompt, AfterTool],
    is_silent_after_compaction: false,
};

const CURSOR: AgentRow = AgentRow {
    name: "cursor",
    events: &[
        ("sessionStart", SessionStart),
        ("beforeSubmitPrompt", Prompt),
        ("postToolUse", AfterTool),
        ("afterFileEdit", AfterTool),
        ("stop", Stop),
        ("subagentStop", SubagentStop),
        ("preCompact", BeforeCompaction),
        ("sessionEnd", SessionEnd),
    ],
    tools: &[
        ("Write", Tool::Writes("file_path")),
        // Cursor's own event for a file has no tool; its path stands beside the event.
        ("afterFileEdit", Tool::Writes("file_path")),
    ],
    session: &["session_id", "conversation_id"],
    parent: &[],
    prompt: &["prompt"],
    transcript: None,
    project_variables: &["CURSOR_PROJECT_DIR"],
    context: ContextAt::Snake,
    gives_context: &[SessionStart, AfterTool],
    is_silent_after_compaction: false,
};

/// Its plan is rows of a database, changed by statements in SQL: nothing is read from them.
const COPILOT: AgentRow = AgentRow {
    name: "copilot",
    events: &[
        ("sessionStart", SessionStart),
        ("userPromptSubmitted", Prompt),
        ("postToolUse", AfterTool),
        ("agentStop", Stop),
        ("subagentStop", SubagentStop),
        ("preCompact", BeforeCompaction),
        ("errorOccurred", Failure),
        ("sessionEnd", SessionEnd),
    ],
    tools: &[
        ("create", Tool::Writes("path")),
        ("edit", Tool::Writes("path")),
        ("apply_patch", Tool::Patches),
    ],
    session: &["sessionId"],
    parent: &["parentAgentId"],
    prompt: &["prompt"],
    transcript: Some("transcriptPath"),
    project_variables: &[],
    context: ContextAt::Camel,
    // It takes context from `preToolUse` and `subagentStart` too. Neither is registered: a process for each tool
    // would say nothing earlier than the one after it.
    gives_context: &[SessionStart, Prompt, AfterTool],
    is_silent_after_compaction: true,
};

const OPENCODE: AgentRow = AgentRow {
    name: "opencode",
    events: &[
        ("session.created", SessionStart),
        ("chat.message", Prompt),
        ("tool.execute.after", AfterTool),
        ("session.idle", Stop),
        ("subagent.idle", SubagentStop),
        ("experimental.session.compacting", BeforeCompaction),
        ("session.error", Failure),
        ("session.deleted", SessionEnd),
        ("dispose", SessionEnd),
    ],
    tools: &[
        ("write", Tool::Writes("filePath")),
        ("edit", Tool::Writes("filePath")),
        ("patch", Tool::Patches),
        ("apply_patch", Tool::Patches),
        (
            "todowrite",
            Tool::Plans {
                list: "todos",
                text: "content",
            },
        ),
    ],
    session: &["sessionID"],
    parent: &[],
    prompt: &["prompt"],
    transcript: None,
    project_variables: &[],
    context: ContextAt::Camel,
    gives_context: &[SessionStart, Prompt, BeforeCompaction],
    is_silent_after_compaction: false,
};

/// Claude Code's events and answers with the tools of Gemini CLI. A run without a terminal sends no `SessionEnd`, and a
/// request that failed no event at all. `UserPromptSubmit` comes before each request to the model, with an empty prompt
/// but for the first.
const QWEN_CODE: AgentRow = AgentRow {
    name: "qwen-code",
    events: &[
        ("SessionStart", SessionStart),
        ("UserPromptSubmit", Prompt),
        ("PostToolUse", AfterTool),
        ("Stop", Stop),
        ("SubagentStop", SubagentStop),
        ("PreCompact", BeforeCompaction),
        ("SessionEnd", SessionEnd),
    ],
    tools: &[
        ("write_file", Tool::Writes("file_path")),
        ("edit", Tool::Writes("file_path")),
        ("notebook_edit", Tool::Writes("notebook_path")),
        (
            "todo_write",
            Tool::Plans {
                list: "todos",
                text: "content",
            },
        ),
    ],
    session: &["session_id"],
    parent: &[],
    // `submitted_prompt` is the text as typed; `prompt` is the text that a command expands to.
    prompt: &["submitted_prompt", "prompt"],
    transcript: None,
    project_variables: &["QWEN_PROJECT_DIR"],
    context: ContextAt::HookSpecificOutput,
    gives_context: &[SessionStart, Prompt, AfterTool],
    is_silent_after_compaction: false,
};

impl Agent {
    /// Every agent, in the order of the documentation.
    pub const ALL: [Agent; 7] = [
        Agent::ClaudeCode,
        Agent::Codex,
        Agent::Gemini,
        Agent::Cursor,
        Agent::Copilot,
        Agent::OpenCode,
        Agent::QwenCode,
    ];

    pub(super) fn row(self) -> &'static AgentRow {
        match self {
            Agent::ClaudeCode => &CLAUDE_CODE,
            Agent::Codex => &CODEX,
            Agent::Gemini => &GEMINI,
            Agent::Cursor => &CURSOR,
            Agent::Copilot => &COPILOT,
            Agent::OpenCode => &OPENCODE,
            Agent::QwenCode => &QWEN_CODE,
        }
    }

    /// Its name on the command line, such as `claude-code`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// The tools that keep its plan, as a sentence names them; `None` where no hook runs for one.
    pub fn plan_tools(self) -> Option<String> {
        let is_of_plan = |tool: &Tool| matches!(tool, Tool::MakesTask | Tool::Plans { .. });
        let tools = self.row().tools.iter().filter(|(_, tool)| is_of_plan(tool));
        let names: Vec<&str> = tools.map(|(name, _)| *name).collect();
        (!names.is_empty()).then(|| names.join(" or "))
    }

    /// The agent of that name.
    pub fn parse(name: &str) -> Option<Agent> {
        Agent::ALL.into_iter().find(|agent| agent.name() == name)
    }

    /// Returns whether no session starts after a compaction, so that nothing says when the context is a new one.
    pub fn is_silent_after_compaction(self) -> bool {
        self.row().is_silent_after_compaction
    }

    /// The variables of the environment that may name the project, the first one that is there.
    pub fn project_variables(self) -> &'static [&'static str] {
        self.row().project_variables
    }
}

/// Members below the top of a payload that hold what stands in a file, or what a model said of it: nothing is read
/// from them, so that a host may leave them out.
pub const UNREAD: [&str; 18] = [
    "content",
    "edits",
    "fileDiff",
    "llmContent",
    "newContent",
    "newString",
    "new_source",
    "new_string",
    "oldString",
    "oldTodos",
    "old_string",
    "originalContent",
    "originalFile",
    "original_file",
    "originalFileContents",
    "structuredPatch",
    "updatedFile",
    "updated_file",
];

/// The part of the table that a host needs before it loads anything: for each agent its events that mean something,
/// each with the tools that matter for it (null: any tool), and the variables to pass on.
pub fn published() -> Json {
    let mut agents = Object::new();
    for agent in Agent::ALL {
        let row = agent.row();
        let mut events = Object::new();
        for (name, occasion) in row.events {
            let names = row.tools.iter().map(|(name, _)| Json::from(*name));
            let tools = match occasion {
                AfterTool if *name != "afterFileEdit" => Json::from(names.collect::<Vec<_>>()),
                _ => Json::Null,
            };
            events.set(name, tools);
        }
        let variables = row.project_variables.iter().map(|name| Json::from(*name));
        let known = Object::new()
            .with("events", events)
            .with("environment", variables.collect::<Vec<_>>());
        agents.set(row.name, known);
    }
    agents.into()
}
