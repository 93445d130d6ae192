//! The row of an operation: its name, the shape of its arguments, the shape of its answer, and its
//! function. It stands in the file of the operation.

use crate::effect::{Boxed, Io};
use crate::error::{Error, Target};
use crate::extent::WRITES;
use crate::json::{Json, Object};
use crate::schema::{Field, Kind, Presence, Shape, published};

use super::{Reply, Settings, Warnings};

pub(super) use crate::schema::required;

/// One operation.
#[derive(Debug)]
pub struct Operation {
    /// Its name in requests.
    pub name: &'static str,
    /// One sentence.
    pub doc: &'static str,
    /// The members of a request beside `operation` and `place`.
    pub arguments: &'static Shape,
    /// The kind of its value; `None` in a wasm that publishes no definitions.
    pub answer: Option<Kind>,
    /// The capability that has it.
    pub capability: Capability,
    /// Set where it may write, or needs more than what is stored: the viewer has none of these.
    pub changes: bool,
    pub(super) run: OperationFunction,
}

/// The entry of the package that has an operation, and so the wasm files that have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// The store, on any host.
    Library,
    /// The store, for files on a disk alone: only the wasm of the command line has it.
    Disks,
    /// Snapshots.
    Sessions,
    /// Task checkpoints.
    Tasks,
    /// Threads of checkpoints.
    Threads,
    /// Notices to others: only the wasm of the command line has them.
    Notifications,
    /// Hooks of coding agents.
    Agents,
    /// Views of a project: only the wasm of the command line has them.
    Viewing,
}

/// The function of an operation.
#[derive(Clone, Copy, Debug)]
pub(super) enum OperationFunction {
    /// It works at a place, over effects.
    At(At),
    /// It asks for nothing but its arguments.
    Alone(fn(&Arguments) -> Reply<Json>),
}

type At = for<'a> fn(&'a Io, &'a Settings, &'a Arguments) -> Answering<'a>;

/// An operation in progress. It is boxed, and so compiled as a function of its own: a runtime spends
/// long on one function that has all of them in it.
pub(super) type Answering<'a> = Boxed<'a, Reply<Json>>;

impl Operation {
    /// An operation at a place.
    pub(super) const fn at(
        name: &'static str,
        doc: &'static str,
        arguments: &'static Shape,
        answer: Kind,
        run: At,
    ) -> Self {
        Operation {
            name,
            doc: published(doc),
            arguments,
            answer: published_kind(answer),
            capability: Capability::Library,
            changes: false,
            run: OperationFunction::At(run),
        }
    }

    /// A row of an operation that writes, or that needs more than what is stored. The wasm of the viewer, which can do
    /// neither, has its name alone.
    pub(super) const fn changing(
        name: &'static str,
        doc: &'static str,
        arguments: &'static Shape,
        answer: Kind,
        run: At,
    ) -> Self {
        let operation = match WRITES {
            true => Operation::at(name, doc, arguments, answer, run),
            false => Operation::alone(name, doc, &NONE, answer, refused),
        };
        Operation {
            changes: true,
            ..operation
        }
    }

    /// An operation on its arguments alone.
    pub(super) const fn alone(
        name: &'static str,
        doc: &'static str,
        arguments: &'static Shape,
        answer: Kind,
        run: fn(&Arguments) -> Reply<Json>,
    ) -> Self {
        Operation {
            name,
            doc: published(doc),
            arguments,
            answer: published_kind(answer),
            capability: Capability::Library,
            changes: false,
            run: OperationFunction::Alone(run),
        }
    }

    /// Moves the row to another capability.
    #[cfg(any(
        feature = "cli",
        feature = "sessions",
        feature = "agents",
        feature = "tasks",
        not(target_family = "wasm")
    ))]
    pub(super) const fn of(self, capability: Capability) -> Self {
        Operation { capability, ..self }
    }

    /// Returns whether a request for it has a `place`.
    pub fn has_place(&self) -> bool {
        matches!(self.run, OperationFunction::At(_))
    }
}

fn refused(_: &Arguments) -> Reply<Json> {
    read_only()
}

/// The reply of a wasm that has nowhere to write.
pub(super) fn read_only() -> Reply<Json> {
    let message = "Nothing can be changed here: this only shows what is stored";
    Warnings::default().reply(Err(Error::usage(message.to_owned())))
}

const fn published_kind(kind: Kind) -> Option<Kind> {
    match published("-").is_empty() {
        true => None,
        false => Some(kind),
    }
}

/// Arguments that have the shape of their operation: what a shape requires is there.
#[derive(Clone, Debug)]
pub(super) struct Arguments(pub(super) Object);

impl Arguments {
    pub(super) fn text(&self, key: &str) -> &str {
        self.optional_text(key).unwrap_or_default()
    }

    pub(super) fn optional_text(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.as_str()
    }

    pub(super) fn number(&self, key: &str) -> Option<u64> {
        self.0.get(key)?.as_u64()
    }

    #[cfg(any(
        feature = "cli",
        feature = "sessions",
        feature = "agents",
        feature = "tasks",
        not(target_family = "wasm")
    ))]
    pub(super) fn flag(&self, key: &str) -> bool {
        self.0.get(key).and_then(Json::as_bool).unwrap_or_default()
    }

    /// Any value but null.
    pub(super) fn value(&self, key: &str) -> Option<&Json> {
        self.0.get(key).filter(|value| **value != Json::Null)
    }

    pub(super) fn target(&self) -> Target {
        Target {
            command: self.text("command").to_owned(),
            feature: self.optional_text("feature").map(str::to_owned),
        }
    }
}

/// A member that may be absent or null.
pub(super) const fn optional(name: &'static str, kind: &'static Kind, doc: &'static str) -> Field {
    Field {
        name,
        kind: Kind::Nullable(kind),
        presence: Presence::Optional,
        doc: published(doc),
    }
}

/// A shape of arguments or of an answer.
pub(super) const fn shape(
    name: &'static str,
    doc: &'static str,
    fields: &'static [Field],
) -> Shape {
    Shape {
        name,
        doc: published(doc),
        fields,
    }
}

/// The command of a checkpoint.
pub(super) const COMMAND: Field =
    required("command", Kind::String, "The command, such as `design`.");
/// The feature of a checkpoint.
pub(super) const FEATURE: Field = optional(
    "feature",
    &Kind::String,
    "The feature, if the checkpoint belongs to one.",
);
/// A revision that is stored.
pub(super) const REVISION: Field = required(
    "revision",
    Kind::Integer,
    "The revision that is stored now.",
);
/// The seal of a revision that is stored.
pub(super) const SEAL: Field = required(
    "seal",
    Kind::String,
    "Its seal: with the revision, the base of a compare-and-swap.",
);

/// The arguments of an operation on one checkpoint that takes nothing else.
pub(super) const TARGET: Shape = shape("TargetArguments", "The checkpoint.", &[COMMAND, FEATURE]);
/// The arguments of an operation that takes none.
pub(super) const NONE: Shape = shape("NoArguments", "Nothing.", &[]);
