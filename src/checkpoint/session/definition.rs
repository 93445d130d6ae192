//! The definition of a snapshot.

use super::reason::SnapshotReason;
use crate::schema::{
    BUDGET_FIELD, Field, Kind, Presence, Shape, TOKEN_BUDGET, optional, published, required,
};

/// The occasions of a snapshot, as they are stored.
pub const REASONS: [&str; 5] = [
    SnapshotReason::PhaseComplete.as_str(),
    SnapshotReason::Handoff.as_str(),
    SnapshotReason::Error.as_str(),
    SnapshotReason::ModeSwitch.as_str(),
    SnapshotReason::UserRequested.as_str(),
];

/// The record of one moment: one file each, which never changes.
pub static SESSION: Shape = Shape {
    name: "SessionCheckpoint",
    doc: published("The record of one moment of the work: one file each, which never changes."),
    fields: &[
        required(
            "id",
            Kind::String,
            "Its name, and that of its file: `chk-YYYYMMDD-HHMMSS` in UTC, a further one of the \
             same second with `-2` and so on behind it.",
        ),
        required(
            "created_at",
            Kind::Time,
            "The time at which it was made, by the clock of its host.",
        ),
        required("reason", Kind::Enum(&REASONS), "The occasion."),
        optional("message", Kind::String, "The remarks of its maker."),
        required("task", Kind::Object(&TASK), "The subject of the work."),
        required(
            "progress",
            Kind::Object(&PROGRESS),
            "The progress of the work.",
        ),
        optional(
            "decisions",
            Kind::List(&Kind::Object(&DECISION)),
            "The decisions, the latest last.",
        ),
        optional(
            "files",
            Kind::Object(&FILES),
            "The files that the work touched.",
        ),
        optional(
            "gotchas",
            Kind::List(&Kind::String),
            "The traps for the next session.",
        ),
        optional(
            "evidence",
            Kind::List(&Kind::String),
            "The proof that the work does what it should, beyond the evidence of each phase.",
        ),
        optional(
            "git_diff",
            Kind::String,
            "The differences from HEAD, as git prints them.",
        ),
        required(
            "context_summary",
            Kind::Summary,
            "The facts for the next session: at most 500 words and 64 KiB.",
        ),
        optional(
            "tokens_used",
            Kind::Integer,
            "The tokens that the session had used.",
        ),
        required("resume", Kind::Object(&RESUME), "The resume point."),
        Field {
            name: "head_commit",
            kind: Kind::Nullable(&Kind::String),
            presence: Presence::Additive,
            doc: published("The commit that was checked out; null where there was none."),
        },
        Field {
            name: "undo_of",
            kind: Kind::String,
            presence: Presence::Additive,
            doc: published("The checkpoint before whose restore this one was made."),
        },
        Field {
            name: "made_by",
            kind: Kind::Object(&MADE_BY),
            presence: Presence::Additive,
            doc: published("The hook that made it; absent where a user asked for it."),
        },
        Field {
            name: "checkpoint",
            kind: Kind::Object(&CHECKPOINT),
            presence: Presence::Additive,
            doc: published("The run that it was made of."),
        },
        Field {
            name: BUDGET_FIELD,
            kind: Kind::Object(&TOKEN_BUDGET),
            presence: Presence::Additive,
            doc: published(
                "The budget that the context summary was checked against, beside the 500 words; absent where \
                 words alone were counted.",
            ),
        },
        Field {
            name: "snapshot",
            kind: Kind::Object(&SNAPSHOT),
            presence: Presence::Additive,
            doc: published("The files that differed from the commit, which can be brought back."),
        },
    ],
};

static MADE_BY: Shape = Shape {
    name: "SessionMadeBy",
    doc: published("A hook of a coding agent."),
    fields: &[
        required("agent", Kind::String, "The agent, such as `claude-code`."),
        required("session", Kind::String, "The agent's session."),
        required(
            "work",
            Kind::String,
            "A digest of all that it says, so that the next one is made where that has changed.",
        ),
    ],
};

static TASK: Shape = Shape {
    name: "SessionTask",
    doc: published("The subject of the work."),
    fields: &[
        required(
            "id",
            Kind::Nullable(&Kind::String),
            "The task's id, or its command and feature; null where nothing names it.",
        ),
        optional(
            "input",
            Kind::String,
            "The request, in the words of its author.",
        ),
        optional(
            "mode",
            Kind::String,
            "The way of working, such as `DIRECT` or `ORCHESTRATED`.",
        ),
    ],
};

static PROGRESS: Shape = Shape {
    name: "SessionProgress",
    doc: published("The progress of the work."),
    fields: &[
        required(
            "current_phase",
            Kind::Integer,
            "The number of completed phases, and one more where one is in progress.",
        ),
        required("total_phases", Kind::Integer, "The number of phases."),
        required(
            "completed",
            Kind::List(&Kind::Object(&COMPLETED)),
            "The completed phases, in the order of completion.",
        ),
        optional(
            "remaining",
            Kind::List(&Kind::String),
            "The names of the phases that are left, the one to carry on with first.",
        ),
    ],
};

static COMPLETED: Shape = Shape {
    name: "SessionCompletedPhase",
    doc: published("A completed phase."),
    fields: &[
        required("phase", Kind::Integer, "Its number, from 1."),
        required("name", Kind::String, "Its name."),
        optional("evidence", Kind::String, "The proof that it succeeded."),
    ],
};

static DECISION: Shape = Shape {
    name: "SessionDecision",
    doc: published("One decision."),
    fields: &[
        required("question", Kind::String, "The question to decide."),
        required("decision", Kind::String, "The decision."),
        optional("reason", Kind::String, "Why."),
    ],
};

static FILES: Shape = Shape {
    name: "SessionFiles",
    doc: published("The files that the work touched, relative to the root, with `/`."),
    fields: &[
        optional(
            "created",
            Kind::List(&Kind::String),
            "Paths of files that it created.",
        ),
        optional(
            "modified",
            Kind::List(&Kind::String),
            "Paths of files that it changed.",
        ),
    ],
};

static RESUME: Shape = Shape {
    name: "SessionResume",
    doc: published("The resume point."),
    fields: &[
        required(
            "can_resume",
            Kind::Boolean,
            "True if anything is left to do.",
        ),
        optional("instructions", Kind::String, "The next thing to do."),
    ],
};

static CHECKPOINT: Shape = Shape {
    name: "SessionCommandCheckpoint",
    doc: published("Names a revision of a run."),
    fields: &[
        required("command", Kind::String, "Its command."),
        required(
            "feature",
            Kind::Nullable(&Kind::String),
            "Its feature; null where it has none.",
        ),
        required("revision", Kind::Integer, "Its revision."),
        optional(
            "sha256",
            Kind::String,
            "The content that it had, among those that are kept.",
        ),
        optional("left_out", Kind::String, "Why what it was is not kept."),
    ],
};

static SNAPSHOT: Shape = Shape {
    name: "SessionSnapshot",
    doc: published("The files that differed from the commit."),
    fields: &[
        required(
            "partial",
            Kind::Boolean,
            "True if something that differed is not in it.",
        ),
        required(
            "files",
            Kind::List(&Kind::Object(&FILE)),
            "Every path that differed and that can be brought back.",
        ),
        optional(
            "modes",
            Kind::List(&Kind::Object(&MODE)),
            "The permission bits of the folders on the way to these files, and of other files that a restore touched, \
             where the host knows modes.",
        ),
        optional(
            "left_out",
            Kind::List(&Kind::Object(&LEFT_OUT)),
            "The paths that differed, or may have, and are not kept.",
        ),
        optional(
            "notes",
            Kind::List(&Kind::String),
            "The things that the host could not see.",
        ),
    ],
};

static FILE: Shape = Shape {
    name: "SessionFile",
    doc: published("A path that differed from the commit."),
    fields: &[
        required("path", Kind::String, "Relative to the root, with `/`."),
        required(
            "change",
            Kind::Enum(&CHANGES),
            "The difference from the commit.",
        ),
        optional(
            "kind",
            Kind::Enum(&["file", "link"]),
            "Its kind; absent where nothing was there. The content of a link is the path in it.",
        ),
        optional(
            "executable",
            Kind::Boolean,
            "True if a file was executable, where the host knows modes.",
        ),
        optional(
            "mode",
            Kind::String,
            "The permission bits of a file in octal, such as `0640`, where the host knows modes.",
        ),
        optional("size", Kind::Integer, "Bytes."),
        optional(
            "sha256",
            Kind::String,
            "The SHA-256 of the bytes, in lower-case hex.",
        ),
        optional("staged", Kind::Boolean, "True if some of it was staged."),
    ],
};

static MODE: Shape = Shape {
    name: "SessionMode",
    doc: published("The permission bits of a folder or a file."),
    fields: &[
        required("path", Kind::String, "Relative to the root, with `/`."),
        required(
            "mode",
            Kind::String,
            "The nine bits in octal, such as `0700`; never those beyond.",
        ),
    ],
};

/// The ways in which a path differs from a commit, as stored.
pub const CHANGES: [&str; 3] = ["added", "modified", "deleted"];

static LEFT_OUT: Shape = Shape {
    name: "SessionLeftOut",
    doc: published("A path that is not kept."),
    fields: &[
        required(
            "path",
            Kind::String,
            "Relative to the root, with `/`; a folder ends with one.",
        ),
        required("reason", Kind::String, "Why."),
    ],
};
