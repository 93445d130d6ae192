//! The definition of a run: version 1 of the unified schema.

use crate::schema::{
    BUDGET_FIELD, Field, FileNamePart, Kind, Presence, Shape, TOKEN_BUDGET, optional, published,
    required,
};

/// The version that is written, and the only one that can be.
pub const VERSION: u64 = 1;

/// The commands that have checkpoints.
pub const COMMANDS: [&str; 7] = [
    "start",
    "design",
    "reconcile",
    "research",
    "implement",
    "ship",
    "review",
];

/// Stands for the feature in the stem of a checkpoint that belongs to none.
pub const NO_FEATURE: &str = "checkpoint";

/// The allowed names of a feature. With the command and `.json` its file's name fits any file
/// system's 255 bytes.
pub static FEATURE: FileNamePart = FileNamePart {
    longest: 100,
    except: (
        NO_FEATURE,
        "its file would be that of the checkpoint without a feature",
    ),
};

/// The states of a phase.
pub const STATUSES: [&str; 5] = ["pending", "in_progress", "complete", "failed", "skipped"];

/// The record of one command run: one file for each command and feature.
pub static CHECKPOINT: Shape = Shape {
    name: "UnifiedCheckpoint",
    doc: published("The record of one command run: one file for each command and feature."),
    fields: &[
        required(
            "command",
            Kind::Enum(&COMMANDS),
            "The command whose run this is.",
        ),
        optional(
            "feature",
            Kind::Nullable(&Kind::Part(&FEATURE)),
            "The feature it works on; null or absent for a run without one.",
        ),
        required(
            "version",
            Kind::Constant(VERSION),
            "The version of this schema.",
        ),
        optional(
            "head_commit",
            Kind::Nullable(&Kind::String),
            "The commit that HEAD named at the last save; null or absent outside a repository.",
        ),
        required("started_at", Kind::Time, "The time at which the run began."),
        required(
            "updated_at",
            Kind::Time,
            "The time at which it was last saved.",
        ),
        optional(
            "completed_at",
            Kind::Time,
            "The time at which it was completed; absent until then.",
        ),
        required("state", Kind::Object(&STATE), "The state of the run."),
        required("phases", Kind::Map(&PHASE), "The phases by name."),
        optional(
            "gate",
            Kind::Object(&GATE),
            "The verdict on whether the run may be shipped; used by `ship`.",
        ),
        Field {
            name: "renamed_from",
            kind: Kind::String,
            presence: Presence::Additive,
            doc: published(
                "The seal of the revision that it had under a former name; written by a rename.",
            ),
        },
        Field {
            name: "renamed_to",
            kind: Kind::String,
            presence: Presence::Additive,
            doc: published(
                "The feature that the checkpoint has moved to: this document stands for none.",
            ),
        },
        Field {
            name: "removed_at",
            kind: Kind::Time,
            presence: Presence::Additive,
            doc: published(
                "The time at which the checkpoint went from here: this document stands for none.",
            ),
        },
        Field {
            name: "restores",
            kind: Kind::Integer,
            presence: Presence::Additive,
            doc: published(
                "The revision that this one has the content of, after an undo, a redo or a recovery.",
            ),
        },
        Field {
            name: "branch",
            kind: Kind::Nullable(&Kind::String),
            presence: Presence::Additive,
            doc: published(
                "The branch that it belongs to, null for a detached HEAD; written by hooks.",
            ),
        },
        additive(
            "worktree",
            Kind::String,
            "The worktree that it was recorded in, as git names it: `main-worktree`, or `worktrees/NAME`; \
             written by hooks.",
        ),
        additive(
            "plan",
            Kind::String,
            "The plan that the user approved; written by hooks.",
        ),
        additive(
            "files_outside",
            Kind::List(&Kind::String),
            "Files that its sessions wrote outside of its repository; written by hooks.",
        ),
        additive(
            "agent_sessions",
            Kind::Map(&AGENT_SESSION),
            "The sessions of coding agents that work on it, by their ids; written by hooks.",
        ),
        additive(
            BUDGET_FIELD,
            Kind::Object(&TOKEN_BUDGET),
            "The budget that the context summaries written last were checked against, beside the 500 words; \
             absent where words alone were counted.",
        ),
        Field {
            name: "revision",
            kind: Kind::Integer,
            presence: Presence::Additive,
            doc: published("Counts the committed changes; written by the store."),
        },
        Field {
            name: "seal",
            kind: Kind::String,
            presence: Presence::Additive,
            doc: published(
                "Tells this write from every other, and hand edits from writes; written by the store.",
            ),
        },
    ],
};

/// The fields that an update of a phase brings into a document: a patch is checked against it
/// alone.
pub static UPDATE: Shape = Shape {
    name: "CheckpointUpdate",
    doc: published("The changes that an update of a phase makes in a document."),
    fields: &[
        optional("state", Kind::Object(&TASK), "The state of the run."),
        optional("phases", Kind::Map(&PHASE), "The phase by its name."),
    ],
};

static TASK: Shape = Shape {
    name: "CheckpointTask",
    doc: published("The part of a run's state that an update can name."),
    fields: &[CURRENT_TASK],
};

const CURRENT_TASK: Field = optional(
    "current_task",
    Kind::String,
    "The id of the current task, such as `T002`.",
);

static STATE: Shape = Shape {
    name: "CheckpointState",
    doc: published("The state of a run."),
    fields: &[
        required(
            "current_phase",
            Kind::Nullable(&Kind::Name),
            "The phase in progress, or the failed one to retry; null between phases.",
        ),
        required(
            "completed_phases",
            Kind::List(&Kind::Name),
            "The completed phases, in the order of completion.",
        ),
        required(
            "pending_phases",
            Kind::List(&Kind::Name),
            "The phases still to do, in order.",
        ),
        CURRENT_TASK,
        optional(
            "context_summary",
            Kind::Summary,
            "The facts of the whole run for the next process: at most 500 words and 64 KiB.",
        ),
    ],
};

/// One phase.
pub static PHASE: Shape = Shape {
    name: "CheckpointPhase",
    doc: published("One phase of a run."),
    fields: &[
        required("status", Kind::Enum(&STATUSES), "The status of the phase."),
        optional(
            "started_at",
            Kind::Time,
            "The time at which it was first touched.",
        ),
        optional(
            "updated_at",
            Kind::Time,
            "The time at which it was last changed.",
        ),
        optional(
            "context_summary",
            Kind::Summary,
            "The facts for the next phase: at most 500 words and 64 KiB.",
        ),
        optional(
            "files_created",
            Kind::List(&Kind::String),
            "Paths that the phase created.",
        ),
        optional(
            "files_modified",
            Kind::List(&Kind::String),
            "Paths that the phase changed.",
        ),
        optional("error", Kind::String, "Why the phase failed."),
        additive(
            "summary_source",
            Kind::String,
            "`auto` where the summary is an agent's last message and none was recorded; written by \
             hooks.",
        ),
        additive(
            "agent_task",
            Kind::Object(&AGENT_TASK),
            "The item of an agent's plan that the phase is; written by hooks.",
        ),
        additive(
            "subagent_summaries",
            Kind::List(&Kind::Object(&SUBAGENT_SUMMARY)),
            "The last messages of subagents that worked in it; written by hooks.",
        ),
    ],
};

static AGENT_SESSION: Shape = Shape {
    name: "AgentSession",
    doc: published("A session of a coding agent."),
    fields: &[
        required("agent", Kind::String, "The agent, such as `claude-code`."),
        required(
            "seen_at",
            Kind::Time,
            "The time at which it was last heard of, to the minute.",
        ),
        optional(
            "ended_at",
            Kind::Time,
            "The time at which it ended, or went on to another run.",
        ),
        optional(
            "replaced_by",
            Kind::String,
            "The session that took the run over, until the one before knows it.",
        ),
        optional(
            "displaced_by",
            Kind::String,
            "The session that took the run over, once the one before knows it.",
        ),
        optional(
            "turn",
            Kind::Object(&AGENT_TURN),
            "The work of its turn, from the first file or plan on.",
        ),
    ],
};

static AGENT_TURN: Shape = Shape {
    name: "AgentTurn",
    doc: published("The work of an agent's turn so far."),
    fields: &[
        optional(
            "completed",
            Kind::List(&Kind::String),
            "The phases that it completed.",
        ),
        optional(
            "created",
            Kind::List(&Kind::String),
            "The new files that it was seen to have made.",
        ),
    ],
};

static AGENT_TASK: Shape = Shape {
    name: "AgentTask",
    doc: published("An item of an agent's plan."),
    fields: &[
        required("session", Kind::String, "The session whose plan it is."),
        optional("id", Kind::String, "Its id there, if it has one."),
        optional(
            "text",
            Kind::String,
            "Its text, where that is not the name of the phase.",
        ),
        optional(
            "call",
            Kind::String,
            "The call of the tool that created it, as the agent numbers them.",
        ),
        optional(
            "dropped",
            Kind::Boolean,
            "True if the plan does not have it any more.",
        ),
    ],
};

static SUBAGENT_SUMMARY: Shape = Shape {
    name: "SubagentSummary",
    doc: published("The report of a subagent."),
    fields: &[
        optional("agent_type", Kind::String, "The purpose of the subagent."),
        required("ended_at", Kind::Time, "The time at which it ended."),
        required("summary", Kind::Summary, "Its last message."),
    ],
};

const fn additive(name: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field {
        name,
        kind,
        presence: Presence::Additive,
        doc: published(doc),
    }
}

static GATE: Shape = Shape {
    name: "CheckpointGate",
    doc: published("The verdict on whether the run may be shipped."),
    fields: &[
        required(
            "ship_allowed",
            Kind::Boolean,
            "True if shipping is allowed at all.",
        ),
        required(
            "blockers",
            Kind::List(&Kind::String),
            "The reasons against it; empty when there are none.",
        ),
        optional(
            "head_commit",
            Kind::String,
            "The only commit for which this holds, when given.",
        ),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json;

    /// Returns the problems that the definition finds in a document, as `pointer code` lines.
    fn problems(text: &str) -> Vec<String> {
        let document = json::read(text.as_bytes()).unwrap().value;
        let problems = CHECKPOINT.problems(&document);
        let lines = problems
            .iter()
            .map(|problem| format!("{} {}", problem.at, problem.code.as_str()));
        lines.collect()
    }

    const SMALL: &str = r#"{
        "command": "design", "version": 1,
        "started_at": "2026-01-29T10:30:00.000Z", "updated_at": "2026-01-29T10:30:00.000Z",
        "state": {"current_phase": null, "completed_phases": [], "pending_phases": []},
        "phases": {"research": {"status": "pending"}}
    }"#;

    #[test]
    fn a_checkpoint_without_optional_fields_is_fine() {
        assert_eq!(problems(SMALL), Vec::<String>::new());
    }

    #[test]
    fn feature_and_head_commit_may_be_a_string_or_null_or_absent() {
        for value in ["null", r#""x""#] {
            let fields = format!(r#"{{"feature": {value}, "head_commit": {value},"#);
            let text = SMALL.replacen('{', &fields, 1);
            assert_eq!(problems(&text), Vec::<String>::new(), "{text}");
        }
        let text = SMALL.replacen('{', r#"{"feature": 1, "head_commit": [],"#, 1);
        assert_eq!(problems(&text), ["/feature type", "/head_commit type"]);
    }

    #[test]
    fn the_summary_of_the_whole_run_is_checked_as_those_of_its_phases() {
        let long = "word ".repeat(501);
        let in_phase = format!(r#""pending", "context_summary": "{long}""#);
        let in_state = format!(r#""state": {{"context_summary": "{long}","#);
        let text =
            SMALL
                .replacen(r#""pending""#, &in_phase, 1)
                .replacen(r#""state": {"#, &in_state, 1);
        assert_eq!(
            problems(&text),
            [
                "/state/context_summary summary_too_long",
                "/phases/research/context_summary summary_too_long"
            ]
        );
    }

    #[test]
    fn every_required_field_is_missed() {
        assert_eq!(
            problems(r#"{"state": {}, "phases": {"a": {}}, "gate": {}}"#),
            [
                "/command required",
                "/version required",
                "/started_at required",
                "/updated_at required",
                "/state/current_phase required",
                "/state/completed_phases required",
                "/state/pending_phases required",
                "/phases/a/status required",
                "/gate/ship_allowed required",
                "/gate/blockers required",
            ]
        );
    }

    #[test]
    fn revision_and_seal_are_the_last_two() {
        let names: Vec<_> = CHECKPOINT.fields.iter().map(|field| field.name).collect();
        assert_eq!(names[names.len() - 2..], ["revision", "seal"]);
    }
}
