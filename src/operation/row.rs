//! The row of an operation: its name, the shape of its arguments, the shape of its answer, and its
//! function. It stands in the file of the operation.

#[cfg(threads)]
use std::rc::Rc;

use crate::effect::{Boxed, Io};
use crate::error::Error;
use crate::extent::WRITES;
use crate::json::{Json, Object};
use crate::schema::{ArgumentMembers, Kind, Shape, Shaped, published};

use super::{Reply, Settings, Warnings};

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
    /// Set where the text behind a request is no argument: it is too large to be copied.
    #[cfg(threads)]
    pub(super) shares_text: bool,
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
    /// Rewinds, of files on a disk alone: only the wasm of the command line has them.
    Rewinds,
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
    pub(super) const fn at<A: ArgumentMembers<'static>, R: Shaped>(
        name: &'static str,
        doc: &'static str,
        run: At,
    ) -> Self {
        Operation::of_function::<A, R>(name, doc, OperationFunction::At(run))
    }

    /// A row of an operation that writes, or that needs more than what is stored. The wasm of the viewer, which can do
    /// neither, has its name alone.
    pub(super) const fn changing<A: ArgumentMembers<'static>, R: Shaped>(
        name: &'static str,
        doc: &'static str,
        run: At,
    ) -> Self {
        let operation = match WRITES {
            true => Operation::at::<A, R>(name, doc, run),
            false => Operation::alone::<(), R>(name, doc, refused),
        };
        Operation {
            changes: true,
            ..operation
        }
    }

    /// An operation on its arguments alone.
    pub(super) const fn alone<A: ArgumentMembers<'static>, R: Shaped>(
        name: &'static str,
        doc: &'static str,
        run: fn(&Arguments) -> Reply<Json>,
    ) -> Self {
        Operation::of_function::<A, R>(name, doc, OperationFunction::Alone(run))
    }

    const fn of_function<A: ArgumentMembers<'static>, R: Shaped>(
        name: &'static str,
        doc: &'static str,
        run: OperationFunction,
    ) -> Self {
        Operation {
            name,
            doc: published(doc),
            arguments: &A::SHAPE,
            answer: published_kind(R::KIND),
            capability: Capability::Library,
            changes: false,
            #[cfg(threads)]
            shares_text: false,
            run,
        }
    }

    /// Moves the row to another capability.
    pub(super) const fn of(self, capability: Capability) -> Self {
        Operation { capability, ..self }
    }

    /// Gets the text behind a request by [`Arguments::shared_text`].
    #[cfg(threads)]
    pub(super) const fn sharing_text(self) -> Self {
        Operation {
            shares_text: true,
            ..self
        }
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
pub(super) struct Arguments {
    pub(super) members: Object,
    #[cfg(threads)]
    pub(super) shared_text: Option<Rc<String>>,
}

impl Arguments {
    /// The text behind the request, for an operation of [`Operation::sharing_text`].
    #[cfg(threads)]
    pub(super) fn shared_text(&self) -> Option<Rc<String>> {
        self.shared_text.clone()
    }

    /// The arguments as their operation has them.
    pub(super) fn read<'a, A: ArgumentMembers<'a>>(&'a self) -> A {
        A::read(&self.members)
    }
}
