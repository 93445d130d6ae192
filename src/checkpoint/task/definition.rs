//! The definitions of a task checkpoint and of the index of a task.

use crate::schema::{Field, Kind, Presence, Shape, optional, published, required};

/// The version of the index that is written, and the only one that can be.
pub const VERSION: u64 = 1;

/// One execution snapshot of a task, with its maker's own names: it is stored unchanged.
///
/// Never publish it together with a run, a part of which has the same name in TypeScript.
pub static STATE: Shape = Shape {
    name: "CheckpointState",
    doc: published("One execution snapshot of a task."),
    fields: &[
        required(
            "id",
            Kind::String,
            "Its name, free text: no other task has one of the same name.",
        ),
        required("taskId", Kind::String, "The task's name, free text."),
        required("agentId", Kind::String, "The agent that works on it."),
        required(
            "stepIndex",
            Kind::Integer,
            "The steps done: a whole number from 0 to `totalSteps`.",
        ),
        required("totalSteps", Kind::Integer, "The number of its steps."),
        required(
            "context",
            Kind::Record,
            "Any data that its agent needs to carry on.",
        ),
        required(
            "completedSteps",
            Kind::List(&Kind::Object(&COMPLETED_STEP)),
            "The steps that are done, in their order.",
        ),
        required(
            "pendingSteps",
            Kind::List(&Kind::String),
            "The steps that remain, in their order.",
        ),
        required(
            "createdAt",
            Kind::Time,
            "The time at which its maker made it.",
        ),
        optional("metadata", Kind::Record, "The remarks of its maker."),
    ],
};

static COMPLETED_STEP: Shape = Shape {
    name: "CompletedStep",
    doc: published("One step that is done."),
    fields: &[
        required("stepId", Kind::String, "Its name, free text."),
        required("name", Kind::String, "Its name for people."),
        // A step that yields nothing has `undefined` here, which JSON leaves out.
        optional("result", Kind::Any, "Its result, if it has one."),
        // Not only whole ones, and below 0 where a clock was set back in between.
        required("durationMs", Kind::Number, "Its duration, in ms."),
        required("completedAt", Kind::Time, "The time at which it was done."),
    ],
};

/// The index of a task: the one document of it that changes. Each checkpoint is an immutable part beside
/// it.
pub static INDEX: Shape = Shape {
    name: "TaskIndex",
    doc: published("The checkpoints of a task: its one document that changes."),
    fields: &[
        required(
            "version",
            Kind::Constant(VERSION),
            "The version of this schema.",
        ),
        required("task", Kind::String, "The task's name, free text."),
        required(
            "changes",
            Kind::Integer,
            "Counts saves and removals, from any number on: the base of a compare-and-swap of callers, as `revision` is \
             that of the store, which also commits what concerns it alone.",
        ),
        required(
            "checkpoints",
            Kind::List(&Kind::Object(&ENTRY)),
            "The checkpoints, in the order in which they were first saved.",
        ),
        additive(
            "generation",
            Kind::String,
            "Under which parts were prepared that the index may name; written by the store.",
        ),
        additive(
            "revision",
            Kind::Integer,
            "Counts the committed changes; written by the store.",
        ),
        additive(
            "seal",
            Kind::String,
            "Tells this write from every other, and hand edits from writes; written by the store.",
        ),
    ],
};

/// One checkpoint of an index.
pub(super) static ENTRY: Shape = Shape {
    name: "TaskIndexEntry",
    doc: published("One checkpoint of a task."),
    fields: &[
        required("id", Kind::String, "Its name, free text."),
        required("key", Kind::String, "A hash of it, which names files."),
        required(
            "token",
            Kind::String,
            "The part with this key that holds it.",
        ),
        required("bytes", Kind::Integer, "Its size in bytes."),
        required(
            "saved_at",
            Kind::Time,
            "The time at which it was last saved, by the clock of its host.",
        ),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{MemberNaming, interfaces};

    #[test]
    fn the_interface_is_the_specified_one() {
        let page = interfaces(&[&STATE], MemberNaming::AsIs);
        let lines = page.lines().filter(|line| !line.contains("/**"));
        let expected = "\
export interface CheckpointState {
  id: string;
  taskId: string;
  agentId: string;
  stepIndex: number;
  totalSteps: number;
  context: { [field: string]: unknown };
  completedSteps: CompletedStep[];
  pendingSteps: string[];
  createdAt: string;
  metadata?: { [field: string]: unknown };
}

export interface CompletedStep {
  stepId: string;
  name: string;
  result?: unknown;
  durationMs: number;
  completedAt: string;
}";
        assert_eq!(lines.collect::<Vec<_>>().join("\n"), expected);
    }

    #[test]
    fn members_that_the_store_writes_are_not_among_the_unknown_ones() {
        let names = INDEX.fields.iter().map(|field| field.name);
        let names: Vec<_> = names.collect();
        assert_eq!(names[names.len() - 3..], ["generation", "revision", "seal"]);
    }
}
